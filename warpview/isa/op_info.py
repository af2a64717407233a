"""Describe what a row of the instruction table holds.

An operand letter says which register an operand is, relative to the types of the instruction:

==  =====================================================================
t   the instruction's ``type``
s   its second type, ``stype`` (the source of a conversion)
w   the 64-bit type twice as wide as ``type``
p   a predicate
u   u32
a   an address: u64 in global and generic space, u32 (a byte offset) in others
==  =====================================================================

A type letter says which types an instruction may have: i integers, w 32-bit integers alone, h those of 16 bits without
a sign alone (which hold halves), f floats, r F32 alone, p predicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from warpview.isa.arithmetic import Meaning
from warpview.isa.types import Type


class Unit(IntEnum):
    """Name the execution unit that an instruction occupies; device files give its issue cycles and latency."""

    ALU = 0  # 32-bit integer add and logic, compare, move
    IMUL = 1  # 32-bit integer multiply, and what shares its pipe
    IDIV = 2  # integer division and remainder (a subroutine on every device)
    FP64 = 3
    SFU = 4  # reciprocal, square root, transcendental
    LSU = 5  # loads, stores and atomics in any space
    BRANCH = 6
    SYNC = 7  # barriers and fences
    WARP = 8  # shuffles, votes, matches, warp reductions
    FMA = 9  # 32-bit float add, multiply and multiply-add


class OpKind(IntEnum):
    """Name the part of the simulator that executes an operation; those from BRANCH on can change the warp's paths."""

    ARITHMETIC = 0
    MEMORY = 1
    MATH = 2
    NATIVE_VECTOR = 3
    NATIVE_ACTION = 4
    OTHER = 5
    BRANCH = 6
    EXIT = 7
    BARRIER = 8
    COLLECTIVE = 9
    INDIRECT = 10
    NATIVE_BRANCH = 11
    YIELD = 12


@dataclass(frozen=True)
class OpInfo:
    """Describe an operation: one row of the instruction set.

    ``dst`` and each of ``srcs`` are operand letters, ``types`` type letters (see the module). ``unit`` executes it;
    ``f32_unit`` where that is another one for F32 (F64 has a unit of its own, see ``program.unit_of``). ``meaning`` is
    the definition in words, ``compute`` as a function, None where an operation does more than to compute. ``noun`` is
    what a lane gets, ``sentence`` what happens, where {0}, {1}, ... are the operands as the listing shows them.
    """

    mnemonic: str
    dst: str
    srcs: tuple[str, ...]
    types: str
    unit: Unit
    compute: Meaning | None
    meaning: str
    noun: str = "a value"
    sentence: str = ""
    kind: OpKind = OpKind.ARITHMETIC
    f32_unit: Unit | None = None
    commutes: bool = False  # the first two sources may change places
    modes: type[IntEnum] | None = None  # what ``mod`` is
    untyped: bool = False  # the mnemonic names the width of the operands only, as b32
    bits_only: bool = False  # a float register may stand for an integer one: only bits are looked at

    def unit_for(self, type_: Type) -> Unit:
        """Return the unit that executes the operation on values of a type."""
        if type_ == Type.F64 and self.unit in (Unit.ALU, Unit.IMUL, Unit.IDIV):
            return Unit.FP64
        return self.f32_unit if type_ == Type.F32 and self.f32_unit is not None else self.unit
