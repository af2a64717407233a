"""Write and read tables of what Nsight Compute counted: ``data/*.json.gz``, by kernel and launch.

The scripts that record run on a machine with a GPU, where warpview is not installed.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def sums_of(raw: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the kernel of each launch and the sums of the metrics that are wanted, by name; ``raw`` is that page of a
    report, as CSV."""
    with raw.open(newline="") as file:
        for row in csv.DictReader(file):
            if not row["ID"]:  # the line with the units
                continue
            sums = {name: value for name, value in row.items() if name.endswith(".sum") and value and wanted(name)}
            numbers = {name: int(float(value.replace(",", ""))) for name, value in sums.items()}
            yield row["Kernel Name"].split("(")[0], numbers


def write(path: Path, device: str, launches: Mapping[str, Any]) -> None:
    """Write a table of launches, by kernel; ``device`` says where they ran."""
    text = json.dumps({"device": device, "launches": launches}, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def carry_out(prepare: Callable[[Path], object], collect: Callable[..., object]) -> None:
    """Carry out what the command line asks a script that records for: ``collect JOB FILE...``, or to prepare a JOB."""
    what, job, *files = sys.argv[1:]
    if what == "collect":
        collect(Path(job), *map(Path, files))
    else:
        prepare(Path(job))


def read(name: str) -> Any:
    """Return the launches of a table, by kernel."""
    return json.loads(gzip.decompress((DATA / name).read_bytes()))["launches"]


@cache
def counter_keys() -> dict[str, str]:
    """Return the keys of the counters by the names of their metrics, but for the counters a request."""
    from warpview.profile.counters import BY_KEY

    return {counter.nsight: key for key, counter in BY_KEY.items() if not key.endswith("request")}
