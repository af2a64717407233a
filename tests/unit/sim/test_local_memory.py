"""Local memory is clean for every warp, and only what was written of it is cleared."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest

import warpview as wv

# Every block finds zeros where the one before it has left its number, at places that differ from block to block.
KERNEL = """
__global__ void k(int *out, int n) {
    int a[SIZE];
    int at = (blockIdx.x * 37 + threadIdx.x * 5) % (SIZE - 1);
    int found = 0;
    for (int j = 0; j < n; ++j) found |= a[(at + 17 * j) % SIZE];
    a[at] = blockIdx.x + 1;
    out[blockIdx.x * blockDim.x + threadIdx.x] = found + a[at];
}
"""


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("device", ["c2050", "h200"])
def test_a_block_finds_nothing_of_the_one_before(engine: str, device: str) -> None:
    program = wv.compile(KERNEL, defines={"SIZE": 50})
    run = wv.simulate(program, 64, 64, [np.zeros(64 * 64, np.int32), 50], device=device, engine=engine, threads=1)
    np.testing.assert_array_equal(run.buffers["out"].reshape(64, 64), np.arange(1, 65)[:, None].repeat(64, axis=1))
    assert {finding.kind for finding in run.findings} == {"uninitialised read"}


def test_large_arrays_cost_what_is_written_of_them() -> None:
    def seconds(size: int) -> float:
        program = wv.compile(KERNEL, defines={"SIZE": size})
        start = process_time()
        wv.simulate(program, 128, 256, [np.zeros(128 * 256, np.int32), 1], check=False)
        return process_time() - start

    seconds(100)
    assert seconds(50_000) < 20 * seconds(100) + 2  # clearing all of it takes over 50 GB of writes
