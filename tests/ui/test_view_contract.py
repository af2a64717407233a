"""Every view has words under the pointer wherever there is something, a legend, and export as PNG and as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QImage, QTransform
from PySide6.QtWidgets import QAbstractItemView, QApplication
from ui.gallery import SCENES, Gallery, array, gallery, perform
from ui.stand import Stand

from warpview.ui.drawing.picture import Box, Dots, Picture, Rects, Text
from warpview.ui.main_window import MainWindow
from warpview.ui.session.engine import Engine
from warpview.ui.view_list import VIEWS
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.view import View
from warpview.ui.views.view_parts import ViewCover

KEYS = [view.key for view in VIEWS]
PICTURES = [view.key for view in VIEWS if issubclass(view, DiagramView)]
TABLES = ("instructions", "counters", "console")
GRID = 8  # pixels between the points that are looked at
# Tokens of marks that stand for data; what is narrower than this is an ornament of a heading.
DATA = re.compile(r"(lane|path|heat|stall_|active|conflict|wasted|error|divergence|atomic|good|barrier|memory|idle)")
ORNAMENT = 8.0
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=SCENES)
def opened(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Gallery]:
    with gallery(qapp, perform(SCENES[request.param], Engine(), comparing=False)) as made:
        yield made


def picture_of(view: View) -> Picture:
    assert isinstance(view, DiagramView)
    assert view.canvas.picture is not None
    return view.canvas.picture


# ---- hover


@pytest.mark.parametrize("key", PICTURES)
def test_every_hot_place_says_what_it_is(opened: Gallery, key: str) -> None:
    picture = picture_of(opened.views[key])
    points = [(x, y) for y in range(2, int(picture.height), GRID) for x in range(2, int(picture.width), GRID)]
    hit_regions = {place: region for place in points if (region := picture.at(*place)) is not None}
    assert bool(hit_regions) == any(not isinstance(mark, Text) for mark in picture.marks)
    assert [place for place, region in hit_regions.items() if not region.hover.strip()] == []


@pytest.mark.parametrize("key", PICTURES)
def test_what_stands_for_data_has_words(opened: Gallery, key: str) -> None:
    picture = picture_of(opened.views[key])
    mute = [box for box in data_boxes(picture) if picture.at(box.cx, box.cy) is None]
    assert mute == []


def data_boxes(picture: Picture) -> list[Box]:
    """Where a picture shows data."""
    found = []
    for mark in picture.marks:
        if isinstance(mark, Rects) and DATA.match(mark.fill or mark.hatch or mark.edge or ""):
            found += [box for box in mark.boxes if box.w >= ORNAMENT]
        elif isinstance(mark, Dots) and DATA.match(mark.fill):
            found += [Box(x, y, 0.0, 0.0) for x, y in mark.centres]
    return found


def test_a_mute_mark_is_found(opened: Gallery) -> None:
    """The check itself: without its hit region a picture does not pass."""
    picture = picture_of(opened.views["lanes"])
    assert data_boxes(picture)
    bare = Picture(picture.width, picture.height, picture.unit, marks=picture.marks)
    assert all(bare.at(box.cx, box.cy) is None for box in data_boxes(bare))


@pytest.mark.parametrize("key", TABLES)
def test_every_cell_of_a_table_says_what_it_is(opened: Gallery, key: str) -> None:
    table = opened.views[key].findChild(QAbstractItemView)
    assert table is not None
    width, height = table.viewport().width(), table.viewport().height()
    cells = {table.indexAt(QPoint(x, y)) for y in range(2, height, 2 * GRID) for x in range(2, width, 2 * GRID)}
    shown = [cell for cell in cells if cell.isValid()]
    assert shown
    assert [cell.row() for cell in shown if not cell.data(Qt.ItemDataRole.ToolTipRole)] == []


def test_every_line_that_is_executed_says_how_often(opened: Gallery) -> None:
    editor = opened.views["source"].editor  # type: ignore[attr-defined]
    program = opened.presenter.run.program
    lines = {instruction.span.line for instruction in program.instructions}
    assert [line for line in lines if not editor.words_at(line)] == []


# ---- legend


@pytest.mark.parametrize("key", KEYS)
def test_the_legend_names_every_mark_once(opened: Gallery, key: str) -> None:
    entries = opened.views[key].legend()
    assert entries
    assert all(entry.words for entry in entries)
    assert len({entry.words for entry in entries}) == len(entries)


# ---- export


@pytest.mark.parametrize("key", KEYS)
def test_as_png(opened: Gallery, key: str, tmp_path: Path) -> None:
    view = opened.views[key]
    view.export(tmp_path / "view.png")
    image = QImage(str(tmp_path / "view.png"))
    assert image.size() == view.size() * 2
    assert len(np.unique(array(image)[::7, ::7].reshape(-1, 3), axis=0)) > 2


@pytest.mark.parametrize("key", KEYS)
def test_as_svg(opened: Gallery, key: str, tmp_path: Path) -> None:
    view = opened.views[key]
    view.export(tmp_path / "view.svg")
    root = ElementTree.parse(tmp_path / "view.svg").getroot()
    assert root.get("viewBox") == f"0 0 {view.width()} {view.height()}"
    assert root.findtext(f"{SVG}title") == view.title
    texts = list(texts_of(root, QTransform()))
    assert any(view.title in text for text, _, _ in texts)
    outside = [text for text, x, y in texts if not (-1 <= x <= view.width() and 0 <= y <= view.height() + 12)]
    assert outside == []


def texts_of(node: ElementTree.Element, above: QTransform) -> Iterator[tuple[str, float, float]]:
    """Every text in a drawing, and where it begins."""
    matrix = re.fullmatch(r"matrix\((.*)\)", node.get("transform", ""))
    here = QTransform(*(float(v) for v in matrix[1].split(","))) * above if matrix else above
    if node.tag == f"{SVG}text":
        x, y = here.map(float(node.get("x", 0)), float(node.get("y", 0)))
        yield "".join(node.itertext()).strip(), x, y
    for child in node:
        yield from texts_of(child, here)


def test_letters_in_the_drawing_are_as_large_as_on_the_screen(opened: Gallery, tmp_path: Path) -> None:
    view = opened.views["source"]
    view.export(tmp_path / "view.svg")
    sizes = {float(size) for size in re.findall(r'font-size="([\d.]+)"', (tmp_path / "view.svg").read_text())}
    assert max(sizes) >= view.fontInfo().pixelSize() - 1


def test_the_legend_is_offered_while_the_pointer_is_over_the_view(window: MainWindow) -> None:
    view = window.workspace.views["lanes"]
    button = view.legend_button
    assert button is not None
    room, note = view.heading_bar.width(), view.note_label.geometry()
    assert not button.isVisible()
    middle = QPointF(view.rect().center())
    QApplication.sendEvent(view, QEnterEvent(middle, middle, middle))
    assert button.isVisible()
    QApplication.processEvents()
    assert (view.heading_bar.width(), view.note_label.geometry()) == (room, note), "nothing moves"
    button.click()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert button.isVisible(), "what is open can be closed"
    button.click()
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert not button.isVisible()


def test_what_is_about_to_be_drawn_asks_no_question(stand: Stand) -> None:
    """A view with a frame that is not drawn yet, as when all views come at once, is not one with a hidden answer."""
    view = stand.w.workspace.views["global"]
    cover = view.findChild(ViewCover)
    assert cover is not None
    view.reset(stand.w.session.run)
    assert cover.words == view.about
    context = stand.w.presenter.context
    assert context is not None
    view.take(context)
    assert cover.words == ""
    view.take(replace(context, predicting=True))
    assert cover.words == "?"
