"""The estimate of a launch takes the multiprocessor that ends last for all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.estimate.block_work import ENOUGH_COUNTED, dealt, slowest_blocks
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

FOUR = replace(load_device("h200"), multiprocessors=4)


def test_most_work_on_the_average_decides() -> None:
    work = [10, 10, 10, 40, 10, 10, 35, 20]
    assert slowest_blocks(work.__getitem__, FOUR, 8, 2) == [3, 7]


def test_blocks_that_do_the_same_are_not_all_looked_at() -> None:
    seen: list[int] = []

    def work_of(block: int) -> int:
        seen.append(block)
        return 100

    assert slowest_blocks(work_of, FOUR, 16, 4) == []
    assert len(seen) == len(set(seen)) <= 12


def test_a_multiprocessor_that_has_less_to_do_gets_more_blocks() -> None:
    blocks, ends = dealt([8, 2, 2, 2, 2, 2, 2, 8], 2, 1)
    assert blocks == [[0, 5, 7], [1, 2, 3, 4, 6]]
    assert ends == [18, 10]
    assert slowest_blocks([8, 2, 2, 2, 2, 2, 2, 8].__getitem__, replace(FOUR, multiprocessors=2), 8, 1) == blocks[0]


def test_blocks_of_a_multiprocessor_share_its_time() -> None:
    assert dealt([4, 2, 6], 1, 2) == ([[0, 1, 2]], [12])
    assert dealt([4, 2], 1, 2)[1] == [6]


def test_multiprocessors_that_end_together_are_alike() -> None:
    assert slowest_blocks(lambda block: 100 + 50 * (block % 2), FOUR, 400, 2) == []


def test_of_many_blocks_only_some_are_counted() -> None:
    seen: list[int] = []

    def work_of(block: int) -> int:
        seen.append(20_000 * (1 + (block % 4 == 0)))
        return seen[-1]

    assert slowest_blocks(work_of, FOUR, 1000, 250) == list(range(0, 1000, 4))
    assert sum(seen) < ENOUGH_COUNTED < 1000 * 25_000


def test_what_has_been_counted_decides_where_more_would_take_too_long() -> None:
    counted: list[int] = []

    def work_of(block: int) -> int | None:
        if len(counted) == 40:
            return None
        counted.append(block)
        return 100 if block % 4 else 200

    assert slowest_blocks(work_of, FOUR, 64, 16) == list(range(0, 64, 4))
    assert max(counted) >= 60


def test_a_first_multiprocessor_that_has_less_to_do_than_all_others_is_not_followed() -> None:
    """The last one to end is no later than the mean by as much as blocks may differ, as most end with it."""
    several = replace(FOUR, multiprocessors=32)
    assert slowest_blocks(lambda block: 80 if block % 32 == 0 else 100, several, 64, 2) == [1, 33]


def test_a_block_that_cannot_be_counted_leaves_the_first() -> None:
    assert slowest_blocks(lambda block: 0 if block == 5 else 1 + block, FOUR, 8, 2) == []


def test_the_estimate_takes_as_long_as_its_longest_block() -> None:
    source = """
    __global__ void turns(int *out)
    {
        int sum = 0;
        for (int k = 0; k < 40 * blockIdx.x; k++)
            sum += k ^ threadIdx.x;
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    }"""
    program = wv.compile(source, "turns", device="h200")

    def us(blocks: int, multiprocessor: int, estimate: bool) -> float:
        bound = bind(program, (blocks, 1, 1), (32, 1, 1), [np.zeros(32 * blocks, np.int32)], 0)
        options = SmOptions(record=False, estimate=estimate, multiprocessor=multiprocessor)
        return run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(), options).result.time_us

    assert us(100, 0, estimate=True) == us(100, 99, estimate=False)
    assert us(100, 0, estimate=True) > 5 * us(100, 0, estimate=False)
