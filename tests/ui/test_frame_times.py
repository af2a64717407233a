"""What a step costs, by what is drawn for it: counts, which no load of the machine changes. For times see
``measure_frames.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSplitter, QTabWidget, QWidget
from ui.measure_frames import FRAME_MS, Paintings, wait_until_at_rest
from ui.stand import SharedStand, Stand

from warpview.ui.arranging.stage_tabs import StageTabs
from warpview.ui.drawing.plot import TableImage
from warpview.ui.main_window import MainWindow
from warpview.ui.moving import presenter
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.timeline.timeline import TimelineView
from warpview.ui.views.view import View

WARM_UP = 40  # steps, in which each view that they concern is shown for the first time and gets its size


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


@pytest.fixture(scope="module")
def window(shared: SharedStand, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window for all tests of this file, and no other beside it."""
    shared.close()
    stand = Stand(tmp_path_factory.mktemp("frames"))
    window = stand.w
    window.resize(1600, 1000)
    window.staged.finish()
    for _ in range(WARM_UP):
        window.player.step_any(True)
        window.presenter.present()
    yield window
    stand.close()


@pytest.fixture
def watch(qapp: QApplication, window: MainWindow) -> Iterator[Watch]:
    """Count in the window at rest, at its second step."""
    window.player.go(2)
    wait_until_at_rest(window)
    made = Watch()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)
    window.player.go(1)  # whatever the caption said besides is over
    window.presenter.present()


@pytest.mark.parametrize("seconds", [0.0, 100.0])
def test_a_step_paints_the_window_once(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Twice where drawing takes long: first what leads, then the rest; however many scenes there are."""
    monkeypatch.setattr(presenter, "AT_ONCE_S", seconds)
    paintings = Paintings(window)
    for _ in range(10):
        paintings.forget()
        window.player.step_any(True)
        wait_until_at_rest(window)
        assert 1 <= len(paintings.ends) <= (1 if seconds else 2)
    window.removeEventFilter(paintings)


def test_a_step_of_a_long_run_paints_the_window_once(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps beside the present, which a long run has of its own, move from time to time."""
    monkeypatch.setattr(presenter, "AT_ONCE_S", 100.0)  # a slow machine shows some views a frame later
    bar = window.history
    bar.setFixedWidth(180)
    wait_until_at_rest(window)
    lenses = set()
    paintings = Paintings(window)
    for _ in range(10):
        paintings.forget()
        window.player.step_any(True)
        wait_until_at_rest(window)
        lenses.add(bar.stretches()[1])
        assert len(paintings.ends) == 1
    assert 1 < len(lenses) < 10
    window.removeEventFilter(paintings)
    bar.setMinimumWidth(0)
    bar.setMaximumWidth(16_777_215)


def test_a_timeline_that_turns_its_page_is_painted_once(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A range that is first applied while it is painted would have the window painted again."""
    monkeypatch.setattr(presenter, "AT_ONCE_S", 100.0)
    timeline = window.workspace.views["timeline"]
    assert isinstance(timeline, TimelineView)
    window.workspace.raise_view("timeline", keep=True)
    timeline.zoom(0.1)
    wait_until_at_rest(window)
    paintings = Paintings(window)
    pages = set()
    for step in range(20, 400, 40):
        paintings.forget()
        watch.forget()
        window.player.go(step)
        wait_until_at_rest(window)
        pages.add(timeline.window_)
        assert len(paintings.ends) == 1
        assert watch.paints[timeline.area.viewport()] == 1
    assert len(pages) > 5
    window.removeEventFilter(paintings)
    timeline.show_all()
    stage = window.workspace.findChild(StageTabs)
    assert isinstance(stage, StageTabs)
    stage.follow_button.click()


def test_a_step_paints_no_axis_and_no_states_of_the_timeline_anew(
    window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An axis keeps its picture until its ticks, its range or its size are set, be it to what they were; an image is
    coloured again when it is set, be it to the same array."""
    timeline = window.workspace.views["timeline"]
    assert isinstance(timeline, TimelineView)
    window.workspace.raise_view("timeline", keep=True)
    wait_until_at_rest(window)
    axes = [plot.getAxis(side) for plot in timeline.area.plots for side in ("left", "bottom")]
    kept = [axis.picture for axis in axes]
    coloured: list[pg.GraphicsScene] = []
    really = TableImage.render
    monkeypatch.setattr(TableImage, "render", lambda image: (coloured.append(image.scene()), really(image)))
    for _ in range(5):
        window.player.step(True)
        wait_until_at_rest(window)
    assert timeline.area.scene() not in coloured
    assert sum(picture is not None for picture in kept) >= 2
    assert all(axis.picture is before for axis, before in zip(axes, kept, strict=True))
    window.look.set_theme("dark")
    wait_until_at_rest(window)
    assert timeline.area.scene() in coloured
    window.look.set_theme("light")
    stage = window.workspace.findChild(StageTabs)
    assert isinstance(stage, StageTabs)
    stage.follow_button.click()


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
    wait_until_at_rest(window)
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
    wait_until_at_rest(window)
    assert counts == dict.fromkeys(there, 1)


def test_a_hidden_view_costs_nothing(window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = drawn(window, monkeypatch)
    hidden = {view.key for view in window.views if not view.isVisible()}
    assert hidden  # those behind tabs
    for _ in range(3):
        window.player.step_any(True)
        wait_until_at_rest(window)
    assert not hidden & set(counts)
    assert not any(watch.paints[w] for v in window.views if v.key in hidden for w in (v, *v.findChildren(QWidget)))


def test_nothing_is_painted_where_nothing_changes(window: MainWindow, watch: Watch) -> None:
    QTest.qWait(10 * FRAME_MS)
    assert not watch.paints


def test_a_notice_draws_no_view(window: MainWindow, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = drawn(window, monkeypatch)
    window.messages.notice("There is nothing further that way.")
    wait_until_at_rest(window)
    assert not counts
    window.player.step_any(True)
    window.messages.notice("This is about the step that is to come.")
    assert window.presenter.context is not None
    assert window.presenter.context.frame.step == window.selection.now.step


def test_showing_the_same_frame_again_paints_no_source_and_no_tables(window: MainWindow, watch: Watch) -> None:
    window.presenter.present()
    wait_until_at_rest(window)
    tables = [view for view in window.views if view.key in ("counters", "instructions", "source")]
    assert len(tables) == 3
    assert not [view.key for view in tables if any(watch.paints[w] for w in view.body.findChildren(QWidget))]


def test_a_step_paints_nothing_that_lies_under_what_it_changes(window: MainWindow, watch: Watch) -> None:
    """What is opaque is painted without the window, the splitters and the frames of the views below it."""
    window.player.step_any(True)
    wait_until_at_rest(window)
    changed = {widget for widget, times in watch.paints.items() if times}
    canvas = next(view.canvas.viewport() for view in window.views if view.key == "lanes")
    assert {window.caption.label, window.history.viewport(), canvas, window.source.editor.viewport()} <= changed
    assert not changed & {window.workspace, window.caption, *window.views}


def test_a_step_lays_nothing_out_anew(window: MainWindow, watch: Watch) -> None:
    """Not even where the stage shows another view; every scene is painted at most once."""
    (stage,) = window.workspace.findChildren(StageTabs)
    stages = set()
    for _ in range(WARM_UP - 2):  # through lines of one instruction and of many
        window.player.step_any(True)
        wait_until_at_rest(window)
        now = stage.currentWidget()
        assert watch.layouts == 0
        assert not watch.paints[window.launch_bar]
        painted = {view: watch.paints[view.canvas.viewport()] for view in window.views if isinstance(view, DiagramView)}
        assert {view.key: times for view, times in painted.items() if times > 1} == {}
        stages.add(now.key if now is not None else "")
        watch.forget()
    assert {"values", "global", "barrier", "divergence"} <= stages


def test_a_step_of_two_runs_paints_the_window_once(window: MainWindow, watch: Watch) -> None:
    """Another view on the stage is laid out first; where it stays, the scenes of both sides are painted together."""
    context, page = window.presenter.context, window.pages.side_by_side
    assert context is not None
    page.show_runs(context, context.run, (("left",), ("right",)))
    window.pages.show_side_by_side()
    for _ in range(WARM_UP):  # each view that a step concerns is made and gets its size
        window.player.step_any(True)
        window.presenter.present()
    window.player.go(2)
    wait_until_at_rest(window)
    paintings, counts = Paintings(window), []
    for _ in range(7):
        paintings.forget()
        window.player.step_any(True)
        wait_until_at_rest(window)
        counts.append(len(paintings.ends))
    window.removeEventFilter(paintings)
    window.pages.show_views()
    page.clear()
    assert 1 <= median(counts) <= 2  # five where each scene has the window painted
