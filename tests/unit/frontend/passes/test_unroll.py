"""Loops whose trips can be counted are written out when compiled."""

from __future__ import annotations

import pytest

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.isa.ops import Op
from warpview.isa.program import Program


def compiled(body: str, predicate: bool = True) -> Program:
    text = f"__global__ void kernel(int *out, const int *in, int n) {{ int sum = n; {body} out[threadIdx.x] = sum; }}"
    return compile_source(SourceText("loop.cu", text), predicate=predicate)


def count(program: Program, op: Op) -> int:
    return sum(instruction.op == op for instruction in program.instructions)


@pytest.mark.parametrize(
    ("loop", "loads"),
    [
        ("for (int i = 0; i < 5; i++) sum += in[i];", 5),
        ("for (int d = 16; d > 0; d /= 2) sum += in[d];", 5),
        ("for (unsigned int d = 1; d < 100; d <<= 1) sum ^= in[d];", 7),
        ("int i = 3; do { sum += in[i]; i += 2; } while (i != 9);", 3),
        ("for (int i = 0; i < 4; i++) { if (in[i] == n) break; sum += in[i + 4]; }", 8),
        ("for (int i = 0; i < 4; i++) { if (in[i] == n) continue; sum += in[i + 4]; }", 8),
        ("for (int y = 0; y < 3; y++) for (int x = 0; x < 4; x++) sum += in[4 * y + x];", 12),
    ],
)
def test_loops_of_known_length_are_written_out(loop: str, loads: int) -> None:
    program = compiled(loop)
    assert count(program, Op.LD) == loads
    assert not any(0 <= i.target <= pc for pc, i in enumerate(program.instructions)), "a loop is left"
    assert count(compiled(loop, predicate=False), Op.LD) < loads


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < n; i++) sum += in[i];",
        "for (int i = 0; i < 100; i++) sum += in[i];",
        "for (int i = n; i < 4; i++) sum += in[i];",
        "for (int i = 0; i < 8; i += in[i]) sum += i;",
        "int i = 0; while (i < 8) { sum += in[i]; if (sum == n) i++; }",
    ],
)
def test_other_loops_stay(loop: str) -> None:
    program = compiled(loop)
    assert any(0 <= i.target <= pc for pc, i in enumerate(program.instructions))


def test_the_source_may_say_how_far() -> None:
    assert count(compiled("\n#pragma unroll 1\nfor (int i = 0; i < 6; i++) sum += in[i];"), Op.LD) == 1
    assert count(compiled("\n#pragma unroll 2\nfor (int i = 0; i < 6; i++) sum += in[i];"), Op.LD) == 2
