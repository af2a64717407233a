"""Define the instructions of NVIDIA's machine code in which lanes exchange data, and convergence barriers.

Each function takes the warp, the instruction and the mask of the lanes that take part.
"""

from __future__ import annotations

from functools import reduce
from typing import Protocol

from warpview.isa.shuffles import native_shuffle_source
from warpview.sass import special
from warpview.sass.operation import SassOperation
from warpview.sim.launch import FindingKind
from warpview.sim.reference.native.lane import Lane, NativeRegisters
from warpview.sim.reference.native.paths import NativePaths
from warpview.sim.reference.registers import LANES, lanes_of
from warpview.sim.reference.splits import lowest_lane


class ExchangingWarp(Protocol):
    """Provide the state of a warp that the functions read and write."""

    registers: NativeRegisters
    paths: NativePaths
    gives_way: bool

    def lane(self, operation: SassOperation, lane: int) -> Lane:
        """Return the operands of a lane."""

    def read_clock(self) -> int:
        """Return the instructions or cycles that the warp has seen."""

    def read_timer(self) -> int:
        """Return as many nanoseconds as these take."""

    def report(self, kind: FindingKind, lane: int, address: int) -> None:
        """Report a finding of the instruction that is executed."""

    def note_half_guarded(self, lanes: int) -> None:
        """Note lanes that the guard of the instruction lets through, and its second predicate does not."""


def _lanes(warp: ExchangingWarp, operation: SassOperation, on: int) -> list[Lane]:
    return [warp.lane(operation, lane) for lane in lanes_of(on)]


def _word_of(lane: Lane, letter: str) -> int:
    """Return a lane number or clamp of a shuffle: a register or an immediate."""
    return lane.word_of(lane.operand(letter))


def shfl(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    lanes = _lanes(warp, operation, on)
    values = [warp.lane(operation, lane).word("a") for lane in range(32)]
    for x in lanes:
        source = native_shuffle_source(operation.modifiers["mode"], x.lane, _word_of(x, "n") & 31, _word_of(x, "N"))
        if source is not None and not on >> source & 1:
            warp.report(FindingKind.INACTIVE_LANE, x.lane, source)
        x.give(values[x.lane if source is None else source])
        x.give_predicate("u", source is not None)


def vote(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Give the lanes where the predicate holds, and whether it does in all, in any, or alike in all."""
    lanes = _lanes(warp, operation, on)
    ballot = sum(1 << x.lane for x in lanes if x.predicate("p"))
    held = (ballot == on, ballot != 0, ballot in (0, on))[operation.modifiers["mode"]]
    for x in lanes:
        x.give(ballot)
        x.give_predicate("u", held)


def match(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Give the lanes with the value of the lane; or all lanes if they agree, else none, and whether they do."""
    lanes = _lanes(warp, operation, on)
    wide, is_any = operation.modifiers["size"], operation.modifiers["mode"]
    values = {x.lane: x.pair("a") if wide else x.word("a") for x in lanes}
    agree = len(set(values.values())) == 1
    for x in lanes:
        if is_any:
            x.give(sum(1 << lane for lane, value in values.items() if value == values[x.lane]))
        else:
            x.give(on if agree else 0)
            x.give_predicate("u", agree)


def redux(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    values = [x.signed("a", operation.modifiers["signed"]) for x in _lanes(warp, operation, on)]
    functions = (
        lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b, lambda a, b: a + b, min, max,
    )  # fmt: skip
    result = reduce(functions[operation.modifiers["mode"]], values)
    warp.lane(operation, lowest_lane(on)).give(result)


def credux(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Give the largest value of the lanes; the smallest with .MIN."""
    values = [x.signed("a", operation.modifiers["signed"]) for x in _lanes(warp, operation, on)]
    warp.lane(operation, lowest_lane(on)).give((min if operation.modifiers["mode"] else max)(values))


def elect(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Choose the lowest lane where the predicate holds: a predicate tells it, and a register its number."""
    lanes = _lanes(warp, operation, on)
    chosen = next((x.lane for x in lanes if x.predicate("p")), None)
    for x in lanes:
        x.give(LANES if chosen is None else chosen)
        x.give_predicate("u", x.lane == chosen)


def r2ur(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    first = warp.lane(operation, lowest_lane(on))
    value = first.word("a")
    for x in _lanes(warp, operation, on):
        x.give_predicate("u", x.word("a") != value)
    first.give(value)


def clock(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    number = operation.operands["S"].index
    value = warp.read_timer() if number in special.TIMERS else warp.read_clock()
    warp.gives_way = number in special.TIMERS  # who asks for the time waits for it to pass
    value >>= 32 if number in special.UPPER_WORDS else 0
    for x in _lanes(warp, operation, on):
        x.give(value)
        if operation.operands["d"].span == 2:
            x.give(value >> 32, k=1)


# ------------------------------------------------------------------------------------------------ convergence barriers


def bssy(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Make the lanes that take part the members of the barrier."""
    barrier = operation.operands["B"].index
    warp.registers.barriers[barrier], warp.registers.restored[barrier] = on, False


def bmov(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Set a convergence barrier from a register of the lowest lane."""
    barrier = operation.operands["Bd"].index
    value = warp.lane(operation, (on & -on).bit_length() - 1).word("b")
    warp.registers.barriers[barrier], warp.registers.restored[barrier] = value, True


def bmovclear(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Move a convergence barrier to a register, and clear it."""
    barrier = operation.operands["Bs"].index
    for x in _lanes(warp, operation, on):
        x.give(warp.registers.barriers[barrier])
    warp.registers.barriers[barrier] = 0


def leave(warp: ExchangingWarp, operation: SassOperation, on: int) -> None:
    """Execute BREAK: lanes are no longer members of a barrier; who waits there waits for the others only."""
    further, leaving = operation.operands["p"], on
    if not operation.guard.holds_always:
        leaving = sum(1 << lane for lane in range(32) if on >> lane & 1 and warp.lane(operation, lane).holds(further))
        warp.note_half_guarded(on & ~leaving)
    warp.registers.barriers[operation.operands["B"].index] &= ~leaving
