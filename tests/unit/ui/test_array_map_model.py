"""The array of an access is drawn as rows of elements on real runs: where it lies, what moves, what it holds."""

import pytest
from support.pictures import text_boxes

from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.trace.frame import Mark
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import HitRegion, Rects, Text
from warpview.ui.views.arrays import array_map_model
from warpview.ui.views.arrays.array_map_model import draw_array_map
from warpview.ui.views.memory import global_memory_model, parts_model, shared_memory_model

COLUMNS = LaneColumns.between(75, 890)


def drawn(context, picture, moved=(), size=(900, 300), top=20.0):
    made = picture(*size)
    draw_array_map(context, made, COLUMNS, top, moved)
    return made


def filled(picture):
    return [box for mark in picture.marks if isinstance(mark, Rects) and mark.fill == "active" for box in mark.boxes]


def loads(scenes, space=Space.GLOBAL, op=Op.LD):
    return scenes.where(lambda i, e: i.op is op and i.space is space)


def test_a_coalesced_access_fills_the_row_below_its_lanes(real, picture):
    context = loads(real("vector/add", "h200"))
    boxes = filled(drawn(context, picture))
    assert [box.x for box in boxes] == pytest.approx(list(COLUMNS.left))
    assert len({box.y for box in boxes}) == 1


def test_the_values_are_those_of_memory_and_the_accessed_ones_stand_out(real, picture):
    scenes = real("vector/add", "h200")
    context = loads(scenes)
    texts = [mark for mark in drawn(context, picture).marks if isinstance(mark, Text) and mark.colour == "on_lane"]
    at = context.frame.addresses
    values = context.trace.global_values(context.frame.step, int(at.address[0]), 32, "f4")
    assert [float(mark.text) for mark in texts] == values.tolist()


def test_of_a_record_only_the_bytes_that_are_read_are_filled(real, picture):
    boxes = filled(drawn(loads(real("patterns/float3_direct", "c2050")), picture))
    assert {round(box.w / (COLUMNS.width - 2), 2) for box in boxes} == {0.33}


def test_a_column_of_a_matrix_lies_in_as_many_rows_with_their_sectors(real, picture):
    context = loads(real("transpose/naive_32", "h200"), op=Op.ST)
    moved = [(t.base, t.size) for t in context.frame.access.transactions]
    made = drawn(context, picture, moved)
    rows = {round(box.y, 3) for box in filled(made)}
    assert len(rows) == len(moved) > 8
    hatched = next(mark for mark in made.marks if isinstance(mark, Rects) and mark.hatch == "wasted")
    assert {round(box.y, 3) for box in hatched.boxes} == rows
    assert all(box.bottom <= made.height for box in hatched.boxes)


def test_a_map_has_every_row_of_the_access_or_is_not_drawn(real, picture):
    context = loads(real("transpose/naive_32", "h200"), op=Op.ST)
    made = drawn(context, picture, size=(900, 100))
    assert len(made.marks) == 0, "11 of 32 rows lay in the height of one"


def test_a_wide_matrix_is_shown_by_the_lines_that_are_accessed(real, picture, monkeypatch):
    monkeypatch.setattr(array_map_model, "MOST_COLUMNS", 32)
    context = loads(real("transpose/naive_32", "h200"), op=Op.ST)
    made = drawn(context, picture)
    assert len({round(box.y, 3) for box in filled(made)}) == 32
    labels = [text for text, _ in text_boxes(made) if text.startswith("[")]
    assert labels[:1] == ["[0]"]
    assert all(int(label[1:-1]) % 64 == 0 for label in labels)  # the rows of the matrix have 64 elements


def test_local_memory_lies_word_by_word_below_the_lanes(real, picture):
    made = drawn(loads(real("patterns/local_array", "h200"), Space.LOCAL), picture)
    assert sorted(round(box.x, 3) for box in filled(made)) == [round(x, 3) for x in COLUMNS.left]


def test_constant_memory_has_a_map_of_the_symbol(real, picture):
    made = drawn(loads(real("patterns/constant_divergent", "h200"), Space.CONST), picture)
    assert any(text.startswith("table[") for text, _ in text_boxes(made))
    assert filled(made)


def test_a_click_selects_the_element_and_the_pointer_reads_its_value(real, picture):
    made = drawn(loads(real("vector/add", "h200")), picture)
    box = filled(made)[3]
    region = made.at(box.cx, box.cy)
    assert isinstance(region, HitRegion)
    assert region.hover.startswith("a[3] = ")
    assert region.target.element.name == "a[3]"


@pytest.mark.parametrize("height", [24, 60, 88])
def test_without_room_there_is_no_map(real, picture, height):
    assert not drawn(loads(real("vector/add", "h200")), picture, size=(900, height)).marks


def test_rows_far_apart_are_shown_with_their_neighbours(real):
    assert array_map_model._rows_around([0, 100], 200, 6) == [0, 1, 2, 99, 100, 101]
    assert array_map_model._rows_around([40], 200, 8) == list(range(40, 48))
    assert array_map_model._rows_around([199], 200, 8) == list(range(192, 200))
    assert array_map_model._rows_around([47, 48], 200, 8) == list(range(47, 55))
    assert array_map_model._rows_around([2], 3, 8) == [0, 1, 2]


def test_the_hidden_answer_hides_the_map(real, picture):
    scenes = real("vector/add", "h200")
    step = loads(scenes).frame.step
    made = picture(900, 500)
    global_memory_model.draw(scenes.at(step, predicting=True), made)
    assert not any(text.startswith("a[") and "256" in text for text, _ in text_boxes(made))


@pytest.mark.parametrize(
    ("key", "device", "model"),
    [("transpose/naive_32", "c1060", global_memory_model), ("reduction/strided_index", "8800gtx", shared_memory_model)],
)
def test_of_one_part_of_an_access_only_its_lanes_are_lit(real, picture, key, device, model):
    scenes = real(key, device)
    space = "GLOBAL" if model is global_memory_model else "SHARED"
    mark = Mark.UNCOALESCED if model is global_memory_model else Mark.CONFLICT
    context = scenes.first(mark)
    assert context.program.instructions[context.frame.event.pc].space.name == space

    def lit(part):
        made = picture(900, 700)
        model.draw(context, made, part)
        return [(box.x, box.y) for box in filled(made) if box.y > 150]  # below the lanes

    whole, parts = lit(parts_model.ALL), [lit(part) for part in range(6)]
    assert 0 < len(parts[0]) < len(whole)
    assert len(set(map(tuple, parts))) > 1  # several in a row may be about the same lanes
