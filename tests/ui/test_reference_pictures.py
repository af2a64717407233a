"""Compare every view, the comparison page in its three forms and the history, for three kernels, with the pictures
kept beside this file. After a change that is meant: python tests/ui/record_references.py, and look at the changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from ui.gallery import (
    FOLDER,
    NAMES,
    SCENES,
    SIZES,
    TOLERANCE,
    Gallery,
    Show,
    array,
    difference,
    file_of,
    gallery,
    has_fonts,
    kept,
    perform,
)

from warpview.ui.drawing.picture import Rects
from warpview.ui.session.engine import Engine
from warpview.ui.view_list import VIEWS
from warpview.ui.views.diagram_view import DiagramView

MOST_BYTES = 1_500_000
SMALL = 5.0  # pixels: a box that is less high or wide is seen only with its neighbours
PICTURES = [view.key for view in VIEWS if issubclass(view, DiagramView)]


@pytest.fixture(scope="module")
def show(qapp: QApplication) -> Callable[[str], Show]:
    """Give the run of a scene, simulated when it is first needed."""
    if not has_fonts():
        pytest.skip("DejaVu, in which the reference pictures are written, is not installed")
    return cache(lambda scene: perform(SCENES[scene], Engine()))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("scene", "look"), sorted({(scene, look) for scene, _, look in NAMES}))
def test_the_pictures_are_as_they_were(qapp: QApplication, show: Callable[[str], Show], scene: str, look: str) -> None:
    """All pictures of a scene in a theme; record_references.py takes anew what differs, or is not there."""
    names = [name for s, name, k in NAMES if (s, k) == (scene, look)]
    files = {name: file_of(scene, name, look) for name in names}
    with gallery(qapp, show(scene), look, names) as made:
        taken = {files[name]: array(made.picture(name)) for name in names}
    differ = {file.name: difference(picture, kept(file)) for file, picture in taken.items()}
    assert {name: f"{by:.0f} of 255" for name, by in differ.items() if by > TOLERANCE} == {}


def test_there_is_a_picture_of_every_view_and_no_other() -> None:
    assert {view.key for view in VIEWS} | {"bars", "ladder", "roofline", "history"} == set(SIZES)
    files = set(FOLDER.glob("*.png"))
    assert files == {file_of(*name) for name in NAMES}
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


# ---- that a difference is seen


@pytest.fixture
def opened(qapp: QApplication, show: Callable[[str], Show]) -> Iterator[Callable[[str], Gallery]]:
    """Give one view: of global memory in the histogram, any other in the transpose."""
    with ExitStack() as stack:
        yield lambda name: stack.enter_context(
            gallery(qapp, show("histogram" if name == "global" else "transpose"), names=[name])
        )


@pytest.mark.parametrize("name", PICTURES)
def test_one_missing_box_is_seen(opened: Callable[[str], Gallery], name: str) -> None:
    made = opened(name)
    before = array(made.picture(name))
    view = made.views[name]
    assert isinstance(view, DiagramView)
    picture = view.canvas.picture
    assert picture is not None
    filled = [mark for mark in picture.marks if isinstance(mark, Rects) and mark.fill not in (None, "panel", "raised")]
    if not filled:
        pytest.skip("the scene has nothing for this view to show")
    most = max(filled, key=lambda mark: (min(mark.boxes[-1].w, mark.boxes[-1].h) >= SMALL, len(mark.boxes)))
    picture.marks[picture.marks.index(most)] = most._replace(boxes=most.boxes[:-1])
    view.canvas.viewport().update()
    assert difference(before, array(made.picture(name))) > TOLERANCE


def test_a_number_that_is_another_is_seen(opened: Callable[[str], Gallery]) -> None:
    made = opened("counters")
    before = array(made.picture("counters"))
    table = made.views["counters"].table  # type: ignore[attr-defined]
    table.now = {**table.now, "inst_executed": table.now["inst_executed"] + 30}
    table.layoutChanged.emit()
    assert difference(before, array(made.picture("counters"))) > TOLERANCE


def test_a_line_that_does_not_glow_is_seen(opened: Callable[[str], Gallery]) -> None:
    made = opened("source")
    before = array(made.picture("source"))
    editor = made.views["source"].editor  # type: ignore[attr-defined]
    editor.show_marks(replace(editor.marks, done=0))
    assert difference(before, array(made.picture("source"))) > TOLERANCE


def test_a_step_further_is_seen(opened: Callable[[str], Gallery]) -> None:
    made = opened("history")
    before = array(made.picture("history"))
    made.history.show_step(made.selection.now.step + 40)
    assert difference(before, array(made.picture("history"))) > TOLERANCE


def test_letters_a_little_further_are_not_seen() -> None:
    page = np.full((64, 64, 3), 255, np.uint8)
    page[10:50:8, 8:40] = 0  # strokes of a pixel
    assert difference(page, np.roll(page, 1, 1)) <= TOLERANCE
    assert difference(page, page[:60]) == 255
