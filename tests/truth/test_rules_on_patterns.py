"""The rules count what an NVIDIA H200 did for single-warp accesses: partly active, wide, atomic, local."""

import csv
from pathlib import Path

import pytest

from warpview.devices import load_device
from warpview.sim.rules import global_access, local_access, shared_access

H200 = load_device("h200")

with (Path(__file__).parent / "h200_patterns.csv").open() as table:
    ROWS = list(csv.DictReader(table))
GROUPS = sorted({(row["space"], row["kind"], row["width"]) for row in ROWS})


def lanes(row: dict[str, str]) -> tuple[list[int], int]:
    """(byte addresses, mask)."""
    words = row["elements"].split()
    mask = sum(1 << lane for lane, word in enumerate(words) if word != ".")
    width, base = int(row["width"]), int(row["base"])
    return [0 if word == "." else base + width * int(word) for word in words], mask


@pytest.mark.parametrize("group", GROUPS, ids=" ".join)
def test_every_pattern_is_exact(group: tuple[str, str, str]) -> None:
    rows = [row for row in ROWS if (row["space"], row["kind"], row["width"]) == group]
    assert len(rows) >= 10
    for row in rows:
        addresses, mask = lanes(row)
        rule = {"shared": shared_access, "local": local_access}.get(row["space"], global_access)
        access = rule(row["kind"], addresses, mask, int(row["width"]), H200)
        if row["space"] == "shared":
            got = (len(access.wavefronts), access.conflicts)
            assert got == (int(row["wavefronts"]), int(row["bank_conflicts"])), row["elements"]
        else:
            assert access.sectors == int(row["sectors"]), row["elements"]
