"""What goes on top of the picture of any array: the selected element, elements with findings, and who accessed what."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from warpview.isa.types import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, Space
from warpview.trace.access_log import ElementHistory
from warpview.trace.frame import Mark
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.moving.elements import Array, Element
from warpview.ui.views.colouring import Access, access_at

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext


def shown_step(context: FrameContext) -> int:
    """Up to where the picture may tell what happened: the step itself, unless its answer is to be guessed."""
    return context.frame.step - 1 if context.predicting else context.frame.step


def mark_elements(context: FrameContext, picture: Picture, array: Array, box_of: Callable[[int], Box | None]) -> None:
    """Outline the selected element and put the sign on those with findings; ``box_of`` says where an element is, None
    for one out of sight."""
    for wrong in findings_in(context, array):
        box = box_of(wrong) if 0 <= wrong < array.count else None
        if box is not None:
            picture.rect(box, None, "error", 2)
            sign(picture, box)
    index = index_of(array, context.selection.element)
    box = None if index is None else box_of(index)
    if box is not None:
        grown = max(2.0, 0.5 * (0.5 * picture.unit - min(box.w, box.h)))
        picture.rect(box.inset(-grown), None, "panel", 3.5, radius=3)
        picture.rect(box.inset(-grown), None, "accent", 2, radius=3)


def index_of(array: Array, element: Element | None) -> int | None:
    """Which element of the array that is, if it is one."""
    if element is None or (element.space, element.block) != (array.space, array.block):
        return None
    index, inside = divmod(element.address - array.base, array.size)
    return index if 0 <= index < array.count and not inside else None


def sign(picture: Picture, box: Box) -> None:
    """The vermilion triangle of a race or an error, on the upper right corner of a box."""
    side = 0.85 * picture.unit
    x, y = box.right - 0.6 * side, box.y - 0.45 * side
    corners = [(x + side / 2, y), (x + side, y + side), (x, y + side)]
    picture.curve(corners, "panel", 1.5, fill="error")
    picture.text(x + side / 2, y + 0.64 * side, "!", 0.72 * side, "panel", 0, True)


# --- findings ---------------------------------------------------------------------------------------------------


def findings_in(context: FrameContext, array: Array) -> dict[int, str]:
    """Element -> what was found there up to this step; an index below 0 or beyond the end lies out of bounds."""
    found: dict[int, str] = {}
    for finding in context.run.findings:
        space, address = _where(context, finding)
        if space is not array.space or not _happened(context, finding):
            continue
        if array.block >= 0 and array.block != _linear(finding.block, context.launch.grid):
            continue
        index = (address - array.base) // array.size
        if -1 <= index <= array.count:
            found[index] = f"{finding.kind}: {finding.message}"
    return found


def beyond(context: FrameContext, picture: Picture, array: Array, x: float, y: float) -> None:
    """Beside the name of an array the sign and the words for an access just outside it, if there was one."""
    u = picture.unit
    wrong = next((k for k in findings_in(context, array) if not 0 <= k < array.count), None)
    if wrong is not None and x + 12 * u < picture.width:
        sign(picture, Box(x, y - 0.1 * u, 0.9 * u, u))
        where = "before its beginning" if wrong < 0 else "past its end"
        words = f"{array.name}[{wrong}] lies {where}"
        picture.text(x + 1.6 * u, y, words, 0.85 * u, "error", bold=True, room=picture.width - x - 2 * u)


def _where(context: FrameContext, finding: Any) -> tuple[Space, int]:
    """The space and the address within it of a finding; a generic address is told by its window."""
    space = context.program.instructions[finding.pc].space
    address = int(finding.address)
    if space is not Space.GENERIC:
        return space, address
    for space, low, high in ((Space.SHARED, SHARED_WINDOW, LOCAL_WINDOW), (Space.LOCAL, LOCAL_WINDOW, CONST_WINDOW)):
        if low <= address < high:
            return space, address - low
    return Space.GLOBAL, address


def _happened(context: FrameContext, finding: Any) -> bool:
    """Whether an event up to the step shown was it. What happens on other multiprocessors is not in the history, and
    shown all the time."""
    if _linear(finding.block, context.launch.grid) not in {block for block, _, _ in context.trace.blocks}:
        return True
    events = context.trace.arrays
    rows = np.flatnonzero(context.trace.marks & int(Mark.FINDING))
    rows = rows[events.pc[rows] == finding.pc]
    return bool(len(rows)) and int(rows[0]) < shown_step(context)


def _linear(block: tuple[int, int, int], grid: tuple[int, int, int]) -> int:
    return (block[2] * grid[1] + block[1]) * grid[0] + block[0]


# --- who accessed it ---------------------------------------------------------------------------------------------


def history_of(context: FrameContext, array: Array) -> ElementHistory | None:
    """Who accessed the elements of an array; None where that is not known yet."""
    return context.touches.history(array.extent) if context.touches is not None else None


def colours_key(context: FrameContext, arrays: list[Array]) -> Hashable:
    """What the colours of arrays depend on: the way of colouring, and how many accesses there have been."""
    key = context.selection.colours
    if not key:
        return None
    histories = [history_of(context, array) for array in arrays]
    step = shown_step(context)
    return key, tuple(None if h is None else int(np.searchsorted(h.row, np.int32(step))) for h in histories)


def access_words(context: FrameContext, array: Array, index: int) -> str:
    """Who accessed an element last and first, for its hover; empty where nobody is known to have."""
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
    return f"\n{_did(context, last)} last by {_who(last)}\n{first}, {until} so far"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _did(context: FrameContext, which: Access) -> str:
    op = context.program.instructions[which.pc].op.name
    return {"LD": "read", "ST": "written"}.get(op, "updated")


def _who(which: Access) -> str:
    return f"block {which.block}, warp {which.warp}, lane {which.lane} at step {which.step}"
