from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from ui.fakes import GLOBAL_BASE

from warpview.isa.types import Space
from warpview.ui.drawing.picture import Bitmap, Box, Rects
from warpview.ui.moving.elements import Array, find_element
from warpview.ui.views import global_memory_model, shared_memory_model
from warpview.ui.views.array_map_model import across_for, place_map
from warpview.ui.views.colouring import COLOURINGS, HUES, NOTHING, SHADES, TOKENS, colours, next_colouring

IN = SimpleNamespace(name="in", base=GLOBAL_BASE, end=GLOBAL_BASE + 1024, size=1024)
OUT = SimpleNamespace(name="out", base=GLOBAL_BASE + 0x1000, end=GLOBAL_BASE + 0x1008, size=8)


class Index:
    """The touches of a hand-made run, at once."""

    def __init__(self, run):
        self.log = run.trace.gather()
        self.kept = {}

    def history(self, extent):
        return self.kept.setdefault(extent, self.log.history(extent))

    def refuses(self, extent):
        return False


@pytest.fixture
def seen(scenes, monkeypatch):
    """seen(pc, colours, ...): a context with known touches."""
    made = scenes()
    monkeypatch.setattr(made.run, "allocations", (IN, OUT))
    index = Index(made.run)

    def at(pc, key, nth=0, block=0, warp=0, predicting=False, **more):
        context = made.at(made.step(pc, block, warp, nth), predicting, block=block, warp=warp, colours=key, **more)
        return replace(context, touches=index)

    return at


@pytest.fixture
def history(scenes):
    array = Array("in", Space.GLOBAL, GLOBAL_BASE, 4, (256,), None)
    return scenes().run.trace.gather().history(array.extent)


def test_colours_go_round():
    seen, key = [], ""
    for _ in COLOURINGS:
        seen.append(key)
        key = next_colouring(key)
    assert seen == [k for k, _, _ in COLOURINGS]
    assert key == ""


def test_each_way_of_colouring(history, scenes):
    made = scenes()
    end = made.run.trace.steps
    half = made.step(2, warp=1)
    last = history.last(end).copy()
    by = {key: colours(key, history, last, 4, end) for key, _, _ in COLOURINGS if key}
    assert by["lane"].tolist() == list(range(32)) * 8
    assert len(set(by["block"].tolist())) == 2
    assert len(set(by["warp"].tolist())) == 8
    assert by["warp"].tolist() == [by["warp"][k // 32 * 32] for k in range(256)]
    shades = by["time"].astype(int) - HUES
    assert (np.diff(shades[:128]) >= 0).all()
    assert ((shades >= 0) & (shades < SHADES)).all()
    assert set(by["count"].tolist()) == {HUES}
    early = colours("lane", history, history.last(half), 4, end)
    assert early[64] == NOTHING
    assert early[33] == 1


def test_often_touched_elements_are_darker(scenes):
    array = Array("sdata", Space.SHARED, 0, 4, (128,), None, 0)
    trace = scenes().run.trace
    history = trace.gather().history(array.extent)
    shades = colours("count", history, history.last(trace.steps), 4, trace.steps)
    assert shades[0] == HUES + SHADES - 1
    assert shades[0] > shades[8] > shades[1] >= HUES


def test_rows_of_maps():
    def flat(n):
        return Array("a", Space.GLOBAL, 0, 4, (n,), None)

    assert across_for(flat(4096), Box(0, 0, 300, 300), 24) == 64
    assert across_for(flat(256), Box(0, 0, 300, 300), 24) == 16
    assert across_for(Array("m", Space.GLOBAL, 0, 4, (8, 100), None), Box(0, 0, 300, 300), 24) == 100
    wide = across_for(flat(5000), Box(0, 0, 600, 100), 24)
    assert -(-5000 // wide) * min(24, 600 / wide) <= 100
    assert across_for(flat(1 << 22), Box(0, 0, 600, 100), 24) <= 300


def test_few_cells_grow_with_the_room_at_the_side():
    matrix = Array("m", Space.GLOBAL, 0, 4, (32, 32), None)
    wide = place_map(matrix, Box(0, 0, 1400, 32 * 12), 30)
    assert (wide.width, wide.height, wide.count) == (30, 12, 1024)
    assert wide.index(31.5 * wide.width, 31.5 * wide.height) == 1023
    assert wide.box.right == 32 * 30
    assert place_map(matrix, Box(0, 0, 32 * 12, 1400), 30).width == 12
    flat = place_map(matrix, Box(0, 0, 1400, 70), 30)
    assert (flat.width, flat.count) == (11, 1024)
    large = place_map(Array("m", Space.GLOBAL, 0, 4, (256, 256), None), Box(0, 0, 1400, 600), 30)
    assert large.width == large.height


def test_a_map_that_does_not_fit_shows_what_is_touched():
    array = Array("a", Space.GLOBAL, 0, 4, (1 << 20,), None)
    drawn = place_map(array, Box(0, 0, 600, 100), 24, focus=700_000)
    assert drawn.first <= 700_000 < drawn.first + drawn.count
    box = drawn.cell(700_000)
    assert drawn.index(box.cx, box.cy) == 700_000
    assert drawn.box.bottom <= 100
    assert drawn.cell(0) is None
    assert place_map(array, Box(0, 0, 600, 3), 24) is None


def test_the_picture_tells_who_touched_what(seen, scenes, picture):
    p = picture()
    context = seen(9, "warp")
    global_memory_model.draw(context, p)
    bitmap = next(m for m in p.marks if isinstance(m, Bitmap))
    assert bitmap.tokens == TOKENS
    hot = p.at(bitmap.box.x + 1, bitmap.box.y + 1)
    first = scenes().step(2)
    assert hot.hover == (
        f"in[0]\nread last by block 0, warp 0, lane 0 at step {first}\n"
        f"touched once, first by block 0, warp 0, lane 0 at step {first}, 1 so far"
    )
    assert hot.target.element == find_element(context.run, 0, "in[0]")
    assert {"last touched by", "b0 w0", "b0 w3"} <= {text for text, _ in p.text_boxes()}


def test_what_is_to_be_guessed_is_not_told(seen, scenes, picture):
    """The colours are those before the step, no element is outlined, and hovers say nothing of touches."""
    p = picture(height=700)
    context = seen(3, "lane", predicting=True)
    shared_memory_model.draw(context, p)
    for mark in p.marks:
        assert not isinstance(mark, Bitmap) or set(np.unique(mark.indices)) <= {NOTHING, NOTHING + 1}
    for x in range(0, 700, 7):
        for y in range(0, 700, 7):
            hot = p.at(x, y)
            assert hot is None or not any(word in hot.hover for word in ("wavefront", "touched", "bank"))
    assert "conflict" not in p.spoken
    assert all("conflict" not in text and "wavefronts" not in text.replace("How many wavefronts?", "")
               for text, _ in p.text_boxes())  # fmt: skip


def test_the_tile_is_coloured_too_and_marks_what_the_step_touched(seen, picture):
    p = picture(height=700)
    shared_memory_model.draw(seen(3, "lane"), p)
    bitmap = next(m for m in p.marks if isinstance(m, Bitmap))
    assert set(range(32)) <= set(bitmap.indices.reshape(-1).tolist())
    assert any(isinstance(m, Rects) and m.edge == "text" and len(m.boxes) == 32 for m in p.marks)


def test_the_selected_element_is_outlined_and_wrong_ones_have_the_sign(seen, scenes, picture):
    run = scenes().run
    context = seen(9, "warp", element=find_element(run, 0, "in[3]"))
    p = picture()
    global_memory_model.draw(context, p)
    outline = [m for m in p.marks if isinstance(m, Rects) and m.edge == "accent"]
    hot = p.at(outline[-1].boxes[0].cx, outline[-1].boxes[0].cy)
    assert hot.hover.startswith("in[3]\nread last by block 0, warp 0, lane 3")
    other = picture()
    global_memory_model.draw(seen(9, "warp", element=find_element(run, 1, "sdata[3]")), other)
    assert not [m for m in other.marks if isinstance(m, Rects) and m.edge == "accent"]


def test_a_finding_has_its_sign_from_the_step_on_at_which_it_happened(seen, scenes, picture, monkeypatch):
    made = scenes()
    step = made.step(3)
    finding = SimpleNamespace(kind="race", message="two warps", pc=3, block=(0, 0, 0), address=20)
    marks = made.run.trace.marks.copy()
    marks[step - 1] |= 32
    monkeypatch.setattr(made.run, "findings", [finding])
    monkeypatch.setattr(made.run.trace, "marks", marks)

    def signs(context):
        p = picture(height=700)
        shared_memory_model.draw(context, p)
        return [text for text, _ in p.text_boxes() if text == "!"]

    assert signs(seen(3, ""))
    assert not signs(seen(3, "", predicting=True))
    assert not signs(seen(2, ""))
    assert not signs(seen(9, "", block=1))


def test_the_selected_element_is_outlined_where_it_is_accessed(seen, scenes, picture):
    run = scenes().run

    def outlines(pc, element, draw):
        p = picture(height=260)
        draw(seen(pc, "", element=element), p)
        return len([m for m in p.marks if isinstance(m, Rects) and m.edge == "accent" and m.width > 2])

    banks, memory = shared_memory_model.draw, global_memory_model.draw
    assert outlines(3, find_element(run, 0, "sdata[3]"), banks) == 1
    assert outlines(3, find_element(run, 1, "sdata[3]"), banks) == 0
    assert outlines(2, find_element(run, 0, "in[3]"), memory) == 1
    assert outlines(2, find_element(run, 0, "in[203]"), memory) == 0


class Nothing(Index):
    """It has no answer, as there are more touches than it keeps."""

    def history(self, extent):
        return None

    def refuses(self, extent):
        return True


def test_more_touches_than_can_be_kept_are_said_to_be(seen, picture):
    context = seen(9, "lane")
    p = picture()
    global_memory_model.draw(replace(context, touches=Nothing(context.run)), p)
    words = [text for text, _ in p.text_boxes()]
    assert "too many touches to keep" in words
    assert "looking who touched what …" not in words
