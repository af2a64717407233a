"""The traits of instructions are told from what machine code says of each."""

from __future__ import annotations

from dataclasses import replace

from support.kernels import program_of

from warpview.isa.native import CopyTarget, NativeInstruction
from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.profile.instruction_traits import traits_of

PLAIN = NativeInstruction("LDG.E R0, [R2]", "LDG.E", "loads", 0, "ldg", 0)
KINDS = {
    "plain": PLAIN,
    "copy": replace(PLAIN, copy_target=CopyTarget(1, 0, False, False)),
    "matrices": replace(PLAIN, matrices=4),
    "texture": replace(PLAIN, meaning="texture"),
}


def test_copies_matrices_and_fetches_are_told_apart() -> None:
    program = program_of("__global__ void k(int *p) { p[0] = 1; p[1] = 2; p[2] = 3; p[3] = 4; p[4] = 5; }")
    first, *rest = program.instructions
    kinds = [replace(first, native=native, imm=0x103) for native in KINDS.values()]
    traits = traits_of(replace(program, instructions=(first, *kinds, *rest[len(kinds) :])))
    assert traits.copies[:5].tolist() == [False, False, True, False, False]
    assert traits.matrices[:5].tolist() == [False, False, False, True, False]
    assert traits.fetches[:5].tolist() == [NONE, NONE, NONE, NONE, 3]
    assert traits.bulks[:5].tolist() == [NONE] * 5
    assert Op.TEX not in traits.ops


def test_rows_are_chosen_and_programs_joined() -> None:
    one = traits_of(program_of("__global__ void k(int *p) { p[0] = 1; }"))
    other = traits_of(program_of("__global__ void k(float *p) { p[0] = p[1] * p[2]; }"))
    joined = type(one).joined([one, other])
    assert joined.ops.tolist() == [*one.ops, *other.ops]
    last = joined.of_rows(joined.ops.nonzero()[0][-1:])
    assert last.ops.tolist() == [int(other.ops[other.ops.nonzero()[0][-1]])]
