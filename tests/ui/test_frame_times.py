"""What a step costs, by what is drawn for it: counts, which no load of the machine changes. For times see
``measure_frames.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QTabWidget, QWidget
from ui.measure_frames import Paintings

from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.main_window import MainWindow
from warpview.ui.moving import presenter
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import View

IDLE_MS = 120  # several display frames
QUIET_TURNS = 100  # of IDLE_MS, until a window that goes on painting is given up


def _lays_out(widget: QObject) -> bool:
    """Return whether a widget places its children anew when one of them asks for it."""
    return isinstance(widget, (QSplitter, QTabWidget)) or (isinstance(widget, QWidget) and widget.layout() is not None)


class Watch(QObject):
    """Count paintings and layouts by widget."""

    def __init__(self) -> None:
        super().__init__()
        self.paints: Counter[QObject] = Counter()
        self.layouts = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.paints[watched] += 1
        elif event.type() == QEvent.Type.LayoutRequest and _lays_out(watched):
            self.layouts += 1
        return False

    def forget(self) -> None:
        """Count from nothing again."""
        self.paints.clear()
        self.layouts = 0


def until_quiet(watch: Watch, forget: bool = True, turns: int = 1) -> None:
    """Let the event loop run until nothing has been painted for ``turns`` of IDLE_MS."""
    quiet = 0
    for _ in range(QUIET_TURNS):
        before = watch.paints.total() + watch.layouts
        QTest.qWait(IDLE_MS)
        quiet = quiet + 1 if watch.paints.total() + watch.layouts == before else 0
        if quiet == turns:
            if forget:
                watch.forget()
            return
    raise AssertionError(f"these are painted for ever: {list(watch.paints)}")


@pytest.fixture
def window(alone: None, own_window: MainWindow) -> MainWindow:
    return own_window


@pytest.fixture
def watch(qapp: QApplication, window: MainWindow) -> Iterator[Watch]:
    window.resize(1600, 1000)
    window.staged.finish()
    made = Watch()
    qapp.installEventFilter(made)
    until_quiet(made, turns=4)  # what was put off until the window is idle has been done then
    window.player.step_any(True)
    until_quiet(made, turns=4)
    yield made
    qapp.removeEventFilter(made)


@pytest.mark.parametrize("seconds", [0.0, 100.0])
def test_a_step_paints_the_window_once(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Twice where drawing takes long: first what leads, then the rest; however many scenes there are."""
    monkeypatch.setattr(presenter, "AT_ONCE_S", seconds)
    paintings, first = Paintings(window), window.selection.now.step
    for _ in range(10):  # a view that is shown for the first time gets its size
        window.player.step_any(True)
        window.presenter.present()
    window.player.go(first)
    until_quiet(watch)
    for _ in range(10):
        paintings.forget()
        window.player.step_any(True)
        QTest.qWait(IDLE_MS)
        assert len(paintings.ends) <= (1 if seconds else 2)


def drawn(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the drawings of each view from here on."""
    counts: Counter[str] = Counter()
    for view in window.views:

        def draw(context: object, view: View = view, really: object = view.draw) -> None:
            counts[view.key] += 1
            really(context)  # type: ignore[operator]

        monkeypatch.setattr(view, "draw", draw)
    return counts


def test_a_step_draws_and_paints_a_view_once(window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = drawn(window, monkeypatch)
    window.player.step_any(True)
    QTest.qWait(IDLE_MS)
    assert set(counts.values()) == {1}
    painted = {view.key: watch.paints[view.canvas.viewport()] for view in window.views if isinstance(view, DiagramView)}
    assert painted["lanes"] == 1
    assert max(painted.values()) == 1


@pytest.mark.parametrize("seconds", [0.0, 100.0])
def test_what_the_eye_follows_comes_first_where_drawing_takes_long(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(presenter, "AT_ONCE_S", seconds)
    counts = drawn(window, monkeypatch)
    leading = {"source", "lanes"}
    window.player.step_any(True)
    window.presenter.present()
    there = {view.key for view in window.views if view.isVisible()}
    assert leading < there
    assert leading <= set(counts)
    assert (set(counts) == there) is (seconds > 0)
    QTest.qWait(IDLE_MS)
    assert counts == dict.fromkeys(there, 1)


def test_a_hidden_view_costs_nothing(window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = drawn(window, monkeypatch)
    hidden = {view.key for view in window.views if not view.isVisible()}
    assert hidden  # those behind tabs
    for _ in range(3):
        window.player.step_any(True)
        QTest.qWait(IDLE_MS)
    assert not hidden & set(counts)
    assert not any(watch.paints[w] for v in window.views if v.key in hidden for w in (v, *v.findChildren(QWidget)))


def test_nothing_is_painted_where_nothing_changes(window: MainWindow, watch: Watch) -> None:
    QTest.qWait(2 * IDLE_MS)
    assert not watch.paints


def test_a_notice_draws_no_view(window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = drawn(window, monkeypatch)
    window.messages.notice("There is nothing further that way.")
    QTest.qWait(IDLE_MS)
    assert not counts
    window.player.step_any(True)
    window.messages.notice("This is about the step that is to come.")
    assert window.presenter.context is not None
    assert window.presenter.context.frame.step == window.selection.now.step


def test_showing_the_same_frame_again_paints_no_source_and_no_tables(window: MainWindow, watch: Watch) -> None:
    window.presenter.present()
    QTest.qWait(IDLE_MS)
    tables = ("counters", "instructions", "source")
    painted = {v.key: [w for w in v.body.findChildren(QWidget) if watch.paints[w]] for v in window.views}
    assert not [key for key in tables if painted[key]]


def test_a_step_paints_nothing_that_lies_under_what_it_changes(window: MainWindow, watch: Watch) -> None:
    """What is opaque is painted without the window, the splitters and the frames of the views below it."""
    window.player.step_any(True)
    QTest.qWait(IDLE_MS)
    changed = {widget for widget, times in watch.paints.items() if times}
    canvas = next(view.canvas.viewport() for view in window.views if view.key == "lanes")
    assert {window.caption.label, window.history.viewport(), canvas, window.source.editor.viewport()} <= changed
    assert not changed & {window.workspace, window.caption, *window.views}


def test_a_step_lays_nothing_out_anew(window: MainWindow, watch: Watch) -> None:
    """Not even where the stage shows another view; every scene is painted at most once."""
    first = window.selection.now.step
    for _ in range(40):  # a view that is shown for the first time gets its size
        window.player.step_any(True)
        window.presenter.present()
    window.player.go(first)
    until_quiet(watch)
    (stage,) = window.workspace.findChildren(StageTabs)
    stages = set()
    for _ in range(40):  # through lines of one instruction and of many
        window.player.step_any(True)
        until_quiet(watch, forget=False)
        now = stage.currentWidget()
        assert watch.layouts == 0
        assert not watch.paints[window.launch_bar]
        painted = {view: watch.paints[view.canvas.viewport()] for view in window.views if isinstance(view, DiagramView)}
        assert {view.key: times for view, times in painted.items() if times > 1} == {}
        stages.add(now.key if now is not None else "")
        watch.forget()
    assert {"values", "global", "barrier", "divergence"} <= stages
