"""Counters tell why warps do not issue, and add up to the warps that were resident."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.profile.nsight import compare, read_report
from warpview.profile.stall_counters import stall_counters

WAITING = """
__global__ void loads(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x * 32]; }
__global__ void meets(float *out) {
    float x = 0;
    if (threadIdx.x < 32)
        for (int i = 0; i < 200; i++) x = x * 1.5f + 1;
    __syncthreads();
    out[threadIdx.x] = x;
}
"""
KEYS = [counter.key for counter in stall_counters()]


def _run(kernel: str) -> wv.Run:
    program = wv.compile(WAITING, kernel)
    arrays = (
        [wv.Uninitialised(256, "float32")]
        if kernel == "meets"
        else [np.zeros(8192, np.float32), np.zeros(256, np.float32)]
    )
    return wv.simulate(program, 1, 256, arrays, engine="sm", check=False)


@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
def test_stalls_add_up_to_the_resident_warps(device: str) -> None:
    (run,) = wv.simulate_preset("reduction/sequential", device=device, engine="sm").launches
    trace = run.trace
    assert trace is not None
    values = {key: run.counters[key] for key in KEYS}
    result = trace.result
    issued = result.issued - result.free_issues.sum()
    assert sum(values.values()) * issued == pytest.approx(result.resident_warp_cycles + result.draining)
    assert values["stall_selected"] == 1


@pytest.mark.parametrize(("kernel", "reason"), [("loads", "stall_long_scoreboard"), ("meets", "stall_barrier")])
def test_the_reason_that_holds_warps_up_most_is_the_largest(kernel: str, reason: str) -> None:
    counters = _run(kernel).counters
    assert max(KEYS, key=lambda key: counters[key]) == reason


def test_reports_of_nsight_compute_have_the_same_reasons() -> None:
    names = {counter.key: (counter.nsight, counter.label) for counter in stall_counters()}
    metric = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
    assert names["stall_barrier"] == (metric.format("barrier"), "Barrier")
    assert names["stall_mio_throttle"] == (metric.format("mio_throttle"), "MIO throttle")
    assert names["stall_drain"] == (metric.format("drain"), "Drain")
    assert names["stall_reconvergence"] == ("", "Reconvergence")
    report = '"ID","Kernel Name","Block Size","Grid Size","' + metric.format("barrier") + '"\n"","","","","inst"\n'
    (launch,) = read_report(report + '"0","meets","(256, 1, 1)","(1, 1, 1)","2.5"\n')
    run = _run("meets")
    (row,) = compare(launch, run.counters)
    assert (row.counter.key, row.measured, row.simulated) == ("stall_barrier", 2.5, run.counters["stall_barrier"])


def test_an_engine_without_a_clock_knows_none() -> None:
    (run,) = wv.simulate_preset("vector/add").launches
    assert {run.counters[key] for key in KEYS} == {None}
