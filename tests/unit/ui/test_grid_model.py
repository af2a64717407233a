"""The grid shows at each level what it should, without a window."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.pictures import text_boxes
from ui.backend import run_of

from warpview.trace.frame import LaneStatus
from warpview.ui.drawing.picture import Bitmap, Box, Dots, Picture, Rects
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_values_model import chosen_variable, strip
from warpview.ui.views.machine import grid_layout
from warpview.ui.views.machine import grid_model as model
from warpview.ui.views.machine.grid_layout import fitted, layout_of
from warpview.ui.views.machine.grid_model import BlockStatus

SIZE, UNIT = (700.0, 400.0), 13.0


def context_of(step: int, key: str = "reduction/interleaved", device: str = "8800gtx", preset: str = "", **fields):
    run = run_of(key, device, preset)
    event = run.trace.event(max(1, step))
    now = Snapshot(**{"step": step, "block": event.block, "warp": event.warp, **fields})
    return FrameContext(run, run.trace.frame(step), now)


def drawn(context: FrameContext, level: int) -> Picture:
    layout, now = layout_of(context.launch.grid, context.launch.warps), context.selection
    part = layout.level_box(level, now.block, now.warp, now.lane or 0)
    picture = Picture(*SIZE, UNIT)
    model.draw(context, picture, fitted(part, *SIZE, UNIT))
    return picture


def texts(picture: Picture) -> list[str]:
    return [text for text, _ in text_boxes(picture)]


@pytest.mark.parametrize("grid", [(1, 1, 1), (4, 1, 1), (32768, 1, 1), (64, 64, 1), (4, 3, 2), (7, 1, 5)])
@pytest.mark.parametrize("warps", [1, 4, 32])
def test_every_lane_has_a_place_that_leads_back_to_it(grid: tuple[int, int, int], warps: int):
    layout = layout_of(grid, warps)
    for block in {0, layout.count // 3, layout.count - 1}:
        for warp in {0, warps - 1}:
            for lane in (0, 13, 31):
                box = layout.lane_box(block, warp, lane)
                assert layout.at(box.cx, box.cy) == (block, warp, lane)
                assert layout.world.holds(box.cx, box.cy)
                assert box.right < layout.block_box(block).right - 0.005, "the last lane lay on the edge of the block"
    assert layout.columns * layout.rows >= layout.count
    assert layout.at(-0.5, 0.1) is None
    assert layout.at(layout.columns + 0.5, 0.1) is None


def test_blocks_of_a_plane_lie_as_their_indices_say():
    layout = layout_of((64, 32, 1), 8)
    assert layout.block_box(64 * 3 + 5).x - layout.block_box(64 * 3 + 4).x == pytest.approx(1.0)
    assert layout.block_box(64 * 3 + 5).y - layout.block_box(64 * 2 + 5).y == pytest.approx(layout.height)
    assert model.block_name((64, 32, 1), 64 * 3 + 5) == "(5, 3)"
    assert model.block_name((4, 3, 2), 12 + 4 + 1) == "(1, 1, 1)"
    assert model.block_name((9, 1, 1), 7) == "7"


def test_statuses_are_those_of_the_residency():
    context = context_of(1500, "transpose/copy", "h200", "full")
    found, cycle = model.statuses(context), context.frame.cycle
    resident = {warp.block for warp in context.frame.warps}
    for block, _, end in context.trace.blocks:
        wanted = BlockStatus.RESIDENT if block in resident else BlockStatus.FINISHED if end <= cycle else None
        assert found[block] == (BlockStatus.TO_COME if wanted is None else wanted)
    recorded = {block for block, *_ in context.trace.blocks}
    assert set(np.flatnonzero(found == BlockStatus.ELSEWHERE)) == set(range(4096)) - recorded


def test_a_large_grid_is_an_image_of_its_blocks():
    context = context_of(1500, "transpose/copy", "h200", "full")
    (image,) = [mark for mark in drawn(context, 0).marks if isinstance(mark, Bitmap)]
    assert np.array_equal(image.indices.ravel(), model.statuses(context))
    assert image.indices.shape == (64, 64)


def test_blocks_beyond_the_last_are_left_free():
    context = context_of(3000, "patterns/copy_2", "h200", "full")
    (image,) = [mark for mark in drawn(context, 0).marks if isinstance(mark, Bitmap)]
    assert np.count_nonzero(image.indices != model.NO_BLOCK) == 8192 < image.indices.size


def test_each_level_adds_what_there_is_room_for():
    context = context_of(300, lane=0)
    assert {"block 0", "w0", "w3"} <= set(texts(drawn(context, 1)))
    assert "lane 0" in texts(drawn(context, 1))  # the name of the level
    assert texts(drawn(context, 1)).count("13") == 0
    assert {str(lane) for lane in range(32)} <= set(texts(drawn(context, 2)))
    lane = texts(drawn(context, 3))
    assert "thread 96" in lane
    assert any(" = " in text for text in lane)


@pytest.mark.parametrize("lane", [None, 0, 31])
def test_a_warp_is_shown_whole_with_the_values_of_its_lanes(lane: int | None):
    """Half of one was shown, around the selected lane."""
    context = context_of(200, lane=lane)
    event = context.frame.event
    assert event is not None
    told = strip(context, chosen_variable(context.program, event.pc, None))
    assert told is not None
    now, picture = context.selection, drawn(context, 2)
    view = fitted(layout_of(context.launch.grid, 4).level_box(2, now.block, now.warp, lane or 0), *SIZE, UNIT)
    for edge in (0, 31):
        box = layout_of(context.launch.grid, 4).lane_box(now.block, now.warp, edge)
        assert view.x < box.x < box.right < view.right
    assert Counter(told.texts) <= Counter(texts(picture))
    assert told.label in texts(picture)
    lane_width = grid_layout.LANE * picture.width / view.w
    assert all(box.w < lane_width for text, box in text_boxes(picture) if text in told.texts)


def test_lanes_look_as_they_stand():
    context = context_of(300)
    picture = drawn(context, 1)
    active = sum(w.lanes.count(LaneStatus.ACTIVE) for w in context.frame.warps if w.block == 0)
    cells = [len(m.boxes) for m in picture.marks if isinstance(m, Rects) and m.fill == "active"]
    assert sum(cells) == active
    exited = sum(w.lanes.count(LaneStatus.EXITED) for w in context.frame.warps if w.block == 0)
    assert sum(len(m.centres) for m in picture.marks if isinstance(m, Dots)) == exited


def test_a_click_selects_the_smallest_part_that_is_drawn():
    context = context_of(300)
    layout = layout_of(context.launch.grid, context.launch.warps)

    def clicked(level: int, world: Box):
        picture = drawn(context, level)
        view = fitted(layout.level_box(level, 0, context.selection.warp, 0), *SIZE, UNIT)
        scale = picture.width / view.w
        return picture.at((world.cx - view.x) * scale, (world.cy - view.y) * scale)

    lane = clicked(1, layout.lane_box(0, 2, 7))
    assert (lane.target.block, lane.target.warp, lane.target.lane) == (0, 2, 7)
    assert "threadIdx 71" in lane.hover
    head = layout.block_box(0)
    block = clicked(1, Box(head.x, head.y, head.w, grid_layout.HEAD))
    assert (block.target.block, block.target.warp) == (0, None)
    elsewhere = clicked(0, layout.block_box(1))
    assert elsewhere.target is None
    assert "another multiprocessor" in elsewhere.hover


def test_a_block_that_is_not_resident_leads_to_its_first_step():
    context = context_of(1500, "transpose/copy", "h200", "full")
    block = next(b for b, *_ in reversed(context.trace.blocks) if len(context.trace.steps_of_block(b)))
    assert model.statuses(context)[block] == BlockStatus.TO_COME
    layout = layout_of(context.launch.grid, context.launch.warps)
    view = fitted(layout.level_box(1, block, 0, 0), *SIZE, UNIT)
    picture = Picture(*SIZE, UNIT)
    model.draw(context, picture, view)
    found = picture.at(picture.width / 2, picture.height / 2)
    assert found.target.step == context.trace.steps_of_block(block)[0]


def test_the_level_is_that_of_the_part_shown():
    layout = layout_of((4, 1, 1), 4)
    for level in range(4):
        view = fitted(layout.level_box(level, 1, 2, 3), *SIZE, UNIT)
        assert grid_layout.level_of(layout, view, *SIZE, UNIT) == level


def test_what_is_fitted_lies_below_the_names_of_the_levels():
    part = Box(2.0, 3.0, 1.0, 0.5)
    view = fitted(part, *SIZE, UNIT)
    scale = SIZE[0] / view.w
    assert view.w / view.h == pytest.approx(SIZE[0] / SIZE[1])
    assert (part.y - view.y) * scale >= grid_layout.PATH_HEIGHT * UNIT - 1e-6
    assert view.x <= part.x
    assert part.right <= view.right + 1e-9
    assert part.bottom <= view.bottom + 1e-9


def test_the_path_names_what_is_selected_at_each_level():
    assert model.level_names(context_of(300, warp=2, lane=5)) == ["4 blocks", "block 0", "warp 2", "lane 5"]
    picture = drawn(context_of(300), 0)
    commands = [r.target.value for r in picture.hit_regions if r.target and r.target.command == model.LEVEL]
    assert commands == [0, 1, 2, 3]
