"""Keep what an NVIDIA GPU made of the kernels of data/courses_sm90.zip, as courses and libraries have them.

    python tests/sass/record_courses.py unpack JOB      cubins, jobs.txt and data.bin: the launches and their arrays
    nvcc -o JOB/courses tests/sass/courses.cu -lcuda
    ./courses jobs.txt data.bin results                 in JOB
    ncu --metrics ... --section SourceCounters ./courses jobs.txt data.bin -
    python tests/sass/record_courses.py collect JOB RAW.csv SOURCE.csv     both pages of the report, as CSV

The cubins were compiled from the sources beside them in the archive for sm_90, by NVRTC 13.0.88. NAME.json has the
launches of one, one after another over the same arrays, which begin as NAME.npz has them.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from counted_tables import DATA, carry_out, sums_of, write
from record_counted import pages

ARCHIVE = DATA / "courses_sm90.zip"


class Launch(NamedTuple):
    """Describe a launch: an argument is the name of an array, or a type and a number."""

    kernel: str  # mangled
    grid: Sequence[int]
    block: Sequence[int]
    shared_bytes: int
    cooperative: bool
    arguments: Sequence[Any]


@cache
def names() -> list[str]:
    with zipfile.ZipFile(ARCHIVE) as archive:
        return [name.removesuffix(".json") for name in archive.namelist() if name.endswith(".json")]


def case(name: str) -> tuple[dict[str, np.ndarray], list[Launch]]:
    """Return the arrays that the launches of a file begin with, and the launches."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        arrays = np.load(io.BytesIO(archive.read(f"{name}.npz")))
        return {key: arrays[key] for key in arrays.files}, [
            Launch(*row) for row in json.loads(archive.read(f"{name}.json"))
        ]


def scalar(argument: Sequence[Any]) -> np.generic:
    """Return a number of the type that a kernel has it in."""
    return np.dtype(argument[0]).type(argument[1])


def digest(array: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def unpack(job: Path) -> None:
    data, lines = bytearray(), []
    zipfile.ZipFile(ARCHIVE).extractall(job / "cubins")
    for name in names():
        arrays, launches = case(name)
        lines.append(f"module {name}")
        for array in arrays.values():
            lines.append(f"buf {array.nbytes} {len(data)}")
            data += array.tobytes()
        for launch in launches:
            words = [
                f"p {list(arrays).index(a)}" if isinstance(a, str) else f"v {scalar(a).tobytes().hex()}"
                for a in launch.arguments
            ]
            numbers = *launch.grid, *launch.block, launch.shared_bytes, int(launch.cooperative), len(words)
            lines.append(" ".join(map(str, ["run", launch.kernel, *numbers, *words])))
        lines.append("end")
    (job / "jobs.txt").write_text("\n".join(lines) + "\n")
    (job / "data.bin").write_bytes(data)


def collect(job: Path, raw: Path, source: Path) -> None:
    counted = list(sums_of(raw, lambda name: name.startswith(("smsp__", "l1tex__"))))
    measured = zip(counted, pages(source, [len(case(name)[1]) for name in names()]), strict=True)
    launches = {}
    for name in names():
        arrays, listed = case(name)
        found, results = (job / "results" / f"{name}.out").read_bytes(), {}
        for key, array in arrays.items():
            results[key], found = digest(np.frombuffer(found[: array.nbytes], np.uint8)), found[array.nbytes :]
        rows = [next(measured) for _ in listed]
        counts = [{"metrics": metrics, "instructions": instructions} for (_, metrics), instructions in rows]
        launches[name] = {"results": results, "launches": counts}
    write(DATA / "courses_h200.json.gz", "NVIDIA H200", launches)


if __name__ == "__main__":
    carry_out(unpack, collect)
