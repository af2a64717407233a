"""Keep what an NVIDIA GPU made of the kernels k(const unsigned *x, unsigned *out) of data/varied_sm90.zip.

    python tests/sass/record_varied.py unpack JOB     cubins, x.bin and list.txt: names, bytes of dynamic shared memory
    nvcc -o JOB/varied tests/sass/varied.cu -lcuda
    ./varied x.bin list.txt results 0                  in JOB
    ncu --metrics ... --section SourceCounters ./varied x.bin list.txt - 0
    python tests/sass/record_varied.py collect JOB RAW.csv SOURCE.csv     both pages of the report, as CSV

The cubins were compiled from the sources beside them in the archive for sm_90, by NVRTC 13.0.88, those that begin with
o_, v_, x_ and z_ by nvcc 13.0.
"""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import numpy as np
from counted_tables import DATA, carry_out, sums_of, write
from record_counted import pages

ARCHIVE = DATA / "varied_sm90.zip"
# Bytes of dynamic shared memory.
SHARED = {"dyn_shared": 256, "total_smem_16": 16, "total_smem_1000": 1000, "total_smem_5000": 5000}


def words() -> np.ndarray:
    """Return what every kernel reads: uint32[1024]."""
    return np.random.default_rng(12).integers(0, 1 << 32, 1024, dtype=np.uint32)


def names() -> list[str]:
    with zipfile.ZipFile(ARCHIVE) as archive:
        return [name.removesuffix(".cubin") for name in archive.namelist() if name.endswith(".cubin")]


def digest(results: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(results, np.uint32).tobytes()).hexdigest()[:16]


def kept(name: str, results: np.ndarray) -> np.ndarray:
    """Return what is compared of results: of a log (o_) the lanes, as these may write their places to one word."""
    return results[1::2] if name.startswith("o_") else results


def unpack(job: Path) -> None:
    zipfile.ZipFile(ARCHIVE).extractall(job / "cubins")
    (job / "list.txt").write_text("".join(f"{name} {SHARED.get(name, 0)}\n" for name in names()))
    words().tofile(job / "x.bin")


def collect(job: Path, raw: Path, source: Path) -> None:
    wanted = ("smsp__", "l1tex__t_", "l1tex__data_pipe", "l1tex__data_bank_conflicts", "l1tex__m_")
    counted = list(sums_of(raw, lambda name: name.startswith(wanted)))
    launches = {}
    for line, (_, metrics), instructions in zip(
        (job / "list.txt").read_text().splitlines(), counted, pages(source, [len(counted)]), strict=True
    ):
        name = line.split()[0]
        found = np.fromfile(job / "results" / f"{name}.out", np.uint32)
        launches[name] = {"results": digest(kept(name, found)), "metrics": metrics, "instructions": instructions}
    write(DATA / "varied_h200.json.gz", "NVIDIA H200", launches)


if __name__ == "__main__":
    carry_out(unpack, collect)
