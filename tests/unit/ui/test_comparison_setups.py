"""A comparison starts with the large launch and goes on with the chosen one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui.backend import engine, setup_of, variant_of

from warpview.devices import devices
from warpview.run import nvrtc_targets
from warpview.ui.session.backend import KernelFamily
from warpview.ui.session.comparison_setups import compare_devices, compare_variants, large_preset, launch_words

SEQUENTIAL, FIRST_ADD = "reduction/sequential", "reduction/first_add"


@pytest.fixture(autouse=True)
def compiled_for(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the devices that NVRTC is taken to compile for, which a test may add to: whether it is installed here is
    not its subject."""
    found: set[str] = set()
    monkeypatch.setattr(nvrtc_targets, "is_compiled_for", found.__contains__)
    return found


def _family(key: str) -> KernelFamily:
    return next(family for family in engine().families() if family.key == key)


def test_variants_are_compared_at_the_large_launch_unless_asked_otherwise():
    setup = setup_of(SEQUENTIAL)
    made = compare_variants(setup, _family("reduction"), "GeForce 8800 GTX")
    assert made.title == "Reduction on GeForce 8800 GTX"
    assert made.steps == 10
    assert [launch.words for launch in made.launches] == [
        "large launch, 4.19 M threads", "small launch, 512 threads",
    ]  # fmt: skip
    large, chosen = made.launches
    assert {s.preset for _, s in large.setups} == {"full"}
    assert {s.preset for _, s in chosen.setups} == {"step"}
    assert dict(chosen.setups)["Sequential addressing"] == setup
    assert dict(large.setups)["First add during load"].grid == (16384, 1, 1)


@pytest.mark.exhaustive
def test_the_large_launch_shows_what_first_add_gains_where_the_small_one_does_not():
    made = compare_variants(setup_of(SEQUENTIAL), _family("reduction"), "GeForce 8800 GTX")
    gains = []
    for launch in made.launches:
        two = [(title, setup) for title, setup in launch.setups if setup.variant in (SEQUENTIAL, FIRST_ADD)]
        before, after = engine().measure(two, lambda *_: True)
        gains.append(before.counters["time_us"] / after.counters["time_us"])
    assert gains[0] == pytest.approx(1.78, abs=0.1)
    assert gains[1] < 1


def test_every_kernel_runs_with_the_switches_that_are_on_and_with_its_own_text():
    setup = replace(setup_of(SEQUENTIAL), if_converted=True, text="edited", edited=True)
    made = compare_variants(setup, _family("reduction"), "GeForce 8800 GTX")
    for launch in made.launches:
        for title, compared in launch.setups:
            assert compared.if_converted
            assert compared.edited == (title == "Sequential addressing")
            assert compared.text == ("edited" if compared.edited else variant_of(compared.variant).text)


def test_devices_are_compared_at_the_large_launch_and_the_one_in_use_is_first():
    setup = setup_of(SEQUENTIAL, "c2050")
    made = compare_devices(setup, variant_of(SEQUENTIAL), devices())
    assert made.steps is None
    for launch in made.launches:
        assert launch.setups[0][1].device == "c2050"
        assert len({compared.device for _, compared in launch.setups}) == len(devices())
    assert made.launches[0].setups[0][1].preset == "full"


def test_a_large_launch_that_was_chosen_is_the_only_one():
    for preset in ("full", "skewed"):
        setup = setup_of("histogram/shared", "h200", preset)
        made = compare_variants(setup, _family("histogram"), "H200")
        assert {s.preset for launch in made.launches for _, s in launch.setups} == {preset}
        assert len(made.launches) == 1
    assert made.launches[0].words == "launch 'skewed', 32\u202f768 threads"


def test_machine_code_comes_first_where_there_is_one(compiled_for):
    compiled_for |= {"h200", "t4"}
    made = compare_variants(setup_of(SEQUENTIAL, "h200"), _family("reduction"), "H200")
    assert [launch.words for launch in made.launches] == [
        "large launch, 4.19 M threads, as compiled by NVIDIA", "large launch, 4.19 M threads, as written",
        "small launch, 512 threads",
    ]  # fmt: skip
    assert [{s.by_nvidia for _, s in launch.setups} for launch in made.launches] == [{True}, {False}, {False}]
    made = compare_devices(setup_of(SEQUENTIAL), variant_of(SEQUENTIAL), devices())
    assert made.launches[0].words == "large launch, 4.19 M threads, as compiled by NVIDIA from CC 7.5 on"
    assert {s.device for _, s in made.launches[0].setups if s.by_nvidia} == {"h200", "t4"}


def test_code_that_was_chosen_is_compared_alone(compiled_for):
    compiled_for.add("h200")
    setup = replace(setup_of(SEQUENTIAL, "h200"), by_nvidia=True)
    made = compare_variants(setup, _family("reduction"), "H200")
    assert len(made.launches) == 2
    assert all(s.by_nvidia for launch in made.launches for _, s in launch.setups)


def test_a_launch_of_the_users_own_stays_available():
    setup = replace(setup_of(SEQUENTIAL), grid=(2, 1, 1))
    made = compare_devices(setup, variant_of(SEQUENTIAL), devices())
    assert [launch.words for launch in made.launches] == [
        "large launch, 4.19 M threads", "your launch, 256 threads",
    ]  # fmt: skip
    assert made.launches[0].setups[0][1].grid == (32768, 1, 1)
    assert made.launches[1].setups[0][1].grid == (2, 1, 1)


def test_a_file_of_ones_own_has_only_the_chosen_launch():
    variant = replace(variant_of(SEQUENTIAL), family="", presets=())
    setup = replace(setup_of(SEQUENTIAL), preset="")
    made = compare_devices(setup, variant, devices())
    assert [launch.words for launch in made.launches] == ["your launch, 512 threads"]
    assert large_preset(setup, variant) == ""


def test_a_series_is_named_by_all_its_launches():
    setup = setup_of("scan/device_wide", "h200", "full")
    assert launch_words(setup, variant_of("scan/device_wide")).endswith(" launches")
