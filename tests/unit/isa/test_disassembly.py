"""Instructions are written as text."""

from __future__ import annotations

import math
import struct

import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.disassembly import OperandNames, disassemble, labels, listing, literal
from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import Type


def lines(body: str, params: str = "int *out, const float *in, int n", head: str = "", **how: bool) -> list[str]:
    return disassemble(program(body, params, head, **how))


def program(body: str, params: str = "int *out, const float *in, int n", head: str = "", **how: bool) -> Program:
    text = f"{head}\n__global__ void kernel({params}) {{\n{body}\n}}\n"
    return compile_source(SourceText("kernel.cu", text), **how)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("out[threadIdx.x] = n;", "st.global.s32 [%rd1], n"),
        ("out[0] = -7;", "st.global.s32 [out], -7"),
        ("out[3] = n;", "st.global.s32 [out+12], n"),
        ("out[0] = n / 3;", "div.s32 %r1, n, 3"),
        ("out[0] = __popc(n);", "popc.u32 %r1, n"),
        ("out[0] = (int)in[0];", "cvt.rzi.s32.f32 %r1, %f1"),
        ("*(float *)out = n;", "cvt.rn.f32.s32 %f1, n"),
        ("*(float *)out = in[0] * 0.1f;", "mul.f32 %f1, %f1, 0.1"),
        ("*(float *)out = in[0] / 3;", "div.rn.f32 %f1, %f1, 3"),
        ("*(float *)out = sinf(in[0]);", "sin.f32 %f1, %f1"),
        ("atomicAdd(out, n);", "red.global.add.s32 [out], n"),
        ("out[0] = atomicCAS(out + 1, 2, n);", "atom.global.cas.s32 %r1, [out+4], 2, n"),
        ("*(volatile int *)out = n;", "st.volatile.global.s32 [out], n"),
        ("*(int2 *)out = make_int2(n, 1);", "st.global.v2.s32 [out], {%r1, %r2}"),
        ("__syncthreads();", "bar.sync 0"),
        ("__syncwarp();", "bar.warp.sync 0xffffffff"),
        ("out[0] = __shfl_down_sync(0xffffffff, n, 4);", "shfl.sync.down.b32 %r1, n, 4, 32, 0xffffffff"),
        ("out[0] = __ballot_sync(0xffff, n > 2);", "vote.sync.ballot.b32 %r1, %p1, 0xffff"),
        ("if (n > 5) out[0] = 1;", "@!%p1 bra L1"),
    ],
)
def test_texts(statement: str, expected: str) -> None:
    assert expected in lines(statement)


def test_variables_keep_their_names() -> None:
    texts = lines(
        "int sum = 0; for (int i = 0; i < n; i++) { sum += i; } for (int i = n; i > 0; i--) sum ^= i; out[0] = sum;"
    )
    assert "add.s32 %sum, %sum, %i" in texts
    assert "xor.b32 %sum, %sum, %i.2" in texts


def test_predicated_instructions_carry_their_guard() -> None:
    assert "@%p1 st.global.s32 [out], 1" in lines("if (n > 5) out[0] = 1;", predicate=True)


def test_labels_stand_before_their_instructions() -> None:
    compiled = program("for (int i = 0; i < n; i++) out[i] = i;")
    marks = labels(compiled)
    text = listing(compiled).splitlines()
    assert len(text) == len(compiled.instructions) + len(marks)
    for pc, label in marks.items():
        place = text.index(f"{label}:")
        assert text[place + 1].strip() == disassemble(compiled)[pc]


def test_special_registers_and_struct_fields() -> None:
    texts = lines("out[0] = p.b + blockIdx.y;", "int *out, P p", "struct P { int a, b; };")
    assert "add.u32 %r1, %ctaid.y, p.b" in texts or "add.u32 %r1, p.b, %ctaid.y" in texts


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1e-45, 3.4028234663852886e38, 16777216.0, 1 / 3])
def test_float_literals_are_the_shortest_that_come_back(value: float) -> None:
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    text = literal(Type.F32, bits)
    assert struct.pack("<f", float(text)) == struct.pack("<f", value)
    assert len(text) <= 14


def test_infinities_and_nan() -> None:
    assert literal(Type.F32, 0x7F800000) == "inf"
    assert math.isnan(float(literal(Type.F32, 0x7FC00000)))


def test_every_row_has_a_name() -> None:
    compiled = program("double d = in[n]; bool b = d > 2; out[b] = (short)n;")
    names = OperandNames(compiled)
    assert all(row in names.rows[0] or row in compiled.constants32 for row in range(compiled.rows32))
    assert all(row in names.rows[1] or row in compiled.constants64 for row in range(compiled.rows64))
    assert compiled.instructions[-1].op == Op.EXIT
