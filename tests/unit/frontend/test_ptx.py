"""Hand-written PTX compiles to programs whose results are those of numpy; what is not supported is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv

HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n"
N = 64
INTS = np.arange(-32, 32, dtype=np.int32) * 123_456_789
FLOATS = np.linspace(-3, 3, N).astype(np.float32)


def kernel(body: str, before: str = "") -> str:
    """A kernel with %in and %out for the element of the thread: 8 bytes each of ``in`` and ``out``."""
    return (
        f"{HEAD}{before}.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>, %in, %out; .reg .f32 %f<9>;\n"
        ".reg .f64 %fd<9>;\n"
        "mov.u32 %r0, %tid.x; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
        "cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;\n"
        "mad.wide.u32 %in, %r0, 8, %in; mad.wide.u32 %out, %r0, 8, %out;\n"
        f"{body}\nret;\n}}\n"
    )


def run(folder: Path, text: str, values: np.ndarray[Any, Any], device: str = "gtx480") -> np.ndarray[Any, Any]:
    """Run a kernel over one block of N threads; return ``out``, of the type of ``values``."""
    path = folder / "k.ptx"
    path.write_text(text)
    padded = np.zeros((N, 8 // values.itemsize), values.dtype)
    padded[:, 0] = values
    program = wv.compile(path, device=device)
    launched = wv.simulate(program, 1, N, [padded, np.zeros_like(padded)], device=device)
    assert not launched.findings
    return np.asarray(launched.buffers["arg1"])[:, 0]


def wrapped(function: Callable[[int], int]) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """Apply a function of Python's integers to each element, modulo 2^32."""
    return lambda values: np.array([function(int(v)) & 0xFFFFFFFF for v in values], np.uint32).astype(np.int32)


INTEGERS: dict[str, tuple[str, Callable[[int], int]]] = {
    "mad": ("mad.lo.s32 %r2, %r1, 7, %r1;", lambda v: 8 * v),
    "mul.hi": ("mul.hi.s32 %r2, %r1, 1000003;", lambda v: v * 1000003 >> 32),
    "mul.wide.s16": ("cvt.s16.s32 %h1, %r1; mul.wide.s16 %r2, %h1, -3;", lambda v: -3 * _s16(v)),
    "add.s16": ("cvt.u16.u32 %h1, %r1; add.s16 %h1, %h1, 30000; cvt.s32.s16 %r2, %h1;", lambda v: _s16(v + 30000)),
    "cvt.s8": ("cvt.s32.s8 %r2, %r1;", lambda v: (v + 128) % 256 - 128),
    "div": ("div.s32 %r2, %r1, -7;", lambda v: -(abs(v) // 7) * (1 if v >= 0 else -1)),
    "rem.u32": ("rem.u32 %r2, %r1, 10;", lambda v: (v & 0xFFFFFFFF) % 10),
    "shr.s32": ("shr.s32 %r2, %r1, 5;", lambda v: v >> 5),
    "shr.u32": ("shr.u32 %r2, %r1, 5;", lambda v: (v & 0xFFFFFFFF) >> 5),
    "bfe": ("bfe.u32 %r2, %r1, 4, 9;", lambda v: v >> 4 & 0x1FF),
    "bfi": ("bfi.b32 %r2, %r1, 99, 3, 20;", lambda v: 99 & ~(0xFFFFF << 3) | (v & 0xFFFFF) << 3),
    "popc": ("popc.b32 %r2, %r1;", lambda v: (v & 0xFFFFFFFF).bit_count()),
    "clz": ("clz.b32 %r2, %r1;", lambda v: 32 - (v & 0xFFFFFFFF).bit_length()),
    "bfind": ("bfind.u32 %r2, %r1;", lambda v: (v & 0xFFFFFFFF).bit_length() - 1),
    "shiftamt": ("bfind.shiftamt.u32 %r2, %r1;", lambda v: 32 - (v & 0xFFFFFFFF).bit_length() if v else -1),
    "prmt": ("prmt.b32 %r2, %r1, 0, 0x0123;", lambda v: int.from_bytes((v & 0xFFFFFFFF).to_bytes(4, "little"), "big")),
    "shf": ("shf.l.wrap.b32 %r2, %r1, %r1, 8;", lambda v: v << 8 | (v & 0xFFFFFFFF) >> 24),
    "min": ("min.s32 %r2, %r1, 5;", lambda v: min(v, 5)),
    "max.u32": ("max.u32 %r2, %r1, 5;", lambda v: max(v & 0xFFFFFFFF, 5)),
    "setp.hi": ("setp.hi.u32 %p1, %r1, 77; selp.b32 %r2, 1, 0, %p1;", lambda v: int(v & 0xFFFFFFFF > 77)),
    "setp.and": (
        "setp.lt.s32 %p2, %r1, 0; setp.gt.and.s32 %p1|%p3, %r1, -99, !%p2; selp.b32 %r2, 1, 2, %p1;",
        lambda v: 1 if v > -99 and v >= 0 else 2,
    ),
    "wide": ("cvt.s64.s32 %rd1, %r1; mul.lo.s64 %rd1, %rd1, %rd1; shr.u64 %rd1, %rd1, 20; cvt.u32.u64 %r2, %rd1;",
             lambda v: v * v >> 20),
    "pack": ("mov.b64 %rd1, {%r1, %r0}; mov.b64 {%r3, %r2}, %rd1; xor.b32 %r2, %r2, %r0; add.s32 %r2, %r2, %r3;",
             lambda v: v),
    "guard": ("mov.u32 %r2, 4; setp.lt.s32 %p1, %r1, 0; @%p1 mov.u32 %r2, 9; @!%p1 add.s32 %r2, %r2, 1;",
              lambda v: 9 if v < 0 else 5),
    "loop": (
        "mov.u32 %r2, 0; mov.u32 %r3, 0;\nagain: add.s32 %r2, %r2, %r1; add.s32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p1, %r3, 5; @%p1 bra.uni again;",
        lambda v: 5 * v,
    ),
}  # fmt: skip


def _s16(value: int) -> int:
    return (value + 0x8000) % 0x10000 - 0x8000


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(tmp_path: Path, name: str) -> None:
    body, meaning = INTEGERS[name]
    found = run(tmp_path, kernel(f"ld.global.u32 %r1, [%in];\n{body}\nst.global.u32 [%out], %r2;"), INTS)
    assert np.array_equal(found, wrapped(meaning)(INTS))


REALS: dict[str, tuple[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]]] = {
    "fma": ("fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;", lambda v: v * 2 + 1),
    "div": ("div.rn.f32 %f2, %f1, 0f40400000;", lambda v: v / np.float32(3)),
    "sat": ("add.sat.f32 %f2, %f1, 0f00000000;", lambda v: np.clip(v, 0, 1)),
    "floor": ("cvt.rmi.f32.f32 %f2, %f1;", np.floor),
    "rint": ("cvt.rni.s32.f32 %r2, %f1; cvt.rn.f32.s32 %f2, %r2;", np.rint),
    "double": ("cvt.f64.f32 %fd1, %f1; mul.rn.f64 %fd1, %fd1, 0d4000000000000000; cvt.rn.f32.f64 %f2, %fd1;",
               lambda v: v * 2),
    "copysign": ("copysign.f32 %f2, %f1, 0f40400000;", lambda v: np.copysign(np.float32(3), v)),
    "bits": ("mov.b32 %r1, %f1; xor.b32 %r1, %r1, -2147483648; mov.b32 %f2, %r1;", lambda v: -v),
    "setp.ltu": ("setp.ltu.f32 %p1, %f1, 0f7FC00000; selp.f32 %f2, 0f3F800000, 0f00000000, %p1;", np.ones_like),
    "setp.ne": ("setp.ne.f32 %p1, %f1, 0f7FC00000; selp.f32 %f2, 0f3F800000, 0f00000000, %p1;", np.zeros_like),
    "setp.num": ("setp.num.f32 %p1, %f1, %f1; selp.f32 %f2, 0f3F800000, 0f00000000, %p1;", np.ones_like),
}  # fmt: skip


@pytest.mark.parametrize("name", REALS)
def test_floats(tmp_path: Path, name: str) -> None:
    body, meaning = REALS[name]
    found = run(tmp_path, kernel(f"ld.global.f32 %f1, [%in];\n{body}\nst.global.f32 [%out], %f2;"), FLOATS)
    assert np.array_equal(found, meaning(FLOATS).astype(np.float32))


def test_memory_of_every_space(tmp_path: Path) -> None:
    before = (
        ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};\n.global .u32 base = 100;\n"
        ".shared .align 4 .b8 tile[256];\n"
    )
    body = """
    .local .align 4 .b8 depot[8]; .reg .b64 %SP;
    ld.global.u32 %r1, [%in];
    mul.wide.u32 %rd1, %r0, 4; mov.u64 %rd2, tile; add.s64 %rd3, %rd2, %rd1; st.shared.u32 [%rd3], %r1;
    bar.sync 0;
    xor.b32 %r2, %r0, 1; shl.b32 %r2, %r2, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3];
    mov.u64 %SP, depot; cvta.local.u64 %SP, %SP; st.local.u32 [%SP+4], %r4; ld.u32 %r5, [%SP+4];
    ld.const.u32 %r6, [table+4]; add.s32 %r5, %r5, %r6;
    ld.global.u32 %r7, [base]; add.s32 %r5, %r5, %r7;
    st.global.u32 [%out], %r5;"""
    found = run(tmp_path, kernel(body, before), INTS)
    assert np.array_equal(found, INTS[np.arange(N) ^ 1] + 102)


def test_vectors_and_atomics(tmp_path: Path) -> None:
    before = ".shared .u32 count;\n"
    body = """
    mov.u32 %r1, count; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r1], 0; bar.sync 0;
    atom.shared.add.u32 %r2, [%r1], 3; bar.sync 0;
    ld.shared.u32 %r3, [count];
    ld.global.v2.u32 {%r4, %r5}, [%in]; add.s32 %r4, %r4, %r3;
    st.global.v2.u32 [%out], {%r4, %r5};"""
    found = run(tmp_path, kernel(body, before), INTS, "gtx680")
    assert np.array_equal(found, INTS + 3 * N)


def test_lanes_of_a_warp(tmp_path: Path) -> None:
    body = """
    ld.global.u32 %r1, [%in]; mov.u32 %r5, 31;
    shfl.sync.bfly.b32 %r2|%p1, %r1, 1, %r5, -1;
    setp.eq.u32 %p2, %r0, 40; vote.sync.any.pred %p3, %p2, -1; selp.b32 %r3, 1, 0, %p3; add.s32 %r2, %r2, %r3;
    mov.u32 %r4, %lanemask_lt; popc.b32 %r4, %r4; add.s32 %r2, %r2, %r4;
    st.global.u32 [%out], %r2;"""
    found = run(tmp_path, kernel(body), INTS, "v100")
    lanes = np.arange(N, dtype=np.int32)
    assert np.array_equal(found, INTS[lanes ^ 1] + lanes // 32 + lanes % 32)


def test_functions_are_inlined(tmp_path: Path) -> None:
    function = """.func (.param .b32 result) twice(.param .b32 value)
    {
    .reg .b32 %r<3>; .reg .pred %p<2>;
    ld.param.u32 %r1, [value]; setp.lt.s32 %p1, %r1, 0; @%p1 bra negative;
    add.s32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; ret;
    negative: st.param.b32 [result+0], 0; ret;
    }
    """
    call = (
        "{{ .param .b32 param0; st.param.b32 [param0+0], {0}; .param .b32 retval0;\n"
        "call.uni (retval0), twice, (param0); ld.param.b32 {1}, [retval0+0]; }}\n"
    )
    body = "ld.global.u32 %r1, [%in];\n" + call.format("%r1", "%r2") + call.format("%r2", "%r3")
    found = run(tmp_path, kernel(f"{body}st.global.u32 [%out], %r3;", function), INTS)
    once = np.where(INTS < 0, 0, 2 * INTS)
    assert np.array_equal(found, np.where(once < 0, 0, 2 * once))


def test_a_loop_of_calls_to_itself_is_refused(tmp_path: Path) -> None:
    function = ".func f() { call.uni f; ret; }\n"
    with pytest.raises(wv.CompileError, match="recursion"):
        run(tmp_path, kernel("call.uni f;", function), INTS)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("add.cc.u32 %r2, %r1, 1;", "'add.cc.u32' is not supported"),
        ("add.rz.f32 %f2, %f1, %f1;", "'add.rz.f32' is not supported"),
        ("mma.sync.aligned.m8n8k4 %r1, %r2;", "is not supported"),
        ("add.s32 %r2, %r1;", "'add.s32' is not supported"),
        ("add.s32 %r2, %unknown, 1;", "'%unknown' is not supported"),
        ("shfl.sync.up.b32 %r2, %r1, 1, 31, -1;", "with this segment"),
        ("bra nowhere;", "no label 'nowhere'"),
        ("call.uni vprintf;", "a call of 'vprintf'"),
        ("ld.param.u32 %r1, [in+4];", "of parameter 'in'"),
        ("st.global.u32;", "with these operands"),
        ("mov.u32 %r1, {", "expected"),
        (".reg .f16 %x;", "registers of type '.f16'"),
    ],
)
def test_what_is_not_supported_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    text = kernel(f"\n{line}\n")
    with pytest.raises(wv.CompileError, match=message.replace("(", r"\(")) as caught:
        run(tmp_path, text, INTS)
    assert abs(caught.value.diagnostics[0].span.line - 1 - text[: text.index(line)].count("\n")) <= 2


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    text = kernel("ld.global.u32 %r1, [%in]; st.global.u32 [%out], %r1;", ".const .b8 t[4] = {1, 2};\n")
    path = tmp_path / "cut.ptx"
    for end in range(60, len(text) - 3, 23):
        path.write_text(text[:end])
        with pytest.raises(wv.WarpviewError):
            wv.compile(path, device="gtx480")


def test_nested_and_absurd_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "absurd.ptx"
    for text in (
        kernel("mov.u32 %r1, " + "{" * 5000),
        f"{HEAD}.global .b8 x[99999999999999];\n",
        f"{HEAD}.global .align 99999999 .b8 x[4];\n",
        f"{HEAD}.section {{",
        HEAD + "9" * 9000,
    ):
        path.write_text(text)
        with pytest.raises(wv.WarpviewError):
            wv.compile(path, device="gtx480")
