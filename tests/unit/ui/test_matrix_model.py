"""The product on tensor cores is put together from the lanes' registers, on a real run and by its own words."""

import numpy as np
import pytest

from warpview.isa.matrices import PRODUCTS
from warpview.isa.ops import Op
from warpview.isa.types import Type
from warpview.sass import nvrtc
from warpview.trace.caption import caption
from warpview.ui.drawing.picture import Bitmap, Rects
from warpview.ui.views.lanes import operands_model, values_model
from warpview.ui.views.lanes.matrix_model import _places, matrices


@pytest.fixture
def product(real):
    scenes = real("matmul/tensor_cores", "h200")
    return scenes, scenes.where(lambda i, e: i.op is Op.MMA)


COMPILED = pytest.param(
    "machine code", marks=pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
)


@pytest.fixture(params=["as written", COMPILED])
def either(request, real):
    """The same product as both compilers have it."""
    scenes = real("matmul/tensor_cores", "h200", by_nvidia=request.param == "machine code")
    meaning = {"as written": lambda i: i.op is Op.MMA, "machine code": lambda i: i.native.meaning == "hmma"}
    return scenes.where(lambda i, e: meaning[request.param](i))


def parts(context):
    return matrices(context, operands_model.state_before(context))


def test_d_is_a_times_b_plus_c(either):
    a, b, c, d = parts(either)
    assert (a.values.shape, b.values.shape, c.values.shape, d.values.shape) == ((16, 16), (16, 8), (16, 8), (16, 8))
    assert a.values.any()
    expected = a.values.astype(np.float64) @ b.values.astype(np.float64) + c.values
    assert np.array_equal(d.values, expected.astype(np.float32))


@pytest.mark.parametrize("mod", range(len(PRODUCTS)), ids=[p.name for p in PRODUCTS])
def test_every_element_of_every_product_has_one_lane(mod):
    product = PRODUCTS[mod]
    per_word = {"F16": 2, "BF16": 2, "TF32": 1, "F32": 1, "S8": 4, "U8": 4, "S32": 1, "F64": 1}
    _, of_d, of_a, of_b, _ = product.name.replace("_SATFINITE", "").split("_")
    for name, registers, kind in (("A", product.a, of_a), ("B", product.b, of_b), ("D", product.d, of_d)):
        places = _places(name, registers, per_word[kind]).reshape(-1, 2)
        rows, columns = places.max(0) + 1
        assert len(np.unique(places, axis=0)) == len(places) == rows * columns


def test_the_selected_lane_s_elements_are_outlined_and_a_click_selects_the_lane(product, picture):
    scenes, context = product
    made = picture(900, 500)
    values_model.draw(scenes.at(context.frame.step, lane=5), made)
    outlined = [m for m in made.marks if isinstance(m, Rects) and m.edge == "accent"]
    assert [len(m.boxes) for m in outlined] == [8, 4, 4, 4]
    box = outlined[0].boxes[0]
    region = made.at(box.cx, box.cy)
    assert region.target.lane == 5
    assert region.hover.endswith("held by lane 5")
    assert sum(isinstance(m, Bitmap) for m in made.marks) == 4


def test_the_result_is_hidden_while_it_is_to_be_guessed(product, picture):
    scenes, context = product
    made = picture(900, 500)
    values_model.draw(scenes.at(context.frame.step, predicting=True), made)
    assert len(made.covers) == 1


def test_the_caption_says_what_is_computed(product):
    _, context = product
    words = caption(context.frame, context.program, context.device)
    assert words.endswith("computes the product of two matrices plus a third.")
    assert context.program.instructions[context.frame.event.pc].type is Type.F32


def test_another_instruction_is_no_product(real):
    scenes = real("vector/add", "h200")
    assert parts(scenes.where(lambda i, e: i.op is Op.ADD)) is None
