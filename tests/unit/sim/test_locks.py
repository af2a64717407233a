"""What a lock that all blocks take makes of the time of a launch: its sections follow one another."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from tests.support.compilers import COMPILERS
from warpview.devices import load_device
from warpview.diagnostics import LaunchError
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.estimate import other_blocks
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

SWAPS = """
__global__ void count(unsigned *words, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == 0) {
            while (atomicCAS(&words[0], 0u, 1u) != 0u)
                ;
            words[32] += 1;
            __threadfence();
            atomicExch(&words[0], 0u);
        }
        __syncthreads();
    }
}
"""
TICKETS = """
__global__ void count(unsigned *words, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == 0) {
            unsigned mine = atomicAdd(&words[64], 1u);
            while (*(volatile unsigned *)&words[96] != mine)
                ;
            words[32] += 1;
            __threadfence();
            atomicAdd(&words[96], 1u);
        }
        __syncthreads();
    }
}
"""


def estimated(source: str, compiler: str, blocks: int, threads: int, rounds: int) -> float:
    """Return the cycles of a launch."""
    program, device = wv.compile(source, "count", compiler=compiler, device="h100"), load_device("h100")
    bound = bind(program, (blocks, 1, 1), (threads, 1, 1), [np.zeros(128, np.uint32), rounds], 0)
    options = SmOptions(record=False, estimate=True)
    result = run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result
    return (result.time_us - device.launch_overhead_us) * device.clock_mhz


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("source", [SWAPS, TICKETS])
def test_sections_of_all_blocks_follow_one_another(source: str, compiler: str) -> None:
    """None is much shorter than a load from the L2 within it and the access that finds that it has begun."""
    shortest = 1.9 * load_device("h100").latency_l2
    for threads in (32, 256):
        assert estimated(source, compiler, 132, threads, 2) > 264 * shortest


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_lock_takes_as_long_whoever_waits_beside_its_taker(compiler: str) -> None:
    alone, among = (estimated(SWAPS, compiler, 132, threads, 4) for threads in (32, 256))
    assert among == pytest.approx(alone, rel=0.2)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_twice_as_many_sections_take_twice_as_long(compiler: str) -> None:
    few, many = (estimated(SWAPS, compiler, 66, 32, rounds) for rounds in (4, 8))
    assert many == pytest.approx(2 * few, rel=0.25)


def test_a_launch_that_others_keep_too_long_has_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The followed block has its turn soon, and the others have executed 81,000 instructions in all."""
    assert estimated(SWAPS, "warpview", 132, 32, 1) > 0
    monkeypatch.setattr(other_blocks, "ENOUGH_EXECUTED", 20_000)
    with pytest.raises(LaunchError, match="wait for one another too long"):
        estimated(SWAPS, "warpview", 132, 32, 1)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_estimate_ends_where_another_block_is_aborted(compiler: str) -> None:
    source = SWAPS.replace("words[32] += 1;", "if (blockIdx.x == 5) __trap();")
    assert estimated(source, compiler, 132, 32, 1) > 0
