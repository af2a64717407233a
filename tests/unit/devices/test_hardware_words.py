"""The words of the window name the hardware that the device has."""

from __future__ import annotations

import pytest
from ui.backend import run_of

from warpview.devices import load_device
from warpview.devices.hardware_words import named_on
from warpview.profile.counters import BY_KEY, counters_of
from warpview.run.roofline import Operations
from warpview.ui.panels import roofline_model
from warpview.ui.session.backend import Measured


def test_a_device_without_caches_has_no_words_for_them() -> None:
    old, new = load_device("8800gtx"), load_device("h200")
    assert named_on(old, "the latency of DRAM and L2") == "the latency of DRAM"
    assert named_on(new, "the latency of DRAM and L2") == "the latency of DRAM and L2"
    assert "L1" not in named_on(old, "the tag and data stages of the L1")


@pytest.mark.parametrize("key", ["8800gtx", "c1060", "c2050", "h200"])
def test_counters_are_of_sectors_only_where_there_are_sectors(key: str) -> None:
    device = load_device(key)
    words = " ".join(f"{c.title} {c.label} {c.unit} {c.description}" for c in counters_of(device)).lower()
    assert ("sector" in words) == (device.capability[0] > 1)
    assert (BY_KEY["warp_serialize"].on(device)) == (device.capability[0] == 1)
    assert all(len(counter.label) <= 24 for counter in counters_of(device))


@pytest.mark.parametrize(("device", "l2"), [("8800gtx", False), ("h200", True)])
def test_verdict_and_roofline_name_no_l2_that_is_not_there(device: str, l2: bool) -> None:
    run = run_of("reduction/interleaved", device)
    found = run.verdict()
    said = " ".join([found.limiter, *(str(share) for share in found.shares), *(g.inefficiency for g in found.gains)])
    assert ("L2" in said or "L1" in said) == l2
    measured = Measured("run", "k", device, run.counters)
    (point,) = roofline_model.points([measured], Operations.INTEGER)
    assert (bool(point.place.l2), point.place.roof.l2_gbps is not None) == (l2, l2)
    assert ("L2" in roofline_model.roof_words(point.place.roof, Operations.INTEGER)) == l2
