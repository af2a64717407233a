"""Launch the kernels of counted.cu on this machine's NVIDIA GPU, or make the recording of what Nsight Compute counted.

    nvcc -arch=sm_90 -cubin -o JOB/counted.cubin tests/sass/counted.cu
    python tests/sass/record_counted.py launch JOB                     this one under ncu, with cupy and numpy
    python tests/sass/record_counted.py collect JOB RAW.csv SOURCE.csv

``collect`` takes the pages ``raw`` and ``source`` of the report, as CSV.
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from counted_inputs import LAUNCHES, inputs

COLUMNS = ("Instructions Executed", "Thread Instructions Executed", "Predicated-On Thread Instructions Executed")
COUNTED = ("smsp__", "l1tex__")  # of the names of metrics


def launch(job: Path) -> None:
    import cupy

    module, results = cupy.RawModule(path=str(job / "counted.cubin")), []
    for kernel, count in LAUNCHES.items():
        for number in range(count):
            threads, arrays, n = inputs(kernel, number)
            out = cupy.zeros(threads, cupy.uint32)
            module.get_function(kernel)((1,), (threads,), (out, *map(cupy.asarray, arrays), np.int32(n)))
            results.append(out.get())
    np.savez_compressed(job / "counted_results_h200.npz", results=np.concatenate(results))


def pages(source: Path) -> list[list[list[int]]]:
    """Return the counts of each instruction, launch by launch; the report has every page twice."""
    found: list[list[list[int]]] = []
    columns: list[str] = []
    for row in csv.reader(source.open()):
        if row and row[0] == "Kernel Name":
            found.append([])
        elif row and row[0] == "Address":
            columns = row
        elif row and row[0].startswith("0x"):
            cells = dict(zip(columns, row, strict=False))
            found[-1].append([int(cells[column] or 0) for column in COLUMNS])
    return found[::2]


def collect(job: Path, raw: Path, source: Path) -> None:
    launches: dict[str, list[dict[str, Any]]] = {kernel: [] for kernel in LAUNCHES}
    rows = [row for row in csv.DictReader(raw.open()) if row["ID"]]
    for row, instructions in zip(rows, pages(source), strict=True):
        metrics = {key: int(float(value.replace(",", ""))) for key, value in row.items()
                   if key.startswith(COUNTED) and key.endswith(".sum") and value}  # fmt: skip
        launches[row["Kernel Name"].split("(")[0]].append({"metrics": metrics, "instructions": instructions})
    text = json.dumps({"device": "NVIDIA H200", "launches": launches}, separators=(",", ":"))
    (job / "counted_h200.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    what, folder, *files = sys.argv[1:]
    if what == "launch":
        launch(Path(folder))
    else:
        collect(Path(folder), *map(Path, files))
