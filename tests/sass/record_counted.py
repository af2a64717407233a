"""Launch the kernels of counted.cu on this machine's NVIDIA GPU, or make the recording of what Nsight Compute counted.

    nvcc -arch=sm_90 -cubin -o JOB/counted.cubin tests/sass/counted.cu
    python tests/sass/record_counted.py launch JOB                     this one under ncu, with cupy and numpy
    python tests/sass/record_counted.py collect JOB RAW.csv SOURCE.csv

``collect`` takes the pages ``raw`` and ``source`` of the report, as CSV.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
from counted_inputs import LAUNCHES, inputs
from counted_tables import carry_out, sums_of, write

COLUMNS = ("Instructions Executed", "Thread Instructions Executed", "Predicated-On Thread Instructions Executed")


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


def pages(source: Path, launches: Sequence[int]) -> list[list[list[int]]]:
    """Return the counts of each instruction, launch by launch; ``launches`` says how many each file of code has.

    Some exports have every page twice, others those of files with several launches. Raises ValueError where the pages
    are not those of so many launches.
    """
    found: list[list[list[int]]] = []
    columns: list[str] = []
    for row in csv.reader(source.read_text().splitlines()):
        if row and row[0] == "Kernel Name":
            found.append([])
        elif row and row[0] == "Address":
            columns = row
        elif row and row[0].startswith("0x"):
            cells = dict(zip(columns, row, strict=False))
            found[-1].append([int(cells[column] or 0) for column in COLUMNS])
    for copies in ([1] * len(launches), [2] * len(launches), [1 + (number > 1) for number in launches]):
        if sum(map(mul, launches, copies)) == len(found):
            ends = accumulate(n for number, n in zip(launches, copies, strict=True) for _ in range(number))
            return [found[end - 1] for end in ends]
    raise ValueError(f"{len(found)} pages of {sum(launches)} launches")


def collect(job: Path, raw: Path, source: Path) -> None:
    launches: dict[str, list[dict[str, Any]]] = {kernel: [] for kernel in LAUNCHES}
    counted = list(sums_of(raw, lambda name: name.startswith(("smsp__", "l1tex__"))))
    for (kernel, metrics), instructions in zip(counted, pages(source, [len(counted)]), strict=True):
        launches[kernel].append({"metrics": metrics, "instructions": instructions})
    write(job / "counted_h200.json.gz", "NVIDIA H200", launches)


if __name__ == "__main__":
    carry_out(launch, collect)
