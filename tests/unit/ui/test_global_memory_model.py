import itertools
from dataclasses import replace

import numpy as np
import pytest
from support.pictures import text_boxes

from warpview.devices import load_device
from warpview.isa.types import Space
from warpview.sim.rules import global_access
from warpview.trace.frame import LaneAddresses
from warpview.ui.drawing.picture import Curve
from warpview.ui.drawing.values import LocalMemory
from warpview.ui.views.memory import global_memory_model as model
from warpview.ui.views.memory import pieces_model, transactions_model
from warpview.ui.views.memory.coalescing_steps_model import ground, served_before
from warpview.ui.views.memory.parts_model import protocol

BASE = 0x10000


@pytest.fixture
def access(scenes):
    """A context whose step accesses ``BASE + offset(lane)`` on a device."""

    def make(device, offset, width=4, mask=0xFFFFFFFF, predicting=False):
        chip = load_device(device)
        context = scenes().on("load", predicting=predicting)
        at = np.array([BASE + offset(lane) for lane in range(32)], np.int64)
        found = global_access("load", at.tolist(), mask, width, chip)
        frame = replace(context.frame, access=found, addresses=LaneAddresses(Space.GLOBAL, at, mask, width))
        run = replace(context.run, device=chip, trace=_Trace(context.run.trace, chip))
        return replace(context, run=run, frame=frame)

    return make


class _Trace:
    """Hold the trace of a run on another device."""

    def __init__(self, trace, device):
        self._trace, self.device = trace, device

    def __getattr__(self, name):
        return getattr(self._trace, name)


def test_coalesced_on_the_oldest_device(access):
    found = transactions_model.memory_access(access("8800gtx", lambda lane: 4 * lane))
    assert [(p.base - BASE, p.size) for p in found.pieces] == [(0, 64), (64, 64)]
    assert found.verdict == "100 % used"
    assert found.sentences[0] == "2 transactions, 128 of 128 bytes used"


def test_misaligned_on_the_oldest_device_moves_segments_over_and_over(access):
    found = transactions_model.memory_access(access("8800gtx", lambda lane: 4 * lane + 4))
    assert [len(p.orders) for p in found.pieces] == [7, 8, 8, 8, 1]
    assert found.verdict == "12.5 % used"
    lines = transactions_model.steps_in_words(
        found, transactions_model.buffers_of(access("8800gtx", lambda lane: 4 * lane))
    )
    assert len(lines) == 2
    assert lines[0].startswith("1 to 16. 16 × 32 bytes for lanes 0–15")


def test_sectors_of_a_new_device(access):
    found = transactions_model.memory_access(access("h200", lambda lane: 4 * lane + 4))
    assert found.sentences[0] == "5 sectors where 4 would do, 128 of 160 bytes used"
    assert found.pieces[0].used[0] == (4, 4, 0)


def test_pieces_are_to_scale_with_gaps_and_rows(access):
    near = transactions_model.memory_access(access("h200", lambda lane: 4 * lane))
    placed = model.place(near.pieces, 0, 500, 100, 60, 30, 15, 3)
    assert [p.row for p in placed] == [0, 0, 0, 0]
    assert placed[1].box.x == pytest.approx(placed[0].box.right)
    far = transactions_model.memory_access(access("h200", lambda lane: 128 * lane))
    assert {p.row for p in model.place(far.pieces, 0, 500, 100, 60, 30, 15, 3)} == {0}, "one below each lane"
    placed = model.place(far.pieces, 0, 400, 100, 60, 30, 15, 3)
    assert {p.row for p in placed} == {0, 1}
    assert all(p.box.right <= 400.1 for p in placed)
    assert all(b.box.x > a.box.right for a, b in itertools.pairwise(placed) if a.row == b.row)


def test_the_size_of_many_narrow_pieces_is_written_once(access, picture):
    narrow, wide = picture(), picture()
    model.draw(access("h200", lambda lane: 128 * lane), narrow)
    model.draw(access("h200", lambda lane: 4 * lane), wide)
    sizes = [[text for text, _ in text_boxes(p) if text.startswith("32 B")] for p in (narrow, wide)]
    assert sizes == [["32 B each"], ["32 B"] * 4]


def test_every_lane_has_its_line_to_memory(access, picture):
    p = picture()
    assert model.draw(access("c1060", lambda lane: 4 * lane + 116), p) == "57.1 % used"
    assert sum(isinstance(m, Curve) for m in p.marks) == 32
    assert any("lowest thread 0" in text for text, _ in text_boxes(p))


def test_a_prediction_hides_what_moves(access, picture):
    p = picture()
    assert model.draw(access("h200", lambda lane: 8 * lane, predicting=True), p) == ""
    assert p.covers
    assert not any("used" in text or "sector" in text for text, _ in text_boxes(p))


def test_a_low_picture_keeps_its_pieces(access, picture):
    low = picture(height=110)
    model.draw(access("h200", lambda lane: 0), low)
    assert all(box.bottom <= low.height for text, box in text_boxes(low) if text == "memory")


def test_sectors_are_held_together_by_their_lines(access):
    found = transactions_model.memory_access(access("h200", lambda lane: 4 * lane + 4))
    placed = pieces_model.place(found.pieces, 0, 500, 100, 60, 30, 15, 3)
    spans = pieces_model.line_spans(placed)
    assert [line - BASE for line, _ in spans] == [0, 128]
    assert spans[0][1].w == pytest.approx(sum(p.box.w for p in placed[:4]))


def test_local_memory_is_dealt_out_to_the_lanes_word_by_word():
    at = LaneAddresses(Space.LOCAL, np.full(32, 8, np.int64), 0xFFFFFFFF, 8)
    assert transactions_model.places(at, 3) == [((2 * 32 + 3) * 4, 4), ((3 * 32 + 3) * 4, 4)]
    assert LocalMemory().name((2 * 32 + 3) * 4) == "word 2 of lane 3"


def steps_of(access, *made, **more):
    frame = access(*made, **more).frame
    return protocol(frame.access, frame.addresses)


def test_the_oldest_protocol_tests_each_half_warp(access):
    steps = steps_of(access, "8800gtx", lambda lane: 4 * lane + 4 * (lane > 15))
    assert [step.issued for step in steps] == [(), (0,), (), tuple(range(1, 17))]
    assert steps[0].words.startswith("half-warp 0: is the k-th lane at the k-th word of 64 aligned bytes?")
    assert steps[1].words == "half-warp 0: yes, one transaction of 64 bytes"
    assert steps[3].words == "half-warp 1: no, one 32-byte transaction for each lane"
    assert served_before(steps, 2) == 0xFFFF


def test_segments_are_found_and_halved_step_by_step(access):
    steps = steps_of(access, "c1060", lambda lane: 4 * (lane % 16) + 256 * (lane // 16), mask=0x000F_FFFF)
    assert [(step.base - BASE, step.size, step.issued) for step in steps] == [
        (0, 128, ()), (0, 64, (0,)), (256, 128, ()), (256, 64, ()), (256, 32, (1,)),
    ]  # fmt: skip
    assert "lane 0 is served first, by these 128 bytes" in steps[0].words
    assert steps[1].words == "only the lower half is used: 64 bytes"
    found = transactions_model.memory_access(
        access("c1060", lambda lane: 4 * (lane % 16) + 256 * (lane // 16), mask=0x000F_FFFF)
    )
    assert [(piece.base - BASE, piece.size) for piece in ground(found, steps)] == [(0, 128), (256, 128)]


def test_newer_devices_go_line_by_line(access):
    steps = steps_of(access, "h200", lambda lane: 32 * lane)
    assert len(steps) == 8
    assert [len(step.issued) for step in steps] == [4] * 8
    partly = steps_of(access, "h200", lambda lane: 8 * lane, mask=0xFF)
    assert [step.words for step in partly] == ["line 1: 64 bytes for 8 lanes"]


@pytest.mark.parametrize("device", ["8800gtx", "c1060", "h200"])
def test_every_step_of_the_protocol_has_its_picture(device, access, picture):
    context = access(device, lambda lane: 12 * lane)
    steps = protocol(context.frame.access, context.frame.addresses)
    said = set()
    for part in range(len(steps)):
        p = picture(900, 400)
        model.draw(context, p, part)
        texts = " ".join(text for text, _ in text_boxes(p))
        assert f"{part + 1} of {len(steps)}" in texts
        assert f"step {part + 1} of {len(steps)}" in p.spoken
        assert sum(isinstance(m, Curve) and m.motion for m in p.marks) == steps[part].lanes.bit_count()
        said.add(p.spoken)
    assert len(said) == len(steps)
    hidden = picture(900, 400)
    model.draw(access(device, lambda lane: 12 * lane, predicting=True), hidden, 0)
    assert hidden.covers
    assert "of" not in hidden.spoken
