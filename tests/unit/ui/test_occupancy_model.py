import gc

import pytest
from support.pictures import text_boxes

from warpview.devices import load_device, occupancy
from warpview.ui.views.machine import occupancy_model as model
from warpview.ui.views.machine.occupancy_model import OccupancyInputs


def test_the_launch_is_the_question(scenes):
    assert model.question(scenes().on("start")) == OccupancyInputs(threads=128, registers=10, shared=512)


def test_resources_fill_up_and_the_limiter_is_named(scenes, picture):
    device = load_device("8800gtx")
    table = {r.key: r for r in model.resources(device, OccupancyInputs(128, 9, 512))}
    assert table["warps"].used == 24
    assert table["warps"].binds
    assert table["registers"].per_block == 1280
    assert table["registers"].used == 7680
    assert table["shared"].used == 6 * 512
    assert model.limiter_words(model.answer(device, OccupancyInputs(128, 9, 512))) == "limited by warps and registers"
    assert model.limiter_words(model.answer(device, OccupancyInputs(1024, 9, 512))) == "not even one block fits"


def test_curves_agree_with_the_calculator():
    device = load_device("h200")
    asked = OccupancyInputs(256, 40, 10_000)
    for kind in model.KINDS:
        found = model.curve(device, asked, kind)
        for x, warps in list(zip(found.xs, found.warps, strict=True))[::17]:
            q = asked.with_(kind, x)
            assert warps == occupancy(device, q.threads, q.registers, q.shared).warps


def test_a_curve_keeps_no_answer_for_each_of_its_points():
    """Each kernel and device of a lecture would add a hundred objects for the garbage collector to walk."""

    def kept() -> int:
        return sum(type(each) is OccupancyInputs for each in gc.get_objects())

    before = kept()
    for shared in range(20_000, 24_000, 400):
        model.curve(load_device("h200"), OccupancyInputs(256, 32, shared), "registers")
    assert kept() - before < 100


def test_what_if_has_a_way_back(scenes, picture):
    assert model.draw(scenes().on("start"), picture(500, 500), None) == "24/24 warps"
    drawn = picture(500, 500)
    assert model.draw(scenes().on("start"), drawn, OccupancyInputs(128, 32, 512)) == "8/24 warps"
    assert any(h.target and h.target.command == "as launched" for h in drawn.hit_regions)


def test_a_place_on_the_axis_is_the_nearest_value():
    found = model.curve(load_device("8800gtx"), OccupancyInputs(128, 9, 512), "threads")
    assert found.nearest(130.0) == 128
    assert found.nearest(-5.0) == 32
    assert model.hover_text(found, 130.0) == "128 threads per block: 24 of 24 warps; drag to try"


@pytest.mark.parametrize(("width", "height"), [(415.0, 300.0), (548.0, 320.0), (700.0, 250.0), (1500.0, 700.0)])
def test_the_curves_have_room_beside_the_resources_or_below(width, height):
    taken = model.resources_size(width, height, 15.3)
    assert width - taken[0] > 12 * 15.3 or height - taken[1] > 8 * 15.3


def test_small_views_keep_the_resources():
    assert model.resources_size(415.0, 205.0, 15.3) == (415.0, 205.0)


def test_what_would_help_is_said_where_there_is_room(scenes, picture):
    said = {}
    for height in (105.0, 330.0):
        drawn = picture(415.0, height, 15.3)
        context = scenes("strided", "8800gtx").on("addition")
        model.draw(context, drawn, model.question(context).with_("registers", 40))
        said[height] = any(text.startswith("With ") for text, _ in text_boxes(drawn))
    assert said == {105.0: False, 330.0: True}
