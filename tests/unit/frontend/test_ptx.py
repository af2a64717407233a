"""Hand-written PTX compiles to programs whose results are those of numpy; what is not supported is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.ptx import HEAD, N, kernel, run

import warpview as wv

INTS = np.arange(-32, 32, dtype=np.int32) * 123_456_789
FLOATS = np.linspace(-3, 3, N).astype(np.float32)


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
    "bfe.computed": ("and.b32 %r3, %r0, 63; bfe.u32 %r2, %r1, %r3, 9; mov.u32 %r4, 40; bfe.u32 %r5, %r1, 2, %r4;\n"
                     "setp.lt.u32 %p1, %r3, 64; selp.b32 %r2, %r5, %r2, %p1;", lambda v: (v & 0xFFFFFFFF) >> 2),
    "bfe.signed": ("mov.u32 %r3, 20; bfe.s32 %r2, %r1, %r3, 9;", lambda v: _signed(v >> 20, 9)),
    "bfe.beyond": ("mov.u32 %r3, 28; bfe.s32 %r2, %r1, %r3, 9;", lambda v: v >> 28),
    "bfe.empty": ("mov.u32 %r3, %r0; and.b32 %r3, %r3, 0; bfe.s32 %r2, %r1, 3, %r3;", lambda v: 0),
    "bfi.computed": ("popc.b32 %r3, 7; bfi.b32 %r2, 99, %r1, %r3, 5;", lambda v: v & ~(31 << 3) | (99 & 31) << 3),
    "bfind.s32": ("bfind.s32 %r2, %r1;", lambda v: (v if v >= 0 else ~v).bit_length() - 1),
    "mul.hi.s16": ("cvt.u16.u32 %h1, %r1; mul.hi.s16 %h1, %h1, 1000; cvt.s32.s16 %r2, %h1;",
                   lambda v: _s16(v) * 1000 >> 16),
    "carry": ("mov.b64 {%r3, %r4}, 0x7FFFFFFF90000001; add.cc.u32 %r2, %r1, %r3; addc.u32 %r2, %r0, %r4;\n"
              "sub.s32 %r2, %r2, %r0;", lambda v: (v & 0xFFFFFFFF) + 0x7FFFFFFF90000001 >> 32),
    "borrow": ("sub.cc.u32 %r2, 1000, %r1; subc.cc.u32 %r3, 0, 0; subc.u32 %r2, 5, 0;",
               lambda v: 5 - int(v & 0xFFFFFFFF > 1000)),
    "mad.cc": ("mad.lo.cc.u32 %r2, %r1, 77777777, %r1; madc.hi.u32 %r2, %r1, 77777777, 3;",
               lambda v: ((v & 0xFFFFFFFF) * 77777778 >> 32) + 3),
    "carry.wide": ("cvt.s64.s32 %rd1, %r1; add.cc.u64 %rd2, %rd1, %rd1; addc.u64 %rd3, 0, 0; cvt.u32.u64 %r2, %rd3;",
                   lambda v: int(v < 0)),
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


def _signed(value: int, bits: int) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _s16(value: int) -> int:
    return _signed(value, 16)


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


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
@pytest.mark.parametrize("opcode", ["add", "sub", "mul", "fma", "cvt.f32.f64", "cvt.f32.s32"])
def test_directed_rounding(tmp_path: Path, opcode: str, mode: str) -> None:
    body = {
        "fma": f"fma.{mode}.f32 %f2, %f1, %f1, 0fBDCCCCCD;",
        "cvt.f32.f64": f"cvt.f64.f32 %fd1, %f1; mul.f64 %fd1, %fd1, 0d3FB999999999999A; cvt.{mode}.f32.f64 %f2, %fd1;",
        "cvt.f32.s32": f"mov.b32 %r1, %f1; cvt.{mode}.f32.s32 %f2, %r1;",
    }.get(opcode, f"{opcode}.{mode}.f32 %f2, %f1, 0f3DCCCCCD;")
    special = np.array([0.0, -0.0, np.inf, -np.inf, 1e-44, -1e-44, 3e38, -3e38, 0.1, -0.1], np.float32)
    values = np.concatenate([special, FLOATS[: N - len(special)]])
    with np.errstate(over="ignore"):
        found = run(tmp_path, kernel(f"ld.global.f32 %f1, [%in];\n{body}\nst.global.f32 [%out], %f2;"), values)
    tenth = Fraction(float(np.float32(0.1)))
    exact: dict[str, Callable[[Fraction, int], Fraction]] = {
        "add": lambda v, _: v + tenth,
        "sub": lambda v, _: v - tenth,
        "mul": lambda v, _: v * tenth,
        "fma": lambda v, _: v * v - tenth,
        "cvt.f32.f64": lambda v, _: Fraction(float(v) * 0.1),
        "cvt.f32.s32": lambda _, bits: Fraction(bits),
    }
    for value, bits, result in zip(values, values.view(np.int32), found, strict=True):
        if not np.isfinite(value) and opcode != "cvt.f32.s32":
            assert np.isinf(result)
            continue
        wanted = exact[opcode](Fraction(float(value)), int(bits)) if np.isfinite(value) else Fraction(int(bits))
        assert result.view(np.uint32) == _rounded(wanted, mode, negative_zero=_zero(opcode, value, mode)).view(
            np.uint32
        )


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
@pytest.mark.parametrize("opcode", ["div", "rcp"])
def test_directed_quotients(tmp_path: Path, opcode: str, mode: str) -> None:
    operands = "0f3DCCCCCD, %f1" if opcode == "div" else "%f1"  # 0.1
    special = np.array([0.0, -0.0, np.inf, -np.inf, 1e-44, -1e-44, 3e38, -3e38, 1e-39, 2.0], np.float32)
    values = np.concatenate([special, FLOATS[: N - len(special)]])
    body = f"ld.global.f32 %f1, [%in];\n{opcode}.{mode}.f32 %f2, {operands};\nst.global.f32 [%out], %f2;"
    found = run(tmp_path, kernel(body), values)
    dividend = Fraction(float(np.float32(0.1))) if opcode == "div" else Fraction(1)
    for value, result in zip(values, found, strict=True):
        if not value or np.isinf(value):
            wanted = np.copysign(np.float32(0 if value else np.inf), value)
        else:
            wanted = _rounded(dividend / Fraction(float(value)), mode, negative_zero=False)
        assert result.view(np.uint32) == wanted.view(np.uint32)


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_directed_square_roots(tmp_path: Path, mode: str) -> None:
    special = np.array([0.0, -0.0, np.inf, 1e-44, 3e38, 1e-39, 4.0, 2.0], np.float32)
    values = np.concatenate([special, np.abs(FLOATS[: N - len(special)])])
    found = run(tmp_path, kernel(f"ld.global.f32 %f1, [%in];\nsqrt.{mode}.f32 %f2, %f1;\nst.global.f32 [%out], %f2;"),
                values)  # fmt: skip
    assert np.array_equal(found[:3].view(np.uint32), special[:3].view(np.uint32))
    for value, result in zip(values[3:], found[3:], strict=True):
        if mode == "rp":
            below, above = np.nextafter(result, np.float32(0)), result
            assert Fraction(float(below)) ** 2 < Fraction(float(value)) <= Fraction(float(above)) ** 2
        else:
            above = np.nextafter(result, np.float32(np.inf))
            assert Fraction(float(result)) ** 2 <= Fraction(float(value)) < Fraction(float(above)) ** 2


def _zero(opcode: str, value: np.float32, mode: str) -> bool:
    """Whether the sign of an exact result that is zero is negative."""
    if opcode in ("mul", "cvt.f32.f64"):
        return bool(np.signbit(value))
    return mode == "rm" and opcode in ("add", "sub", "fma")


def _rounded(exact: Fraction, mode: str, negative_zero: bool) -> np.float32:
    """The F32 that an exact number rounds to in a direction; what is too large goes to infinity or the largest."""
    if not exact:
        return np.float32(-0.0 if negative_zero else 0.0)
    down = mode == "rm" or (mode == "rz" and exact > 0)
    largest = np.finfo(np.float32).max
    if abs(exact) > Fraction(float(largest)):
        return np.copysign(largest if down == (exact > 0) else np.float32(np.inf), np.float32(1 if exact > 0 else -1))
    near = np.float32(float(exact))
    while Fraction(float(near)) > exact if down else Fraction(float(near)) < exact:
        near = np.nextafter(near, np.float32(-np.inf if down else np.inf))
    while (after := np.nextafter(near, np.float32(np.inf if down else -np.inf))) is not None and not np.isinf(after):
        if Fraction(float(after)) > exact if down else Fraction(float(after)) < exact:
            break
        near = after
    return np.copysign(near, np.float32(1 if exact > 0 else -1))


def test_flushing_takes_subnormal_numbers_for_zeros(tmp_path: Path) -> None:
    body = """ld.global.f32 %f1, [%in];
    add.ftz.f32 %f2, %f1, %f1; mul.ftz.f32 %f3, %f1, 0f7E800000; setp.eq.ftz.f32 %p1, %f1, 0f00000000;
    selp.f32 %f4, 0f3F800000, 0f00000000, %p1; add.f32 %f3, %f3, %f4; fma.rn.ftz.f32 %f2, %f3, 0f00000000, %f2;
    st.global.f32 [%out], %f2; st.global.f32 [%out+4], %f3;"""
    values = np.full(N, 3e-39, np.float32)
    values[::2] = -1e-38
    values[3], values[4] = 1.5, 1.2e-38
    path = tmp_path / "k.ptx"
    path.write_text(kernel(body))
    given = np.zeros((N, 2), np.float32)
    given[:, 0] = values
    launched = wv.simulate(wv.compile(path, device="gtx480"), 1, N, [given, np.zeros_like(given)], device="gtx480")
    found = np.asarray(launched.buffers["out"])
    normal = np.where(np.abs(values) < 2.0**-126, np.copysign(np.float32(0), values), values)
    assert np.array_equal(found[:, 0], 2 * normal)
    assert np.array_equal(found[:, 1], normal * np.float32(2.0**126) + (normal == 0))


def test_printf_assert_and_trap(tmp_path: Path) -> None:
    before = """.extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);
    .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
    .global .align 1 .b8 $str[12] = {37, 100, 32, 37, 46, 49, 102, 32, 37, 115, 10, 0};
    .global .align 1 .b8 $str$1[6] = {105, 32, 60, 32, 57, 0};
    .global .align 1 .b8 word[4] = {97, 98, 99, 0};
    """
    body = """.local .align 8 .b8 depot[24]; .reg .b64 %SP;
    mov.u64 %SP, depot; cvta.local.u64 %SP, %SP;
    st.local.u32 [%SP], %r0; st.local.f64 [%SP+8], 0d3FF8000000000000;
    mov.u64 %rd5, word; cvta.global.u64 %rd6, %rd5; st.local.u64 [%SP+16], %rd6;
    setp.ne.u32 %p1, %r0, 3; @%p1 bra $after;
    mov.u64 %rd1, $str; cvta.global.u64 %rd2, %rd1;
    { .param .b64 param0; st.param.b64 [param0], %rd2; .param .b64 param1; st.param.b64 [param1], %SP;
    .param .b32 retval0; call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r1, [retval0]; }
    st.global.u32 [%out], %r1;
    $after: setp.lt.u32 %p1, %r0, 9; @%p1 ret;
    mov.u64 %rd3, $str$1; cvta.global.u64 %rd4, %rd3;
    { .param .b64 param0; st.param.b64 [param0], %rd4; .param .b64 param1; st.param.b64 [param1], %rd4;
    call.uni __assertfail, (param0, param1, param1, param1, param1); }
    trap;"""
    path = tmp_path / "k.ptx"
    path.write_text(kernel(body, before))
    program = wv.compile(path, device="gtx480")
    values = np.zeros((N, 2), np.int32)
    launched = wv.simulate(program, 1, N, [values, values.copy()], device="gtx480")
    assert launched.output == ("3 1.5 abc\n",)
    assert np.asarray(launched.buffers["out"])[3, 0] == 3
    (finding,) = launched.findings
    assert finding.kind == "assertion"
    assert finding.message.endswith("assertion failed: i < 9")
    assert finding.thread == (9, 0, 0)


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles_of_any_segment_tell_what_lies_in_it(tmp_path: Path, mode: str) -> None:
    segment = 0x180B if mode != "up" else 0x1802  # segments of 8 lanes, of which not all are reached
    body = f"""ld.global.u32 %r1, [%in]; mov.u32 %r5, {segment};
    shfl.sync.{mode}.b32 %r2|%p1, %r1, 3, %r5, -1; selp.b32 %r3, 1, 0, %p1; add.s32 %r2, %r2, %r3;
    st.global.u32 [%out], %r2;"""
    found = run(tmp_path, kernel(body), INTS, "v100")
    for lane in range(N):
        first, last = lane & ~7, (lane & ~7) | (segment & 7)
        chosen = {"up": lane - 3, "down": lane + 3, "bfly": lane ^ 3, "idx": first | 3}[mode]
        holds = chosen >= last if mode == "up" else chosen <= last
        assert found[lane] == np.int32(INTS[chosen if holds else lane] + holds)


def test_dot_products_logic_of_three_and_matches(tmp_path: Path) -> None:
    body = """ld.global.u32 %r1, [%in]; dp4a.s32.u32 %r2, %r1, 0x01020380, %r0;
    dp2a.hi.s32.s32 %r2, %r1, 0x7F010000, %r2;
    lop3.b32 %r3, %r2, 0xF0F0, 0x1234, 0x6A; lop3.b32 %r2, %r3, 0x1234, %r2, 0x7E; add.s32 %r2, %r2, %r3;
    and.b32 %r3, %r0, 0; match.all.sync.b32 %r4|%p1, %r3, -1; selp.b32 %r3, 1, 0, %p1; add.s32 %r2, %r2, %r3;
    nanosleep.u32 20; st.global.u32 [%out], %r2;"""
    found = run(tmp_path, kernel(body), INTS, "v100")
    parts = INTS.view(np.int8).reshape(N, 4).astype(np.int64)
    halves = INTS.view(np.int16).reshape(N, 2).astype(np.int64)
    total = parts @ [0x80, 3, 2, 1] + halves @ [1, 0x7F] + np.arange(N)
    first = (total & 0xF0F0) ^ 0x1234
    some, every = first | 0x1234 | total, first & 0x1234 & total  # 0x7E: neither none nor all
    wanted = (some & ~every) + first + 1
    assert np.array_equal(found, wanted.astype(np.int32))


def test_parts_of_parameters(tmp_path: Path) -> None:
    path = tmp_path / "k.ptx"
    path.write_text(
        f"{HEAD}.visible .entry k(.param .u64 out, .param .u64 seed)\n{{ .reg .b32 %r<5>; .reg .b64 %rd<3>;\n"
        "ld.param.u32 %r1, [seed]; ld.param.u32 %r2, [seed+4]; ld.param.u64 %rd1, [out];\n"
        "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; ret; }\n"
    )
    seed = 0x123456789ABCDEF0
    launched = wv.simulate(wv.compile(path, device="gtx480"), 1, 1, [np.zeros(2, np.uint32), seed], device="gtx480")
    assert launched.buffers["out"].tolist() == [seed & 0xFFFFFFFF, seed >> 32]


def test_shifts_of_ptx_beyond_the_width_are_defined(tmp_path: Path) -> None:
    body = "ld.global.u32 %r1, [%in]; shl.b32 %r2, %r1, %r0; st.global.u32 [%out], %r2;"
    found = run(tmp_path, kernel(body), INTS)
    assert found.tolist() == [int(np.int32(int(v) << k & 0xFFFFFFFF if k < 32 and int(v) << k & 0x80000000 == 0
                                           else _signed(int(v) << k, 32) if k < 32 else 0))
                              for k, v in enumerate(INTS)]  # fmt: skip


def test_what_an_older_device_lacks_is_named_with_its_line(tmp_path: Path) -> None:
    text = kernel("ld.global.u32 %r1, [%in];\nshfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\n")
    line = 1 + text[: text.index("shfl")].count("\n")
    with pytest.raises(wv.LaunchError, match=rf"3\.0 \(warp shuffles: 'shfl.sync.bfly.b32' in line {line}\)"):
        run(tmp_path, text, INTS, "gtx480")


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


def test_a_function_that_calls_itself_keeps_what_it_needs_on_a_stack(tmp_path: Path) -> None:
    """The factorial of 0 to 9, of which each call multiplies by its own number after the one within has come back."""
    function = (
        ".func (.param .b32 result) f(.param .b32 n) {\n.reg .pred %p1; .reg .b32 %r<5>;\n"
        "ld.param.u32 %r1, [n]; setp.lt.s32 %p1, %r1, 2; mov.u32 %r3, 1; @%p1 bra DONE; sub.s32 %r2, %r1, 1;\n"
        "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r2; call.uni (q), f, (p); ld.param.b32 %r4, [q]; }\n"
        "mul.lo.s32 %r3, %r4, %r1;\nDONE: st.param.b32 [result], %r3; ret;\n}\n"
    )
    body = (
        "ld.global.u32 %r1, [%in]; { .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; call.uni (q), f, (p);\n"
        "ld.param.b32 %r2, [q]; } st.global.u32 [%out], %r2;"
    )
    values = np.arange(N, dtype=np.int32) % 10
    assert run(tmp_path, kernel(body, function), values).tolist() == [math.factorial(k) for k in values.tolist()]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("add.cc.f32 %f2, %f1, %f1;", "'add.cc.f32' is not supported"),
        ("neg.rz.f64 %fd2, %fd1;", "'neg.rz.f64' is not supported"),
        ("cvt.rz.f64.s32 %fd2, %r1;", "'cvt.rz.f64.s32' is not supported"),
        ("atom.global.add.noftz.bf16x2 %r1, [%rd1], %r2;", "'atom.global.add.noftz.bf16x2' is not supported"),
        ("atom.global.min.noftz.f16x2 %r1, [%rd1], %r2;", "'atom.global.min.noftz.f16x2' is not supported"),
        ("set.lt.f16x2.f32 %r1, %f1, %f2;", "'set.lt.f16x2.f32' is not supported"),
        ("cvt.sat.f16.f32 %h1, %f1;", "'cvt.sat.f16.f32' is not supported"),
        ("add.sat.f16 %h1, %h1, %h1;", "'add.sat.f16' is not supported"),
        ("wgmma.fence.sync.aligned;", "tensor cores are not supported"),
        ("txq.width.b32 %r1, [%rd1];", "queries of textures are not supported"),
        ("tex.2d.v2.f16x2.f32 {%f1, %f2}, [%rd1, {%f1, %f2}];", "'tex.2d.v2.f16x2.f32' is not supported"),
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1];", "'tex.2d.v4.f32.f32' is not supported"),
        ("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];", "is not supported"),
        (
            "tex.grad.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3, %f3}], {%f1}, {%f2};",
            "is not supported",
        ),
        ("add.s32 %r2, %r1;", "'add.s32' with 2 operands is not supported"),
        ("add.s32 %r2, %unknown, 1;", "'%unknown' is not supported"),
        ("bra nowhere;", "which is not a label"),
        ("call.uni vprintf;", "with these operands"),
        ("ld.param.u32 %r1, [in+8];", "of parameter 'in'"),
        ("st.global.u32;", "with these operands"),
        ("mov.u32 %r1, {", "expected"),
        (".reg .e4m3 %x;", "registers of type '.e4m3'"),
    ],
)
def test_what_is_not_supported_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    text = kernel(f"\n{line}\n")
    with pytest.raises(wv.CompileError, match=message.replace("(", r"\(")) as caught:
        run(tmp_path, text, INTS)
    assert abs(caught.value.diagnostics[0].span.line - 1 - text[: text.index(line)].count("\n")) <= 2


@pytest.mark.parametrize(
    ("space", "value"), [("global", "_ZN1A1fEi"), ("const", "generic(v)+4"), ("global", "generic(c)")]
)
def test_an_address_that_no_initial_value_can_be_is_refused_by_name(tmp_path: Path, space: str, value: str) -> None:
    before = f".global .u32 v;\n.const .u32 c;\n.{space} .align 8 .u64 table[3] = {{0, 0, {value}}};\n"
    with pytest.raises(wv.CompileError, match=r"the initial value of 'table', the address of .* not supported in PTX"):
        run(tmp_path, kernel("", before), INTS)


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
