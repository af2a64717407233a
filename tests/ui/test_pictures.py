"""The picture views work as widgets: clicks, wheels, hover, replay, prediction, export."""

import re
import weakref
import xml.etree.ElementTree as ElementTree

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication
from support.pictures import text_boxes
from ui.backend import run_of
from ui.rest import come_to_rest
from ui.small_run import small_run
from ui.view_texts import texts_of

from warpview.trace.frame import Mark
from warpview.ui.drawing.brush import paint
from warpview.ui.drawing.export import drawing
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.drawing.plot import PlotArea
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext
from warpview.ui.views.diagram_views import REPLAY_MS, DivergenceView, GlobalMemoryView, LanesView, SharedMemoryView
from warpview.ui.views.machine.occupancy import POINT, OccupancyView
from warpview.ui.views.timeline.timeline import TimelineView
from warpview.ui.views.timeline.timeline_states import Window

PICTURES = (LanesView, DivergenceView, SharedMemoryView, GlobalMemoryView, OccupancyView)


class Bench:
    """Show one view with a run, without the window."""

    def __init__(self, qtbot, look, run):
        self.qtbot, self.look, self.run = qtbot, look, run
        self.selection = Selection()

    def open(self, kind, step, predicting=False, size=(700, 420)):
        event = self.run.trace.event(step)
        self.selection.update(step=step, block=event.block, warp=event.warp)
        view = kind(self.selection, self.look)
        self.qtbot.addWidget(view)
        view.resize(*size)
        view.show()
        QApplication.processEvents()
        view.reset(self.run)
        self.show(view, step, predicting)
        return view

    def show(self, view, step, predicting=False):
        view.take(FrameContext(self.run, self.run.trace.frame(step), self.selection.now, predicting))
        view.flush()

    def find(self, view, wanted):
        """The middle of the first hit region for which ``wanted(region)`` holds."""
        canvas = view.canvas
        for y in range(2, canvas.height(), 4):
            for x in range(2, canvas.width(), 4):
                region = canvas.picture.at(x, y)
                if region is not None and wanted(region):
                    return QPoint(x, y)
        raise AssertionError("nothing of the kind is in the picture")


@pytest.fixture
def bench(qtbot, look, monkeypatch):
    monkeypatch.setitem(pg.CONFIG_OPTIONS, "mouseRateLimit", 0)  # else it takes no more than a hundred moves a second
    made = []

    def make(variant="strided", device="h200"):
        made.append(Bench(qtbot, look, small_run(variant, device)))
        return made[-1]

    yield make
    look.set_motion(False)


def conflict(bench):
    return bench.run.trace.find(0, Mark.CONFLICT)


def test_a_click_on_a_lane_selects_warp_and_lane(bench):
    b = bench()
    view = b.open(LanesView, 50)
    place = b.find(view, lambda h: h.target and (h.target.block, h.target.warp, h.target.lane) == (1, 2, 7))
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    now = b.selection.now
    assert (now.block, now.warp, now.lane) == (1, 2, 7)
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert b.selection.now.lane is None


def test_a_click_on_a_variable_keeps_it_in_sight(bench):
    b = bench()
    view = b.open(LanesView, 50)
    place = b.find(view, lambda h: h.target and h.target.command == "variable i")
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.variable == "i"
    view.flush()
    place = b.find(view, lambda h: h.target and h.target.command == "variable i")
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.variable is None


def test_a_wavefront_can_be_picked(bench):
    b = bench()
    view = b.open(SharedMemoryView, conflict(b))
    place = b.find(view, lambda h: h.target and h.target.command == "part" and h.target.value == 1)
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.selection.now.part == 1
    b.show(view, conflict(b))
    assert any("wavefront 2 of 2" in text for text, _ in text_boxes(view.canvas.picture))


def test_a_conflict_is_replayed_once_and_the_next_step_does_not_wait(bench, qtbot):
    b = bench()
    b.look.set_motion(True)
    step = conflict(b)
    view = b.open(SharedMemoryView, step - 1)
    b.show(view, step)
    shown = lambda: " ".join(text for text, _ in text_boxes(view.canvas.picture))  # noqa: E731
    assert "wavefront 1 of 2" in shown()
    qtbot.waitUntil(lambda: "wavefront" in shown() and " of 2" not in shown(), timeout=4 * REPLAY_MS + 1000)
    b.show(view, step - 1)
    b.show(view, step)
    assert "wavefront 1 of 2" in shown()
    b.show(view, step + 1)
    assert "wavefront 2 of 2" not in shown()
    view.clear()


def test_the_answer_is_covered_until_it_is_revealed(bench):
    b = bench()
    step = conflict(b)
    view = b.open(SharedMemoryView, step, predicting=True)
    assert view.canvas.picture.covers
    assert texts_of(view)[1] == ""
    b.show(view, step)
    assert not view.canvas.picture.covers
    assert "2-way conflict" in texts_of(view)[1]


def test_a_step_in_the_band_can_be_gone_to(bench):
    b = bench("divergent", "8800gtx")
    view = b.open(DivergenceView, b.run.trace.find(0, Mark.DIVERGENCE))
    column, band = 3, view.band
    place = view.canvas.mapFromScene(band.vb.mapViewToScene(QPointF(column + 0.5, 16.0)))
    step = int(band.band.steps[column])
    assert view.canvas.hover_at(view.canvas.mapToScene(place)).startswith(f"step {step}: ")
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert b.selection.now.step == step
    before = band.vb.viewRange()[0]
    assert before[1] - before[0] >= min(band.band.whole, 8)
    assert band.image.image.shape == (32, len(band.band.steps))


def test_what_comes_is_covered_in_the_band_while_the_class_is_asked(bench):
    b = bench("divergent", "8800gtx")
    step = b.run.trace.find(0, Mark.DIVERGENCE)
    view = b.open(DivergenceView, step, predicting=True)
    now = view.band.band.column(step)
    assert view.band.later.rect().left() == now
    assert view.band.later.brush().color().alpha() == 255
    b.show(view, step)
    assert view.band.later.rect().left() == now + 1
    assert 0 < view.band.later.brush().color().alpha() < 255


def test_what_if_follows_the_pointer_and_goes_back(bench):
    b = bench()
    view = b.open(OccupancyView, 5, size=(900, 460))
    curve = view.curves["registers"]

    def place_of(registers: float) -> QPoint:
        return view.canvas.mapFromScene(curve.vb.mapViewToScene(QPointF(registers, 10.0)))

    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(100))
    view.flush()
    assert abs(view.what_if.registers - 100) <= 2
    b.qtbot.mousePress(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(100))
    for registers in (110, 120, 128):
        b.qtbot.mouseMove(view.canvas.viewport(), place_of(registers))
    b.qtbot.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(128))
    view.flush()
    assert abs(view.what_if.registers - 128) <= 2
    assert "what if" in " ".join(text for text, _ in text_boxes(view.canvas.picture))
    view.resize(720, 200)
    come_to_rest(view)
    assert not any("…" in text for text, _ in text_boxes(view.canvas.picture)), "the number of warps was cut"
    place = b.find(view, lambda h: h.target and h.target.command == "as launched")
    b.qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.what_if is None


def test_a_dragged_line_of_occupancy_stands_at_the_number_that_is_asked_about(bench):
    b = bench()
    view = b.open(OccupancyView, 5, size=(900, 460))
    curve = view.curves["threads"]

    def place_of(threads: float) -> QPoint:
        return view.canvas.mapFromScene(curve.vb.mapViewToScene(QPointF(threads, 10.0)))

    start = curve.now.value()
    b.qtbot.mousePress(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(start))
    for threads in (start + 60, start + 120, start + 170):
        b.qtbot.mouseMove(view.canvas.viewport(), place_of(threads))
        view.flush()
        assert curve.now.value() == view.what_if.threads
    b.qtbot.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place_of(start + 170))
    view.flush()
    assert curve.now.value() == view.what_if.threads == 288


def test_the_point_of_a_launch_lies_within_a_low_plot(bench):
    view = bench("strided", "k40").open(OccupancyView, 5, size=(720, 240))
    for curve in view.curves.values():
        (at,) = next(item for item in curve.items if isinstance(item, pg.ScatterPlotItem)).getData()[1]
        assert curve.vb.mapViewToScene(QPointF(0.0, at)).y() >= curve.vb.sceneBoundingRect().top() + POINT / 2


def test_a_picture_that_cannot_have_changed_is_not_drawn_again(bench):
    b = bench()
    view = b.open(OccupancyView, 5)
    picture = view.canvas.picture
    b.show(view, 6)
    assert view.canvas.picture is picture
    view.resize(640, 400)
    QApplication.processEvents()
    view.flush()
    assert view.canvas.picture is not picture


@pytest.mark.parametrize("kind", PICTURES, ids=lambda k: k.key)
def test_every_picture_is_exported(bench, kind, tmp_path):
    b = bench()
    view = b.open(kind, conflict(b))
    view.export(tmp_path / "view.png")
    view.export(tmp_path / "view.svg")
    assert (tmp_path / "view.png").stat().st_size > 1000
    assert "<svg" in (tmp_path / "view.svg").read_text()
    assert lines_clipped_away((tmp_path / "view.svg").read_text()) == []
    for scene in view.scenes:  # as reports draw it: the lines of axes were clipped as the plot
        assert lines_clipped_away(drawing(scene.size(), "", scene.draw_on)) == []


def test_an_exported_plot_has_all_of_its_legend(qtbot, look, tmp_path):
    """Qt's SVG clipped the points of a legend as it did the names."""
    area = PlotArea(look, "plot")
    qtbot.addWidget(area)
    area.resize(400, 300)
    plot = area.add_plot(0, 0, pg.PlotItem(labels={"bottom": "across", "left": "up"}))
    plot.addLegend()
    for name in ("a", "b"):
        plot.plot([0, 1], [0, 1], name=name)
    area.show()
    QApplication.processEvents()
    area.export(tmp_path / "plot.svg")
    text = (tmp_path / "plot.svg").read_text()
    assert text.count("<polyline") > 4
    assert lines_clipped_away(text) == []


def lines_clipped_away(svg):
    """The lines of an SVG of which nothing is to be seen: as (clip, line), both from and to in x and y."""
    name, gone = {"s": "http://www.w3.org/2000/svg"}, []
    tree = ElementTree.fromstring(svg)
    clips = {clip.get("id"): extent(np.identity(3), clip[0].get("d")) for clip in tree.iterfind(".//s:clipPath", name)}
    for group in tree.iterfind(".//s:g[@clip-path]", name):
        clip = clips[group.get("clip-path")[len("url(#") : -1]]
        for drawn in group:
            a, b, c, d, e, f = map(float, numbers(drawn.get("transform", "1,0,0,1,0,0")))
            for line in drawn.iterfind("s:polyline", name):
                found = extent(np.array([[a, c, e], [b, d, f], [0, 0, 1]]), line.get("points"))
                if (found[1] < clip[0]).any() or (found[0] > clip[1]).any():
                    gone.append((clip.tolist(), found.tolist()))
    return gone


def numbers(text):
    return re.findall(r"-?[\d.]+(?:e[-+]?\d+)?", text)


def extent(matrix, text):
    """The least and the greatest x and y of points."""
    points = np.array(numbers(text), float).reshape(-1, 2)
    there = (matrix @ np.column_stack([points, np.ones(len(points))]).T)[:2].T
    return np.array([there.min(axis=0), there.max(axis=0)])


@pytest.mark.parametrize("kind", PICTURES, ids=lambda k: k.key)
def test_every_picture_explains_itself(bench, kind):
    b = bench()
    view = b.open(kind, conflict(b))
    assert view.title
    assert view.about
    assert view.legend()
    view.reset(None)
    assert view.canvas.picture.marks == []


def wheel(canvas, x, turns, modifiers=Qt.KeyboardModifier.NoModifier):
    place = QPointF(x, canvas.height() / 2)
    event = QWheelEvent(
        place, canvas.mapToGlobal(place), QPoint(), QPoint(0, 120 * turns), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas.viewport(), event)


def test_the_timeline_is_zoomed_by_the_wheel_and_moved_by_dragging(bench, real_trace):
    b = bench()
    b.run = real_trace
    view = b.open(TimelineView, 40)
    whole = view.window_
    wheel(view.area, 300, 4)
    assert view.window_.span < 0.7 * whole.span
    zoomed = view.window_
    viewport = view.area.viewport()
    row = round(view.rows.vb.sceneBoundingRect().center().y())
    b.qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(400, row))
    for x in (380, 340, 300):
        b.qtbot.mouseMove(viewport, QPoint(x, row))
    b.qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(300, row))
    assert view.window_.first > zoomed.first
    assert view.window_.span == pytest.approx(zoomed.span)
    assert b.selection.now.step == 40
    cycle = int(real_trace.trace.arrays.cycle[4])
    slot = int(real_trace.trace.arrays.slot[4])
    view.window_ = Window(max(0.0, cycle - 20.0), 60.0)
    view.flush()
    place = view.area.mapFromScene(view.rows.vb.mapViewToScene(QPointF(cycle + 0.5, slot + 0.5)))
    b.qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert b.selection.now.step == 5


@pytest.fixture
def real_trace():
    """A run with a loop over shared memory, two blocks."""
    return run_of("reduction/interleaved", "8800gtx")


def test_a_painter_is_let_go_when_the_picture_is_painted(qapp):
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    gone = weakref.ref(painter)
    picture = Picture(10.0, 10.0, 10.0)
    picture.rect(Box(1, 1, 5, 5), "active")
    paint(painter, picture, lambda token: QColor("black"))
    painter.end()
    del painter
    assert gone() is None


def test_a_diagram_is_zoomed_by_the_wheel_moved_by_dragging_and_fitted_by_a_double_click(bench):
    b = bench()
    view = b.open(LanesView, 50)
    canvas, box, diagram = view.canvas, view.canvas.box, view.canvas.diagram
    assert box.zoom == 1.0
    assert diagram.mapToScene(QPointF(200, 100)) == QPointF(200, 100)
    wheel(canvas, 200, 3)
    assert box.zoom == pytest.approx(1.02**45)  # as fast as every plot
    assert diagram.mapFromScene(QPointF(200, canvas.height() / 2)).x() == pytest.approx(200, abs=0.5)
    place = b.find(view, lambda r: r.target and (r.target.block, r.target.warp, r.target.lane) == (1, 2, 7))
    seen = canvas.mapFromScene(diagram.mapToScene(QPointF(place)))
    b.qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=seen)
    assert (b.selection.now.block, b.selection.now.warp, b.selection.now.lane) == (1, 2, 7)
    before = diagram.mapToScene(QPointF(0, 0))
    b.qtbot.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    for x in (280, 250):
        QApplication.processEvents()
        b.qtbot.mouseMove(canvas.viewport(), QPoint(x, 200))
    b.qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(250, 200))
    assert diagram.mapToScene(QPointF(0, 0)).x() < before.x()
    b.qtbot.mouseDClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(250, 200))
    b.qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton)  # or it stays down
    b.qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(250, 200))
    assert box.zoom == 1.0
    wheel(canvas, 200, 30)
    assert box.zoom == pytest.approx(16.0)


def test_a_curve_of_occupancy_zooms_with_the_wheel_and_shows_a_crosshair(bench):
    b = bench()
    view = b.open(OccupancyView, 5, size=(900, 460))
    curve = view.curves["registers"]
    whole = curve.vb.viewRange()[0]
    middle = curve.vb.mapViewToScene(QPointF(sum(whole) / 2, 10.0))
    view.canvas.pointer_moved(middle)
    lines = [item for item in curve.vb.childGroup.childItems() if isinstance(item, pg.InfiniteLine)]
    dotted = [line for line in lines if line.pen.style() == Qt.PenStyle.DotLine]
    assert [line.isVisible() for line in dotted] == [True, True]
    curve.vb.scaleBy(x=0.5)
    b.show(view, 6)
    shown = curve.vb.viewRange()[0]
    assert shown[1] - shown[0] == pytest.approx((whole[1] - whole[0]) / 2, rel=0.01)
    curve.vb.scaleBy(x=100.0)
    assert curve.vb.viewRange()[0] == pytest.approx(whole, rel=0.02)


def test_the_numbers_beside_a_curve_of_occupancy_do_not_overlap_where_it_is_low(bench):
    view = bench("strided", "k40").open(OccupancyView, 5, size=(720, 240))
    sheet = QImage(64, 64, QImage.Format.Format_RGB32)
    for curve in view.curves.values():
        axis = curve.getAxis("left")
        with QPainter(sheet) as painter:
            painter.setFont(axis.style["tickFont"])
            labels = axis.generateDrawSpecs(painter)[2]
        assert [text for *_, text in labels] == ["0", "64"]
        low, high = (box for box, *_ in labels)
        assert not low.intersects(high)
