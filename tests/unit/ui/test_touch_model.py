from types import SimpleNamespace

import numpy as np
import pytest

from warpview.isa.types import Type
from warpview.ui.picture import Bitmap, Box
from warpview.ui.values import Buffer, Buffers
from warpview.ui.views import touch_model
from warpview.ui.views.touch_model import NOTHING, Touches, across_for, hue


@pytest.fixture
def touches(scenes):
    return Touches(scenes().run.trace)


@pytest.fixture
def read(scenes):
    """The buffer that the hand-made kernel reads."""
    at = scenes().pc(2).frame.addresses
    return Buffer("in", int(at.address[0]), int(at.address[0]) + 1024, Type.F32, 4)


def test_accesses_are_gathered_a_few_at_a_time(touches):
    assert touches.total == 10
    assert touches.advance(4)
    assert touches.done == 4
    assert not touches.advance(100)
    assert touches.done == 10


def test_the_last_touch_up_to_a_step(touches, read, scenes):
    touches.advance(100)
    second = scenes().step(2, warp=1)
    found = touches.of(read, 256, second)
    assert (found.step[32:64] == second).all()
    assert (found.warp[32:64] == 1).all()
    assert not found.store.any()
    assert not found.step[64:].any()
    every = touches.of(read, 256, 10_000)
    assert (every.block[128:] == 1).all()
    colours = hue(every, 4)
    assert len(set(colours.tolist())) == 8
    assert hue(found, 4)[100] == NOTHING


def test_square_arrays_are_squares_and_others_fill_the_room():
    assert across_for(4096, Box(0, 0, 300, 300), 24) == 64
    assert across_for(256, Box(0, 0, 300, 300), 24) == 16
    wide = across_for(5000, Box(0, 0, 600, 100), 24)
    assert -(-5000 // wide) * min(24, 600 / wide) <= 100
    assert across_for(1 << 22, Box(0, 0, 600, 100), 24) <= 300


def test_the_picture_tells_who_touched_what(touches, read, scenes, picture, monkeypatch):
    touches.advance(100)
    monkeypatch.setattr(Buffers, "__init__", lambda self, *a: setattr(self, "all", (read,)))
    p = picture()
    context = scenes().pc(2, warp=1)
    assert touch_model.draw_touches(context, p, Box(0, 0, 700, 400), Buffers(None, None), touches)
    bitmap = next(m for m in p.marks if isinstance(m, Bitmap))
    hot = p.at(bitmap.box.x + 1, bitmap.box.y + 1)
    assert hot.hover.startswith("in[0]: read last by block 0, warp 0 at step")
    assert hot.target.step == scenes().step(2)
    assert not touch_model.draw_touches(context, p, Box(0, 0, 700, 10), Buffers(None, None), touches)


def test_a_run_without_accesses_has_none():
    program = SimpleNamespace(instructions=())
    empty = SimpleNamespace(program=program, arrays=SimpleNamespace(pc=np.zeros(0, np.int32)))
    assert Touches(empty).total == 0
    assert not Touches(empty).advance(1)


def test_a_vector_access_touches_several_elements(read):
    touches = Touches.__new__(Touches)
    touches._done = 2
    touches._rows = np.full((2, 32, 6), -1, np.int64)
    touches._rows[0, 0] = (read.base, 16, 5, 0, 0, 0)
    touches._rows[1, 1] = (read.base + 4, 4, 7, 0, 1, 1)
    found = touches.of(read, 8, 10)
    assert found.step.tolist() == [5, 7, 5, 5, 0, 0, 0, 0]
    assert found.store.tolist()[1]
