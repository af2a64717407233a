import pytest

from warpview.devices import load_device, occupancy
from warpview.ui.views import occupancy_model as model
from warpview.ui.views.occupancy_model import Question


def test_the_launch_is_the_question(scenes):
    assert model.question(scenes().pc(5)) == Question(threads=128, registers=9, shared=512)


def test_resources_fill_up_and_the_limiter_is_named(scenes, picture):
    device = load_device("8800gtx")
    table = {r.key: r for r in model.resources(device, Question(128, 9, 512))}
    assert table["warps"].used == 24
    assert table["warps"].binds
    assert table["registers"].per_block == 1280
    assert table["registers"].used == 7680
    assert table["shared"].used == 6 * 512
    assert model.limiter_words(model.answer(device, Question(128, 9, 512))) == "limited by warps and registers"
    assert model.limiter_words(model.answer(device, Question(1024, 9, 512))) == "not even one block fits"


def test_curves_agree_with_the_calculator():
    device = load_device("h200")
    asked = Question(256, 40, 10_000)
    for kind in model.KINDS:
        found = model.curve(device, asked, kind)
        for x, warps in list(zip(found.xs, found.warps, strict=True))[::17]:
            q = asked.with_(kind, x)
            assert warps == occupancy(device, q.threads, q.registers, q.shared).warps


def test_a_point_is_dragged_along_its_curve(scenes, picture):
    p = picture(900, 500)
    note, charts = model.draw(scenes().pc(5), p, None)
    assert note == "24/24 warps"
    assert [c.curve.kind for c in charts] == list(model.KINDS)
    registers = charts[1]
    assert registers.value(registers.x(32)) == 32
    q = picture(900, 500)
    note, _ = model.draw(scenes().pc(5), q, Question(128, 32, 512))
    assert note == "8/24 warps"
    assert any(h.target and h.target.command == "as launched" for h in q.hit_regions)


@pytest.mark.parametrize(("width", "height"), [(415.0, 205.0), (548.0, 138.0), (700.0, 150.0), (1500.0, 700.0)])
def test_the_three_curves_are_there_at_every_size(scenes, picture, width, height):
    drawn = picture(width, height, 15.3)
    _, charts = model.draw(scenes().pc(14), drawn, None)
    assert [chart.curve.kind for chart in charts] == list(model.KINDS)
    assert all(chart.plot.h > 1.5 * 15.3 for chart in charts)


def test_what_would_help_is_said_where_there_is_room(scenes, picture):
    said = {}
    for height in (205.0, 330.0):
        drawn = picture(415.0, height, 15.3)
        context = scenes("strided", "8800gtx").pc(14)
        model.draw(context, drawn, model.question(context).with_("registers", 40))
        said[height] = any(text.startswith("With ") for text, _ in drawn.text_boxes())
    assert said == {205.0: False, 330.0: True}
