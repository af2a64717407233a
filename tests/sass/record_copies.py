"""Launch counted_copies.cu, and counted.cu with few lanes, on this machine's NVIDIA GPU; needs cupy, numpy and ncu.

nvcc -arch=sm_90 -std=c++17 -cubin -o JOB/copies.cubin tests/sass/counted_copies.cu   and counted.cubin from counted.cu
python tests/sass/record_copies.py launch JOB            the launches: this one under ncu
python tests/sass/record_copies.py collect JOB RAW.csv   what ncu counted, as JOB/copies_h100.json.gz
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from counted_tables import carry_out, sums_of, write

WORDS, SOURCE_BYTES = 4096, 1 << 16
NOT_TAKING_PART = 99
SIZES = {"copy_4": 4, "copy_8": 8, "copy_16": 16, "copy_cg": 16, "copy_far": 16, "zero_4": 4, "zero_8": 8,
         "zero_16": 16, "zero_cg": 16, "skip_4": 4, "skip_cg": 16, "again_ca": 4, "again_cg": 16,
         "wide_exch": 16, "wide_cas": 16, "wide_shared": 16}  # fmt: skip
WIDE = ("wide_exch", "wide_cas", "wide_shared")  # exchanges of 128 bits, whose results are followed by what they change
COPIES = {
    **dict.fromkeys(SIZES, 16),
    **dict.fromkeys(("copy_4", "copy_8", "copy_16", "copy_cg", "zero_16"), 24),
    **dict.fromkeys(("again_ca", "again_cg", *WIDE), 12),
}
FEW = {"g_mixed": 80, "g_byte": 16, "g_store": 24}


def copy_inputs(kernel: str, number: int) -> tuple[list[np.ndarray[Any, Any]], int]:
    """Return from and to, in bytes, and how many bytes of each lane, and the number of copies."""
    rng = np.random.default_rng([sum(kernel.encode()), number])
    size, lanes = SIZES[kernel], np.arange(32)
    patterns = (lanes, lanes + 1, lanes * 2, lanes * (128 // size), lanes * 0, lanes // 2, lanes[::-1],
                rng.permutation(32), lanes ^ 1, lanes * 4, lanes % 8 * 4 + lanes // 8)  # fmt: skip
    if number < 8:
        source, target = patterns[number], patterns[0]
    elif number < 12:
        source, target = patterns[0], patterns[number - 1 if number > 9 else number - 6]
    else:
        source = rng.integers(0, 1 << rng.integers(3, 12), 32)
        target = rng.permutation(WORDS * 4 // size)[:32]
    if kernel.startswith("wide"):  # no two lanes on one place, whose order nobody knows
        source = patterns[number] if number in (0, 1, 2, 3, 6, 7, 8) else rng.permutation(SOURCE_BYTES // 16)[:32]
    count = np.full(32, size)
    if kernel[:4] == "zero" and number % 4:
        count = rng.choice([0, size, size // 2, *range(size + 1)], 32)
    if kernel[:4] == "skip" and number % 4:
        count = np.where(rng.random(32) < 0.6, size, 0)
    if number % 4 >= 2 and number >= 8:
        count[rng.random(32) < 0.5] = NOT_TAKING_PART
    source, target = source * size % SOURCE_BYTES, target * size % (WORDS * 4)
    return [array.astype(np.uint32) for array in (source, target, count)], 1 + number % 4


def source_words() -> np.ndarray[Any, Any]:
    """Return the words of global memory that are copied or exchanged."""
    return np.random.default_rng(3).integers(0, 1 << 32, SOURCE_BYTES // 4, dtype=np.uint32)


def few_inputs(kernel: str, number: int) -> tuple[list[np.ndarray[Any, Any]], int]:
    """Return pa, pb and pc of counted.cu: two to six lanes, in local and in global memory; where how is 3, in none."""
    rng = np.random.default_rng([7, sum(kernel.encode()), number])
    pb = rng.integers(0, 1 << 32, 8192, dtype=np.uint32)
    pa, pc = np.zeros(32, np.uint32), np.full(32, 3, np.uint32)
    if number < 40:  # of each: how many lanes in local and in global memory
        in_local, in_global = ((1, 1), (1, 1), (2, 1), (1, 2), (2, 2), (1, 1), (3, 1), (1, 3))[number % 8]
    else:
        in_local, in_global = rng.integers(1, 9, 2)
    lanes = rng.permutation(32)[: in_local + in_global]
    if number % 3 == 0:
        lanes = np.arange(in_local + in_global) + number % 5
    pc[lanes[:in_local]], pc[lanes[in_local:]] = 1, 2
    near = number % 4 < 2  # all lanes in one row of local memory, and in one line of global memory
    pa[lanes[:in_local]] = rng.integers(0, 64) if near else rng.integers(0, 64, in_local)
    line = int(rng.integers(0, 128)) * 32
    pa[lanes[in_local:]] = line + rng.integers(0, 32, in_global) if near else rng.integers(0, 4096, in_global)
    if kernel == "g_byte":
        pa *= 4
    return [pa, pb, pc], int(rng.integers(0, 64))


def launch(job: Path) -> None:
    import cupy

    copies, counted = (cupy.RawModule(path=str(job / f"{name}.cubin")) for name in ("copies", "counted"))
    source, results = source_words(), []
    for kernel, count in COPIES.items():
        for number in range(count):
            arrays, n = copy_inputs(kernel, number)
            out, data = cupy.zeros(WORDS + 128, cupy.uint32), cupy.asarray(source)
            copies.get_function(kernel)((1,), (32,), (out, data, *map(cupy.asarray, arrays), np.int32(n)))
            results.append(np.concatenate([out.get(), data.get() ^ source]) if kernel in WIDE else out.get())
    for kernel, count in FEW.items():
        for number in range(count):
            arrays, n = few_inputs(kernel, number)
            out = cupy.zeros(32, cupy.uint32)
            counted.get_function(kernel)((1,), (32,), (out, *map(cupy.asarray, arrays), np.int32(n)))
            results.append(out.get())
    np.savez_compressed(job / "copies_results_h100.npz", results=np.concatenate(results))


def collect(job: Path, raw: Path) -> None:
    launches: dict[str, list[dict[str, int]]] = {kernel: [] for kernel in (*COPIES, *FEW)}
    for kernel, sums in sums_of(raw, lambda name: name.startswith(("smsp__", "l1tex__")) and "sass_" not in name):
        launches[kernel].append(sums)
    write(job / "copies_h100.json.gz", "NVIDIA H100", launches)


if __name__ == "__main__":
    carry_out(launch, collect)
