"""Compute where each key leads: from a step and a selection to the next, Qt-free.

Every function returns the fields of the selection to set, or None where there is nothing further that way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import NONE
from warpview.trace.frame import Event, Mark
from warpview.trace.navigation import first_after, last_before
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import History, RunLike

Move = dict[str, Any]
Steps = NDArray[np.int64]
_JUMPED_TO = int(Mark.DIVERGENCE | Mark.CONFLICT | Mark.UNCOALESCED | Mark.COLLISION)


def land(run: RunLike, step: int, now: Snapshot, follow: bool = True) -> Move:
    """Return the selection at ``step``: with ``follow`` the warp that issued there is selected, too."""
    trace: History = run.trace
    step = max(0, min(trace.steps, step))
    move: Move = {"step": step, "pc": None, "line": None}
    if step > 0 and follow:
        event = trace.event(step)
        move |= {"block": event.block, "warp": event.warp}
    elif step == 0 and trace.steps:
        move |= {"block": trace.event(1).block, "warp": trace.event(1).warp} if follow else {}
    return move


def step_warp(run: RunLike, now: Snapshot, forward: bool) -> Move | None:
    """Return the next or previous instruction of the selected warp; back from its first one leads to before it."""
    trace: History = run.trace
    if forward:
        step = trace.next_of_warp(now.step, *now.key)
    else:
        step = trace.previous_of_warp(now.step, *now.key)
        if step is None and now.step > 0:
            step = _before_first(trace, now)
    return None if step is None else land(run, step, now, follow=False)


def _before_first(trace: History, now: Snapshot) -> int | None:
    first = trace.next_of_warp(0, *now.key)
    start = 0 if first is None else first - 1
    return start if start < now.step else None


def step_any(run: RunLike, now: Snapshot, forward: bool) -> Move | None:
    step = now.step + (1 if forward else -1)
    return land(run, step, now) if 0 <= step <= run.trace.steps else None


def step_line(run: RunLike, now: Snapshot, forward: bool) -> Move | None:
    """Return the next or previous source line of the selected warp."""
    trace: History = run.trace
    step = trace.next_line(now.step, *now.key) if forward else trace.previous_line(now.step, *now.key)
    if step is None and not forward and now.step > 0:
        step = _before_first(trace, now)
    return None if step is None else land(run, step, now, follow=False)


def access_steps(run: RunLike, now: Snapshot) -> Steps:
    """Return the steps at which the selected warp accesses memory, ascending."""
    accesses = np.array([i.op in MEMORY_OPS for i in run.program.instructions], np.bool_)
    steps, events = run.trace.steps_of_warp(*now.key), run.trace.arrays
    found: Steps = steps[accesses[events.pc[steps - 1]] & (events.on[steps - 1] != 0)]
    return found


def step_access(run: RunLike, now: Snapshot, forward: bool) -> Move | None:
    """Return the move to the selected warp's next or previous memory access; back from the first leads to before it."""
    return step_among(run, now, access_steps(run, now), forward)


def step_among(run: RunLike, now: Snapshot, steps: Steps, forward: bool) -> Move | None:
    """Return the next or previous of some steps, ascending; back from the first one leads to before it."""
    step = first_after(steps, now.step) if forward else last_before(steps, now.step)
    if step is not None:
        return land(run, step, now)
    if not forward and len(steps) and steps[0] - 1 < now.step:
        return land(run, int(steps[0]) - 1, now, follow=False)
    return None


def to_mark(
    run: RunLike, now: Snapshot, mark: Mark, forward: bool, among: Steps | None = None, beside: Steps | None = None
) -> Move | None:
    """Return the next or previous remarkable event, of all or among some steps. Those ``beside`` are remarkable in the
    run that is shown beside this one."""
    trace: History = run.trace
    seek = first_after if forward else last_before
    if among is None:
        found = [trace.find(now.step, mark, forward)]
    else:
        found = [seek(among[trace.marks[among - 1] & int(mark) != 0], now.step)]
    if beside is not None:
        found.append(seek(beside if among is None else np.intersect1d(beside, among), now.step))
    steps = [step for step in found if step is not None]
    return land(run, min(steps) if forward else max(steps), now) if steps else None


def followed_steps(run: RunLike, now: Snapshot, what: str) -> Steps:
    """Return the steps of the selected warp, block or lane."""
    trace: History = run.trace
    if what == "block":
        return trace.steps_of_block(now.block)
    if what == "lane" and now.lane is not None:
        return trace.steps_of_lane(*now.key, now.lane)
    return trace.steps_of_warp(*now.key)


def last_write(run: RunLike, steps: Steps, before: int) -> int | None:
    """Return the last of some steps, ascending, before the step ``before`` that stores or updates."""
    for step in steps[: int(np.searchsorted(steps, before))][::-1].tolist():
        if run.program.instructions[run.trace.event(step).pc].op != Op.LD:
            return int(step)
    return None


def to_step(run: RunLike, now: Snapshot, step: int) -> Move:
    return land(run, step, now)


def to_line(run: RunLike, now: Snapshot, line: int, forward: bool = True) -> Move | None:
    """Run to the cursor: the next time that the selected warp executes ``line``."""
    trace: History = run.trace
    step: int | None = now.step
    while step is not None:
        step = trace.next_of_warp(step, *now.key) if forward else trace.previous_of_warp(step, *now.key)
        if step is not None and _line(run, trace.event(step)) == line:
            return land(run, step, now, follow=False)
    return None


def _line(run: RunLike, event: Event) -> int:
    return run.program.instructions[event.pc].span.line if event.pc != NONE else 0


def same_place(old: RunLike, now: Snapshot, new: RunLike) -> Move:
    """Return the place of ``now`` in another variant of the kernel: the same warp, after as many block barriers, and
    there the next event remarkable in the same way, or else as many instructions after the barrier."""
    earlier: History = old.trace
    if now.step == 0 or new.trace.steps == 0:
        return land(new, 0, now)
    barriers, since, step = 0, 0, 0
    while (found := earlier.next_of_warp(step, *now.key)) is not None and found <= now.step:
        step = found
        event = earlier.event(step)
        barriers, since = (barriers + 1, 0) if event.marks & Mark.BARRIER else (barriers, since + 1)
    marks = earlier.event(now.step).marks & _JUMPED_TO
    return _after(new, now, barriers, since, marks)


def _after(new: RunLike, now: Snapshot, barriers: int, since: int, marks: int) -> Move:
    """Return the move to ``since`` instructions after so many barriers; but to before an event that the old place,
    with ``marks``, had none of: it is new in this variant, and the key that leads to such events must meet it."""
    trace: History = new.trace
    step = 0
    for _ in range(barriers):
        found = trace.find(step, Mark.BARRIER, True, now.key)
        if found is None:
            break
        step = found
    for _ in range(since):
        found = trace.next_of_warp(step, *now.key)
        if found is None or trace.event(found).marks & Mark.BARRIER:
            break
        if trace.event(found).marks & _JUMPED_TO & ~marks:
            break
        step = found
    return land(new, step, now, follow=False)
