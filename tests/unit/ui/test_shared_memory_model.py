from dataclasses import replace

import numpy as np
import pytest
from support.pictures import text_boxes

import warpview as wv
from warpview.isa.ops import CLUSTER_BARRIERS, Op
from warpview.isa.program import Variable
from warpview.isa.types import Space, Type
from warpview.sim.rules import SharedAccess, shared_access
from warpview.ui.drawing.picture import Curve, Picture, Text
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext, stage_view
from warpview.ui.views.memory import atomics_model
from warpview.ui.views.memory import shared_memory_model as model
from warpview.ui.views.memory.banks_model import array_of, bank_access
from warpview.ui.views.memory.parts_model import ALL


def conflict(made):
    steps = (s for s in range(1, made.run.trace.steps + 1))
    return next(
        s for s in steps
        if isinstance(a := made.run.trace.frame(s).access, SharedAccess) and a.conflicts
    )  # fmt: skip


def test_a_conflict_is_counted_by_bank_and_told_in_words(scenes):
    made = scenes("strided", "h200")
    banks = bank_access(made.at(conflict(made)))
    assert banks.verdict == "2-way conflict"
    assert banks.sentence == "2 wavefronts where 1 would do"
    assert max(banks.passes[0]) == 2
    assert sorted({w.front for w in banks.words}) == [0, 1]
    assert set(banks.front_of) == {0, 1}


def test_half_warps_of_old_devices_do_not_conflict_with_each_other(scenes):
    made = scenes("divergent", "8800gtx")
    banks = bank_access(made.on("store"))
    assert len(banks.access.wavefronts) == 2
    assert banks.verdict == "no conflict"
    assert banks.together == 16
    assert {n for of in banks.passes for n in of} == {1}


@pytest.mark.parametrize("width", range(420, 620, 20))
def test_the_words_carry_the_numbers_of_all_lanes_or_of_none(scenes, picture, width):
    """Where two digits do not fit, ten cells had a number and the others none."""
    made = scenes("divergent", "8800gtx")
    context = made.on("store")
    lanes = {str(lane) for lane in range(32) if context.frame.access.lanes >> lane & 1}
    p = picture(float(width), 260.0, 15.0)
    model.draw(context, p)
    marks = [mark for mark in p.marks if isinstance(mark, Text)]
    row = next(mark.y for mark in marks if mark.text in ("sdata[0]", "sdata[0], [16]", "[0], [16]"))
    written = {mark.text for mark in marks if abs(mark.y - row) < 10 and mark.colour == "on_lane"}
    assert written in (set(), lanes)


def test_a_wavefront_shows_only_its_lanes(scenes, picture):
    made = scenes("strided", "h200")
    context = made.at(conflict(made))
    both, first = picture(), picture()
    model.draw(context, both, ALL)
    model.draw(context, first, 0)
    curves = [sum(isinstance(m, Curve) for m in p.marks) for p in (both, first)]
    assert curves == [32, 16]


def test_buttons_pick_a_wavefront_and_lanes_can_be_clicked(scenes, picture):
    made = scenes("strided", "h200")
    p = picture()
    model.draw(made.at(conflict(made)), p, ALL)
    commands = [h.target.value for h in p.hit_regions if h.target and h.target.command == "part"]
    assert sorted(commands) == [-1, 0, 1]
    assert any(p.at(x, 40) and p.at(x, 40).target and p.at(x, 40).target.lane == 31 for x in range(80, 690, 3))


def test_a_prediction_hides_banks_and_wavefronts(scenes, picture):
    made = scenes("strided", "h200")
    p = picture()
    assert model.draw(made.at(conflict(made), predicting=True), p, ALL) == ""
    assert p.covers
    assert not any("wavefront" in t and "How" not in t for t, _ in text_boxes(p))
    assert not any(isinstance(m, Curve) for m in p.marks)


def test_a_step_without_a_shared_access_says_so(scenes, picture):
    p = picture()
    assert model.draw(scenes().on("addition", nth=2), p) == ""
    assert "this step accesses no shared memory" in [t for t, _ in text_boxes(p)]


def test_offsets_find_their_array():
    a = Variable("a", "float", Type.F32, space=Space.SHARED, offset=0, dims=(16, 17), element_bytes=4)
    b = Variable("b", "int", Type.S32, space=Space.SHARED, offset=1088, dims=(0,), element_bytes=4)
    assert array_of((a, b), 1084) is a
    assert array_of((a, b), 1088) is b
    assert array_of((a,), 1088) is None


def test_addresses_outside_shared_memory_are_none_of_its_business(scenes):
    assert bank_access(scenes().on("load")) is None


@pytest.mark.parametrize("width", [360, 480, 700, 1200])
def test_the_verdict_is_whole_and_the_buttons_take_what_is_left(width, scenes, picture):
    made = scenes("strided", "h200")
    context = made.at(conflict(made))
    addresses = replace(context.frame.addresses, address=np.arange(32) * 128, mask=0xFFFFFFFF)
    access = shared_access("load", addresses.address.tolist(), 0xFFFFFFFF, 4, context.device)
    crowd = replace(context, frame=replace(context.frame, access=access, addresses=addresses))
    p = picture(width, 260)
    model.draw(crowd, p, ALL)
    assert "32-way conflict" in [text for text, _ in text_boxes(p)]
    boxes = [h.box for h in p.hit_regions if h.target and h.target.command == "part"]
    texts = dict(text_boxes(p))
    assert all(b.x >= texts["32-way conflict"].right for b in boxes)
    assert boxes or width < 400


CLUSTER = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int *out) {
    __shared__ int mine[64];
    auto cluster = cooperative_groups::this_cluster();
    mine[threadIdx.x] = threadIdx.x;
    cluster.sync();
    int *other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    int v = other[2 * threadIdx.x % 64];
    atomicAdd(&other[threadIdx.x % 4], 1);
    int *some = cluster.map_shared_rank(mine, threadIdx.x % 2);
    v += some[threadIdx.x];
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = v + mine[threadIdx.x];
}
"""


def test_the_barrier_of_a_cluster_is_shown_as_a_barrier() -> None:
    run = wv.simulate(wv.compile(CLUSTER), grid=2, block=64, args=[np.zeros(128, np.int32)], device="h200", engine="sm")
    shown: dict[Op, str] = {}
    for step in range(1, run.trace.steps + 1):
        op = run.program.instructions[run.trace.event(step).pc].op
        shown.setdefault(op, stage_view(FrameContext(run, run.trace.frame(step), Snapshot(step=step))))
    assert {shown[op] for op in CLUSTER_BARRIERS} == {"barrier"}


def test_an_access_to_other_blocks_of_the_cluster_says_which() -> None:
    run = wv.simulate(wv.compile(CLUSTER), grid=2, block=64, args=[np.zeros(128, np.int32)], device="h200", engine="sm")
    told = set()
    for step in range(1, run.trace.steps + 1):
        frame = run.trace.frame(step)
        if frame.event.block == 0 and frame.addresses is not None and frame.addresses.space is Space.SHARED:
            for draw in (model.draw, atomics_model.draw):
                picture = Picture(760.0, 400.0, 14.0)
                draw(FrameContext(run, frame, Snapshot(step=step, block=0, warp=frame.event.warp)), picture)
                told |= {text for text, _ in text_boxes(picture) if "wavefront" in text or "pass" in text}
    assert {
        "1 wavefront",
        "2 wavefronts where 1 would do, in block 1",
        "32 lanes, 4 addresses: 8 passes, one after another, in block 1",
        "1 wavefront, 16 lanes in other blocks",
    } <= told
