"""The picture of the multiprocessor is drawn on real runs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.pictures import text_boxes

import warpview as wv
from warpview.devices import load_device
from warpview.isa.disassembly import mnemonic
from warpview.isa.types import Space
from warpview.sass import nvrtc
from warpview.trace.pipes import Pipe, pipe_of
from warpview.ui.drawing.picture import Curve, Picture, Text
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes import lanes_model
from warpview.ui.views.machine import multiprocessor_model as model
from warpview.ui.views.memory import global_memory_model
from warpview.ui.views.memory.transactions_model import memory_access

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
SOURCE = """
__constant__ float factor[4];
__global__ void k(const float *in, float *out) {
    __shared__ float tile[64];
    int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    out[i] = tile[2 * i % 64] * factor[i % 4] + in[i ^ 32];
}
"""


@pytest.fixture(scope="module")
def runs():
    program = wv.compile(SOURCE)
    data = np.arange(64, dtype=np.float32)

    def run(device):
        return wv.simulate(
            program, grid=2, block=64, args=[data, np.zeros(64, np.float32)], device=device, engine="sm",
            constants={"factor": np.ones(4, np.float32)},
        )  # fmt: skip

    return {device: run(device) for device in ("8800gtx", "c2050", "h200")}


def contexts(run):
    for step in range(run.trace.steps + 1):
        frame = run.trace.frame(step)
        key = (frame.event.block, frame.event.warp) if frame.event else (0, 0)
        yield FrameContext(run, frame, Snapshot(step=step, block=key[0], warp=key[1]))


def flows(run, kind, space):
    return [
        model.flow(c) for c in contexts(run)
        if c.frame.access is not None and c.frame.access.kind == kind and c.frame.addresses.space is space
    ]  # fmt: skip


def test_before_the_first_step_nothing_flows(runs):
    first = next(contexts(runs["h200"]))
    assert model.flow(first) is None
    assert model.spoken(first, None).startswith("Nothing has been issued.")


def ways(flow):
    return [(way.level, way.label, way.used) for way in flow.ways]


def test_a_global_load_goes_as_far_as_the_caches_have_not_its_data(runs):
    (first, *_, last) = flows(runs["h200"], "load", Space.GLOBAL)
    assert first.pipe is Pipe.LSU
    assert all(way.upwards for way in first.ways)
    assert ways(first) == [("l1", "4 sectors", True), ("l2", "4 sectors", True), ("dram", "4 sectors", True)]
    # One warp reads what the other has brought into the L1.
    assert ways(last) == [("l1", "4 sectors", True), ("l2", "all hit in L1", False), ("dram", "all hit in L2", False)]
    (load, *_) = flows(runs["c2050"], "load", Space.GLOBAL)
    assert [way.level for way in load.ways] == ["l1", "l2", "dram"]


def test_a_g80_has_neither_l1_nor_l2(runs):
    (load, *_) = flows(runs["8800gtx"], "load", Space.GLOBAL)
    assert ways(load) == [("dram", "2 transactions", True)]


def test_a_store_is_written_through_the_l1_and_kept_in_the_l2(runs):
    (store, *_) = flows(runs["h200"], "store", Space.GLOBAL)
    assert not any(way.upwards for way in store.ways)
    assert ways(store) == [("l1", "4 sectors", True), ("l2", "4 sectors", True), ("dram", "kept in L2", False)]


def test_the_global_view_says_which_level_had_the_sectors(runs):
    contexts_of_loads = [
        c for c in contexts(runs["h200"])
        if c.frame.access is not None and c.frame.access.kind == "load" and c.frame.addresses.space is Space.GLOBAL
    ]  # fmt: skip
    first, last = (memory_access(contexts_of_loads[k]).served for k in (0, -1))
    assert first == "missed L1 and L2; DRAM delivered 128 B"
    assert last == "4 of 4 sectors hit in L1"
    picture = Picture(760.0, 400.0, 14.0)
    global_memory_model.draw(contexts_of_loads[0], picture)
    assert first in [text for text, _ in text_boxes(picture)]


def test_shared_and_constant_accesses_say_their_passes(runs):
    (load, *_) = flows(runs["h200"], "load", Space.SHARED)
    assert ways(load) == [("shared", "2 wavefronts", True)]
    (load, *_) = flows(runs["h200"], "load", Space.CONST)
    assert ways(load) == [("constant", "4 passes", True)]


def test_every_warp_stands_at_the_scheduler_that_issues_it(runs):
    for run in runs.values():
        for context in contexts(run):
            event = context.frame.event
            if event is not None:
                there = [(w.block, w.warp) for w in model.warps_of(context, event.scheduler)]
                ended = (event.block, event.warp) not in [(w.block, w.warp) for w in context.frame.warps]
                assert (event.block, event.warp) in there or ended


@pytest.mark.parametrize("size", [(360.0, 230.0), (900.0, 620.0), (1500.0, 900.0)])
def test_parts_lie_below_one_another_and_within_the_picture(runs, size):
    for run in runs.values():
        for context in contexts(run):
            drawn = Picture(*size, 15.0)
            model.draw(context, drawn)
            place = model.layout(context, *size, 15.0)
            boxes = [place.schedulers, place.registers, next(iter(place.pipes.values())), place.near["shared"]]
            boxes += [box for box in (place.l2, place.dram) if box is not None]
            assert all(a.bottom <= b.y for a, b in pairwise(boxes))
            if size[1] > 300:
                assert boxes[-1].bottom <= size[1]


def test_every_part_is_a_door_and_every_warp_can_be_selected(runs):
    context = list(contexts(runs["h200"]))[5]
    drawn = Picture(900.0, 620.0, 15.0)
    model.draw(context, drawn)
    place = model.layout(context, 900.0, 620.0, 15.0)
    doors = {}
    for name, box in (("shared", place.near["shared"]), ("occupancy", place.registers), ("global", place.dram)):
        found = drawn.at(box.cx, box.cy)
        doors[name] = model.DOORS[found.target.value]
        assert found.target.command == model.OPEN
    assert doors == {"shared": "shared", "occupancy": "occupancy", "global": "global"}
    assert any(text.startswith("4\u202f814 GB/s") for text, _ in text_boxes(drawn))
    warp = context.frame.warps[0]
    name = f"b{warp.block} w{warp.warp}"
    box = next(box for text, box in text_boxes(drawn) if text == name)
    assert (drawn.at(box.cx, box.cy).target.block, drawn.at(box.cx, box.cy).target.warp) == (warp.block, warp.warp)


@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
def test_every_way_leads_from_part_to_part(runs, device):
    """The way of data begins at the pipe that executes the access, and ends at a memory."""
    accesses = [c for c in contexts(runs[device]) if c.frame.access is not None]
    assert accesses
    for context in accesses:
        picture = Picture(760.0, 400.0, 14.0)
        model.draw(context, picture)
        place = model.layout(context, picture.width, picture.height, picture.unit)
        moving = model.flow(context)
        pipe, (to_pipe, *data) = place.pipes[moving.pipe], [m for m in picture.marks if isinstance(m, Curve)]
        assert to_pipe.points[-1] == (pipe.cx, pipe.y)
        first = data[0].points[:: -1 if moving.ways[0].upwards else 1]
        assert first[0] == (pipe.cx, pipe.bottom)
        memory = {**place.near, "l2": place.l2, "dram": place.dram}[moving.ways[0].level]
        assert memory.x <= first[-1][0] <= memory.right
        assert first[-1][1] == memory.y


@pytest.mark.parametrize("device", ["8800gtx", "h200"])
def test_a_warp_is_in_the_state_that_the_lanes_tell(runs, device):
    said = set()
    for context in contexts(runs[device]):
        drawn = Picture(1200.0, 900.0, 15.0)
        model.draw(context, drawn)
        texts = [mark.text for mark in drawn.marks if isinstance(mark, Text)]
        for row in lanes_model.rows(context):
            name = f"b{row.block} w{row.warp}"
            if name in texts:
                assert texts[texts.index(name) + 1] == row.short
                said.add((context.frame.step == 0, row.short))
    assert (True, "ready") in said
    assert {"issued", "done"} < {word for _, word in said}


PIPES_SOURCE = """
#include <cuda_fp16.h>
__global__ void k(const float *f, const double *d, const int *n, float *out) {
    int i = threadIdx.x;
    float single = f[i] * f[i + 1] + f[i + 2];
    double twice = d[i] * d[i + 1] + 0.5;
    int product = n[i] * n[i + 1];
    __half half = __hadd(__float2half(single), __float2half(2.0f));
    out[i] = single + (float)twice + product + __half2float(half) + __shfl_xor_sync(~0u, single, 1);
}
"""
WRITTEN = {
    "fma.rn.f32": "FMA", "add.f32": "FMA", "mul.lo.s32": "FMA", "fma.rn.f64": "FP64", "add.f16": "FMA",
    "shfl": "LSU",
}  # fmt: skip
COMPILED = {
    "FFMA": "FMA",
    "FADD": "FMA",
    "IMAD": "FMA",
    "DFMA": "FP64",
    "HADD2": "FMA",
    "SHFL": "LSU",
    "LDG": "LSU",
}


def name_of(instruction):
    return instruction.native.mnemonic if instruction.native else mnemonic(instruction)


@pytest.mark.parametrize(
    ("compiler", "executes"), [("warpview", WRITTEN), pytest.param("nvrtc", COMPILED, marks=needs_nvrtc)]
)
def test_every_instruction_lights_the_pipe_that_executes_it(compiler, executes):
    """Doubles are not those of 32 bits, and floats have a pipe beside the integers' from compute capability 7.0 on."""
    program = wv.compile(PIPES_SOURCE, compiler=compiler, device="h200")
    lit = {}
    for instruction in program.instructions:
        lit.setdefault(pipe_of(instruction, load_device("h200")), []).append(name_of(instruction))
        # No other pipe than that of the integers executes single precision on a device without one for it.
        assert pipe_of(instruction, load_device("p100")) is not Pipe.FMA
    found = {
        name: [unit.name for unit, names in lit.items() if any(one.startswith(name) for one in names)]
        for name in executes
    }
    assert found == {name: [pipe] for name, pipe in executes.items()}


def test_half_precision_is_drawn():
    data = np.ones(64, np.float32)
    program = wv.compile(PIPES_SOURCE, device="h200")
    arguments = [data, data.astype(np.float64), data.astype(np.int32), np.zeros(32, np.float32)]
    run = wv.simulate(program, grid=1, block=32, args=arguments, device="h200", engine="sm")
    lit = {model.flow(context).pipe for context in contexts(run) if context.frame.event}
    assert lit >= {Pipe.ALU, Pipe.FMA, Pipe.FP64, Pipe.LSU}
    assert all(model.spoken(context, model.flow(context)) for context in contexts(run))
