"""One launch of a series is recorded: the others only count, and leave the same results behind."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.diagnostics import LaunchError
from warpview.run import simulate_preset

TWICE = "__global__ void twice(float *data) { data[threadIdx.x] *= 2; }"


def _entry(key: str) -> library.Entry:
    return next(e for e in library.kernels() if e.key == key)


@pytest.mark.parametrize("traced", [0, 1, 3])
def test_only_the_chosen_launch_is_recorded_and_sees_those_before(traced: int) -> None:
    program, data = wv.compile(TWICE), np.ones(32, np.float32)
    series = wv.simulate_series([wv.Step(program, 1, 32, [data])] * 4, device="c2050", engine="sm", traced=traced)
    assert [run.trace is not None for run in series.launches] == [n == traced for n in range(4)]
    assert [run.buffers["data"][0] for run in series.launches] == [2, 4, 8, 16]
    assert series.time_us is None
    assert series.counters["inst_executed"] == 4 * series.launches[0].counters["inst_executed"]  # type: ignore[operator]


def test_a_part_knows_its_place_and_the_counters_of_all() -> None:
    program, data = wv.compile(TWICE), np.ones(32, np.float32)
    series = wv.simulate_series([wv.Step(program, 1, 32, [data])] * 3, device="c2050", engine="sm", traced=1)
    run = series.part(1)
    assert run.trace is not None
    assert run.part is not None
    assert (run.part.index, run.part.count) == (1, 3)
    assert run.part.counters == series.counters
    assert run.counters == series.launches[1].counters


def test_a_launch_that_is_not_there_is_refused() -> None:
    program, data = wv.compile(TWICE), np.ones(32, np.float32)
    with pytest.raises(LaunchError, match="there is no launch 2: the series has 1"):
        wv.simulate_series([wv.Step(program, 1, 32, [data])], device="c2050", engine="sm", traced=1)


@pytest.mark.parametrize("traced", [0, 2])
def test_a_library_series_is_right_whichever_launch_is_recorded(traced: int) -> None:
    series = simulate_preset(_entry("scan/device_wide"), "step", "8800gtx", engine="sm", traced=traced)
    assert len(series.launches) == 3
    assert series.launches[traced].trace is not None
    assert series.mismatch is None
