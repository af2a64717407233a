"""A time that was extrapolated from a part of the blocks says how far off that may be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.run import sample_words
from warpview.sim.timing.model import extrapolated_time
from warpview.ui.panels.verdict_model import verdict_table

DEVICE = replace(load_device("h200"), multiprocessors=1, clock_mhz=1000.0, launch_overhead_us=0.0)
SOURCE = """
__global__ void uneven(float *out, const int *turns)
{
    float sum = 0;
    for (int k = 0; k < turns[blockIdx.x]; k++)
        sum = sum * 0.5f + k;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""


def test_blocks_of_equal_length_leave_no_error() -> None:
    time = extrapolated_time(8000, DEVICE, 100, 8, 2, [2000, 2000, 4000, 4000, 6000, 6000, 8000, 8000])
    assert time == (8 + 92, 0)


def test_the_error_is_two_standard_errors_of_the_mean_wave() -> None:
    ends = [1000, 1100, 2000, 2300, 3000, 3300, 4000, 4900]
    waves = np.diff([1100, 2300, 3300, 4900]) / 2
    time = extrapolated_time(4900, DEVICE, 100, 8, 2, ends)
    assert time.error_us == pytest.approx(92 * 2 * np.std(waves, ddof=1) / np.sqrt(3) / 1000)


def test_a_multiprocessor_that_ran_all_its_blocks_has_no_error() -> None:
    assert extrapolated_time(5000, DEVICE, 4, 4, 2, [1000, 2000, 3000, 5000]) == (5, 0)


def test_fewer_than_three_waves_do_not_tell_the_error() -> None:
    assert extrapolated_time(4000, DEVICE, 100, 4, 2, [1000, 2000, 3000, 4000]) == (4 + 96, None)


def test_the_time_of_all_blocks_lies_within_the_error_of_a_sample() -> None:
    device, blocks, threads = load_device("8800gtx"), 16 * 60, 256
    turns = np.random.default_rng(15).integers(5, 25, blocks).astype(np.int32)
    program = wv.compile(SOURCE, "uneven")
    out = np.zeros(blocks * threads, np.float32)
    sample, whole = (
        wv.simulate(program, blocks, threads, [out, turns], device=device.key, engine="sm", check=False, sample=share)
        for share in (0.4, 1.0)
    )
    assert whole.time_error_us == 0
    assert whole.time_us is not None
    assert sample.time_us is not None
    assert sample.time_error_us
    assert abs(sample.time_us - whole.time_us) < 1.5 * sample.time_error_us
    assert sample.time_error_us < 0.2 * whole.time_us
    assert f"time {sample.time_us:.4g} µs ± {sample.time_error_us:.2g} µs" in sample_words(sample)
    assert sample.verdict().error_us == 0  # looks at every block: there are few


def test_the_verdict_tells_the_error_of_its_time() -> None:
    blocks, threads = 16 * 200, 256
    turns = np.random.default_rng(15).integers(5, 25, blocks).astype(np.int32)
    out = np.zeros(blocks * threads, np.float32)
    run = wv.simulate(wv.compile(SOURCE, "uneven"), blocks, threads, [out, turns], device="8800gtx", check=False)
    found = run.verdict()
    assert found.error_us
    assert found.error_us < 0.1 * found.time_us
    words = f"Estimated time: {found.time_us:.4g} µs ± {found.error_us:.2g} µs"
    assert words in found.text()
    assert words in verdict_table(found, "uneven").about
