"""The library on a simulated H200 counts what the same kernels, compiled by nvcc, count on a real one."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from warpview import library
from warpview.run import simulate_preset

RECORDED: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
with (Path(__file__).parent / "library_h200.csv").open() as table:
    for row in csv.DictReader(line for line in table if not line.startswith("#")):
        RECORDED[row["kernel"], row["preset"]].append(row)

COLUMNS = [c for c in RECORDED["vector/increment", "step"][0] if c.startswith(("global_", "shared_"))]

MERGED = "the source reads an element twice in a row; nvcc keeps it in a register"
WIDE = "nvcc unrolls the inner loop and reads four floats of a row of tile a at once"
TIMING = "how often a lock is tried depends on time"

# Where nvcc changed the accesses themselves: the counters that differ, and why.
DIFFERENT: dict[str, tuple[set[str], str]] = {
    "reduction/argmax": ({"shared_ld_wavefronts"}, MERGED),
    "histogram/shared": ({"shared_ld_wavefronts"}, MERGED),
    "minmax/block_then_atomic": ({"shared_ld_wavefronts"}, "thread 0 still has the last minimum and maximum"),
    "scan/device_wide": ({"shared_ld_wavefronts"}, MERGED),
    "matmul/tiled": ({"shared_ld_wavefronts"}, WIDE),
    "matmul/tiled_bounds": ({"shared_ld_wavefronts"}, WIDE),
    "matmul/coarsened": ({"shared_ld_wavefronts"}, WIDE),
    "minmax/atomic": ({"global_red_sectors"}, "nvcc reduces over the warp first (redux.sync) and sends one lane"),
    "control_flow/early_exit": (
        {"global_st_requests", "global_st_sectors"},
        "nvcc stores once behind the loop what the source stores at two places",
    ),
    "control_flow/spin_lock": ({"global_atom_requests", "global_atom_sectors"}, TIMING),
    "control_flow/spin_lock_within_loop": ({"global_atom_requests", "global_atom_sectors"}, TIMING),
}  # fmt: skip


def differences(kernel: str, preset: str, columns: list[str]) -> set[str]:
    """The counters in which a launch of the preset differs from its record."""
    series = simulate_preset(library.entry(kernel), preset, "h200", check=False)
    recorded = RECORDED[kernel, preset]
    assert len(series.launches) == len(recorded)
    return {
        column
        for run, row in zip(series.launches, recorded, strict=True)
        for column in columns
        if run.counters[column] != int(row[column])
    }


@pytest.mark.parametrize("kernel", sorted(kernel for kernel, preset in RECORDED if preset == "step"))
def test_small_launches_count_the_same(kernel):
    known, cause = DIFFERENT.get(kernel, (set(), ""))
    assert differences(kernel, "step", COLUMNS) <= known, cause


@pytest.mark.sample(3)
@pytest.mark.parametrize("kernel", sorted(kernel for kernel, preset in RECORDED if preset == "full"
                                          and kernel.startswith(("reduction/", "transpose/"))))  # fmt: skip
def test_large_launches_move_the_same(kernel):
    # Only global memory: on the hardware, shared wavefronts of thousands of blocks carry some arbitration noise.
    assert not differences(kernel, "full", [c for c in COLUMNS if c.startswith("global_")])
