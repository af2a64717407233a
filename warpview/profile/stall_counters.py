"""Define the counters of why warps do not issue, as Nsight Compute's warp state statistics have them."""

from __future__ import annotations

from warpview.profile.counter import STALLS_GROUP, Counter
from warpview.profile.formulas import fact
from warpview.sim.history.events import SmResult, Stall
from warpview.trace.presentation import STALLS

DRAIN = "stall_drain"
_METRIC = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
_COUNTED = [stall for stall in Stall if stall not in (Stall.EXITED, Stall.EMPTY)]
_OURS = {Stall.RECONVERGENCE}  # Nsight Compute has none of this name


def stall_counters() -> list[Counter]:
    """Return a counter for each stall of a resident warp, and one for those that have ended."""
    rows = [(_key(s), STALLS[s].name, STALLS[s].clause, "" if s in _OURS else s.name.lower()) for s in _COUNTED]
    rows.append((DRAIN, "drain", "has ended and waits until its stores have left the multiprocessor", "drain"))
    return [
        Counter(key, STALLS_GROUP, "cycles/instruction", f"Stall: {name}",
                f"Cycles of resident warps, for each instruction issued, in which the warp {clause}.",
                fact(key), _METRIC.format(metric) if metric else "", short=name[0].upper() + name[1:])
        for key, name, clause, metric in rows
    ]  # fmt: skip


def stall_facts(result: SmResult) -> dict[str, float]:
    """Return the value of each of these counters after a run of one multiprocessor; none where nothing was issued.

    Instructions as written that take no time of their own in compiled code are not counted among those issued.
    """
    cycles = result.stalls.sum(axis=0)
    issued = int(cycles[Stall.SELECTED])
    if not issued:
        return {}
    found = {_key(stall): int(cycles[stall]) / issued for stall in _COUNTED}
    return {**found, DRAIN: result.draining / issued}


def _key(stall: Stall) -> str:
    return f"stall_{stall.name.lower()}"
