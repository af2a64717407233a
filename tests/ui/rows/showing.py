"""List the actions on the look of the window, the places of views, lessons and help."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox
from ui.rows.table import ROWS, row
from ui.stand import Stand

from warpview.ui.arranging.arrangement import without
from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.commands.actions import LAYOUTS
from warpview.ui.panels.documentation import Documentation
from warpview.ui.panels.keys_page import KeysPage
from warpview.ui.view_list import VIEWS
from warpview.ui.views.machine.grid import GridView
from warpview.ui.views.timeline.timeline import TimelineView
from warpview.ui.views.timeline.timeline_states import Window

# ---- View


@row("zoom")
def _(t: Stand) -> Iterator[None]:
    yield
    zoomed = t.w.workspace.zoomed
    assert zoomed is not None
    assert [view for view in t.w.views if view.isVisible()] == [zoomed]
    t.press("Z")
    assert t.w.workspace.zoomed is None
    assert t.w.source.isVisible()


@row("presentation")
def _(t: Stand) -> Iterator[None]:
    yield
    t.w.staged.finish()
    assert t.w.presentation.on
    assert t.w.isFullScreen()
    assert t.look.scale > 1
    assert t.w.menuBar().isHidden()


@row("library")
def _(t: Stand) -> Iterator[None]:
    before = t.w.library.isVisible()
    yield
    assert t.w.library.isVisible() != before
    assert t.w.actions_["library"].isChecked() != before


@row("pin")
def _(t: Stand) -> Iterator[None]:
    t.w.selection.update(counter="divergent_branches")
    yield
    assert t.w.counters.pins == ("divergent_branches",)


def _type_size(t: Stand, start: float, end: float) -> Iterator[None]:
    t.look.set_scale(start)
    QApplication.processEvents()  # the menu bar is laid out anew
    yield
    assert t.look.scale == end
    assert QApplication.font().pointSizeF() == t.look.font().pointSizeF()


ROWS["larger"] = partial(_type_size, start=1.0, end=1.1)
ROWS["smaller"] = partial(_type_size, start=1.0, end=0.9)
ROWS["normal_size"] = partial(_type_size, start=1.25, end=1.0)


def _theme(t: Stand, name: str) -> Iterator[None]:
    t.look.set_theme("dark" if name == "light" else "light")
    yield
    assert t.look.theme.name == name
    assert QApplication.palette().window().color() == t.look.theme.qcolor("window")
    checked = {n for n in ("light", "dark", "contrast") if t.w.actions_[f"theme_{n}"].isChecked()}
    assert checked == {name.split()[-1]}


for _name in ("light", "dark", "high contrast"):
    ROWS[f"theme_{_name.split()[-1]}"] = partial(_theme, name=_name)


@row("motion")
def _(t: Stand) -> Iterator[None]:
    assert not t.look.motion
    yield
    assert t.look.motion


# ---- Counters


def _counter(t: Stand, start: int, end: int) -> Iterator[None]:
    t.w.counters.ensure_built()
    keys = [t.w.counters.table.rows[n].counter.key for n in range(6)]
    t.w.selection.update(counter=keys[start])
    yield
    assert t.w.selection.now.counter == keys[end]
    t.w.source.flush()
    assert t.w.source.editor.heat.title in t.caption


ROWS["next_counter"] = partial(_counter, start=2, end=3)
ROWS["previous_counter"] = partial(_counter, start=2, end=1)


@row("sort_counters")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.counters.list.horizontalHeader().sortIndicatorSection() > 0
    assert t.caption.startswith("Counters sorted by")


@row("filter_counters")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.focusWidget() is t.w.counters.filter
    QTest.keyClicks(t.w.counters.filter, "diverg")
    assert t.w.counters.list.model().rowCount() == 1
    t.w.counters.filter.clear()


@row("baseline")
def _(t: Stand) -> Iterator[None]:
    t.w.session.set_device("h200")
    t.settle()
    yield
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    assert any("8800" in entry.text() for entry in popup.actions())


# ---- Pictures


@row("colours")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.selection.now.colours == "warp"


@row("what_if")
def _(t: Stand) -> Iterator[None]:
    occupancy = t.w.workspace.views["occupancy"]
    yield
    assert t.w.focusWidget() is not None
    assert occupancy.isAncestorOf(t.w.focusWidget())
    t.press("Right")
    assert occupancy.what_if is not None
    t.press("Esc")


# ---- Timeline


def _timeline(t: Stand, span: float, first: float | None = None) -> Iterator[None]:
    """With the middle half of the run in sight, whose length is 1."""
    view = t.w.workspace.views["timeline"]
    assert isinstance(view, TimelineView)
    t.w.workspace.raise_view("timeline")
    view.flush()
    total = view.context.trace.cycles
    view.window_ = Window(0.25 * total, 0.5 * total)
    t.w.workspace.raise_view("counters")
    yield
    assert view.isVisible()
    assert view.window_.span == pytest.approx(span * total, rel=0.05)
    if first is not None:
        assert view.window_.first == pytest.approx(first * total, abs=0.02 * total)


ROWS["timeline_in"] = partial(_timeline, span=0.25)
ROWS["timeline_out"] = partial(_timeline, span=1.0, first=0.0)
ROWS["timeline_all"] = partial(_timeline, span=1.0, first=0.0)
ROWS["timeline_later"] = partial(_timeline, span=0.5, first=0.5)
ROWS["timeline_earlier"] = partial(_timeline, span=0.5, first=0.0)


# ---- Layout


def _show(t: Stand, key: str) -> Iterator[None]:
    assert key in t.w.workspace.shown()
    yield
    assert key not in t.w.workspace.shown()
    assert not t.w.workspace.views[key].isVisible()
    assert not t.w.actions_[f"show_{key}"].isChecked()


for _view in VIEWS:
    ROWS[f"show_{_view.key}"] = partial(_show, key=_view.key)


@row("level_in")
def _(t: Stand) -> Iterator[None]:
    view = _grid(t)
    yield
    assert view.level == 1
    assert t.w.workspace.views["grid"].isVisible()


@row("level_out")
def _(t: Stand) -> Iterator[None]:
    view = _grid(t)
    view.zoom_to(2)
    yield
    assert view.level == 1


def _grid(t: Stand) -> GridView:
    t.w.workspace.raise_view("grid")
    t.w.staged.finish()
    t.settle()  # a level is told by the size of the view
    view = t.w.workspace.views["grid"]
    assert isinstance(view, GridView)
    view.zoom_to(0)
    assert view.level == 0
    return view


@row("everything")
def _(t: Stand) -> Iterator[None]:
    seen = [view for view in t.w.views if view.isVisible()]
    yield
    t.w.staged.finish()
    assert len([view for view in t.w.views if view.isVisible()]) > len(seen)
    assert t.w.actions_["everything"].isChecked()
    t.press("F6")
    assert t.w.workspace.arrangement == "follow"
    assert len([view for view in t.w.views if view.isVisible()]) == len(seen)


@row("hide_view")
def _(t: Stand) -> Iterator[None]:
    before = set(t.w.workspace.shown())
    yield
    assert len(before - set(t.w.workspace.shown())) == 1


@row("swap_view")
def _(t: Stand) -> Iterator[None]:
    before = list(t.w.workspace.shown())
    yield
    assert t.w.workspace.shown() != before
    assert sorted(t.w.workspace.shown()) == sorted(before)


def _turn(t: Stand, by: int) -> Iterator[None]:
    (row,) = t.w.workspace.findChildren(StageTabs)
    there = [n for n in range(row.count()) if row.isTabVisible(n)]
    row.setCurrentIndex(there[0])
    yield
    assert row.currentIndex() == there[by]


ROWS["next_tab"] = partial(_turn, by=1)
ROWS["previous_tab"] = partial(_turn, by=-1)


@row("save_layout")
def _(t: Stand) -> Iterator[None]:
    t.answer(text="the hall")
    yield
    assert list(t.w.layouts.saved) == ["the hall"]
    assert t.w.actions_["layout_1"].text() == "the hall"


def _layout(t: Stand, number: int) -> Iterator[None]:
    layouts = t.w.layouts
    layouts.saved = {f"without {view.key}": without(t.w.workspace.tree, {view.key}) for view in VIEWS[:LAYOUTS]}
    t.w.sync()
    yield
    assert VIEWS[number - 1].key not in t.w.workspace.shown()


for _number in range(1, LAYOUTS + 1):
    ROWS[f"layout_{_number}"] = partial(_layout, number=_number)


@row("delete_layout")
def _(t: Stand) -> Iterator[None]:
    layouts = t.w.layouts
    layouts.saved = {"the hall": t.w.workspace.tree}
    t.answer(choice="the hall")
    yield
    assert layouts.saved == {}
    assert not t.w.actions_["layout_1"].isVisible()


@row("reset_layout")
def _(t: Stand) -> Iterator[None]:
    before = t.w.workspace.tree
    t.w.workspace.set_shown("global", False)
    t.w.workspace.zoom(t.w.counters)
    yield
    assert t.w.workspace.zoomed is None
    assert t.w.workspace.tree == before
    assert "global" in t.w.workspace.shown()


# ---- Lessons


LESSON = """# Trouble

<!-- kernel: reduction/interleaved; device: 8800gtx; preset: step; step: 10; view: lanes -->

One.

<!-- step: 20; view: divergence -->

Two.
"""


def _opened(t: Stand, page: int) -> None:
    path = t.folder / "lesson.md"
    path.write_text(LESSON)
    t.answer(open=path)
    t.w.lessons.open_file()
    for _ in range(page):
        t.w.lessons.turn(True)
    t.settle()


@row("next_page")
def _(t: Stand) -> Iterator[None]:
    _opened(t, 0)
    yield
    assert (t.w.lessons.number, t.step) == (1, 20)


@row("previous_page")
def _(t: Stand) -> Iterator[None]:
    _opened(t, 1)
    yield
    assert (t.w.lessons.number, t.step) == (0, 10)


@row("contents")
def _(t: Stand) -> Iterator[None]:
    _opened(t, 1)
    yield
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    assert [entry.text()[0] for entry in popup.actions() if entry.isCheckable()] == ["1", "2"]
    assert [entry.text()[0] for entry in popup.actions() if entry.isChecked()] == ["2"]


@row("open_lesson")
def _(t: Stand) -> Iterator[None]:
    (t.folder / "lesson.md").write_text(LESSON)
    t.answer(open=t.folder / "lesson.md")
    yield
    assert t.w.lessons.panel.isVisible()
    assert t.step == 10


@row("close_lesson")
def _(t: Stand) -> Iterator[None]:
    _opened(t, 0)
    yield
    assert t.w.lessons.lesson is None
    assert t.w.lessons.panel.isHidden()
    assert t.step == 10


# ---- Help


@row("keys")
def _(t: Stand) -> Iterator[None]:
    yield
    assert any(page.isVisible() for page in t.w.findChildren(KeysPage))


@row("documentation")
def _(t: Stand) -> Iterator[None]:
    yield
    (opened,) = t.w.findChildren(Documentation)
    assert opened.isVisible()
    assert "witnesses" in opened.text.toPlainText()
    opened.close()


@row("glossary")
def _(t: Stand) -> Iterator[None]:
    t.w.source.pointed.emit(t.w.source)
    yield
    (opened,) = t.w.findChildren(Documentation)
    assert opened.isVisible()
    assert (opened.text.source().fileName(), opened.pages.currentItem().text(0)) == ("glossary.md", "Source")
    opened.close()


@row("about")
def _(t: Stand) -> Iterator[None]:
    said = []

    def read_and_close() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        said.append(box.text())
        box.close()

    QTimer.singleShot(50, t.w, read_and_close)
    yield
    t.wait(lambda: said)
    assert "warp by warp" in said[0]
