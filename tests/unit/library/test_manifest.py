"""Manifests are complete where they are right, and errors are named with their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpview import library
from warpview.diagnostics import WarpviewError
from warpview.library.manifest import ManifestError, load_family

GOOD = """
title = "T"
about = "A"
order = 1
[[kernel]]
key = "k"
file = "k.cu"
kernel = "k"
title = "K"
teaches = "t"
look_at = ["l"]
oracle = "block_sums"
[kernel.step]
grid = 1
block = [8, 4]
args = { input = "int32 iota:32", n = 32 }
[kernel.full]
repeat = 2
counter = "k"
buffers = { both = "int32 zeros:4" }
launches = [{ grid = 1, block = 32, args = { a = "@both" } }, { kernel = "second", grid = 1, block = 32, args = {} }]
"""


def _folder(tmp_path: Path, text: str) -> Path:
    (tmp_path / "manifest.toml").write_text(text)
    (tmp_path / "k.cu").write_text("__global__ void k() {}")
    return tmp_path


def test_repeated_launches_share_buffers_and_count(tmp_path: Path) -> None:
    entry = load_family(_folder(tmp_path, GOOD)).entries[0]
    assert [launch.kernel for launch in entry.presets["full"].launches] == ["k", "second", "k", "second"]
    values = library.launch_arguments(entry, "full")
    assert values[0]["a"] is values[2]["a"]
    assert [arguments["k"] for arguments in values] == [0, 0, 1, 1]
    assert entry.presets["step"].block == (8, 4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "K"', "", "manifest.toml: k: 'title' is missing"),
        ("order = 1", 'order = "1"', "'order' has the wrong type"),
        ("grid = 1\nblock = [8, 4]", "grid = 1\nblock = [8, 4]\ncolour = 3", "k: step: unknown key 'colour'"),
        ('file = "k.cu"', 'file = "q.cu"', "there is no file q.cu"),
        ("[kernel.step]", "[kernel.stop]", "'step' is missing"),
    ],
)
def test_a_wrong_manifest_is_explained(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ManifestError, match=message):
        load_family(_folder(tmp_path, GOOD.replace(old, new, 1)))


def test_a_reference_to_nothing_is_explained(tmp_path: Path) -> None:
    entry = load_family(_folder(tmp_path, GOOD.replace("@both", "@neither"))).entries[0]
    with pytest.raises(ManifestError, match="refers to 'neither'"):
        library.launch_arguments(entry, "full")


@pytest.mark.parametrize("entry", library.kernels(), ids=lambda entry: entry.key)
def test_library_entries_say_what_they_are_for(entry: library.Entry) -> None:
    assert entry.title
    assert not entry.title.endswith(".")
    assert entry.teaches.endswith(".")
    assert entry.look_at
    for preset in entry.presets:
        values = library.launch_arguments(entry, preset) if preset == "step" else ()
        assert not values or library.expected(entry, preset, values)


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(WarpviewError, match="did you mean 'reduction/interleaved'"):
        library.entry("reduction/interleave")
    with pytest.raises(WarpviewError, match="it has small, large"):
        library.kernels()[0].preset("huge")
    with pytest.raises(WarpviewError, match="has no parameter 'm'"):
        library.launch_arguments(library.kernels()[0], "step", {"m": "3"})


def test_mismatch_says_where() -> None:
    entry = library.entry("reduction/interleaved")
    values = library.launch_arguments(entry, "step")
    right = library.expected(entry, "step", values)["output"]
    wrong = right.copy()
    wrong[2] += 1
    assert library.mismatch(entry, "step", values, {"output": right}) is None
    sentence = library.mismatch(entry, "step", values, {"output": wrong})
    assert (
        sentence == f"'output' differs from numpy at index 2: {wrong[2]} instead of {right[2]} (1 of 4 elements differ)"
    )
    assert np.array_equal(wrong[:2], right[:2])


def test_a_family_says_how_many_of_its_kernels_are_steps(tmp_path: Path) -> None:
    assert load_family(_folder(tmp_path, GOOD)).steps == 0
    assert load_family(_folder(tmp_path, GOOD.replace("order = 1", "order = 1\nsteps = 1"))).steps == 1
    with pytest.raises(ManifestError, match="2 steps, but 1 kernels"):
        load_family(_folder(tmp_path, GOOD.replace("order = 1", "order = 1\nsteps = 2")))


@pytest.mark.exhaustive
def test_the_steps_of_a_family_have_the_same_input() -> None:
    """The size of what a kernel reads: 500 x 500 instead of 512 x 512 is near enough."""
    for family in library.families():
        sizes = [
            sum(np.size(value) for value in library.launch_arguments(entry, "full")[0].values())
            for entry in family.entries[: family.steps]
        ]
        assert not sizes or max(sizes) < 1.2 * min(sizes)
