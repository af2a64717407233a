"""Runs are kept to be compared with, without a window."""

from dataclasses import replace

import pytest
from ui.small_run import small_run

from warpview.run import SeriesPosition
from warpview.ui.session.backend import LaunchPreset, SeriesLaunch, Setup, Variant
from warpview.ui.session.engine import Engine
from warpview.ui.session.kept_runs import MOST, KeptRuns, common, launch_words

PRESETS = (
    LaunchPreset("step", "", (4, 1, 1), (128, 1, 1), 0, {"n": "512"}),
    LaunchPreset("twice", "", (4, 1, 1), (128, 1, 1), 0, {}, (SeriesLaunch("a", (4, 1, 1), (128, 1, 1), 0),) * 2),
)
KERNEL = Variant("family/kernel", "family", "A kernel", "", "", "k", "k.cu", "text", PRESETS)
OTHER = replace(KERNEL, key="family/other", title="Another")


def _setup(variant=KERNEL, device="8800gtx", preset=PRESETS[0], **changes):
    plain = Setup(variant.key, variant.text, variant.file_name, variant.entry, device)
    return replace(plain.with_preset(preset), **changes)


@pytest.fixture
def kept():
    return KeptRuns()


def _add(kept, setup=None, variant=KERNEL, device="GeForce 8800 GTX"):
    kept.add(setup or _setup(variant), variant, device, small_run())


def test_the_baseline_is_the_run_before_until_one_is_chosen(kept):
    assert kept.baseline is None
    _add(kept)
    assert kept.baseline is None
    _add(kept, variant=OTHER)
    _add(kept, _setup(device="h200"), device="NVIDIA H200")
    assert kept.baseline.number == 2
    kept.chosen = 1
    assert kept.baseline.title == "A kernel · GeForce 8800 GTX · small launch"
    assert kept.baseline.distinction_from(kept.now) == "GeForce 8800 GTX"
    assert kept.now.distinction_from(kept.now) == "run 3"


def test_the_same_setup_once_more_is_the_same_run(kept):
    _add(kept)
    _add(kept, variant=OTHER)
    _add(kept)
    assert [run.number for run in kept.runs] == [2, 1]
    assert kept.baseline.number == 2
    _add(kept, _setup(text="edited text", edited=True))
    assert kept.now.number == 3
    assert kept.now.distinction_from(kept.runs[-2]) == "edited"


def test_the_oldest_go_but_never_the_baseline(kept):
    for n in range(MOST):
        _add(kept, _setup(shared_bytes=4 * n))
    kept.chosen = 1
    _add(kept, variant=OTHER)
    assert len(kept.runs) == MOST
    assert [run.number for run in kept.runs[:2]] == [1, 3]
    assert kept.baseline.number == 1


def test_only_totals_are_kept(kept):
    run = small_run()
    kept.add(_setup(text="x" * 100_000), KERNEL, "d", run)
    only = kept.runs[0]
    assert len(only.setup.text) < 30
    assert only.counters == dict(run.counters)
    assert isinstance(only.counters, dict)
    assert set(only.row.launch) == set(run.row.launch)


def test_a_series_is_compared_as_a_whole_beside_others_and_launch_by_launch_in_the_table(kept):
    run = replace(small_run(), part=SeriesPosition(1, 2, {"barriers": 99}))
    kept.add(_setup(preset=PRESETS[1], traced=1), KERNEL, "d", run)
    assert kept.now.parts[2] == "twice launch, launch 2"
    assert kept.now.counters["barriers"] == run.counters["barriers"]
    assert kept.now.measured("a").counters == {"barriers": 99}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "small launch"),
        ({"grid": (8, 2, 1)}, "8·2×128 threads"),
        ({"if_converted": True, "wide_banks": True}, "small launch, predicated, 8-byte banks"),
    ],
)
def test_launches_are_called_by_their_preset_or_their_shape(changes, words):
    assert launch_words(_setup(**changes), KERNEL) == words


def test_side_by_side_each_is_called_by_what_tells_it_apart(kept):
    _add(kept)
    _add(kept, variant=OTHER)
    shared, runs = kept.side_by_side()
    assert shared == "GeForce 8800 GTX · small launch"
    assert [run.title for run in runs] == ["A kernel", "Another"]
    kept.chosen = 2
    assert [run.title for run in kept.side_by_side()[1]] == ["Another", "A kernel"]
    assert all(run.row is not None for run in runs)
    assert common([]) == []


def test_the_library_names_its_launches():
    variant = Engine().families()[0].variants[0]
    setup = Setup(variant.key, variant.text, variant.file_name, variant.entry, "h200").with_preset(variant.presets[0])
    assert variant.presets[0].key == "step"
    assert launch_words(setup, variant) == "small launch"


def test_a_run_that_ended_early_says_so(kept):
    run = replace(small_run(), aborted=True)
    kept.add(_setup(), KERNEL, "d", run)
    assert kept.now.parts[-1] == "ended early"
