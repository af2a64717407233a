"""Both engines and the reference agree on blocks in clusters, machine code included, event by event."""

from __future__ import annotations

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from agreement.test_multiprocessor_agrees import assert_same_memory, assert_same_run, assert_same_state, both
from support.agreement import findings
from support.clusters import ATOMICS, HEAD, HISTOGRAM, NEIGHBOURS, PASS_ON

import warpview as wv
from warpview.devices import Device, load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import Binding, bind
from warpview.sim.engine import run_profile
from warpview.sim.history.events import Inefficiency, SmOptions
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference
from warpview.sim.reference.replay import ReferenceReplay

Extents = tuple[int, int, int]
SYNC = "cluster.sync();"
BEYOND = (
    HEAD
    + """
__global__ void beyond(int *out) {
    __shared__ int own[64];
    if (threadIdx.x < 40) own[threadIdx.x] = threadIdx.x;
    cg::this_cluster().sync();
    int other = cg::this_cluster().block_rank() ^ (threadIdx.x & 1 ? 3 : 1);
    out[blockIdx.x * 64 + threadIdx.x] = cg::this_cluster().map_shared_rank(own, other)[threadIdx.x ^ 1];
    if (blockIdx.x == 3 && threadIdx.x < 32) return;
    cg::this_cluster().sync();
}"""
)


def case(name: str) -> tuple[str, Extents, Extents, int, list[object], int]:
    """Return text, grid, cluster, threads, arguments and dynamic shared bytes."""
    data = np.random.default_rng(2).integers(-3, 20, 150).astype(np.int32)
    zeros = np.zeros
    return {
        "histogram": (HISTOGRAM, (6, 1, 1), (2, 1, 1), 48, [zeros(16, np.int32), 16, 8, data, 150], 32),
        "neighbours": (NEIGHBOURS, (4, 2, 1), (2, 2, 1), 64, [zeros(512, np.float32), zeros(96, np.uint32)], 0),
        "atomics": (ATOMICS, (6, 1, 1), (3, 1, 1), 32, [zeros(112, np.int32), zeros(6, np.uint64), zeros(12)], 0),
        "ordered": (
            PASS_ON.replace("BETWEEN", SYNC), (8, 1, 1), (4, 1, 1), 32, [zeros(256, np.int32), zeros(256, np.int32), 2],
            0,
        ),
        "races": (
            PASS_ON.replace("BETWEEN", "__syncthreads();"), (4, 1, 1), (2, 1, 1), 32,
            [zeros(128, np.int32), zeros(128, np.int32), 1], 0,
        ),
        "held": (
            PASS_ON.replace("BETWEEN", "if (rank == 1 && threadIdx.x < 32) __syncthreads(); " + SYNC), (2, 1, 1),
            (2, 1, 1), 64, [zeros(128, np.int32), zeros(128, np.int32), 1], 0,
        ),
        "beyond": (BEYOND, (4, 1, 1), (2, 1, 1), 64, [zeros(256, np.int32)], 0),
    }[name]  # fmt: skip


CASES = ("histogram", "neighbours", "atomics", "ordered", "races", "held", "beyond")


NEEDS_NVRTC = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


def cases(*machine_code: str) -> list[ParameterSet]:
    """Return each case with each compiler; those as machine code that are not named wait for ``--exhaustive``."""
    waiting = {name: () if name in machine_code else (pytest.mark.exhaustive,) for name in CASES}
    compiled = [pytest.param(name, "nvrtc", marks=(NEEDS_NVRTC, *waiting[name])) for name in CASES]
    return [*(pytest.param(name, "warpview") for name in CASES), *compiled]


def bound(name: str, compiler: str) -> tuple[wv.Program, tuple[Binding, Binding]]:
    text, grid, cluster, threads, arguments, dynamic = case(name)
    program = wv.compile(text, compiler=compiler, device="h200")
    first, second = (bind(program, grid, (threads, 1, 1), arguments, dynamic, cluster=cluster) for _ in range(2))
    return program, (first, second)


@pytest.mark.parametrize(("name", "compiler"), cases("neighbours", "atomics", "races", "held", "beyond"))
def test_all_blocks(name: str, compiler: str) -> None:
    program, (a, b) = bound(name, compiler)
    device, options = load_device("h200"), Options(step_budget=20_000)
    one = run_reference(program, device, a.launch, a.memory, options)
    two = run_profile(program, device, b.launch, b.memory, options)
    assert one.aborted == two.aborted == (name == "held")
    assert findings(one) == findings(two)
    assert np.array_equal(one.counts, two.counts)
    assert_same_memory(one.memory, two.memory)


@pytest.mark.parametrize(("name", "compiler"), cases("neighbours", "held"))
def test_one_multiprocessor(name: str, compiler: str) -> None:
    program, bindings = bound(name, compiler)
    chip = Device(**{**vars(load_device("h200")), "multiprocessors": 1})
    before, options = bindings[0].memory.copy(), Options(step_budget=20_000)
    # Of the last cluster the blocks are executed afterwards, and not all others are resident at once.
    launch = bindings[0].launch
    sm = SmOptions(block_limit=launch.n_blocks - 1 if launch.n_blocks > launch.cluster_blocks else None)
    one, two = both(program, chip, bindings, options, sm)
    assert_same_run(program, one, two)
    replay = ReferenceReplay(
        program, chip, launch, before, options, one.events, one.started, two.result.resident_blocks
    )
    for step in (len(two.events), 7, len(two.events) // 2):
        replay.seek(step)
        two.replay.seek(step)
        if compiler == "warpview":
            assert_same_state(replay, two.replay, launch.warps)
        slots = len(two.replay.blocks)
        assert np.array_equal(replay.shared[:slots], two.replay.shared)
        assert np.array_equal(replay.memory, two.replay.memory)


def test_the_cost_of_other_blocks_shared_memory_can_be_left_out() -> None:
    chip, results = Device(**{**vars(load_device("h200")), "multiprocessors": 1}), []
    for left_out in (frozenset[Inefficiency](), frozenset({Inefficiency.DISTRIBUTED})):
        program, bindings = bound("neighbours", "warpview")
        one, two = both(program, chip, bindings, Options(), SmOptions(without=left_out))
        assert_same_run(program, one, two)
        results.append(two.result)
    whole, without = results
    assert whole.busy.distributed > without.busy.distributed == 0
    assert without.cycles < whole.cycles
