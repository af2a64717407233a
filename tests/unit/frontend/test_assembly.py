"""Inline PTX becomes the instructions that it names, and what is not supported is refused at its place."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend import compile_source
from warpview.isa.disassembly import disassemble


def synchronisation(body: str) -> list[str]:
    """Return the instructions of a kernel that synchronise, as text."""
    text = f"__global__ void kernel(int* out, int n) {{ {body} out[threadIdx.x] = n; }}"
    listed = disassemble(compile_source(SourceText("asm.cu", text), None))
    return [line for line in listed if line.startswith(("bar", "membar"))]


@pytest.mark.parametrize(
    ("statement", "instructions"),
    [
        ('asm volatile("bar.sync 0;");', ["bar.sync 0"]),
        ('asm volatile("barrier.sync 0;" ::: "memory");', ["bar.sync 0"]),
        ('__asm__ __volatile__("bar.sync 1, 64;");', ["bar.sync 1, 64"]),
        ('asm("barrier.cta.sync.aligned %0, %1;" : : "r"(n), "n"(3 * 32) : "memory");', ["bar.sync n, 96"]),
        ('asm volatile("bar.arrive %1, %0;" ::"r"(64), "r"(n));', ["bar.arrive n, 64"]),
        ('asm volatile("bar.sync 0xf;");', ["bar.sync 15, 0"]),
        ('asm volatile("bar.warp.sync 0x0000ffff;");', ["bar.warp.sync 0xffff"]),
        ('asm volatile("membar.gl;\\n\\t" "fence.acq_rel.cta; // the block\\n fence.sc.sys;");',
         ["membar.gl", "membar.cta", "membar.sys"]),
        ('asm volatile("fence.proxy.async.shared::cta; fence.acq_rel.gpu;" ::: "memory");', ["membar.gl"]),
        ('asm volatile("" ::: "memory");', []),
        ("__barrier_sync(2); __barrier_sync_count(3, 32);", ["bar.sync 2, 0", "bar.sync 3, 32"]),
    ],
)  # fmt: skip
def test_a_statement_becomes_its_instructions(statement: str, instructions: list[str]) -> None:
    assert synchronisation(statement) == instructions


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('asm("mov.u32 %1, 1;" : "=r"(n));', "inline PTX: '%1' is not supported"),
        ('asm("mov.u32 %0, 1" : "=r"(n));', "inline PTX: ';' is expected"),
        ('asm("mov.u32 %0, 1;" : "r"(n));', "the constraint 'r' of 'asm' is not supported here"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : ""(n));', "the constraint '' of 'asm' is not supported here"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "x"(n));', "the constraint 'x' of 'asm' is not supported here"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "r"(1.5f));', "a 'float' does not fit the constraint 'r' of 'asm'"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "r"(2ll));', "a 'long long' does not fit the constraint 'r' of 'asm'"),
        ('asm("mov.u32 %0, 2;" : "=r"(n + 1));', "a result of 'asm' needs an object"),
        ('asm("mov.u32 %0, %1;" : "=r"(n) : "n"(n));', "an operand with the constraint 'n'"),
        ('asm("add.f64 %0, %0, %0;" : "+r"(n));', "inline PTX: an operand of 'add.f64 %0, %0, %0;' has the size of"),
        ('asm("setp.lt.s32 %0, %0, 2;" : "+r"(n));', "has the size of another type"),
        ('asm("@%0 add.s32 %0, %0, %0;" : "+r"(n));', "has the size of another type"),
        ('asm("}");', "inline PTX: a '}' without its '{'"),
        ('asm(".shared .u32 s[4]; st.shared.u32 [s], %0;" ::"r"(n));', "variables in inline PTX are not supported"),
        ('asm("bra nowhere;");', "which is not a label"),
        ('asm("wgmma.fence.sync.aligned;");', "inline PTX: instructions of tensor cores are not supported"),
        ('asm("mov.u64 %0, %%laneid;" : "=r"(n));', "'%laneid' has 32 bits"),
        ('asm("mov.u32 %1, %%laneid;" : "=r"(n));', "there is no result %1"),
        ('asm("mov.u32 %0, %%nsmid;" : "=r"(n));', "inline PTX: '%nsmid' is not supported"),
        ('asm("txq.width.b32 %0, [%1];" : "+r"(n) : "l"(8ull));', "inline PTX: queries of textures are not supported"),
        ('asm("add.s32 %0, %0, 1.5;" : "+r"(n));', "inline PTX: '1.5' as an integer is not supported"),
        ('asm("bar.sync 16;");', "there is no barrier 16: a block has barriers 0 to 15"),
        ('asm("bar.sync 1, 48;");', "must be a multiple of 32, not 48"),
        ('asm("bar.arrive 1;");', "'bar.arrive' takes 2 operands, 1 given"),
        ('asm("bar.arrive 1, 0;");', "must say for how many threads"),
        ('asm("bar.sync %0;");', "there is no input %0"),
        ('asm("bar.sync %0;" ::"l"(n));', "the constraint 'r' or 'n', not 'l'"),
        ('asm("bar.sync n;" ::"r"(n));', "%0, %1, ... or a number here, not 'n'"),
        ('asm("bar.sync 1;"', "to close 'asm'"),
        ("asm(n);", "the text of the instructions"),
    ],
)
def test_what_is_refused_is_named(statement: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        synchronisation(statement)
    diagnostic = caught.value.diagnostics[0]
    assert message in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.line == 1


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        ("laneid", lambda lane, warp: lane),
        ("warpid", lambda lane, warp: warp),
        ("smid", lambda lane, warp: 0),
        ("lanemask_lt", lambda lane, warp: (1 << lane) - 1),
        ("lanemask_le", lambda lane, warp: (2 << lane) - 1),
        ("lanemask_eq", lambda lane, warp: 1 << lane),
        ("lanemask_gt", lambda lane, warp: 2**32 - (2 << lane)),
        ("lanemask_ge", lambda lane, warp: 2**32 - (1 << lane)),
    ],
)
def test_registers_are_read(register: str, expected: Callable[[int, int], int]) -> None:
    body = f'asm volatile("mov.u32 %0, %%{register};" : "=r"(x));'
    text = f"__global__ void k(unsigned *o) {{ unsigned x; {body} o[threadIdx.x] = x; }}"
    run = wv.simulate(wv.compile(text, kernel="k"), 1, 64, [np.zeros(64, np.uint32)], device="h200")
    assert run.buffers["o"].tolist() == [expected(i % 32, i // 32) for i in range(64)]


T = np.arange(64, dtype=np.int64)
BITS = """{
    .reg .pred p;
    .reg .s32 t;
    setp.gt.s32 p, %1, %2;
    mul.lo.s32 t, %1, 3;
    selp.s32 %0, t, %2, p;
    @p add.s32 %0, %0, 1;
}"""
LOOP = "{ .reg .pred p; L: add.s32 %0, %0, 3; setp.lt.s32 p, %0, %1; @p bra L; }"
CARRIES = "add.cc.u32 %0, %0, %2; addc.u32 %1, %1, %3;"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('asm("mad.lo.s32 %0, %1, %2, 7;" : "=r"(r) : "r"(t), "r"(5));', 5 * T + 7),
        ('asm("add.s32 %0, %0, %1;" : "+r"(r) : "n"(3 * 4));', np.full(64, 112)),
        ('asm("add.s32 %0, %1, 1; xor.b32 %0, %0, %1;" : "=&r"(r) : "r"(t));', (T + 1) ^ T),
        ('asm("bfe.u32 %0, %1, 2, 3; // three bits" : "=r"(r) : "r"(t));', T >> 2 & 7),
        ('unsigned a[2] = {~0u, 1}; asm("CARRIES" : "+r"(a[0]), "+r"(a[1]) : "r"(t), "r"(10)); r = a[0] + 100 * a[1];',
         (T + 0xFFFFFFFF) % 2**32 + 100 * (11 + (T > 0))),
        ('asm("BITS" : "=r"(r) : "r"(t), "r"(31));', np.where(T > 31, 3 * T + 1, 31)),
        ('r = 0; asm volatile("LOOP" : "+r"(r) : "r"(t));', np.maximum(3, -(-T // 3) * 3)),
        ('float f; asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(t * 0.5f), "f"(4.0f)); r = f;', 2 * T + 1),
        ('float f; asm("fma.rn.f32 %0, %1, -1.5, 25e-1;" : "=f"(f) : "f"((float)t)); r = 2 * f;', 5 - 3 * T),
        ('double d; asm("add.rn.f64 %0, %1, %1;" : "=d"(d) : "d"((double)t)); r = d;', 2 * T),
        ('asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(t * 65536), "r"(0x7fe00000));',
         np.minimum(T * 65536 + 0x7FE00000, 2**31 - 1)),
        ('asm("sub.sat.s32 %0, -5, %1;" : "=r"(r) : "r"(0x7fffffff - 2 * t));',
         np.maximum(2 * T - 2**31 - 4, -(2**31))),
        ('long long w; asm("mul.wide.s32 %0, %1, %2;" : "=l"(w) : "r"(t), "r"(1 << 30)); r = w >> 28;', 4 * T),
        ('short h; asm("add.s16 %0, %1, %1;" : "=h"(h) : "h"((short)t)); r = h;', 2 * T),
        ('asm volatile("st.global.s32 [%0+4], %1;" ::"l"(o + t), "r"(t)); __syncthreads(); r = o[t];',
         np.maximum(T - 1, 0)),
        ('__shared__ int s[64]; size_t at = __cvta_generic_to_shared(s + t - 1);'
         ' asm volatile("st.shared.s32 [%0+4], %1;" ::"l"(at), "r"(t) : "memory"); r = s[t];', T),
        ('int v; asm("ld.global.nc.b32 %0, [%1];" : "=r"(v) : "l"(o + t)); r = v + 1;', np.full(64, 1)),
    ],
)  # fmt: skip
def test_other_instructions_compute_what_ptx_says(body: str, expected: np.ndarray) -> None:
    for name, text in (("BITS", BITS), ("LOOP", LOOP), ("CARRIES", CARRIES)):
        body = body.replace(name, text.replace("\n", "\\n"))
    text = f"__global__ void k(int *o) {{ int t = threadIdx.x, r = 100; {body} __syncthreads(); o[t] = r; }}"
    run = wv.simulate(wv.compile(text, kernel="k"), 1, 64, [np.zeros(65, np.int32)], device="h200")
    assert run.buffers["o"][:64].tolist() == expected.astype(np.uint32).astype(np.int32).tolist()


def test_the_space_of_an_address_is_known() -> None:
    text = """
    template <int K> __device__ unsigned in(const void *p) {
        unsigned r;
        if (K == 0) asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
        if (K == 1) asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
        if (K == 2) asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
        return r;
    }
    __device__ unsigned all(const void *p) { return in<0>(p) + 2 * in<1>(p) + 4 * in<2>(p); }
    __global__ void kernel(unsigned *out, int n) {
        __shared__ int s[2];
        int own[4] = {n, n + 1, n + 2, n + 3};
        out[0] = all(out + n), out[1] = all(s + n), out[2] = all(own + n), out[3] = own[n];
    }"""
    run = wv.simulate(wv.compile(text), 1, 1, [np.zeros(4, np.uint32), 1])
    assert run.buffers["out"].tolist() == [1, 2, 4, 2]


def test_a_carry_goes_from_one_statement_to_the_next() -> None:
    text = """
    __device__ void add(unsigned (&r)[3], unsigned a, unsigned b) {
        asm("add.cc.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a), "r"(b));
        asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a), "r"(b));
        asm volatile("addc.u32 %0, 0, 0;" : "=r"(r[2]));
    }
    __global__ void kernel(unsigned *out, unsigned a, unsigned b) {
        unsigned r[3];
        add(r, a, b);
        for (int k = 0; k < 3; k++) out[k] = r[k];
    }"""
    for a, b in ((0xFFFFFFFF, 1), (0x80000000, 0x80000001), (3, 4)):
        low = a + b
        high = a + b + (low >> 32)
        run = wv.simulate(wv.compile(text), 1, 1, [np.zeros(3, np.uint32), a, b])
        assert run.buffers["out"].tolist() == [low & 0xFFFFFFFF, high & 0xFFFFFFFF, high >> 32]
