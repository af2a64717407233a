"""Floating-point atomics on the shared memory of other blocks give what NumPy gives, in both engines and compilers."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import findings
from support.compilers import COMPILERS

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

BLOCKS, THREADS = 4, 64
# Each thread adds its value to one of the words of another block, and takes what it found there.
SOURCE = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) add(const REAL *values, REAL *sums, REAL *found) {
    __shared__ REAL words[16];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) words[t] = REAL(-0.0);
    cluster.sync();
    REAL *there = cluster.map_shared_rank(words, (cluster.block_rank() + 1 + t % 3) % 4);
    TAKE atomicAdd(there + t % 16, values[i]);
    cluster.sync();
    if (t < 16) sums[blockIdx.x * 16 + t] = words[t];
}
"""


def values(dtype: type[np.floating]) -> np.ndarray:
    """Numbers of many sizes, subnormal ones and zeros of both signs among them, a half of each whole."""
    rng = np.random.default_rng(7)
    drawn = (rng.standard_normal(BLOCKS * THREADS) * 2.0 ** rng.integers(-20, 20, BLOCKS * THREADS)).astype(dtype)
    drawn[::7] = np.finfo(dtype).smallest_subnormal * 3
    drawn[3::11] = -0.0
    return drawn


def exact(dtype: type[np.floating]) -> np.ndarray:
    """Numbers whose sums are exact in any order."""
    return np.random.default_rng(8).integers(-1000, 1000, BLOCKS * THREADS).astype(dtype) / 8


def places() -> tuple[np.ndarray, np.ndarray]:
    """The block and the word that each thread adds to."""
    block, t = np.divmod(np.arange(BLOCKS * THREADS), THREADS)
    return (block + 1 + t % 3) % 4, t % 16


def launched(compiler: str, dtype: type[np.floating], numbers: np.ndarray, take: str, engine: str) -> wv.Run:
    real = {np.float32: "float", np.float64: "double"}[dtype]
    program = wv.compile(SOURCE.replace("REAL", real).replace("TAKE", take), compiler=compiler, device="h200")
    arguments = [numbers, np.zeros(BLOCKS * 16, dtype), np.zeros(BLOCKS * THREADS, dtype)]
    return wv.simulate(program, BLOCKS, THREADS, arguments, device="h200", engine=engine)


@pytest.mark.parametrize("engine", ["profile", "sm"])
@pytest.mark.parametrize("take", ["", "found[i] ="])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_sums_equal_numpys(compiler: str, dtype: type[np.floating], take: str, engine: str) -> None:
    numbers = exact(dtype)
    run = launched(compiler, dtype, numbers, take, engine)
    sums = np.zeros((BLOCKS, 16), dtype)
    np.add.at(sums, places(), numbers)
    np.testing.assert_array_equal(run.buffers["sums"].reshape(BLOCKS, 16), sums)
    assert run.findings == ()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_sum_is_rounded_after_each_addition(compiler: str, dtype: type[np.floating]) -> None:
    """What each thread found tells the order of the additions to a word; NumPy adds in that order, bit for bit."""
    numbers = values(dtype)
    run = launched(compiler, dtype, numbers, "found[i] =", "profile")
    found, sums = run.buffers["found"], run.buffers["sums"].reshape(BLOCKS, 16)
    words = {np.float32: np.uint32, np.float64: np.uint64}[dtype]
    after = (found + numbers).view(words)
    block, word = places()
    for b, k in np.ndindex(BLOCKS, 16):
        here = np.flatnonzero((block == b) & (word == k))
        left = sorted(after[here].tolist())
        taken = sorted([*found[here].view(words).tolist(), int(sums[b, k : k + 1].view(words)[0])])
        taken.remove(int(np.array([-0.0], dtype).view(words)[0]))  # what the first one found
        assert left == taken


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_engines_agree(compiler: str) -> None:
    program = wv.compile(SOURCE.replace("REAL", "float").replace("TAKE", ""), compiler=compiler, device="h200")
    outcomes = []
    for engine in (run_reference, run_profile):
        arguments = [values(np.float32), np.zeros(BLOCKS * 16, np.float32), np.zeros(BLOCKS * THREADS, np.float32)]
        bound = bind(program, (BLOCKS, 1, 1), (THREADS, 1, 1), arguments, 0, cluster=(4, 1, 1))
        outcomes.append(engine(program, load_device("h200"), bound.launch, bound.memory, Options()))
    one, other = outcomes
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.memory.data, other.memory.data)
    assert findings(one) == findings(other) == []
