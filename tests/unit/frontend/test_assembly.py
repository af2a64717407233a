"""Inline PTX: barriers and fences become the instructions they name, and everything else is refused at its place."""

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
        ('asm volatile("" ::: "memory");', []),
        ("__barrier_sync(2); __barrier_sync_count(3, 32);", ["bar.sync 2, 0", "bar.sync 3, 32"]),
    ],
)  # fmt: skip
def test_a_statement_becomes_its_instructions(statement: str, instructions: list[str]) -> None:
    assert synchronisation(statement) == instructions


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('asm("mov.u32 %0, 1;" ::"r"(n));', "inline PTX 'mov.u32 %0, 1' is not supported"),
        ('asm("mov.u32 %0, 1;" : "=r"(n));', "is not supported: only barriers"),
        ('asm("mov.u64 %0, %%laneid;" : "=r"(n));', "'%laneid' has 32 bits"),
        ('asm("mov.u32 %1, %%laneid;" : "=r"(n));', "there is no result %1"),
        ('asm("mov.u32 %0, %%nsmid;" : "=r"(n));', "%nsmid' is not supported: only barriers"),
        ('asm("mov.f32 %0, %%laneid;" : "=f"(n));', "is not supported: only barriers"),
        ('asm("ld.global.cs.b32 %0, [%1];" : "=r"(n) : "l"(a));', "only barriers, fences and reads of special"),
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
