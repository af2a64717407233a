"""Find the atomics that NVIDIA's compiler carries out once for a warp.

Where it can tell that all lanes of a warp have one address of global memory, the lanes are counted or reduced first,
and one of them adds what comes out; where the old value is needed, each lane adds to it what the lanes before have. The
rules are those of NVRTC 13, by its code for sm_75 and sm_90 of some fifty small kernels
(``tests/sass/test_merged_atomics.py`` has them).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpview.devices import Device
from warpview.isa.ops import AtomOp, Op, Unit
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space, Type
from warpview.sim.compiler_effects.register_rows import rows_read
from warpview.sim.compiler_effects.uniform_rows import differing_rows

_WORDS = frozenset({Type.S32, Type.U32})
_LONG = frozenset({Type.S64, Type.U64})
_REDUCED = frozenset({AtomOp.ADD, AtomOp.MIN, AtomOp.MAX, AtomOp.AND, AtomOp.OR, AtomOp.XOR})
SEVERAL, ALL = 2, 32  # lanes
STEPS = 5  # shuffles with which 32 lanes are added up
# Instructions of a warp beside the atomic: those that count the lanes and choose one, that give the old value to all,
# that reduce them, and for each step with shuffles.
COUNT_SLOTS, RESULT_SLOTS, REDUCE_SLOTS, STEP_SLOTS = 6, 4, 5, 3


@dataclass(frozen=True)
class MergedAtomic:
    """Describe an atomic that is carried out once for a warp of which ``lanes`` or more take part: cycles ``before``
    it and ``after`` it until its result is there, and the issue slots that it takes besides."""

    at: int
    lanes: int
    before: int
    after: int
    slots: int


def merged_atomics(program: Program, device: Device) -> Iterator[MergedAtomic]:
    """Yield the atomics of code as written that are carried out once for a warp."""
    places = [n for n, i in enumerate(program.instructions) if _may_merge(i)] if program.native is None else []
    if not places:
        return
    differing = differing_rows(program)
    for n in places:
        address, value = rows_read(program.instructions[n])[:2]
        if address not in differing[n]:
            merged = _merged(program.instructions[n], n, device, value not in differing[n])
            if merged is not None:
                yield merged


def _may_merge(instruction: Instruction) -> bool:
    return instruction.op in (Op.ATOM, Op.RED) and instruction.space == Space.GLOBAL and instruction.mod in _REDUCED


def _merged(instruction: Instruction, n: int, device: Device, is_same: bool) -> MergedAtomic | None:
    """Return how an atomic at one address is merged; ``is_same`` says that all lanes have one value."""
    alu, shuffle, gives = device.latency[Unit.ALU], device.latency[Unit.WARP], instruction.op == Op.ATOM
    after = shuffle + alu if gives else 0
    if instruction.mod == AtomOp.ADD and is_same and instruction.type in _WORDS | _LONG:
        slots = COUNT_SLOTS + (RESULT_SLOTS if gives else 0)
        return MergedAtomic(n, SEVERAL, device.latency[Unit.SFU] + 2 * alu, after, slots)
    if instruction.type not in _WORDS or (gives and instruction.mod != AtomOp.ADD):
        return None
    if device.reduces_lanes and not gives:
        return MergedAtomic(n, SEVERAL, shuffle + alu, 0, REDUCE_SLOTS)
    return MergedAtomic(n, ALL, STEPS * (shuffle + alu), after, STEPS * STEP_SLOTS + (RESULT_SLOTS if gives else 0))
