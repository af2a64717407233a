"""Compare the random C++ programs in NVRTC's machine code with an H200: results, the counts of each instruction, and
what the multiprocessors counted.

    python -m tests.agreement.random_cpp.hardware prepare JOB   compile the programs for sm_90, into a folder
    python tests/agreement/random_cpp/launch.py JOB OUT         launch them; run this one under ncu, with cupy
    python -m tests.agreement.random_cpp.hardware collect OUT   make random_cpp_h200.json.gz of what came out
    python -m tests.agreement.random_cpp.hardware check         simulate them all, and print where they differ

``collect`` reads ``results.npz``, which ``launch.py`` writes, and the pages ``source`` and ``raw`` of Nsight Compute's
report as ``source.csv.gz`` and ``raw.csv.gz``. The counts of instructions come from code that Nsight Compute adds to
the program, in which paths that meet may go on together; those of the multiprocessors come from the program as it is.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import SourceText
from warpview.run.nvrtc_program import unknown_params
from warpview.sass import cubin, nvrtc
from warpview.sass.loader import Signature, load_kernel

from . import write_program
from .comparison import NAME, launched

TABLE = Path(__file__).parent / "random_cpp_h200.json.gz"
KINDS = ("scalars", "objects", "idioms", "kept", "arrays")  # whose programs need no header
PROGRAMS = 100  # of each kind
PROVENANCE = "NVIDIA H200, Nsight Compute 2025.3.1, NVRTC 13.0.88"
PARTS = "code", "results", "counts", "totals"
TOTALS = {
    "smsp__inst_executed.sum": "inst_executed", "smsp__thread_inst_executed.sum": "thread_inst_executed",
}  # fmt: skip
COLUMNS = ("Instructions Executed", "Thread Instructions Executed", "Predicated-On Thread Instructions Executed")


def names() -> Iterator[str]:
    """Yield the name of each program: its kind and its seed."""
    for kind in KINDS:
        yield from (f"{kind}_{seed}" for seed in range(PROGRAMS))


def source(name: str) -> str:
    kind, seed = name.split("_")
    return write_program(kind, int(seed))


def compiled(name: str) -> bytes:
    """Return the cubin of a program."""
    return nvrtc.compile_source(SourceText(NAME, source(name)), 90).cubin


def digest(values: bytes) -> str:
    """Return the first quarter of a SHA-256."""
    return hashlib.sha256(values).hexdigest()[:16]


@cache
def table() -> dict[str, Any]:
    """Return what was recorded, by name: digests of the code, of its results, of the counts of its instructions, and
    the counts of the multiprocessor."""
    found: dict[str, Any] = json.loads(gzip.decompress(TABLE.read_bytes()))
    return found


def simulated(name: str) -> list[str | list[int]]:
    """Return of the simulator what ``table`` has of the hardware."""
    loaded = cubin.load(compiled(name))
    kernel = loaded.kernels[0]
    program = load_kernel(loaded, kernel, Signature(kernel.name, unknown_params(kernel, []), SourceText(NAME, "")))
    run = launched(program, "h200")
    results = next(iter(run.buffers.values()))
    counts = digest_of_counts(run.counts[: len(kernel.code) // 16, :3])
    return [digest(kernel.code), digest(results.tobytes()), counts, [int(run.counters[key]) for key in TOTALS.values()]]


def digest_of_counts(counts: NDArray[np.int64]) -> str:
    """Return the digest of the counts of those instructions that were executed, in their order."""
    executed = counts[counts[:, 0] > 0]
    return digest(np.ascontiguousarray(executed, np.int64).tobytes())


def prepare(job: Path) -> None:
    job.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(job / "programs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names():
            archive.writestr(f"{name}.cubin", compiled(name))


def collect(out: Path) -> None:
    results, counts = np.load(out / "results.npz"), dict(counts_by_program(out / "source.csv.gz"))
    totals = dict(zip(names(), totals_of_launches(out / "raw.csv.gz"), strict=True))
    rows = {
        name: [
            digest(cubin.load(compiled(name)).kernels[0].code),
            digest(results[name].tobytes()),
            digest_of_counts(np.array(counts[name])),
            totals[name],
        ]
        for name in names()
    }
    text = json.dumps({"provenance": PROVENANCE, "programs": rows}, separators=(",", ":"))
    TABLE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def counts_by_program(path: Path) -> Iterator[tuple[str, list[list[int]]]]:
    """Yield the counts of each instruction of each program, from the source page, in the order of the launches."""
    order = names()
    with gzip.open(path, "rt") as page:
        for row in csv.reader(page):
            if row and row[0] == "Kernel Name":
                counts: list[list[int]] = []
                yield next(order), counts
            elif row and row[0] == "Address":
                places = [row.index(column) for column in COLUMNS]
            elif row and row[0].startswith("0x"):
                counts.append([int(row[place]) for place in places])


def totals_of_launches(path: Path) -> Iterator[list[int]]:
    """Yield what the multiprocessors counted in each launch, from the page of raw figures."""
    with gzip.open(path, "rt") as page:
        launches = csv.DictReader(page)
        next(launches)  # the units
        for launch in launches:
            yield [round(float(launch[metric].replace(",", ""))) for metric in TOTALS]


def check() -> None:
    equal = [0] * len(PARTS)
    for name, real in table()["programs"].items():
        same = [a == b for a, b in zip(simulated(name), real, strict=True)]
        equal = [count + one for count, one in zip(equal, same, strict=True)]
        if not all(same):
            print(name, *(what for what, one in zip(PARTS, same, strict=True) if not one))
    listed = ", ".join(f"{what} {count}" for what, count in zip(PARTS, equal, strict=True))
    print(f"of {len(table()['programs'])} equal: {listed}")


if __name__ == "__main__":
    command, *folders = sys.argv[1:]
    {"prepare": prepare, "collect": collect, "check": check}[command](*map(Path, folders))
