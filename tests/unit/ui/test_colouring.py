from dataclasses import replace

import numpy as np
import pytest

from warpview.isa.types import Space
from warpview.ui.drawing.picture import Rects
from warpview.ui.moving.elements import MemoryArray, find_element
from warpview.ui.views.arrays.colouring import COLOURINGS, HUES, NOTHING, SHADES, colours, next_colouring
from warpview.ui.views.memory import global_memory_model, shared_memory_model


class Index:
    """Hold the accesses of a run, at once."""

    def __init__(self, run):
        self.log = run.trace.gather()
        self.kept = {}

    def history(self, extent):
        return self.kept.setdefault(extent, self.log.history(extent))

    def refuses(self, extent):
        return False


@pytest.fixture
def seen(scenes):
    """seen(place, colours, ...): a context with known accesses."""
    made = scenes()
    index = Index(made.run)

    def at(place, key, nth=0, block=0, warp=0, predicting=False, **more):
        context = made.at(made.step(place, block, warp, nth), predicting, block=block, warp=warp, colours=key, **more)
        return replace(context, accesses=index)

    return at


@pytest.fixture
def history(scenes):
    run = scenes().run
    array = MemoryArray("in", Space.GLOBAL, run.allocations[0].base, 4, (256,), None)
    return run.trace.gather().history(array.extent)


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
    half = made.step("load", warp=1)
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


def test_often_accessed_elements_are_darker(scenes):
    array = MemoryArray("sdata", Space.SHARED, 0, 4, (128,), None, 0)
    trace = scenes().run.trace
    history = trace.gather().history(array.extent)
    shades = colours("count", history, history.last(trace.steps), 4, trace.steps)
    assert shades[0] == HUES + SHADES - 1
    assert shades[0] > shades[8] > shades[1] >= HUES


def test_the_selected_element_is_outlined_where_it_is_accessed(seen, scenes, picture):
    run = scenes().run

    def outlines(place, element, draw):
        p = picture(height=260)
        draw(seen(place, "", element=element), p)
        return len([m for m in p.marks if isinstance(m, Rects) and m.edge == "accent" and m.width > 2])

    banks, memory = shared_memory_model.draw, global_memory_model.draw
    assert outlines("store", find_element(run, 0, "sdata[3]"), banks) == 2  # in its bank and in its array
    assert outlines("store", find_element(run, 1, "sdata[3]"), banks) == 0
    assert outlines("load", find_element(run, 0, "in[3]"), memory) == 1  # in its sector
    assert outlines("load", find_element(run, 0, "in[203]"), memory) == 0
