"""Compile and launch probes_hopper.cu and counted_atomics.cu on this machine's NVIDIA GPU; needs cupy, numpy and ncu.

python tests/sass/record_hopper.py build JOB             compile both; needs nvcc alone
python tests/sass/record_hopper.py probes JOB            results of the probes, as JOB/hopper_h200.npz
python tests/sass/record_hopper.py counted JOB           launches of the counted kernels: this one under ncu
python tests/sass/record_hopper.py collect JOB RAW.csv   what ncu counted, as JOB/atomics_h200.json.gz
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from counted_tables import sums_of, write

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

SOURCE, COUNTED = HERE / "probes_hopper.cu", HERE / "counted_atomics.cu"
WORD_BYTES, VIMNMX = 16, 0x248
KINDS = [k for k in range(16) if k & 1 or not k & 4]  # of VIMNMX: .RELU of unsigned integers is an illegal instruction
LIMITS = [f"v_{k}" for k in range(len(KINDS))]
OTHERS = re.findall(r"^(?:PROBE|VECTOR\d)\((\w+)", SOURCE.read_text(), re.MULTILINE) + re.findall(
    r"(?<=[ \n])(?:VECTOR\d|BITS\d+)\(([a-z]\w+), ", SOURCE.read_text()
)
PROBES = [*LIMITS, *sorted(set(OTHERS) - {"name"})]
THREADS = {"v": 1024, "f": 1024, "x": 512, "m": 256, "w": 256, "y": 256}  # by the first letter of a probe
BARRIERS, STEPS = 64, 24  # of y_barrier
PLACES = 4096  # of the vectors that a counted atomic may change
COUNTED_LAUNCHES = {
    **dict.fromkeys(("red_1", "atom_1", "red_2", "atom_2", "red_4", "atom_4"), 16),
    **dict.fromkeys(("red_h4", "red_h8", "atom_h8"), 8),
    **dict.fromkeys(("bar_arrive", "bar_test"), 8),
}


def operands(name: str) -> list[np.ndarray[Any, Any]]:
    """Return the words a, b and c of each thread of a probe; some halves of a and b are equal."""
    rng = np.random.default_rng([9, sum(name.encode())])
    threads = THREADS[name[0]]
    a, b, c = (rng.integers(0, 1 << 32, threads, dtype=np.uint32) for _ in range(3))
    for mask in (0xFFFF, 0xFFFF0000, 0xFFFFFFFF):
        equal = rng.random(threads) < 0.1
        b[equal] = (b[equal] & ~np.uint32(mask)) | (a[equal] & np.uint32(mask))
    return [a, b, c]


def steps() -> list[np.ndarray[Any, Any]]:
    """Return the operands of y_barrier: of each thread the number of arrivals, and what it does."""
    rng = np.random.default_rng(16)
    counts = rng.integers(0, 16, BARRIERS, dtype=np.uint32)
    return [counts, rng.integers(0, 1 << 32, BARRIERS * STEPS, dtype=np.uint32), counts]


def counted_inputs(kernel: str, number: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return where the atomic of each of 32 lanes goes, and which lanes have one."""
    rng = np.random.default_rng([sum(kernel.encode()), number])
    lanes = np.arange(32)
    patterns = (lanes, lanes * 2, lanes * 4, lanes * 32, lanes // 2, lanes * 0, lanes + 3, rng.permutation(32))
    where = patterns[number] if number < 8 else rng.integers(0, 1 << rng.integers(2, 13), 32)
    on = np.ones(32) if number in range(7) or number % 2 else rng.random(32) < 0.6
    return (where % PLACES).astype(np.uint32), on.astype(np.uint32)


# ------------------------------------------------------------------------------------------------ on any machine


def build(job: Path) -> None:
    """Compile both files, and change the VIMNMX of each kernel v_* to another kind, in the order of the file: its bits
    say which type, whether with .RELU, and whether the larger is taken."""
    from warpview.sass import cubin

    for source in (SOURCE, COUNTED):
        target = job / f"{source.stem}.cubin"
        subprocess.run(["nvcc", "-w", "-std=c++17", "-arch=sm_90", "-cubin", "-o", target, source], check=True)
    path = job / "probes_hopper.cubin"
    data = bytearray(path.read_bytes())
    code = next(kernel.code for kernel in cubin.load(bytes(data)).kernels if kernel.name in LIMITS)
    for kind in KINDS:
        start = data.find(code)
        (place,) = (k for k in range(0, len(code), WORD_BYTES) if _opcode(code, k) == VIMNMX)
        word = int.from_bytes(code[place : place + WORD_BYTES], "little")
        word &= ~(7 << 72 | 1 << 76 | 15 << 87)
        word |= (kind & 3) << 72 | (kind >> 2 & 1) << 76 | 7 << 87 | (kind >> 3) << 90
        data[start + place : start + place + WORD_BYTES] = word.to_bytes(WORD_BYTES, "little")
    path.write_bytes(bytes(data))


def _opcode(code: bytes, place: int) -> int:
    return int.from_bytes(code[place : place + 2], "little") & 0xFFF


def collect(job: Path, raw: Path) -> None:
    """Keep the sums that ncu counted, launch by launch."""
    launches: dict[str, list[dict[str, int]]] = {kernel: [] for kernel in COUNTED_LAUNCHES}
    for kernel, sums in sums_of(raw, lambda name: not name.startswith("gpu")):
        launches[kernel].append(sums)
    write(job / "atomics_h200.json.gz", "NVIDIA H200", launches)


# ------------------------------------------------------------------------------------------------ on the GPU


def run_probes(job: Path, names: list[str]) -> None:
    import cupy

    module, results = cupy.RawModule(path=str(job / "probes_hopper.cubin")), {}
    for name in names:
        words = operands(name)
        out = cupy.zeros(4 * len(words[0]), cupy.uint32)
        blocks = len(words[0]) // 256
        module.get_function(name)((blocks,), (256,), (out, *map(cupy.asarray, words), np.int32(256)))
        results[name] = out.get()
        print(name, results[name][:8], flush=True)
        np.savez_compressed(job / "hopper_h200.npz", **results)
    out = cupy.zeros((STEPS + 2) * BARRIERS * 8, cupy.uint32)
    module.get_function("y_barrier")((1,), (BARRIERS,), (out, *map(cupy.asarray, steps()), np.int32(0)))
    results["y_barrier"] = out.get()
    np.savez_compressed(job / "hopper_h200.npz", **results)


def run_counted(job: Path) -> None:
    import cupy

    module = cupy.RawModule(path=str(job / "counted_atomics.cubin"))
    for kernel, count in COUNTED_LAUNCHES.items():
        function = module.get_function(kernel)
        for number in range(count):
            out = cupy.zeros(65536, cupy.float32)
            arrays = map(cupy.asarray, counted_inputs(kernel, number))
            function((1,), (32,), (out, *arrays, np.int32(0)))


if __name__ == "__main__":
    what, folder, *files = sys.argv[1:]
    job = Path(folder)
    if what == "collect":
        collect(job, Path(files[0]))
    elif what == "probes":
        run_probes(job, files or PROBES)
    else:
        {"build": build, "counted": run_counted}[what](job)
