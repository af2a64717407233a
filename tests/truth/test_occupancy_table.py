"""Occupancy equals the vendor's calculator in every configuration."""

import csv
from pathlib import Path

import pytest

from warpview.devices import Limit, load_capability, occupancy

with (Path(__file__).parent / "occupancy.csv").open() as table:
    ROWS = list(csv.DictReader(table))
VERSIONS = list(dict.fromkeys(row["compute_capability"] for row in ROWS))


def test_nsight_compute_reports_the_same() -> None:
    """Of every measured launch; but for the limit by shared memory, which follows the size that the driver chose.

    An H200 counts the kilobyte that the system reserves as the block's.
    """
    with (Path(__file__).parent / "h200_probes.csv").open() as probes:
        launches = list(csv.DictReader(probes))
    for row in launches:
        shared = int(row["shared_mem_per_block"]) - 1024
        got = occupancy("h200", int(row["block"]), int(row["registers_per_thread"]), shared)
        assert got.limit_registers == int(row["limit_blocks_registers"])
        assert got.limit_warps == int(row["limit_blocks_warps"])
        assert got.limit_blocks == int(row["limit_blocks_slots"])
        assert 100 * got.fraction == pytest.approx(float(row["theoretical_occupancy_pct"]), abs=0.0051)


def test_the_table_is_whole() -> None:
    assert len(ROWS) == 1260
    assert len(VERSIONS) == 21


@pytest.mark.parametrize("version", VERSIONS)
def test_blocks_limits_and_factors(version: str) -> None:
    capability = load_capability(version)
    for row in ROWS:
        if row["compute_capability"] != version:
            continue
        shared = int(row["static_shared_bytes"]) + int(row["dynamic_shared_bytes"])
        got = occupancy(capability, int(row["threads_per_block"]), int(row["registers_per_thread"]), shared)
        assert {
            "active_blocks": got.blocks,
            "limiting_factors": int(got.limiting),
            "limit_warps": got.limit_warps,
            "limit_registers": got.limit_registers,
            "limit_shared": got.limit_shared,
            "limit_blocks": got.limit_blocks,
        } == {key: int(row[key]) for key in row if key == "active_blocks" or key.startswith("limit")}, row
        assert got.limiting_factors == {flag.name.lower() for flag in Limit if flag & int(row["limiting_factors"])}
