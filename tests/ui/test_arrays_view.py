"""The arrays view shows a real run: images, colour bars, clicks, zoom, outlines, export."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPicture
from pytestqt.qtbot import QtBot
from ui.backend import run_of
from ui.rest import come_to_rest
from ui.stand import Stand
from ui.view_texts import texts_of

from warpview import library
from warpview.isa.types import Space
from warpview.run.library_launch import simulate_preset
from warpview.trace.frame import Mark
from warpview.ui.drawing.theme import THEMES, Look, Theme, contrast
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.elements import find_element
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.views.arrays.arrays import ArraysView, arrange
from warpview.ui.views.arrays.arrays_model import ArrayShape
from warpview.ui.views.arrays.colours import ink_change, value_map
from warpview.ui.views.arrays.paths import frame_path
from warpview.ui.views.arrays.plot import WIDEST, ArrayPlot
from warpview.ui.views.context import RunLike


class Bench:
    """Show the view with a run, without the window."""

    def __init__(self, qtbot: QtBot, look: Look, run: RunLike, step: int, outline: str = "tile") -> None:
        self.qtbot, self.run = qtbot, run
        self.selection, self.accesses = Selection(), AccessIndex()
        self.view = ArraysView(self.selection, look)
        qtbot.addWidget(self.view)
        self.view.resize(900, 600)
        self.view.show()
        self.presenter = Presenter(self.selection, [self.view], self.accesses)
        self.accesses.set_run(run)
        event = run.trace.event(step)
        self.selection.update(step=step, block=event.block, warp=event.warp)
        self.presenter.set_run(run)
        qtbot.waitUntil(lambda: bool(self.view.plots) and not outlined(self.plot(0), outline).isEmpty(), timeout=20_000)
        come_to_rest(self.view)

    def plot(self, k: int):  # type: ignore[no-untyped-def]
        return self.view.plots[k]

    def on_screen(self, k: int, row: int, column: int) -> QPointF:
        plot = self.plot(k)
        return self.view.canvas.mapFromScene(plot.vb.mapViewToScene(QPointF(column + 0.5, row + 0.5)))


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    run = run_of("transpose/tile_32", "8800gtx")
    step = run.trace.find(0, Mark.CONFLICT)
    assert step is not None
    made = Bench(qtbot, look, run, step)
    yield made
    made.accesses.close()


@pytest.fixture
def argmax(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    made = Bench(qtbot, look, run_of("reduction/argmax", "8800gtx"), 1, outline="frame")
    yield made
    made.accesses.close()


@pytest.fixture
def matrices(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    run = run_of("matmul/tiled", "8800gtx")
    made = Bench(qtbot, look, run, run.trace.steps // 2)
    yield made
    made.accesses.close()


def test_matrices_fill_the_width_of_a_large_screen(matrices: Bench) -> None:
    view = matrices.view
    view.resize(1900, 880)
    come_to_rest(view)
    images = [plot.vb.mapViewToScene(QRectF(0, 0, 32, 32)).boundingRect() for plot in view.plots[:3]]
    assert sum(image.width() for image in images) >= 0.74 * view.width()
    assert len({round(image.width()) for image in images}) == 1
    assert all(1.0 <= image.width() / image.height() <= WIDEST + 0.01 for image in images)


def test_little_room_is_left_to_the_arrays_that_the_step_accesses(matrices: Bench) -> None:
    """In type of 200 % on 1280x720, where no cell could be seen of all five arrays."""
    view, selection = matrices.view, matrices.selection
    view.look.window.set_scale(2.0)
    view.resize(728, 210)
    trace = matrices.run.trace
    accessed = set()
    for step in range(trace.steps // 2, trace.steps):
        if trace.frame(step).addresses is not None:
            selection.update(step=step, block=trace.event(step).block, warp=trace.event(step).warp)
            matrices.presenter.present()
            view.flush()
            come_to_rest(view)
            names = [plot.shown.array.name for plot in view.plots]
            accessed |= {plot.shown.array.name for plot in view.plots if plot.shown.accessed}
            assert len(names) == 2
            assert all(plot.vb.width() > 100 and plot.vb.height() > 60 for plot in view.plots)
            assert view.note_label.words.startswith("2 of 5 arrays")
        if accessed >= {"a", "b"}:
            break
    assert accessed >= {"a", "b"}


def outlined(plot: ArrayPlot, name: str) -> QRectF:
    """The rectangle around an outline; empty where none is shown."""
    return plot.outlines[name].path().boundingRect()


def test_the_frame_ends_where_the_array_ends() -> None:
    path = frame_path(ArrayShape(0, 100, 32))
    assert path.contains(QPointF(3.5, 3.5))
    assert not path.contains(QPointF(4.5, 3.5))
    assert path.contains(QPointF(31.5, 2.5))
    assert path.boundingRect() == QRectF(0, 0, 32, 4)
    assert frame_path(ArrayShape(0, 20, 20)).boundingRect() == QRectF(0, 0, 20, 1)


def test_every_array_is_an_image_with_a_colour_bar(bench: Bench) -> None:
    titles = [plot.shown.title for plot in bench.view.plots]
    assert titles == ["float in[64 × 64]", "float out[64 × 64]", "float tile[32][32]"]
    image = bench.plot(0).image.image
    assert np.array_equal(image, np.arange(64 * 64).reshape(64, 64))
    assert tuple(bench.plot(0).bar.levels()) == (0.0, 4095.0)
    assert bench.plot(0).bar.isVisible()
    assert [p.shown.array.space for p in bench.view.plots].index(Space.SHARED) == 2


def test_the_titles_are_to_be_seen(bench: Bench) -> None:
    title = bench.plot(0).title
    assert "in[64 × 64]" in title.item.toPlainText()
    box = title.item.sceneBoundingRect().toRect()
    image = bench.view.canvas.grab().toImage().copy(box)
    assert len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 4


def test_a_click_selects_the_element_and_another_lets_it_go(bench: Bench) -> None:
    place = bench.on_screen(0, 3, 5)
    for wanted in (find_element(bench.run, 0, "in[197]"), None):
        bench.qtbot.mouseClick(bench.view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert bench.selection.now.element == wanted
    bench.selection.update(element=find_element(bench.run, 0, "in[197]"))
    bench.presenter.present()
    bench.view.flush()
    assert outlined(bench.plot(0), "selected") == QRectF(5, 3, 1, 1)


def test_the_access_the_tile_and_the_span_are_outlined(bench: Bench) -> None:
    assert outlined(bench.plot(2), "now") == QRectF(0, 0, 1, 32)  # a column of the tile
    tile, span = outlined(bench.plot(0), "tile"), outlined(bench.plot(0), "span")
    assert (span.width(), span.height()) == (32, 32)
    assert span.contains(tile)


def test_values_are_written_once_the_zoom_leaves_room(bench: Bench) -> None:
    from PySide6.QtGui import QImage

    def ink() -> int:
        image = bench.view.canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
        box = bench.plot(0).vb.sceneBoundingRect().toRect()
        return len(np.unique(pixels[box.top() : box.bottom(), box.left() : box.right()]))

    whole = ink()
    bench.plot(0).vb.setRange(QRectF(0, 0, 6, 6), padding=0)
    come_to_rest(bench.view)
    assert ink() != whole
    bench.qtbot.mouseDClick(bench.view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=bench.on_screen(0, 2, 2))
    bench.qtbot.mouseRelease(bench.view.canvas.viewport(), Qt.MouseButton.LeftButton)  # or it stays down
    assert bench.plot(0).vb.viewRect().contains(QRectF(0, 0, 64, 64))


def test_hover_names_the_element_and_its_value(bench: Bench) -> None:
    place = bench.plot(0).vb.mapViewToScene(QPointF(2.5, 1.5))
    assert bench.view.hover_at(place).startswith("in[66] (row 1, column 2) = 66")
    assert bench.view.hover_at(QPointF(0, 0)) == ""


def test_colours_by_access_replace_the_bar(bench: Bench) -> None:
    bench.selection.update(colours="warp")
    bench.presenter.present()
    bench.qtbot.waitUntil(lambda: bench.plot(0).shown.tints is not None, timeout=20_000)
    assert not bench.plot(0).bar.isVisible()
    bench.qtbot.waitUntil(lambda: texts_of(bench.view)[1] == "last accessed by", timeout=20_000)
    bench.selection.update(colours="")
    bench.presenter.present()
    bench.view.flush()
    assert bench.plot(0).bar.isVisible()


def test_a_step_draws_only_what_changed(bench: Bench) -> None:
    plots, image = list(bench.view.plots), bench.plot(0).image.image
    bench.selection.update(step=bench.selection.now.step + 1)
    bench.presenter.present()
    bench.view.flush()
    assert bench.view.plots == plots
    assert bench.plot(0).image.image is image


def test_the_context_menu_asks_who_wrote_an_element(bench: Bench) -> None:
    place = bench.view.canvas.viewport().mapToGlobal(bench.on_screen(0, 1, 2))
    offered = dict(bench.view.context_actions(place))
    assert offered["Who wrote in[66]?"] == "last_write"
    assert bench.selection.now.element.name == "in[66]"
    assert bench.view.context_actions(bench.view.canvas.viewport().mapToGlobal(QPoint(0, 0))) == []


def test_no_index_covers_another_in_large_type(argmax: Bench, look: Look) -> None:
    view = argmax.view
    look.set_scale(2.0)
    view.resize(1600, 640)
    come_to_rest(view)
    least = QFontMetricsF(view.look.font("small")).height()
    for plot in view.plots:
        axis, rows = plot.getAxis("left"), plot.shown.shape.rows
        spacing, places = axis.tickValues(0, rows, axis.height())[0]
        assert len(places) < 2 or spacing * axis.height() / rows >= least - 1


def test_an_array_lies_at_its_axes_whatever_the_room(bench: Bench) -> None:
    for size in ((900, 600), (500, 700), (1200, 320)):
        bench.view.resize(*size)
        come_to_rest(bench.view)
        for plot in bench.view.plots[:3]:
            corner = plot.vb.mapViewToScene(QPointF(0, 0))
            box = plot.vb.sceneBoundingRect()
            assert abs(corner.x() - box.left()) < 2
            assert abs(corner.y() - box.top()) < 2
            shape = plot.shown.shape
            assert plot.vb.viewRect().contains(QRectF(0.01, 0.01, shape.columns - 0.02, shape.rows - 0.02))
            picture = QPicture()  # which a painter does not hold
            with QPainter(picture) as painter:
                assert "0" in {text for _, _, text in plot.getAxis("top").generateDrawSpecs(painter)[2]}


def test_arrays_are_as_large_after_those_of_another_kernel(bench: Bench) -> None:
    def sizes() -> list[tuple[float, float]]:
        return [(plot.vb.width(), plot.vb.height()) for plot in bench.view.plots]

    first = sizes()
    for run in (run_of("reduction/argmax", "8800gtx"), bench.run):
        bench.selection.update(step=0)
        bench.presenter.set_run(run)
        come_to_rest(bench.view)
    assert sizes() == [pytest.approx(size, abs=1.0) for size in first]
    assert all(0.99 <= width / height <= WIDEST + 0.01 for width, height in sizes())


def test_a_part_that_was_zoomed_to_stays_when_the_size_changes(bench: Bench) -> None:
    plot = bench.plot(0)
    plot.vb.setRange(QRectF(8, 8, 6, 6), padding=0)
    plot.vb.sigRangeChangedManually.emit([True, True])
    bench.view.resize(700, 500)
    come_to_rest(bench.view)
    assert plot.vb.viewRect().width() < 32


def test_colour_bars_come_back_with_the_room_for_them(bench: Bench) -> None:
    for width, height, shown in ((900, 700, True), (480, 190, False), (900, 700, True)):
        bench.view.resize(width, height)
        come_to_rest(bench.view)
        assert {plot.bar.isVisible() for plot in bench.view.plots} == {shown}
        assert all((" to " in plot.title.text or "all 0" in plot.title.text) != shown for plot in bench.view.plots)


@pytest.mark.parametrize(("height", "shown"), [(340, False), (700, True)])
def test_the_ends_of_a_colour_bar_never_lie_on_each_other(qtbot: QtBot, look: Look, height: int, shown: bool) -> None:
    """Four arrays of one dimension, in rows."""
    bench = Bench(qtbot, look, run_of("scan/device_wide", "8800gtx"), 1, "frame")
    bench.view.resize(720, height)
    come_to_rest(bench.view)
    assert len(bench.view.plots) == 4
    for plot in bench.view.plots:
        assert plot.bar.isVisible() == shown
        assert not shown or plot.bar.axis.height() > 1.2 * look.unit()
    titles = [plot.title.text for plot in bench.view.plots]
    assert [("0 to 99," in title, "all 0," in title) for title in titles[:2]] == [
        (not shown, False),
        (False, not shown),
    ]
    assert "0" not in titles[3].partition("int buffer[64]")[2].partition("shared")[0].partition("pt")[2]
    bench.accesses.close()


@pytest.mark.parametrize(
    ("count", "width", "height", "across"),
    [(5, 1900, 900, 3), (3, 1270, 500, 3), (2, 400, 900, 1), (1, 300, 300, 1), (4, 1000, 1000, 2)],
)
def test_equal_arrays_are_laid_out_as_large_as_possible(count: int, width: float, height: float, across: int) -> None:
    assert arrange([(32, 32)] * count, width, height, (120.0, 66.0), (45.0, 66.0)) == (across, True)


@pytest.mark.parametrize(("height", "axes"), [(300, [True, False, False, False, False]), (560, [True] * 5)])
def test_every_one_of_many_arrays_is_in_sight(argmax: Bench, height: int, axes: list[bool]) -> None:
    """Where there is little room the arrays below have the first one's axis: their columns stand under it."""
    argmax.view.resize(730, height)
    come_to_rest(argmax.view)
    plots = argmax.view.plots
    assert [plot.shown.array.name for plot in plots] == ["input", "output", "place", "value", "index"]
    images = [plot.vb.sceneBoundingRect() for plot in plots]
    assert all(image.height() >= 12 and image.bottom() <= argmax.view.canvas.height() for image in images)
    assert len({(image.left(), image.right()) for image in images}) == 1
    assert [plot.getAxis("top").isVisible() for plot in plots] == axes


def test_no_index_lies_on_the_title_above_a_low_array(argmax: Bench) -> None:
    argmax.view.resize(730, 300)
    come_to_rest(argmax.view)
    for plot in argmax.view.plots:
        axis, text = plot.getAxis("left"), plot.look.font("small")
        lowest = plot.title.item.sceneBoundingRect().bottom()
        half = QFontMetricsF(text).capHeight() / 2
        ticks = axis.tickValues(*axis.range, plot.vb.height())
        places = [plot.vb.mapViewToScene(QPointF(0, value)).y() for _, values in ticks for value in values]
        assert all(place - half >= lowest for place in places)


def test_what_is_below_the_titles_of_five_arrays_is_not_cut(qtbot: QtBot, look: Look) -> None:
    """Where five lie beside one another, without bars, below a message: 'rows 0–15, colum…'."""
    run = run_of("matmul/tiled", "8800gtx")
    step = run.trace.find(0, Mark.BARRIER)
    assert step is not None
    made = Bench(qtbot, look, run, step)
    made.view.resize(720, 250)
    come_to_rest(made.view)
    notes = [plot.title.item.toPlainText().splitlines()[-1] for plot in made.view.plots]
    made.accesses.close()
    assert len(notes) == 5
    assert not any("…" in note for note in notes), notes
    assert "[0–15][0–15]" in notes[0]


def test_the_names_of_five_arrays_are_not_cut_for_larger_images(qtbot: QtBot, look: Look) -> None:
    """In all views at once, below a message, five lay in one row: 'float A[3…'."""
    made = Bench(qtbot, look, run_of("matmul/tiled", "8800gtx"), 1)
    made.view.resize(470, 270)
    come_to_rest(made.view)
    titles = [plot.title.item.toPlainText() for plot in made.view.plots]
    made.accesses.close()
    assert [title.splitlines()[0] for title in titles] == [
        "float A[32 × 32]", "float B[32 × 32]", "float C[32 × 32]", "float a[16][16]", "float b[16][16]"
    ]  # fmt: skip


def test_colour_bars_give_way_where_the_room_is_small() -> None:
    assert arrange([(32, 32)] * 5, 720, 220, (120.0, 66.0), (45.0, 66.0)) == (5, False)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_values_stand_out_from_every_colour_of_their_range(theme: Theme) -> None:
    shades = [QColor(*shade).name() for shade in value_map(theme).getLookupTable(0.0, 1.0, 101).tolist()]
    change = ink_change(theme)
    inks = [theme.on_active if k / 100 >= change else theme.text for k in range(101)]
    assert min(contrast(ink, shade) for ink, shade in zip(inks, shades, strict=True)) > 4.0


def test_the_key_of_the_colours_brings_the_arrays_into_sight(stand: Stand) -> None:
    workspace = stand.w.workspace
    arrays = workspace.views["arrays"]
    stand.press("D")
    assert not arrays.isVisible()
    stand.press("H")
    assert arrays.isVisible()
    assert stand.w.selection.now.colours == "warp"
    workspace.set_shown("arrays", False)
    assert not arrays.isVisible()
    stand.press("H")
    assert arrays.isVisible()
    workspace.zoom(workspace.views["lanes"])
    stand.press("H")
    assert arrays.isVisible()
    assert stand.w.selection.now.colours == "block"
    assert workspace.zoomed is arrays


@pytest.mark.parametrize(
    ("kernel", "name", "title", "numbers"),
    [
        ("patterns/array_of_structs", "particles", "float particles[128 × 8]", 8),
        ("patterns/float3_direct", "out", "float out[128 × 3]", 3),
    ],
)
def test_structs_and_vectors_are_shown_by_their_numbers(
    qtbot: QtBot, look: Look, kernel: str, name: str, title: str, numbers: int
) -> None:
    run = run_of(kernel, "h200")
    made = Bench(qtbot, look, run, run.trace.steps - 1, outline="frame")
    shown = next(plot.shown for plot in made.view.plots if plot.shown.array.name == name)
    assert shown.title == title
    assert shown.shape.columns % numbers == 0
    assert shown.array.element(2 * numbers).name == f"{name}[2]"
    assert shown.array.element(3 * numbers - 1).name == f"{name}[2] + {4 * (numbers - 1)} bytes"
    after = simulate_preset(library.entry(kernel)).launches[0].buffers[name].ravel()
    after = after[: after.size // 2]  # of the block that is followed
    np.testing.assert_array_equal(shown.values.ravel()[: after.size], after)
    made.accesses.close()


def test_another_run_is_shown_piece_by_piece(stand: Stand, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """The arrays are drawn in a turn of the event loop after that of the source, and no axis lays out its label, which
    nobody sees, at each change of its range: both together took more than 50 ms."""
    labels, waiting = [], []
    monkeypatch.setattr(pg.AxisItem, "updateAutoSIPrefix", labels.append)
    arrays = window.workspace.views["arrays"]
    stand.press("Home")
    assert arrays.isVisible()
    connection = window.presenter.shown.connect(lambda _: waiting.append(arrays.is_stale))
    window.session.choose("transpose/naive_32")
    stand.settle()
    window.presenter.shown.disconnect(connection)
    assert waiting[0]
    assert not arrays.is_stale
    assert labels == []
