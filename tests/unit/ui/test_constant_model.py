from dataclasses import replace

import numpy as np
import pytest
from support.pictures import text_boxes

from warpview.isa.program import Variable
from warpview.isa.types import Space, Type
from warpview.sim.rules import const_access
from warpview.trace.frame import LaneAddresses
from warpview.ui.drawing.picture import Curve
from warpview.ui.views.memory import constant_model, shared_memory_model


@pytest.fixture
def reading(scenes):
    """A context whose step reads constant memory at ``offset(lane)``."""

    def make(offset, predicting=False):
        context = scenes("divergent", "h200").on("load", predicting=predicting)
        at = np.array([offset(lane) for lane in range(32)], np.int64)
        access = const_access(at.tolist(), 0xFFFFFFFF, 4, context.device)
        frame = replace(context.frame, access=access, addresses=LaneAddresses(Space.CONST, at, 0xFFFFFFFF, 4))
        return replace(context, frame=frame)

    return make


def draw(context, p):
    return shared_memory_model.draw(context, p, shared_memory_model.ALL)


def test_one_address_is_a_broadcast(reading, picture):
    p = picture()
    assert draw(reading(lambda lane: 16), p) == "broadcast"
    assert "constant memory: 1 pass" in [text for text, _ in text_boxes(p)]
    assert sum(isinstance(m, Curve) for m in p.marks) == 32


def test_every_address_is_a_pass(reading, picture):
    p = picture(500, 220)
    assert draw(reading(lambda lane: 4 * lane), p) == "32 addresses, one after another"
    assert any("more" in text for text, _ in text_boxes(p))


def test_the_answer_is_hidden(reading, picture):
    p = picture()
    assert draw(reading(lambda lane: 4 * lane, predicting=True), p) == ""
    assert p.covers
    assert not any(isinstance(m, Curve) for m in p.marks)


def test_symbols_name_the_addresses(scenes):
    table = Variable("table", "float", Type.F32, space=Space.CONST, offset=64, dims=(16,), element_bytes=4)
    scale = Variable("scale", "float", Type.F32, space=Space.CONST, offset=0)
    program = replace(scenes().run.program, constant_symbols=(scale, table))
    assert constant_model.constant_name(program, 72) == "table[2]"
    assert constant_model.constant_name(program, 0) == "scale"
    assert constant_model.constant_name(scenes().run.program, 12) == "c[12]"
