"""Operations are counted by hand, and a run's place below the roofs follows from them."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.isa.work import Work
from warpview.run.roofline import Operations, Roof, percent, rate, roofline_point

SOURCE = """
__global__ void axpy(const float *x, double *d, int *n, float a)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    float v = x[i];
    for (int k = 0; k < 8; k++)
        v = v * a + 1.0f;
    n[i] = n[i] * 3 + (int)v;
    if (threadIdx.x < 16)
        d[i] = d[i] + 2.0;
}
"""
BLOCKS = 528


@pytest.fixture(scope="module")
def run() -> wv.Run:
    count = BLOCKS * 64
    args = [np.ones(count, np.float32), np.ones(count), np.ones(count, np.int32), 0.5]
    return wv.simulate(wv.compile(SOURCE), BLOCKS, 64, args, device="h200", engine="sm", check=False)


def test_operations_are_those_of_the_lanes_that_did_them(run: wv.Run) -> None:
    threads = BLOCKS * 64
    assert run.counters["flop_count_sp"] == threads * 8 * 2
    assert run.counters["flop_count_dp"] == BLOCKS * 16
    assert run.counters["flop_count_hp"] == run.counters["flop_count_matrix"] == 0
    integers = run.counters["inst_integer"]
    assert isinstance(integers, int)
    assert integers >= threads * 3  # the index, the product and sum, at least one comparison


def test_a_run_stands_below_its_roofs(run: wv.Run) -> None:
    point = run.roofline()
    assert point is not None
    flops = BLOCKS * 64 * 16 + BLOCKS * 16
    assert run.time_us is not None
    assert point.rate == pytest.approx(flops / run.time_us / 1000)
    assert point.dram == pytest.approx(flops / run.facts["dram_bytes"])
    assert point.l2 == pytest.approx(flops / run.facts["l2_bytes"])
    assert 0 < point.share < 1
    assert point.roof.kind == Work.SINGLE
    assert "FLOP per byte of DRAM" in point.sentence
    whole = run.roofline(Operations.INTEGER)
    assert whole is not None
    assert whole.roof.kind == Work.INTEGER
    assert "integer operations per byte of the L2" in whole.sentence


def test_the_verdict_says_where_the_launch_stands(run: wv.Run) -> None:
    told = run.verdict()
    assert [point.reading for point in told.roofline] == list(Operations)
    point = run.roofline()
    assert point is not None
    assert told.roofline[0].dram == pytest.approx(point.dram, rel=0.1)
    assert told.text().count("Roofline: ") == 2


@pytest.mark.parametrize(
    ("device", "kind", "peak"),
    [
        ("8800gtx", Work.SINGLE, 16 * 8 * 2 * 1.35),  # eight processors of 1.35 GHz, without the further product
        ("h200", Work.SINGLE, 132 * 128 * 2 * 1.98),
        ("h200", Work.DOUBLE, 132 * 64 * 2 * 1.98),
        ("h200", Work.HALF, 132 * 128 * 4 * 1.98),
        ("h200", Work.INTEGER, 132 * 128 * 1.98),  # additions and products in different pipes
        ("v100", Work.SINGLE, 15_667),
    ],
)
def test_peaks_are_the_devices_own(device: str, kind: Work, peak: float) -> None:
    assert Roof.of(load_device(device), kind).peak == pytest.approx(peak, rel=1e-4)


def test_the_lowest_of_three_roofs_limits() -> None:
    device = load_device("h200")
    base = {"time_us": 100.0, "flop_count_sp": 1_000_000_000}
    found = {}
    for bound, moved in {
        "DRAM": {"dram_bytes": 400_000_000, "l2_bytes": 400_000_000},
        "L2": {"dram_bytes": 1_000_000, "l2_bytes": 900_000_000},
        "pipe": {"dram_bytes": 1_000_000, "l2_bytes": 1_000_000},
    }.items():
        point = roofline_point(device, {**base, **moved})
        assert point is not None
        found[bound] = point.bound
    assert found == {name: name for name in found}
    assert roofline_point(device, {"time_us": 100.0, "flop_count_sp": 0}) is None
    assert roofline_point(device, {"flop_count_sp": 5}) is None


@pytest.mark.parametrize(("share", "text"), [(0.5, "50 %"), (0.042, "4.2 %"), (0.0031, "0.31 %")])
def test_small_shares_are_not_nothing(share: float, text: str) -> None:
    assert percent(share) == text


def test_rates_are_written_in_the_unit_that_suits() -> None:
    assert rate(66908, Operations.FLOATING) == "66.9 TFLOP/s"
    assert rate(1_070_000, Operations.FLOATING) == "1.07 PFLOP/s"  # it was "1.07e+03 TFLOP/s"
    assert rate(1.5, Operations.INTEGER) == "1.5 GIOP/s"
