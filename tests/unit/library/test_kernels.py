"""Every library kernel runs with the findings that it declares, on old and new devices, and gives numpy's result."""

from __future__ import annotations

import pytest

from warpview import library
from warpview.devices import load_device
from warpview.diagnostics import LaunchError
from warpview.library import Entry
from warpview.run import simulate_preset
from warpview.sim.checks.findings import WRONG_RESULTS

MISTAKES = [entry for entry in library.kernels() if entry.family == "mistakes"]
ENTRIES = [entry for entry in library.kernels() if entry not in MISTAKES]
KEYS = [entry.key for entry in ENTRIES]
# A warp of an old device waits for itself here; the kernel is in the library to show it.
HANGS_BEFORE_VOLTA = {"control_flow/spin_lock"}


@pytest.mark.parametrize("predicate", [False, True], ids=["as written", "as compiled"])
@pytest.mark.parametrize("entry", ENTRIES, ids=KEYS)
def test_the_small_preset_gives_numpy_s_result(entry: Entry, predicate: bool) -> None:
    series = simulate_preset(entry, "step", "h200", predicate=predicate)
    assert series.mismatch is None
    assert {finding.kind for finding in series.findings} == set(entry.findings)


@pytest.mark.parametrize("device", ["8800gtx", "c2050"])
@pytest.mark.parametrize("entry", ENTRIES, ids=KEYS)
def test_old_devices_agree_where_they_can_run_it(entry: Entry, device: str) -> None:
    target = load_device(device)
    if target.capability < entry.minimum_capability or entry.key in HANGS_BEFORE_VOLTA:
        pytest.skip(f"needs compute capability {entry.minimum_capability}")
    try:
        series = simulate_preset(entry, "step", target)
    except LaunchError as error:  # a grid in three dimensions, more registers than there are
        pytest.skip(str(error))
    assert series.mismatch is None
    assert {finding.severity for finding in series.findings} <= {"warning"}  # lockstep counts
    assert bool(series.findings) == bool(entry.findings)


def mistakes_found(entry: Entry, preset: str) -> set[str]:
    """The kinds of findings that say what was done wrong, not what came of it."""
    return {finding.kind for finding in simulate_preset(entry, preset, "h200").findings} - WRONG_RESULTS


@pytest.mark.parametrize("entry", MISTAKES, ids=[entry.key for entry in MISTAKES])
def test_every_mistake_is_found(entry: Entry) -> None:
    assert mistakes_found(entry, "step") == set(entry.findings)


@pytest.mark.parametrize("entry", MISTAKES, ids=[entry.key for entry in MISTAKES])
def test_every_mistake_is_found_in_its_large_launch(entry: Entry) -> None:
    assert mistakes_found(entry, "full") == set(entry.findings)


def test_values_kept_in_registers_break_warp_synchronous_code() -> None:
    entry = library.entry("mistakes/not_volatile")
    assert simulate_preset(entry, "step", "c2050").mismatch is None
    assert simulate_preset(entry, "step", "c2050", predicate=True).mismatch is not None


@pytest.mark.parametrize("entry", library.kernels(), ids=[entry.key for entry in library.kernels()])
def test_every_kernel_explains_itself(entry: Entry) -> None:
    assert entry.title
    assert entry.teaches.endswith(".")
    assert len(entry.look_at) >= 2
    assert all(sentence.endswith((".", "?")) for sentence in entry.look_at)
    assert {"step", "full"} <= set(entry.presets)


def test_every_source_file_belongs_to_a_kernel() -> None:
    named = {entry.path for entry in library.kernels()}
    files = {path for entry in library.kernels() for path in entry.path.parent.glob("*.cu*")}
    assert files == named
