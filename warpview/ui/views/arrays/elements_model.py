"""Describe the elements of an array: the selected one, those with findings, and who accessed each."""

from __future__ import annotations

import numpy as np

from warpview.isa.types import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, Space
from warpview.sim.checks.findings import WRONG_RESULTS, Finding
from warpview.sim.launch import linear_index
from warpview.trace.access_log import ElementHistory
from warpview.trace.frame import Mark
from warpview.ui.moving.elements import Element, MemoryArray
from warpview.ui.moving.parties import parties_of
from warpview.ui.views.arrays.colouring import Access, access_at
from warpview.ui.views.context import FrameContext


def shown_step(context: FrameContext) -> int:
    """Return the last step of which the picture may tell: the step itself, unless its answer is to be guessed."""
    return context.frame.step - 1 if context.predicting else context.frame.step


def index_of(array: MemoryArray, element: Element | None) -> int | None:
    """Return the index of the element in the array; None if it belongs to another."""
    if element is None or (element.space, element.block) != (array.space, array.block):
        return None
    index, inside = divmod(element.address - array.base, array.size)
    return index if 0 <= index < array.count and not inside else None


# --- findings ---------------------------------------------------------------------------------------------------


def findings_in(context: FrameContext, array: MemoryArray) -> dict[int, str]:
    """Return element -> what was found there up to this step; an index below 0 or beyond the end lies out of bounds."""
    found: dict[int, str] = {}
    for finding in happened(context):
        for party in parties(finding):
            space, address = _where(context, party)
            if space is not array.space:
                continue
            if array.block >= 0 and array.block != linear_index(party.block, context.launch.grid):
                continue
            index = (address - array.base) // array.size
            if -1 <= index <= array.count:
                found.setdefault(index, f"{finding.kind}: {finding.message}")
    return found


def happened(context: FrameContext) -> list[Finding]:
    """Return the findings up to this step."""
    return [finding for finding in context.run.findings if _happened(context, finding)]


def parties(finding: Finding) -> tuple[Finding, ...]:
    """Return the threads that a finding is about: of a race the later access, then the one that came first."""
    return (finding,) if finding.other is None else (finding, finding.other)


def _where(context: FrameContext, finding: Finding) -> tuple[Space, int]:
    """Return the space and the address within it of a finding; a generic address is told by its window."""
    space = finding.space or context.program.instructions[finding.pc].space
    address = int(finding.address)
    if space is not Space.GENERIC:
        return space, address
    for space, low, high in ((Space.SHARED, SHARED_WINDOW, LOCAL_WINDOW), (Space.LOCAL, LOCAL_WINDOW, CONST_WINDOW)):
        if low <= address < high:
            return space, address - low
    return Space.GLOBAL, address


def _happened(context: FrameContext, finding: Finding) -> bool:
    """Return whether the finding belongs to an event up to the step shown. What happens on other multiprocessors is not
    in the history, and shown all the time."""
    if finding.kind in WRONG_RESULTS:
        return finding.step is None or finding.step <= shown_step(context)
    block = linear_index(finding.block, context.launch.grid)
    if block not in {block for block, _, _ in context.trace.blocks}:
        return True
    event = None if context.predicting else context.frame.event
    at_party = event is not None and event.marks & Mark.FINDING and finding.other is not None
    if at_party and any(party.step == context.frame.step for party in parties_of(context.run, finding)):
        return True  # where the access that came first is shown, the other is what one looks for
    if finding.issue >= 0:  # a race: the marks of the events do not tell of it
        steps = context.trace.steps_of_warp(block, linear_index(finding.thread, context.launch.block) // 32)
        return finding.issue < len(steps) and int(steps[finding.issue]) <= shown_step(context)
    events = context.trace.arrays
    rows = np.flatnonzero(context.trace.marks & int(Mark.FINDING))
    rows = rows[events.pc[rows] == finding.pc]
    return bool(len(rows)) and int(rows[0]) < shown_step(context)


# --- who accessed it ---------------------------------------------------------------------------------------------


def history_of(context: FrameContext, array: MemoryArray) -> ElementHistory | None:
    """Return who accessed the elements of an array; None where that is not known yet."""
    return context.accesses.history(array.extent) if context.accesses is not None else None


def access_words(context: FrameContext, array: MemoryArray, index: int) -> str:
    """Return who accessed an element last and first, for its hover text; empty where no access is known."""
    history = None if context.predicting else history_of(context, array)
    if history is None:
        return ""
    accesses = history.accesses_to(index)
    until = int(np.searchsorted(history.row[accesses], context.frame.step, side="left"))
    if not len(accesses):
        return "\nnever accessed"
    first = f"accessed {_times(len(accesses))}, first by {_who(access_at(history, int(accesses[0])))}"
    if not until:
        return f"\nnot accessed so far; {first}"
    last = access_at(history, int(accesses[until - 1]))
    return f"\n{_access_verb(context, last)} last by {_who(last)}\n{first}, {until} so far"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _access_verb(context: FrameContext, which: Access) -> str:
    op = context.program.instructions[which.pc].op.name
    return {"LD": "read", "ST": "written"}.get(op, "updated")


def _who(which: Access) -> str:
    return f"block {which.block}, warp {which.warp}, lane {which.lane} at step {which.step}"
