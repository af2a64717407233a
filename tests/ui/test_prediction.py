"""No view gives away what the hall is asked, and a guess is compared when the answer is shown.

A view that hides the answer looks the same whatever the answer is. So every view is shown a step as it was and the same
step with another outcome, and has to look and speak alike.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtTest import QTest
from ui.rest import come_to_rest
from ui.stand import place_in_history
from ui.view_texts import texts_of

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import NONE
from warpview.sim.raw_counts import Raw
from warpview.sim.rules.access import SharedAccess
from warpview.trace.frame import Frame, LaneStatus, Mark
from warpview.ui.main_window import MainWindow
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import View

FULL = 0xFFFFFFFF
KINDS = ("branch", "shared", "global", "arithmetic")


def press(window: MainWindow, *keys: str) -> None:
    for key in keys:
        combination = QKeySequence(key)[0]
        QTest.keyClick(window.focusWidget() or window, combination.key(), combination.keyboardModifiers())
    window.presenter.present()


def step_of(window: MainWindow, kind: str) -> int:
    """The first step of that kind that has something to be asked about."""
    trace = window.session.run.trace
    for step in range(1, trace.steps + 1):
        event = trace.event(step)
        instruction = trace.program.instructions[event.pc]
        found = {
            "branch": bool(event.marks & Mark.DIVERGENCE),
            "shared": isinstance(trace.frame(step).access, SharedAccess),
            "global": trace.frame(step).access is not None and not isinstance(trace.frame(step).access, SharedAccess),
            "arithmetic": instruction.op == Op.ADD and instruction.dst != NONE,
        }
        if found[kind]:
            return step
    raise AssertionError(kind)


def otherwise(window: MainWindow, frame: Frame) -> Frame:
    """The step with another outcome: lanes, values, what moved, counts."""
    event = frame.event
    assert event is not None
    instruction = window.session.run.program.instructions[event.pc]
    counts = frame.counts.copy()
    counts[event.pc, Raw.EXECUTED + 1 :] += 7
    registers = frame.registers32.copy()
    if instruction.dst != NONE:
        registers[event.slot, instruction.dst] += np.arange(32, dtype=np.uint32) % 3 + 5
    changed = replace(frame, counts=counts, registers32=registers)
    if instruction.op in MEMORY_OPS:
        return replace(changed, access=_other_access(frame), event=replace(event, marks=Mark.NONE))
    if instruction.op != Op.BRA:
        return changed
    lanes = tuple(LaneStatus.ACTIVE for _ in range(32))
    warps = tuple(
        structs.replace(w, lanes=lanes, mask=FULL, pc=event.pc + 1, paths=(replace(w.paths[-1], mask=FULL),))
        if w.slot == event.slot
        else w
        for w in frame.warps
    )
    return replace(changed, event=replace(event, taken=0, on=FULL, marks=Mark.NONE), warps=warps)


def _other_access(frame: Frame):
    access = frame.access
    if isinstance(access, SharedAccess):
        return replace(access, wavefronts=access.wavefronts * 3, collisions=4)
    return replace(access, transactions=access.transactions * 3, collisions=4)


def seen(view: View, context: FrameContext) -> tuple[QImage, list[str], list[str]]:
    """What a view shows, says, and tells under the pointer."""
    view.take(context)
    view.flush()
    hover = []
    if isinstance(view, DiagramView) and view.canvas.picture is not None:
        picture = view.canvas.picture
        places = [(x, y) for x in range(5, int(picture.width), 9) for y in range(5, int(picture.height), 9)]
        hit_regions = [picture.at(x, y) for x, y in places]
        hover = [hot.hover if hot is not None else "" for hot in hit_regions]
    return view.grab().toImage(), texts_of(view), hover


@pytest.mark.parametrize("key", [view.key for view in VIEWS])
def test_no_view_gives_the_answer_away(window: MainWindow, key: str) -> None:
    view = window.workspace.views[key]
    window.workspace.zoom(view)
    come_to_rest(window)
    window.presenter.set_predicting(True)
    run = window.session.run
    for kind in KINDS:
        step = step_of(window, kind)
        frame = run.trace.frame(step)
        place = replace(window.selection.now, step=step, block=frame.event.block, warp=frame.event.warp)
        contexts = [FrameContext(run, f, place, True) for f in (frame, otherwise(window, frame))]
        seen(view, contexts[0])  # the first drawing in a new place is not yet the last
        (image, says, hover), (other_image, other_says, other_hover) = (seen(view, context) for context in contexts)
        assert other_says == says, kind
        assert other_hover == hover, kind
        assert other_image == image, kind


@pytest.mark.parametrize("kind", KINDS)
def test_the_views_do_show_the_difference_when_nothing_is_hidden(window: MainWindow, kind: str) -> None:
    """Else the test above could not fail."""
    step = step_of(window, kind)
    run, frame = window.session.run, window.session.run.trace.frame(step)
    event = frame.event
    key = {"branch": "divergence", "arithmetic": "lanes"}.get(kind, kind)
    view = window.workspace.views[key]
    window.workspace.zoom(view)
    come_to_rest(window)
    place = replace(window.selection.now, step=step, block=event.block, warp=event.warp)
    first, second = (seen(view, FrameContext(run, f, place)) for f in (frame, otherwise(window, frame)))
    assert first[0] != second[0]


# ---- beside the views


@pytest.mark.parametrize("kind", KINDS)
def test_neither_caption_nor_history_give_it_away(window: MainWindow, kind: str) -> None:
    trace = window.session.run.trace
    step = step_of(window, kind)
    window.player.go(step)
    window.presenter.present()
    answer = window.caption.text
    press(window, "P")
    assert window.caption.text.endswith("? P reveals the answer.")
    assert not set(re.findall(r"\d+-way|\d+ of \d+ bytes|conflict|coalesced|idle", answer)) & set(
        re.findall(r"[\w-]+", window.caption.text)
    )
    hidden = _from_now_on(window)
    trace.marks[step - 1 :] ^= int(Mark.CONFLICT | Mark.DIVERGENCE)
    window.history.resizeEvent(None)  # draws the events anew
    assert _from_now_on(window) == hidden
    trace.marks[step - 1 :] ^= int(Mark.CONFLICT | Mark.DIVERGENCE)
    press(window, "P")
    assert window.caption.text == answer


def _from_now_on(window: MainWindow) -> QImage:
    """The history bar from the present step to its end."""
    bar = window.history
    now = int(place_in_history(bar, window.selection.now.step).x()) - 1
    return bar.grab(QRect(now, 0, bar.width() - now, bar.height())).toImage()


def test_stepping_on_asks_the_next_question(window: MainWindow) -> None:
    press(window, "P")
    asked = set()
    for _ in range(12):
        press(window, "Right")
        assert window.presenter.context.predicting
        asked.add(window.caption.text)
    assert len(asked) > 4


def test_a_guess_is_typed_and_compared(window: MainWindow) -> None:
    window.player.go(step_of(window, "branch"))
    warp = window.selection.now.warp
    press(window, "P", "1", "6")
    assert "Guess: 16." in window.caption.text
    assert window.selection.now.warp == warp
    press(window, "P")
    assert window.caption.text.startswith("You said 16: right, 16 lanes.")
    press(window, "P", "8")
    press(window, "P")
    assert window.caption.text.startswith("You said 8: it is 16 lanes.")
    press(window, "2")
    assert window.selection.now.warp == 2  # nothing is hidden: the digits select warps


def test_a_guess_can_be_taken_back_and_holds_for_one_step(window: MainWindow) -> None:
    window.player.go(step_of(window, "shared"))
    press(window, "P", "7", "Esc")
    assert "Guess:" not in window.caption.text
    press(window, "7", "Right")
    assert "Guess:" not in window.caption.text
    press(window, "0", "0", "5")
    assert "Guess: 5." in window.caption.text
