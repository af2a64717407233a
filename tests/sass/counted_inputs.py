"""Give the inputs of the kernels of counted.cu: which words, which places, by kernel and number.

``data/counted_h200.json.gz`` has what Nsight Compute counted of each launch on an H200, of one block.
"""

from __future__ import annotations

import numpy as np

LAUNCHES = {"g_mixed": 16, "g_wide": 16, "g_byte": 16, "g_store": 12, "g_shared": 6, "g_local": 6, "g_global": 4,
            "g_atomic": 8, "c_table": 12, "c_loop": 8, "c_passed": 8, "b_index": 110, "b_switch": 60,
            "g_constant": 4}  # fmt: skip


def inputs(kernel: str, number: int) -> tuple[int, list[np.ndarray], int]:
    """Return the number of threads, the arrays pa, pb, pc, and n."""
    rng = np.random.default_rng([sum(kernel.encode()), number])
    family = kernel[0]
    threads = 32 if family == "b" or number % 3 < 2 else 96
    pb = rng.integers(0, 1 << 32, 8192, dtype=np.uint32)
    step = int(rng.choice([1, 1, 2, 4, 32]))
    pa = (np.arange(threads) * step + rng.integers(0, 4)).astype(np.uint32)
    if number % 2:
        pa = rng.integers(0, 1 << 12, threads, dtype=np.uint32)
    if family == "g":
        spaces = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2], [0, 1, 2, 3]][number % 8]
        if kernel == "g_atomic":
            spaces = [[0], [2], [0, 2], [0, 2, 3]][number % 4]
        if kernel == "g_constant":
            spaces = [0, 1] if number % 2 else [number // 2]
        pc = rng.choice(spaces, threads).astype(np.uint32)
    elif family == "c":
        pc = rng.choice(rng.permutation(8)[: 1 + number % 6], threads).astype(np.uint32)
        if kernel == "c_table" and number % 4 == 3:
            pc[rng.random(threads) < 0.3] = 99
    else:
        places = rng.permutation(8 if kernel == "b_index" else 17)[: 2 + number % 6]
        pc = rng.choice(places, threads).astype(np.uint32)
        if number % 3 == 1:  # two places, by halves or runs of lanes
            pc = np.where(np.arange(threads) < rng.integers(1, 32), places[0], places[1]).astype(np.uint32)
        if number % 5 > 1:
            pc[rng.random(threads) < rng.random()] = 99
        pc = np.concatenate([np.zeros(64, np.uint32), pc])
        pc[:64] = rng.integers(0, 1 << 32, 64, dtype=np.uint32)
    return threads, [pa, pb, pc], int(rng.integers(0, 64))
