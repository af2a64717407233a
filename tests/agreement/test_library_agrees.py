"""The cycle-level engine computes and counts what the profile engine does, on the library."""

import numpy as np
import pytest

from warpview import library
from warpview.diagnostics import LaunchError
from warpview.run import simulate_preset

ENTRIES = [entry.key for entry in library.kernels()]
BUDGET = 1_000_000  # instructions: the spin lock of old devices ends only here


@pytest.mark.sample(9)
@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
@pytest.mark.parametrize("key", ENTRIES)
def test_engines_agree(key: str, device: str):
    entry = library.entry(key)
    try:
        profiled = simulate_preset(entry, "step", device, step_budget=BUDGET)
    except LaunchError:
        return  # the device cannot run it
    traced = simulate_preset(entry, "step", device, engine="sm", step_budget=BUDGET)
    assert (traced.mismatch is None) == (profiled.mismatch is None)
    if profiled.mismatch is not None:
        return  # a mistake on purpose: what comes out depends on the order of warps
    for a, b in zip(profiled.launches, traced.launches, strict=True):
        assert [f.message for f in a.findings] == [f.message for f in b.findings]
        assert np.array_equal(a.counts, b.counts)
        assert b.time_us is not None
        assert b.trace is not None
        assert b.trace.frame(b.trace.steps).step == b.trace.steps
