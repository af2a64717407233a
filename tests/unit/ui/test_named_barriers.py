"""The trace and its views tell barriers with a number apart: who arrives where, who waits, and when those go on."""

from __future__ import annotations

import numpy as np
import pytest
from support.programs import cases

import warpview as wv
from warpview.trace import Trace, caption
from warpview.trace.question import question
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext
from warpview.ui.views.divergence.barrier_model import barrier_state

PROGRAM = next(case.source for case in cases() if case.source.stem == "named_producer_consumer")


def trace_of(device: str) -> Trace:
    arguments = [np.arange(64, dtype=np.int32), np.zeros(64, np.int32), 2]
    run = wv.simulate(wv.compile(PROGRAM), 1, 64, arguments, device=device, engine="sm")
    assert run.trace is not None
    return run.trace


@pytest.mark.parametrize("device", ["c2050", "h200"])
def test_captions_follow_the_arrivals(device: str) -> None:
    trace = trace_of(device)
    said = [caption(trace.frame(step), trace.program, trace.device) for step in range(trace.steps + 1)]
    arrivals = [sentence for sentence in said if "barrier" in sentence]
    assert arrivals[:3] == [
        "Block 0, warp 1 arrives at barrier 2 for 64 threads and does not wait.",
        "Block 0, warp 1 arrives at barrier 3 for 64 threads and does not wait.",
        "Block 0, warp 0 arrives at barrier 2 for 64 threads, which is complete: all warps that waited there go on.",
    ]
    assert "Block 0, warp 1 arrives at barrier 0 for 64 threads: 1 warp waiting." in arrivals


def test_a_step_is_asked_about_its_lanes() -> None:
    trace = trace_of("h200")
    step = next(s for s in range(1, trace.steps) if "at barrier 2" in caption(trace.frame(s), trace.program))
    assert question(trace.frame(step), trace.program, trace.device).answer == 32


def test_frames_are_the_same_after_going_back() -> None:
    trace = trace_of("h200")
    forward = [trace.frame(step).warps for step in range(trace.steps + 1)]
    assert [trace.frame(step).warps for step in range(trace.steps, -1, -1)] == forward[::-1]


def test_the_barrier_view_shows_who_waits_at_which() -> None:
    run = wv.simulate(
        wv.compile(PROGRAM), 1, 64, [np.arange(64, dtype=np.int32), np.zeros(64, np.int32), 2], engine="sm"
    )
    assert run.trace is not None
    verdicts = []
    for step in range(1, run.trace.steps + 1):
        context = FrameContext(run, run.trace.frame(step), Snapshot(step=step))
        found = barrier_state(context)
        if found is not None and (not verdicts or verdicts[-1] != found.verdict):
            verdicts.append(found.verdict)
    assert "1 of 2 warps wait at barrier 0" in verdicts
    assert "barrier 2 is complete: its warps continue" in verdicts


def test_a_barrier_of_the_cluster_is_shown_with_the_warps_of_all_its_blocks() -> None:
    """It was told as that of one block: "1 of 2 warps" beside a caption of three warps that wait; and the caption
    counted the warps of all clusters on the multiprocessor."""
    source = """
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) meet(int *out)
{
    __shared__ int own;
    own = blockIdx.x;
    auto cluster = cooperative_groups::this_cluster();
    if (cluster.block_rank() == 1 && threadIdx.x >= 32)
        own = out[blockIdx.x];
    cluster.sync();
    out[blockIdx.x] = *cluster.map_shared_rank(&own, cluster.block_rank() ^ 1);
    cluster.sync();
}
"""
    run = wv.simulate(wv.compile(source), 528, 64, [np.zeros(528, np.int32)], device="h200", engine="sm")
    assert run.trace is not None
    told = []
    for step in range(1, run.trace.steps + 1):
        frame = run.trace.frame(step)
        said = caption(frame, run.program, run.device)
        if "cluster: " in said or "goes on" in said or "barrier of the cluster" in said:
            found = barrier_state(FrameContext(run, frame, Snapshot(step=step, block=frame.event.block)))
            assert found is not None
            first = frame.event.block // 2 * 2
            assert found.blocks == (first, first + 1)
            assert len(found.rows) == 4
            assert found.opened == ("goes on" in said)
            if "warps waiting" in said:
                assert f"cluster: {found.arrived} warps" in said
            told.append(found.verdict)
    assert "3 of 4 warps wait at the barrier of the cluster" in told
    assert "all 4 warps have arrived: the barrier opens" in told
