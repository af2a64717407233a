"""Compute what each lane receives from a vote, match or warp reduction, given the patterns of all 32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from warpview.isa.ops import BarRedOp, MatchMode, ReduxOp, VoteMode
from warpview.isa.types import Type
from warpview.isa.values import decoder, encode
from warpview.sim.reference.registers import lanes_of


def vote(mode: VoteMode, predicates: Sequence[int], lanes: int) -> int:
    """Return the vote over the lanes of a mask: 0 or 1, or the mask of those whose predicate holds."""
    ballot = sum(1 << lane for lane in lanes_of(lanes) if predicates[lane])
    if mode == VoteMode.BALLOT:
        return ballot
    if mode == VoteMode.ANY:
        return int(ballot != 0)
    if mode == VoteMode.ALL:
        return int(ballot == lanes)
    return int(ballot in (0, lanes))


def match(mode: MatchMode, values: Sequence[int], lane: int, lanes: int) -> int:
    """Return the lanes of a mask whose value equals this lane's; for ALL the whole mask if all are equal, else 0."""
    equal = sum(1 << other for other in lanes_of(lanes) if values[other] == values[lane])
    if mode == MatchMode.ANY:
        return equal
    return lanes if equal == lanes else 0


REDUX: dict[ReduxOp, Callable[[int, int], int]] = {
    ReduxOp.ADD: lambda a, b: a + b,
    ReduxOp.MIN: min,
    ReduxOp.MAX: max,
    ReduxOp.AND: lambda a, b: a & b,
    ReduxOp.OR: lambda a, b: a | b,
    ReduxOp.XOR: lambda a, b: a ^ b,
}


def redux(op: ReduxOp, type_: Type, values: Sequence[int], lanes: int) -> int:
    """Return the integer reduction over the lanes of a mask, which has at least one."""
    decode = decoder(type_)
    return encode(type_, reduce(REDUX[op], (int(decode(values[lane])) for lane in lanes_of(lanes))))


def barrier_reduction(op: BarRedOp, predicates: Sequence[int]) -> int:
    """Return the reduction of the predicates of all threads that arrived at a block barrier."""
    holding = sum(1 for p in predicates if p)
    if op == BarRedOp.POPC:
        return holding
    return int(holding == len(predicates)) if op == BarRedOp.AND else int(holding > 0)
