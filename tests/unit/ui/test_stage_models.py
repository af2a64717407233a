"""The stage draws real runs: values, barrier, atomics, banks, and which of them a step concerns."""

import re
from itertools import pairwise

import numpy as np
import pytest
from support.pictures import text_boxes

import warpview as wv
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, Op
from warpview.isa.types import Type
from warpview.sass import nvrtc
from warpview.trace.frame import Mark
from warpview.ui.drawing.picture import Curve, Rects, Text, plain_measure
from warpview.ui.drawing.values import number
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext, concerns, stage_view
from warpview.ui.views.divergence import barrier_model
from warpview.ui.views.lanes import operands_model, values_model
from warpview.ui.views.lanes.lane_pattern_model import pattern
from warpview.ui.views.lanes.lane_values_model import chosen_variable, strip
from warpview.ui.views.memory import atomics_model, shared_memory_model
from warpview.ui.views.memory.bank_rows_model import BankGrid, all_lines, bank_columns, lines_that_fit, side_by_side
from warpview.ui.views.memory.banks_model import bank_access, element_words, is_padding

FULL = 0xFFFFFFFF


def words(picture):
    return [text for text, _ in text_boxes(picture)]


# ---- which view a step concerns


def test_each_kind_of_step_has_its_view(real):
    scenes = real("histogram/shared", "h200")
    seen = {}
    for step in range(1, scenes.run.trace.steps + 1):
        context = scenes.at(step)
        op = scenes.run.program.instructions[context.frame.event.pc].op
        seen.setdefault(op, stage_view(context))
    assert seen[Op.BAR_SYNC] == "barrier"
    assert seen[Op.BRA] == "divergence"
    assert seen[Op.ADD] == "values"
    assert {seen[op] for op in ATOMIC_OPS & set(seen)} == {"atomics"}
    assert stage_view(scenes.at(0)) == "arrays"
    assert concerns(scenes.at(0)) == set()


def test_an_atomic_concerns_the_memory_too(real):
    context = real("histogram/global", "h200").first(Mark.COLLISION)
    assert concerns(context) == {"atomics", "global"}


# ---- values


def test_operands_before_and_result_after_the_step_agree_with_numpy(real):
    scenes = real("reduction/sequential", "h200")
    context = scenes.where(lambda i, e: i.op is Op.ADD and i.type is Type.S32 and e.on == FULL)
    found = operands_model.computation(context)
    one, other = (row.values for row in found.sources)
    assert np.array_equal(found.results[0].values, one + other)
    assert [row.sign for row in (*found.sources, *found.results)] == ["", "+", "="]


@pytest.mark.parametrize("by_nvidia", [False, True])
@pytest.mark.parametrize("kernel", ["reduction/shuffle", "scan/shuffle", "sort/bitonic_shuffle"])
def test_a_shuffle_shows_the_lane_that_each_value_comes_from(real, picture, kernel, by_nvidia):
    if by_nvidia and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    scenes = real(kernel, "h200", by_nvidia)
    context = scenes.where(lambda i, e: (i.native.meaning == "shfl" if by_nvidia else i.op is Op.SHFL) and e.on == FULL)
    found = operands_model.computation(context)
    value, result = found.sources[-1].values, found.results[0].values
    assert np.array_equal(result, value[list(found.origins)])
    assert found.origins != tuple(range(32))
    made = picture(900, 460)
    values_model.draw(context, made)
    assert sum(isinstance(mark, Curve) for mark in made.marks) == 32
    for height in range(160, 460, 20):  # 220 at 1280x720 with a lesson open
        low = picture(730, height)
        values_model.draw(context, low)
        assert all(box.bottom <= height for _, box in text_boxes(low)), height
    hidden = picture(900, 460)
    values_model.draw(scenes.at(context.frame.step, predicting=True), hidden)
    assert not any(isinstance(mark, Curve) for mark in hidden.marks)


@pytest.mark.parametrize("by_nvidia", [False, True])
def test_what_a_shuffle_reads_from_exited_lanes_is_struck_out_and_comes_out_undefined(real, picture, by_nvidia):
    if by_nvidia and not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    scenes = real("mistakes/shuffle_in_branch", "h200", by_nvidia)
    context = scenes.where(lambda i, e: i.native.meaning == "shfl" if by_nvidia else i.op is Op.SHFL)
    found = operands_model.computation(context)
    assert found.event.on == found.undefined == 0x0000FFFF
    assert found.sources[-1].void == 0xFFFF0000
    assert [(row.lanes, row.void) for row in found.results if row.type is not Type.PRED] == [(0, 0x0000FFFF)]
    made = picture(1200, 460)
    values_model.draw(context, made)
    assert words(made).count("?") == 16
    assert "undefined in lanes 0–15: their source takes no part" in words(made)
    assert {mark.colour for mark in made.marks if isinstance(mark, Curve)} == {"error"}
    event = context.frame.event
    context = scenes.at(context.frame.step, block=event.block, warp=event.warp)
    held = strip(context, chosen_variable(scenes.run.program, event.pc, None))
    assert (held.texts.count("?"), held.live) == (16, 0)
    hovers = {made.at(200, y).hover for y in range(460) if made.at(200, y) is not None}
    assert any(hover.endswith("is undefined: the lane that it reads takes no part") for hover in hovers)


def test_rows_with_room_have_bars_below_their_digits(real, picture):
    scenes = real("reduction/sequential", "h200")
    context = scenes.where(lambda i, e: i.op is Op.ADD and i.type is Type.S32 and e.on == FULL)

    def bars(height):
        made = picture(900, height)
        values_model.draw(context, made)
        digits = {text for text in words(made) if text.isdigit()}
        filled = [m for m in made.marks if isinstance(m, Rects) and m.fill == "active"]
        return len(filled), len(digits)

    assert bars(460)[0] == 3
    assert bars(160)[0] == 1  # of values that are too long for their cells
    assert bars(460)[1] == bars(160)[1]


def test_a_ballot_shows_the_lanes_whose_predicate_holds(real, picture):
    scenes = real("control_flow/vote", "h200")
    context = scenes.where(lambda i, e: i.op is Op.VOTE and e.on == FULL)
    made = picture(900, 460)
    values_model.draw(context, made)
    bars = [m.boxes for m in made.marks if isinstance(m, Rects) and m.fill == "active"]
    predicate, members, ballot = [[box.h > 5 for box in boxes] for boxes in bars]
    found = operands_model.computation(context)
    assert predicate == ballot == found.sources[0].values.astype(bool).tolist()
    assert members == [True] * 32
    assert [row.name for row in found.sources[1:]] == ["mask"]


@pytest.mark.parametrize(
    ("width", "told"), [(360, "0, 64, 128, … 1984"), (700, "+64 per lane"), (1600, "+64 per lane")]
)
def test_values_that_follow_a_pattern_are_told_as_it(real, picture, width, told):
    scenes = real("transpose/tile_32", "8800gtx")
    context = scenes.first(Mark.CONFLICT)
    p = picture(width, 260)
    assert values_model.draw(context, p) == "32/32"
    assert told in words(p)
    assert all(box.x >= -1 and box.right <= width + 1 for _, box in text_boxes(p))


def test_one_value_or_sequence_takes_one_low_cell_and_the_rest_has_the_room(real, picture):
    scenes = real("reduction/interleaved", "8800gtx")
    step = scenes.where(lambda i, e: i.op is Op.REM and e.on == FULL)
    p = picture(900, 460)
    values_model.draw(step, p)
    found = operands_model.computation(step)
    dividend, divisor, rest = (row.told for row in (*found.sources, *found.results))
    assert dividend.endswith("  +1 per lane")
    assert divisor == "2"
    assert rest is None, "0 and 1 in turns stand in their lanes"
    assert "2 in every lane" in words(p)
    cells = [box for mark in p.marks if isinstance(mark, Rects) and mark.fill == "raised" for box in mark.boxes]
    assert len(cells) == 1 + 1 + 32
    assert cells[-1].h > 1.5 * cells[0].h


def test_a_mask_is_told_as_one_and_a_number_as_a_number(real, picture):
    scenes = real("control_flow/vote", "h200")
    ballot = scenes.where(lambda i, e: i.op is Op.VOTE)
    drawn = picture(900, 300)
    values_model.draw(ballot, drawn)
    assert "0xffffffff: all 32 lanes" in words(drawn)
    result = operands_model.computation(ballot).results[0]
    assert result.mask
    value = int(result.values[0]) & FULL
    assert any(text.startswith(f"0x{value:x}: lane") for text in words(drawn))
    held = scenes.run.program.instructions[ballot.frame.event.pc].dst
    count = operands_model.computation(scenes.where(lambda i, e: i.op is Op.POPC and i.srcs[0] == held))
    assert not count.results[0].mask
    assert count.sources[0].mask
    lane = operands_model.computation(real("histogram/aggregated", "h200").where(lambda i, e: i.op is Op.AND))
    assert not lane.results[0].mask, "its register was that of the active lanes before"


@pytest.mark.parametrize("width", [420, 700, 1600])
def test_signs_that_are_words_are_whole_and_clear_of_the_names(real, picture, width):
    scenes = real("reduction/interleaved", "8800gtx")
    p = picture(width, 260)
    values_model.draw(scenes.where(lambda i, _: i.op is Op.REM), p)
    boxes = text_boxes(p)
    (sign,) = [box for text, box in boxes if text == "mod"]
    assert sign.x >= 0
    assert not any(box.overlaps(sign) for text, box in boxes if text != "mod")


def test_values_without_a_pattern_are_bars_where_digits_do_not_fit(real, picture):
    scenes = real("reduction/sequential", "h200")
    context = scenes.where(lambda i, e: i.op is Op.LD and i.space.name == "GLOBAL" and e.on == FULL)
    p = picture(240, 260)
    values_model.draw(context, p)
    bars = [m for m in p.marks if isinstance(m, Rects) and m.fill == "active" and m.alpha < 1]
    assert {len(m.boxes) for m in bars} == {32}
    held = operands_model.computation(context).results[0].values
    assert f"{held.min()} to {held.max()}" in words(p)


def test_a_guess_hides_the_result_and_nothing_else(real, picture):
    scenes = real("transpose/tile_32", "8800gtx")
    step = scenes.first(Mark.CONFLICT).frame.step
    p = picture(700, 260)
    values_model.draw(scenes.at(step, predicting=True), p)
    assert len(p.covers) == 1
    assert "+64 per lane" not in words(p)
    assert "+128 per lane" in words(p)


def test_a_step_without_values_says_so(real, picture):
    scenes = real("transpose/tile_32", "8800gtx")
    p = picture()
    assert values_model.draw(scenes.where(lambda i, _: i.op in BLOCK_BARRIERS), p) == ""
    assert "this step computes no value" in words(p)


# ---- patterns


@pytest.mark.parametrize(
    ("values", "lanes", "told"),
    [
        (np.full(32, 7), FULL, "7"),
        (np.arange(32) * 64, FULL, "0, 64, 128, … 1984  +64 per lane"),
        (31 - np.arange(32), FULL, "31, 30, 29, … 0  −1 per lane"),
        (np.arange(32), 0x55555555, "0, 2, 4, … 30  +1 per lane"),
        (np.arange(32) % 16, FULL, "0, 1, 2, … 15  repeating every 16 lanes"),
        (np.arange(32) % 2, FULL, "0, 1  repeating every 2 lanes"),
        (np.arange(32) // 16, FULL, "1 in lanes 16–31, 0 in the others"),
        (np.arange(32) ** 2, FULL, None),
        (np.arange(32), 0, None),
    ],
)
def test_patterns(values, lanes, told):
    assert pattern(values.astype(np.int32), lanes, lambda v: number(v, Type.S32)) == told


def test_a_sum_that_rounds_is_no_sequence():
    values = np.arange(32, dtype=np.float32) * np.float32(0.1)
    assert pattern(values, FULL, lambda v: number(v, Type.F32)) is None


# ---- barrier


def test_the_warps_of_a_block_arrive_one_by_one_and_the_last_opens_the_barrier(real, picture):
    scenes = real("reduction/interleaved", "8800gtx")
    arrived = []
    for step in range(1, scenes.run.trace.steps + 1):
        event = scenes.run.trace.event(step)
        if scenes.run.program.instructions[event.pc].op in BLOCK_BARRIERS and event.block == 0:
            found = barrier_model.barrier_state(scenes.at(step))
            arrived.append((found.arrived, found.expected, found.opened))
            assert [row.state.warp for row in found.rows if row.arrives] == [event.warp]
        if arrived and arrived[-1][2]:
            break
    assert arrived == [(1, 4, False), (2, 4, False), (3, 4, False), (4, 4, True)]
    p = picture()
    assert barrier_model.draw(scenes.at(step), p) == "4/4"
    assert "all 4 warps have arrived: the barrier opens" in words(p)


@pytest.mark.parametrize("narrow", [1.0, 0.9, 0.8, 0.7, 0.6])  # typefaces, from that of ``plain_measure`` on
def test_lines_of_banks_are_named_in_type_of_one_size(real, picture, narrow):
    scenes, p = real("reduction/strided_index", "8800gtx"), picture(700.0, 420.0, 15.0)
    p.measure = lambda *text: narrow * plain_measure(*text)
    shared_memory_model.draw(scenes.first(Mark.CONFLICT), p)
    names = [mark for mark in p.marks if isinstance(mark, Text) and "], [" in mark.text]
    assert len(names) > 1
    assert len({mark.size for mark in names}) == 1


def test_the_rows_of_a_barrier_fill_the_picture_of_a_large_screen(real, picture):
    scenes = real("reduction/interleaved", "8800gtx")
    for size in ((840.0, 330.0, 15.0), (1100.0, 530.0, 15.0), (1900.0, 880.0, 27.0)):  # of the stage, and maximised
        p = picture(*size)
        barrier_model.draw(scenes.first(Mark.BARRIER), p)
        lowest = max(box.bottom for mark in p.marks if isinstance(mark, Rects) for box in mark.boxes)
        assert lowest >= 0.86 * p.height


def test_no_row_of_the_barrier_is_cut_where_there_is_little_room(real, picture):
    scenes = real("reduction/interleaved", "8800gtx")
    context = scenes.first(Mark.BARRIER, after=84)
    name, sentence = "line 13, short scoreboard", "line 13, waits for shared memory or SFU"
    for width, said, other in ((700.0, name, sentence), (1400.0, sentence, name)):
        p = picture(width, 300.0, 20.0)
        barrier_model.draw(context, p)
        assert said in words(p)
        assert other not in words(p)
        assert not [text for text in words(p) if text[0].isdigit() and "…" in text]


def test_some_warps_at_a_barrier_have_names_where_there_is_no_room_for_all(real, picture):
    scenes = real("matmul/tiled", "8800gtx")
    context = scenes.first(Mark.BARRIER)
    warps = len(barrier_model.barrier_state(context).rows)
    names = {}
    for height in (120.0, 400.0):
        p = picture(700.0, height, 20.0)
        barrier_model.draw(context, p)
        found = [mark for mark in p.marks if isinstance(mark, Text) and mark.text[0] == "w" and mark.text[1:].isdigit()]
        names[height] = [int(mark.text[1:]) for mark in found]
        lines = sorted(mark.y for mark in found)
        assert all(lower - upper >= barrier_model.LEAST_NAME * p.unit for upper, lower in pairwise(lines))
        assert context.selection.warp in names[height]
    assert names[400.0] == list(range(warps))
    assert 1 <= len(names[120.0]) < warps


def test_waiting_is_counted_in_cycles(real):
    scenes = real("reduction/interleaved", "8800gtx")
    trace = scenes.run.trace
    context = scenes.where(lambda i, e: i.op in BLOCK_BARRIERS and e.block == 0)
    first = trace.event(context.frame.step)
    later = scenes.at(context.frame.step + 5, block=0, warp=first.warp)
    row = next(r for r in barrier_model.barrier_state(later).rows if r.state.warp == first.warp)
    assert row.waited == later.frame.cycle - first.cycle


# ---- atomics


def test_lanes_on_one_address_are_counted_as_passes(real, picture):
    context = real("histogram/global", "h200").first(Mark.COLLISION)
    found = atomics_model.atomic_access(context)
    at = context.frame.addresses.address
    assert found.passes == max(np.unique(at, return_counts=True)[1]) == context.frame.access.collisions + 1
    assert sum(a.lanes for a in found.addresses) == context.frame.addresses.mask
    p = picture()
    assert atomics_model.draw(context, p) == f"{found.passes} passes"
    assert any(text.startswith(f"{found.passes} lanes on bins[") for text in words(p))
    assert len([m for m in p.marks if isinstance(m, Curve)]) == 32


@pytest.mark.parametrize("width", [560, 760, 960, 1110, 1300, 1600])
def test_all_addresses_are_named_alike(real, picture, width):
    """Indices alone if one of the names does not fit."""
    context = real("histogram/global", "h200").first(Mark.COLLISION)
    addresses = atomics_model.atomic_access(context).addresses
    p = picture(width, 460)
    atomics_model.draw(context, p)
    shown = [name in words(p) for name in (address.name for address in addresses)]
    assert all(shown) or not any(shown)


def test_an_index_that_does_not_fit_is_left_out(picture):
    program = wv.compile("__global__ void k(int *bins) { atomicAdd(&bins[37 * threadIdx.x], 1); }")
    run = wv.simulate(program, grid=1, block=32, args=[np.zeros(1200, np.int32)], device="h200", engine="sm")
    step = next(s for s in range(1, run.trace.steps + 1) if run.trace.frame(s).access is not None)
    for width in range(320, 1000, 40):
        p = picture(width, 300)
        atomics_model.draw(FrameContext(run, run.trace.frame(step), Snapshot(step=step, block=0, warp=0)), p)
        assert not {text for text in words(p) if re.fullmatch(r"\d+…", text)}


def test_atomics_are_told_shorter_where_there_is_less_room(real, picture):
    p = picture(440, 300)
    context = real("histogram/global", "h200").first(Mark.COLLISION)
    atomics_model.draw(context, p)
    passes = max(address.count for address in atomics_model.atomic_access(context).addresses)
    assert passes > 1
    assert f"{passes} passes, one after another" in words(p)


@pytest.mark.parametrize("kernel", ["histogram/global", "histogram/shared"])
def test_each_address_has_its_value_before_and_after(real, picture, kernel):
    context = real(kernel, "h200").first(Mark.COLLISION)
    found = atomics_model.atomic_access(context)
    assert any(address.count > 1 for address in found.addresses)
    for address in found.addresses:  # every lane adds one
        assert int(address.after) == int(address.before) + address.count
    p = picture()
    atomics_model.draw(context, p)
    assert {"before", "after"} <= set(words(p))
    hidden = real(kernel, "h200").first(Mark.COLLISION, predicting=True)
    assert {address.after for address in atomics_model.atomic_access(hidden).addresses} == {""}


def test_an_atomic_in_shared_memory_names_its_element(real):
    context = real("histogram/shared", "h200").where(lambda i, _: i.op in ATOMIC_OPS and i.space.name == "SHARED")
    found = atomics_model.atomic_access(context)
    assert all("[" in address.name for address in found.addresses)


@pytest.mark.parametrize("place", ["s[1000 * t]", "out[100000000 * t]", "out[-1000000 * t]"])
def test_an_atomic_out_of_all_memory_is_drawn_for_the_lanes_that_are_served(place, picture):
    source = f"""__global__ void k(int *out) {{
        __shared__ int s[32];
        int t = threadIdx.x;
        s[t] = 5;
        atomicAdd(&{place}, 1);
    }}"""
    run = wv.simulate(wv.compile(source), grid=1, block=32, args=[np.full(8, 5, np.int32)], device="h200", engine="sm")
    assert run.findings
    contexts = (FrameContext(run, run.trace.frame(step), Snapshot()) for step in range(1, run.trace.steps + 1))
    (context,) = (each for each in contexts if atomics_model.atomic_access(each) is not None)
    (address,) = atomics_model.atomic_access(context).addresses
    assert (address.lanes, address.before, address.after) == (1, "5", "6")
    assert context.frame.suppressed.lanes == 0xFFFFFFFE
    p = picture()
    atomics_model.draw(context, p)
    assert len([m for m in p.marks if isinstance(m, Rects) and m.edge == "error"]) >= 31


# ---- banks


def test_half_warps_stand_beside_one_another_each_above_its_banks(real, picture):
    context = real("transpose/tile_32", "8800gtx").first(Mark.CONFLICT)
    banks = bank_access(context)
    assert (banks.together, banks.groups, side_by_side(banks)) == (16, 2, True)
    grid = BankGrid(banks, bank_columns(banks, 70, 690), all_lines(banks), 0, 100, 20)
    middle = (70 + 690) / 2
    for word in banks.words:
        assert (grid.place(word).x < middle) == (word.lanes < 1 << 16)
    assert len(all_lines(banks)) == 16  # sixteen words of one bank for each half-warp
    p = picture(700, 460)
    shared_memory_model.draw(context, p)
    assert "tile[3][0] = 192" in words(p)
    assert "tile[19][0] = 1216" in words(p)


def test_colour_says_pass_or_conflict_and_not_the_lane(real, picture):
    p = picture(700, 460)
    shared_memory_model.draw(real("transpose/tile_32", "8800gtx").first(Mark.CONFLICT), p)
    fills = {mark.fill for mark in p.marks if isinstance(mark, Rects)}
    assert {"conflict", "conflict_dark"} <= fills
    assert not any(fill.startswith("lane") for fill in fills if fill)


def test_an_access_without_a_conflict_is_quiet(real, picture):
    scenes = real("transpose/padded_16", "8800gtx")
    context = scenes.where(lambda i, e: i.space.name == "SHARED" and i.op is Op.LD)
    p = picture(700, 460)
    shared_memory_model.draw(context, p)
    assert {m.colour for m in p.marks if isinstance(m, Curve)} == {"active"}


def test_the_padding_column_is_hatched(real, picture):
    scenes = real("transpose/padded_16", "8800gtx")
    context = scenes.where(lambda i, e: i.space.name == "SHARED" and i.op is Op.LD)
    assert [word for word in range(40) if is_padding(context, word)] == [16, 33]
    p = picture(700, 460)
    shared_memory_model.draw(context, p)
    assert any(isinstance(m, Rects) and m.hatch for m in p.marks)


def test_an_elements_value_is_read_after_the_step(real):
    context = real("transpose/tile_32", "8800gtx").first(Mark.CONFLICT)
    assert element_words(context, 3 * 32) == "tile[3][0] = 192"


def test_in_little_height_the_lines_that_matter_are_shown(real):
    banks = bank_access(real("transpose/tile_32", "8800gtx").first(Mark.CONFLICT))
    lines, height, hidden = lines_that_fit(banks, 1, 5, 60.0, 15.0)
    assert len(lines) + hidden == 16
    assert height >= 0.8 * 15
    chosen = next(w for w in banks.words if w.lanes >> 5 & 1)
    assert any(line.rows[0] == chosen.row for line in lines)


# ---- a barrier in a branch, and rows of both half-warps


def test_threads_are_counted_where_only_part_of_a_warp_has_arrived(real, picture):
    scenes = real("mistakes/barrier_in_branch", "b200")
    context = scenes.first(Mark.FINDING)
    found = barrier_model.barrier_state(context)
    assert found.verdict == "32 of 64 threads have arrived"
    assert [row.missing for row in found.rows] == [0xFFFF0000] * 2
    p = picture()
    barrier_model.draw(context, p)
    assert words(p).count("lanes 16 to 31 in line 13") == 2
    hatched = sum(len(m.boxes) for m in p.marks if isinstance(m, Rects) and m.hatch == "barrier")
    assert hatched == 32


def test_each_half_warp_has_the_elements_of_its_own_rows(real, picture):
    context = real("reduction/strided_index", "8800gtx").first(Mark.CONFLICT)
    banks = bank_access(context)
    assert side_by_side(banks)
    assert banks.rows(0) != banks.rows(1)
    p = picture(1000.0, 500.0)
    shared_memory_model.draw(context, p)
    assert [text for text in words(p) if "], [" in text] == ["[0], [32]", "[16], [48]"]
