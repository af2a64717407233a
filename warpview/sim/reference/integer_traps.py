"""Detect integer operations that C++ leaves undefined, lane by lane: the definition of the jitted ``integer_traps.py``.

Which instructions are looked at is decided beforehand (sim/checks/integer_traps.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.isa.program import Instruction
from warpview.sim.checks.places import signed
from warpview.sim.checks.trap_codes import Trap
from warpview.sim.launch import FindingKind

_KINDS = {
    **dict.fromkeys((Trap.ADD, Trap.SUB, Trap.MUL, Trap.MAD), FindingKind.INTEGER_OVERFLOW),
    **dict.fromkeys((Trap.SHIFT_32, Trap.SHIFT_64), FindingKind.SHIFT),
    **dict.fromkeys((Trap.DIVISION_32, Trap.DIVISION_64), FindingKind.DIVISION_BY_ZERO),
    **dict.fromkeys((Trap.INDEX_32, Trap.INDEX_64), FindingKind.OUT_OF_BOUNDS),
}


def trapped(instruction: Instruction, trap: Trap, sources: Sequence[int]) -> tuple[FindingKind, int, int] | None:
    """Return the kind, ``address`` and ``value`` of the finding about a lane's operands (bit patterns); None where the
    instruction may have them."""
    wide = instruction.type.is_wide
    left = signed(sources[0], 64 if wide else 32)
    right = signed(sources[1], 64 if trap == Trap.DIVISION_64 else 32) if len(sources) > 1 else 0
    if not _is_undefined(instruction, trap, left, right, sources):
        return None
    value = 0 if trap in (Trap.INDEX_32, Trap.INDEX_64) else right % (1 << 64)
    return _KINDS[trap], left, value


def _is_undefined(instruction: Instruction, trap: Trap, left: int, right: int, sources: Sequence[int]) -> bool:
    match trap:
        case Trap.ADD:
            return _overflows(left + right)
        case Trap.SUB:
            return _overflows(left - right)
        case Trap.MUL:
            return _overflows(left * right)
        case Trap.MAD:
            return _overflows(left * right) or _overflows(left * right + signed(sources[2], 32))
        case Trap.SHIFT_32:
            return right % (1 << 32) >= 32
        case Trap.SHIFT_64:
            return right % (1 << 32) >= 64
        case Trap.INDEX_32 | Trap.INDEX_64:
            assert instruction.bounds is not None
            return not instruction.bounds[0] <= left < instruction.bounds[1]
    return right == 0


def _overflows(number: int) -> bool:
    """Return whether a number is no signed one of 32 bits."""
    return not -(1 << 31) <= number < 1 << 31
