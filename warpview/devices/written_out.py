"""Hold what operations take that NVIDIA's compiler writes out: exact divisions and roots, remainders of 64 bits,
quotients by a constant, and functions, on each architecture.

The table is NVRTC 13's code of each architecture, timed as machine code by the model on a device of it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from warpview.resources import assets_dir


class Sequence(NamedTuple):
    """Hold the cycles until the result of a sequence is there, those that it takes of its scheduler's pipes, and its
    instructions. ``branches`` says that it has a way of its own for special numbers, so that what follows in the
    source does not go between its instructions."""

    latency: int
    cycles: int
    instructions: int
    branches: bool = False


@cache
def written_out(architecture: int) -> Mapping[str, Sequence]:
    """Return the sequences by operation, such as "div.f32" or "rem.s64.constant", of an architecture, such as 90: those
    of the last one before it where the table has none of its own."""
    with (assets_dir() / "devices" / "written_out.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(line for line in file if not line.startswith("#"))
    column = max((k for k, name in enumerate(header) if k and int(name) <= architecture), default=1)
    return {row[0]: _sequence(row[column]) for row in rows}


def _sequence(cell: str) -> Sequence:
    latency, cycles, instructions, *branches = cell.split()
    return Sequence(int(latency), int(cycles), int(instructions), bool(branches))
