"""Compile and launch bulk_copies.cu on this machine's NVIDIA GPU; needs nvcc and ncu.

python tests/sass/record_bulk.py build JOB       compile to JOB/bulk_copies, which prints its results, and its .cubin
python tests/sass/record_bulk.py collect JOB PRINTED.txt RAW.csv
    results and what ncu counted of `ncu --metrics ... --csv --page raw JOB/bulk_copies`, as JOB/bulk_h200.json.gz
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from counted_tables import carry_out, sums_of, write

HERE = Path(__file__).parent
SOURCE = HERE / "bulk_copies.cu"
FLAGS = ["-w", "-std=c++17", "--expt-relaxed-constexpr"]
PRINTED = re.compile(
    r"(\w+) n (\d+) from (\d+) to (\d+) step (\d+) bytes (\d+) threads (\d+): (\w{16}) (\w{8}) (\w{8}) (\w{8}) $"
)
KEPT = re.compile(
    r"smsp__(thread_)?inst_executed(_pred_on|_op_\w+)?\.sum|l1tex__t_(sectors|requests)_pipe_lsu_mem_\w+\.sum|"
    r"l1tex__data_(pipe_lsu_wavefronts|bank_conflicts_pipe_lsu)_mem_shared_op_(ld|st|atom)\.sum|"
    r"l1tex__m_\w+_sectors_mem_\w*op_tma_\w+\.sum"
)


def build(job: Path) -> None:
    subprocess.run(["nvcc", *FLAGS, "-arch=sm_90", "-o", job / "bulk_copies", SOURCE], check=True)
    subprocess.run(["nvcc", *FLAGS, "-arch=sm_90", "-cubin", "-o", job / "bulk_copies.cubin", SOURCE], check=True)


def collect(job: Path, printed: Path, raw: Path) -> None:
    """Keep the launches in their order: what each was given, the sum of its results, and the metrics."""
    launches: list[dict[str, Any]] = []
    lines = printed.read_text().splitlines()
    for line, (kernel, sums) in zip(lines, sums_of(raw, lambda name: bool(KEPT.fullmatch(name))), strict=True):
        found = PRINTED.match(line)
        assert found is not None
        assert found[1] == kernel
        how = [int(found[k]) for k in range(2, 8)]
        launches.append({"kernel": kernel, "how": how[:5], "threads": how[5], "sum": found[8], "metrics": sums})
    write(job / "bulk_h200.json.gz", "NVIDIA H200", launches)  # type: ignore[arg-type]


if __name__ == "__main__":
    carry_out(build, collect)
