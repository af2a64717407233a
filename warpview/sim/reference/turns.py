"""Pick the warp that a scheduler issues from, of those that can issue."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpview.sim.reference.residents import ResidentBlock, ResidentWarp

Pair = tuple[ResidentBlock, ResidentWarp]


def pick(
    ready: Sequence[Pair], last: ResidentWarp | None, full_until: int, queues: Callable[[ResidentWarp], bool]
) -> Pair | tuple[None, None]:
    """Return the block and the warp to issue from: the ``last`` one, or that of the oldest block. Accesses that have
    waited for room in the queue, which was full before the cycle ``full_until``, go before one that has not and take
    turns: of those of the oldest block the one that has waited for longest. ``queues`` says whether a warp's next
    instruction goes through the queue."""
    greedy = [pair for pair in ready if pair[1] is last]
    chosen = min(greedy or ready, key=lambda pair: pair[1].age, default=None)
    if chosen is None:
        return None, None
    if not queues(chosen[1]):
        return chosen
    waiting = [pair for pair in ready if pair[1].ready < full_until and queues(pair[1])]
    return min(waiting, key=lambda pair: (pair[0].number, pair[1].ready, pair[1].age), default=chosen)
