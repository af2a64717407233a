"""Export counters as one CSV row or JSON object for each run, under warpview's names or a profiler's."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Literal

from warpview.files import write_file
from warpview.profile.counters import COUNTERS, Counter, Value

Names = Literal["warpview", "nsight", "visual_profiler"]

# Columns that say what was run; they stand before the counters in every export. The code is "written", or "nvidia"
# where the compiler of NVIDIA wrote it.
LAUNCH_COLUMNS = (
    "kernel", "code", "device", "compute_capability", "engine", "grid", "block", "dynamic_shared_bytes",
    "sample_pct",
)  # fmt: skip


@dataclass(frozen=True)
class ExportRow:
    """An exported run has ``launch`` by LAUNCH_COLUMNS and ``counters`` by key."""

    launch: Mapping[str, str | int]
    counters: Mapping[str, Value]


def name_of(counter: Counter, names: Names) -> str:
    """Return the counter's name in a profiler, or warpview's own where that profiler has none."""
    return {"warpview": counter.key, "nsight": counter.nsight, "visual_profiler": counter.visual_profiler}[
        names
    ] or counter.key


def columns(names: Names = "warpview") -> list[str]:
    """Return all columns of an exported file, the same for every device; a counter that a device lacks stays empty."""
    return [*LAUNCH_COLUMNS, *(name_of(counter, names) for counter in COUNTERS)]


def as_number(value: Value) -> str:
    """Return integers as they are, fractions with six significant digits, and nothing for an unknown value."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def as_text(cell: str | int) -> str | int:
    """Return a cell that a spreadsheet does not take for a formula: an apostrophe stands before =, +, - and @."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") else cell


def to_csv(rows: Sequence[ExportRow], names: Names = "warpview") -> str:
    """Return the rows as CSV text with a header line."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns(names))
    for row in rows:
        launch = [as_text(row.launch[column]) for column in LAUNCH_COLUMNS]
        writer.writerow([*launch, *(as_number(row.counters.get(counter.key)) for counter in COUNTERS)])
    return out.getvalue()


def to_json(rows: Sequence[ExportRow], names: Names = "warpview") -> str:
    """Return the rows as a JSON list of flat objects; counters that a device lacks are absent."""
    by_key = {counter.key: name_of(counter, names) for counter in COUNTERS}
    objects = [{**row.launch, **{by_key[key]: value for key, value in row.counters.items()}} for row in rows]
    return json.dumps(objects, indent=2) + "\n"


def write(path: Path, rows: Sequence[ExportRow], names: Names = "warpview") -> None:
    """Write CSV or JSON, as the ending of ``path`` says (CSV for any other); raises WarpviewError if that fails."""
    write_file(path, to_json(rows, names) if path.suffix == ".json" else to_csv(rows, names))
