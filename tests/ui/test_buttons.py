"""Every button of the window works by the mouse: actions do as by key, and the others their own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QMenu, QWidget
from ui.rows import moving, showing, working
from ui.rows.table import ROWS
from ui.stand import Stand, click
from ui.view_texts import texts_of

from warpview.diagnostics import Diagnostic
from warpview.ui.arranging.stage_tabs import StageHeader, StageTabs
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext, stage_view
from warpview.ui.views.view import View

PARTS = (moving, showing, working)  # which register their rows when they are imported
PANELS = ("LaunchBar", "Banner", "Transport", "ComparisonPage", "ProfilerPage", "LessonPanel", "Progress", "FindBar")
LEGEND = "What the colours and marks mean"
SAME = {
    "Transport: First step": "first", "Transport: Previous instruction": "previous",
    "Transport: Run or pause": "play", "Transport: Next instruction": "next", "Transport: Last step": "last",
    "LaunchBar: Run": "compile", "Progress: Cancel": "cancel", "source: Edit the source": "edit",
    "LessonPanel: Next page": "next_page", "LessonPanel: Previous page": "previous_page",
    "LessonPanel: Close the lesson": "close_lesson", "LessonPanel: Contents": "contents",
    "Banner: Next problem": "next_problem", "Banner: Previous problem": "previous_problem",
    "counters: Compare with an earlier run": "baseline",
    "arrays: Colour the arrays by value or by their accesses": "colours",
}  # fmt: skip


# ---- finding


def owner(widget: QWidget) -> str:
    """The view or panel that a button belongs to."""
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, View):
            return at.key
        if type(at).__name__ in PANELS:
            return type(at).__name__
        at = at.parentWidget()
    return ""


def name(button: QAbstractButton) -> str:
    """What it is called, without what follows in brackets or after a colon."""
    words = button.accessibleName() or button.text()
    return f"{owner(button)}: {words.partition(' (')[0].partition(':')[0]}"


def buttons(t: Stand) -> dict[str, QAbstractButton]:
    """All buttons but those that Qt puts into fields, tab bars and tables, and pyqtgraph into menus that never show."""
    found = [b for b in t.w.findChildren(QAbstractButton) if not b.objectName().startswith(("qt_", "Scroll"))]
    found = [b for b in found if not isinstance(b, StageHeader)]  # the row of Follow clicks one
    return {name(b): b for b in found if not isinstance(b.parent(), QLineEdit) and not _in_a_menu(b)}


def _in_a_menu(button: QAbstractButton) -> bool:
    parent = button.parentWidget()
    while parent is not None and not isinstance(parent, QMenu):
        parent = parent.parentWidget()
    return parent is not None


def press(t: Stand, wanted: str) -> None:
    """Bring the button into sight and click it."""
    button = buttons(t)[wanted]
    view = t.w.workspace.views.get(owner(button))
    if view is not None:
        t.w.workspace.raise_view(owner(button))
        middle = QPointF(view.rect().center())  # the legend's button is seen while the pointer is over its view
        QApplication.sendEvent(view, QEnterEvent(middle, middle, view.mapToGlobal(middle)))
    t.wait(button.isVisible)
    click(button)
    t.w.presenter.present()


# ---- buttons with a task of their own

Row = Callable[[Stand], Iterator[None]]
OWN: dict[str, Row] = {}


def row(wanted: str) -> Callable[[Row], Row]:
    def register(function: Row) -> Row:
        OWN[wanted] = function
        return function

    return register


def _legend(key: str) -> Row:
    def check(t: Stand) -> Iterator[None]:
        view = t.w.workspace.views[key]
        assert not view.legend_box.isVisible()
        yield
        assert view.legend_box.isVisible()
        press(t, f"{key}: {LEGEND}")
        assert not view.legend_box.isVisible()

    return check


OWN.update({f"{view.key}: {LEGEND}": _legend(view.key) for view in VIEWS})


@row("instructions: The whole program instead of the line's instructions")
def _(t: Stand) -> Iterator[None]:
    t.w.workspace.raise_view("instructions")
    view = t.w.workspace.views["instructions"]
    yield
    view.flush()
    assert len(texts_of(view)) - 2 == len(t.w.session.run.program.instructions)
    view.whole.setChecked(False)


@row("source: Counter shown as heat")
def _(t: Stand) -> Iterator[None]:
    said = []

    def read_and_close() -> None:
        menu = QApplication.activePopupWidget()
        said.extend(entry.text() for entry in menu.actions())
        menu.close()

    QTimer.singleShot(50, t.w, read_and_close)
    yield
    t.wait(lambda: said)
    assert "Divergent branches" in said


def _zoomed(wider: bool) -> Row:
    def check(t: Stand) -> Iterator[None]:
        view = t.w.workspace.views["timeline"]
        t.w.workspace.raise_view("timeline")
        view.flush()
        view.zoom(0.25)
        view.flush()
        before = view.window_.span
        yield
        view.flush()
        assert (view.window_.span > before) == wider
        assert view.window_.span != before

    return check


OWN |= {"timeline: Zoom in": _zoomed(False), "timeline: Zoom out": _zoomed(True), "timeline: All cycles": _zoomed(True)}


def _compare(t: Stand) -> None:
    t.w.session.choose("vector/circular_shift")
    t.settle()
    t.w.actions_["compare_variants"].trigger()
    t.wait(lambda: t.w.pages.comparing)


@row("ComparisonPage: Back")
def _(t: Stand) -> Iterator[None]:
    _compare(t)
    yield
    assert not t.w.pages.comparing


@row("ComparisonPage: Sort")
def _(t: Stand) -> Iterator[None]:
    _compare(t)
    before = t.w.comparison.sort_button.toolTip()
    yield
    assert t.w.comparison.sort_button.toolTip() != before


@row("ComparisonPage: Export …")
def _(t: Stand) -> Iterator[None]:
    _compare(t)
    t.answer(save=t.folder / "both.csv")
    yield
    with (t.folder / "both.csv").open() as file:
        kernels = [row["kernel"] for row in csv.DictReader(file)]
    ran = [run for run in t.w.comparison.runs if not run.problem]
    assert len(kernels) == len(ran) > 2


@row(": Follow step")
def _(t: Stand) -> Iterator[None]:
    t.go(_step_on(t, "shared"))
    (stage,) = t.w.workspace.findChildren(StageTabs)
    other = t.w.workspace.views["occupancy"]
    click(next(header for header in stage.headers if header.view is other))
    t.go(_step_on(t, "divergence"))
    t.w.presenter.present()
    assert stage.currentWidget() is other, "what the user chose stays"
    yield
    assert stage.currentWidget() is t.w.workspace.views["divergence"]


@row(": More views")
def _(t: Stand) -> Iterator[None]:
    t.w.resize(1280, 720)
    t.w.staged.finish()
    yield
    (stage,) = t.w.workspace.findChildren(StageTabs)
    (menu,) = (menu for menu in stage.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "Output").trigger()
    menu.close()
    assert stage.currentWidget() is t.w.workspace.views["console"]


def _step_on(t: Stand, key: str) -> int:
    """A step that the stage shows in the view ``key``."""
    contexts = (FrameContext(t.w.session.run, t.trace.frame(n), Snapshot(step=n)) for n in range(1, 200))
    return next(context.frame.step for context in contexts if stage_view(context) == key)


@row("ProfilerPage: Export …")
def _(t: Stand) -> Iterator[None]:
    t.w.actions_["visual_profiler"].trigger()
    t.answer(save=t.folder / "visual.csv")
    yield
    with (t.folder / "visual.csv").open() as file:
        assert "instructions" in [row["counter"] for row in csv.DictReader(file)]


@row("ProfilerPage: Back")
def _(t: Stand) -> Iterator[None]:
    t.w.pages.show_profiler()
    yield
    assert not t.w.pages.shows_no_step


@row("LaunchBar: All arguments")
def _(t: Stand) -> Iterator[None]:
    said = []

    def change_and_run() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        said.append(dialog.windowTitle())
        dialog.argument_fields["n"].setText("100")
        dialog.accept()

    QTimer.singleShot(50, t.w, change_and_run)
    with t.another_run():
        yield
        t.wait(lambda: said)
    assert said == ["Launch"]
    assert t.backend.traced[-1].arguments["n"] == "100"


@row("Banner: Close the message")
def _(t: Stand) -> Iterator[None]:
    t.w.messages.problems([Diagnostic("one thing"), Diagnostic("another thing")])
    yield
    assert not t.w.banner.isVisible()


def _find(t: Stand, replacing: bool) -> None:
    t.w.source.find_bar.open(replacing=replacing)
    QTest.keyClicks(t.w.source.find_bar.field, "sdata")


def _found(t: Stand) -> int:
    return int(t.w.source.editor.textCursor().selectionStart())


@row("FindBar: Next")
def _(t: Stand) -> Iterator[None]:
    _find(t, False)
    before = _found(t)
    yield
    assert _found(t) > before


@row("FindBar: Previous")
def _(t: Stand) -> Iterator[None]:
    _find(t, False)
    before = _found(t)
    yield
    assert _found(t) != before


@row("FindBar: Close")
def _(t: Stand) -> Iterator[None]:
    _find(t, False)
    yield
    assert not t.w.source.find_bar.isVisible()


def _replaced(count: int) -> Row:
    def check(t: Stand) -> Iterator[None]:
        _find(t, True)
        QTest.keyClicks(t.w.source.find_bar.other, "tile")
        everywhere = t.w.source.text.count("sdata")
        yield
        assert t.w.source.text.count("tile") == (count or everywhere)
        t.w.source.announce_edit()

    return check


OWN["FindBar: Replace this match and go to the next"] = _replaced(1)
OWN["FindBar: Replace all matches; one undo step"] = _replaced(0)


# ---- the tests


def test_every_button_has_a_row(stand: Stand) -> None:
    assert set(buttons(stand)) == set(SAME) | set(OWN)


@pytest.mark.parametrize("wanted", SAME)
def test_a_button_that_is_an_action(stand: Stand, wanted: str) -> None:
    checking = ROWS[SAME[wanted]](stand)
    next(checking)
    press(stand, wanted)
    assert next(checking, "the end") == "the end"


@pytest.mark.parametrize("wanted", OWN)
def test_a_button_of_its_own(stand: Stand, wanted: str) -> None:
    checking = OWN[wanted](stand)
    next(checking)
    press(stand, wanted)
    assert next(checking, "the end") == "the end"
