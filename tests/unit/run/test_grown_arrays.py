"""A larger launch of a library kernel has arrays that are large enough, where its presets show how large they are."""

from __future__ import annotations

import pytest

from warpview import library
from warpview.run.library_launch import Changes, simulate_preset


@pytest.mark.parametrize(
    "key",
    ["reduction/interleaved", "reduction/max", "reduction/argmax", "stencil/shared_1d", "control_flow/vote",
     "patterns/strided_copy", "patterns/broadcast", "patterns/struct_of_arrays", "scan/blelloch", "sort/bitonic"],
)  # fmt: skip
@pytest.mark.parametrize("times", [2, 3])
def test_a_larger_grid_finds_nothing(key: str, times: int) -> None:
    entry = library.entry(key)
    grid = [entry.presets["step"].grid[0] * times]
    series = simulate_preset(entry, "step", "h200", Changes(grid=grid))
    assert not series.findings
    assert series.launches[-1].launch.grid[0] == grid[0]


def test_arrays_of_threads_grow_with_the_block_and_others_do_not() -> None:
    entry = library.entry("reduction/interleaved")
    larger = library.grown(entry, "step", None, [256]).preset("step")
    assert larger.args == {"input": "int32 hash:1024:100", "output": "int32 blank:4", "n": "512"}
    wider = library.grown(entry, "step", [8], None).preset("step")
    assert wider.args == {"input": "int32 hash:1024:100", "output": "int32 blank:8", "n": "512"}
    assert library.grown(entry, "step", [2], [64]).presets == entry.presets


def test_what_may_have_to_fit_is_told_where_the_presets_do_not_show_it() -> None:
    (finding,) = simulate_preset(library.entry("transpose/naive_16"), "step", "h200", Changes(grid=[4, 2])).findings[:1]
    assert finding.kind == "out of bounds"
    assert finding.message.endswith("(grid 4x2 in place of 2x2: in, out, width, height may have to fit it)")
