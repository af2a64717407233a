import pytest
from msgspec import structs
from support.pictures import text_boxes

from warpview.isa.ops import Op
from warpview.isa.types import Space, Type
from warpview.sim.history.events import Mark
from warpview.trace.frame import LaneStatus, Stall
from warpview.trace.presentation import STALLS
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Picture, Rects, Target
from warpview.ui.views.lanes import lane_rows_model, lane_strips_model, lane_values_model, lanes_model


def test_every_resident_warp_is_a_row(scenes, picture):
    context = scenes().on("addition", nth=2)
    rows = lanes_model.rows(context)
    assert [(r.block, r.warp) for r in rows] == [(b, w) for b in range(2) for w in range(4)]
    assert [r.active for r in rows if r.issued] == [4]
    assert rows[0].selected
    assert rows[0].line == 11
    p = picture()
    assert lanes_model.draw(context, p, None) == "b0 w0: 4/32"
    assert "4 of 32 lanes active" in p.spoken


def test_words_for_what_a_warp_waits_for(scenes):
    warp = scenes().on("addition", nth=2).frame.warps[1]
    assert lanes_model.words(structs.replace(warp, stall=Stall.LONG_SCOREBOARD), False) == "waits for global memory"
    assert lanes_model.words(structs.replace(warp, lanes=(LaneStatus.EXITED,) * 32), False) == "done"
    assert lanes_model.words(warp, True) == "issued"


def test_a_lane_can_be_clicked(scenes, picture):
    p = picture()
    lanes_model.draw(scenes().on("addition", nth=2), p, None)
    found = {p.at(x, 40).target for x in range(60, 690, 3) if p.at(x, 40)}
    assert {Target(block=0, warp=0, lane=lane) for lane in range(32)} <= found


def test_active_lanes_have_one_colour_whatever_the_step_does(scenes, picture):
    for place in ("load", "addition"):
        p = picture()
        lanes_model.draw(scenes().on(place), p, None)
        assert not any((getattr(m, "fill", None) or "").startswith("lane") for m in p.marks)


def test_warps_at_a_barrier_are_hatched_only_where_a_hatching_can_be_seen(real, picture):
    """In rows a few pixels high, such as those of two runs side by side, it was a row of specks."""
    scenes = real("reduction/sequential", "8800gtx")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space is Space.SHARED)
    assert any(LaneStatus.BARRIER in warp.lanes for warp in context.frame.warps)
    for height, hatched in ((400.0, True), (64.0, False)):
        p = picture(600.0, height, 15.0)
        lanes_model.draw(context, p, None)
        drawn = [m for m in p.marks if isinstance(m, Rects) and "barrier" in (m.fill, m.hatch)]
        assert {m.hatch == "barrier" for m in drawn} == {hatched}
        assert all(box.h >= lane_rows_model.HATCHED for m in drawn if m.hatch for box in m.boxes)


def test_values_without_a_pattern_are_bars_in_little_width(real, picture):
    scenes = real("reduction/sequential", "h200")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space is Space.GLOBAL and e.on == 0xFFFFFFFF)
    columns = LaneColumns.between(80.0, 80.0 + 32 * 6.0)
    ((values, setting), *_) = lane_strips_model.plan(context, picture(300.0, 600.0, 15.0), columns, None, 300.0).strips
    assert (setting.lines, setting.summary) == (2, "bars")
    numbers = [int(text) for text in values.texts]
    tallest = max(range(32), key=lambda lane: values.bars[lane][1] - values.bars[lane][0])
    assert numbers[tallest] == max(numbers)


def test_many_warps_leave_the_room_to_the_selected_ones():
    blocks = [block for block in range(8) for _ in range(8)]
    heights = lane_rows_model.row_heights(blocks, 25, 400.0, 15.0)
    assert sum(heights) <= 400
    assert min(heights) >= 2
    assert heights[25] >= 12.9
    assert heights[0] < 8
    assert lane_rows_model.row_heights(blocks[:4], 0, 400.0, 15.0) == [lane_rows_model.TALLEST * 15] * 4


@pytest.mark.parametrize("room", [60.0, 100.0, 200.0])
def test_the_rows_of_a_full_multiprocessor_stay_in_their_room(room):
    blocks = tuple(block for block in range(16) for _ in range(4))
    placed = lane_rows_model.places(blocks, 3, 20.0, room, 500.0, 15.0)
    assert placed[-1].box.bottom <= 20.0 + room + 0.01
    assert placed[3].box.h >= 15
    tops = [place.box.y for place in placed]
    assert tops == sorted(tops)


def test_the_variable_written_is_shown_with_what_changed(scenes):
    context = scenes().on("start")
    variable = lane_values_model.chosen_variable(context.program, context.frame.event.pc, None)
    strip = lane_values_model.strip(context, variable)
    assert strip.name == "s"
    assert strip.texts == ("1",) * 32
    assert strip.changed == 0xFFFFFFFF
    assert set(strip.before) == {"0"}


def test_the_values_of_a_warp_that_has_ended_are_told_by_their_pattern_too(real):
    scenes = real("reduction/interleaved", "8800gtx")
    run = scenes.run
    ended = next(k for k in range(1, run.trace.steps + 1) if run.trace.frame(k).warps[0].exited == 0xFFFFFFFF)
    context = scenes.at(ended, block=0, warp=0)
    tid = next(v for v in context.program.variables if v.name == "tid")
    strip = lane_values_model.strip(context, tid)
    assert strip.live == 0
    assert strip.pattern == "0, 1, 2, … 31  +1 per lane"


def test_a_register_without_a_name_is_shown_too(scenes):
    context = scenes().on("addition", nth=2)
    strip = lane_values_model.strip(
        context, lane_values_model.chosen_variable(context.program, context.frame.event.pc, None)
    )
    assert (strip.name, strip.label) == ("%f2", "result")
    assert strip.changed == 0x01010101


def test_a_register_without_a_name_is_labelled_as_the_result(scenes, picture):
    p = picture()
    lanes_model.draw(scenes().on("addition", nth=2), p, None)
    drawn = {text for text, _ in text_boxes(p)}
    assert "result" in drawn
    assert not {text for text in drawn if text.startswith("%")}
    assert any("%f2" in region.hover for region in p.hit_regions)


def test_a_variable_asked_for_stays(scenes):
    context = scenes().on("addition", nth=2)
    assert lane_values_model.shown_variables(context, "tid")[0].name == "tid"


def test_variables_that_the_line_names_come_before_the_others(scenes):
    context = scenes().on("addition", nth=2)
    assert "s" in context.program.source.line(context.program.instructions[context.frame.event.pc].span.line)
    assert [v.name for v in lane_values_model.shown_variables(context, "tid")] == ["tid", "s", "i"]


def test_a_hidden_answer_is_covered(scenes, picture):
    p = picture()
    lanes_model.draw(scenes().on("branch", nth=2, predicting=True), p, None)
    assert p.covers


def test_at_an_access_the_lanes_stay_in_sight_while_the_class_is_asked(scenes, picture):
    p = picture()
    lanes_model.draw(scenes().on("load", predicting=True), p, None)
    assert not p.covers


def test_values_stand_in_one_line_where_they_fit(scenes, picture):
    context = scenes("strided", "8800gtx").on("addition")
    lines = {}
    for pitch in (10.0, 17.0, 25.0):
        columns = LaneColumns.between(80.0, 80.0 + 32 * pitch)
        strips = lane_strips_model.plan(context, picture(2000.0, 600.0, 15.0), columns, "tid", 300.0).strips
        lines[pitch] = next(setting for values, setting in strips if values.name == "tid")
    assert (lines[10.0].lines, lines[10.0].summary) == (1, "pattern")
    assert lines[17.0].lines == 1
    assert lines[17.0].size < lines[25.0].size == 0.85 * 15
    assert lines[25.0].lines == 1


def test_what_a_warp_waits_for_is_said_as_there_is_room(scenes, picture):
    context = scenes("strided", "8800gtx").on("addition")
    said = {}
    for width in (500.0, 800.0, 1500.0):
        drawn = picture(width, 320.0, 15.0)
        lanes_model.draw(context, drawn, None)
        said[width] = {text for text, _ in text_boxes(drawn)}
    assert "waits at the barrier" in said[1500.0]
    assert "barrier" in said[800.0]
    assert not said[500.0] & {"barrier", "waits at the barrier"}


@pytest.mark.parametrize(("height", "shown"), [(80.0, False), (130.0, False), (180.0, True), (400.0, True)])
def test_values_leave_the_lanes_a_row(scenes, height, shown):
    """Of type of 27 pixels, as in a presentation: the number of the lanes, their row, and below it what is left."""
    context = scenes().on("addition", nth=2)
    drawn = Picture(520.0, height, 27.0, lambda text, size, mono, bold: 0.6 * size * len(text))
    planned = lane_strips_model.plan(context, drawn, LaneColumns.between(60.0, 440.0), None, 0.3 * height)
    assert bool(planned.strips) == shown
    assert height - planned.height >= min(height, lane_strips_model.LANES * 27.0 - 0.5 * 27.0)


def test_all_rows_say_what_they_wait_for_in_the_same_terms(real, picture):
    context = real("reduction/interleaved", "8800gtx").first(Mark.DIVERGENCE)
    names, clauses = ({kind(s) for s in STALLS.values()} for kind in (lambda s: s.name, lambda s: s.clause))
    waiting = {row.words for row in lanes_model.rows(context)} & clauses
    assert len(waiting) > 1  # one of them is short enough for the room of a name
    for width, terms in ((800.0, names), (1500.0, clauses)):
        drawn = picture(width, 320.0, 15.0)
        lanes_model.draw(context, drawn, None)
        said = {text for text, _ in text_boxes(drawn)} & (names | clauses)
        assert said
        assert said <= terms


def test_a_hidden_answer_has_no_result_in_the_lanes(scenes, picture):
    said = {}
    for predicting in (False, True):
        p = picture(1500.0)
        lanes_model.draw(scenes().on("addition", nth=2, predicting=predicting), p, None)
        said[predicting] = {text for text, _ in text_boxes(p)}
    assert "result" in said[False]
    assert "result" not in said[True]
    assert {"tid", "s"} <= said[True]


@pytest.mark.parametrize("width", [1300, 1350, 1400])
def test_values_in_two_lines_stay_clear_of_what_stands_beside_the_lanes(real, picture, width):
    scenes = real("vector/add", "h200")
    context = scenes.where(lambda i, e: i.op is Op.ADD and i.type is Type.F32 and e.warp == 1)
    made = picture(width, 260)
    lanes_model.draw(context, made, None)
    beside = [box for text, box in text_boxes(made) if text == "result" or text.startswith("Δ")]
    lit = [box for m in made.marks if isinstance(m, Rects) and m.fill == "conflict" and m.alpha < 1 for box in m.boxes]
    assert len(beside) == 2
    assert len({box.y for box in lit}) == 2
    assert not any(one.overlaps(other) for one in beside for other in lit)
