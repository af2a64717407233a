"""The estimate of a launch whose blocks all run at once follows the multiprocessor that has most to do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import warpview as wv
from warpview.devices import load_device
from warpview.sim.binding import bind
from warpview.sim.block_work import busiest_multiprocessor
from warpview.sim.engine_sm import run_sm
from warpview.sim.events import SmOptions
from warpview.sim.launch import Options

FOUR = replace(load_device("h200"), multiprocessors=4)


def test_most_work_on_the_average_decides() -> None:
    work = [10, 10, 10, 40, 10, 10, 35, 20]
    assert busiest_multiprocessor(work.__getitem__, FOUR, 8, 2) == 3


def test_blocks_that_do_the_same_are_not_all_looked_at() -> None:
    seen: list[int] = []

    def work_of(block: int) -> int:
        seen.append(block)
        return 100

    assert busiest_multiprocessor(work_of, FOUR, 16, 4) == 0
    assert len(seen) == 5


def test_where_blocks_follow_one_another_the_first_multiprocessor_stands_for_all() -> None:
    assert busiest_multiprocessor(lambda block: block, FOUR, 9, 2) == 0


def test_a_block_that_cannot_be_counted_leaves_the_first() -> None:
    assert busiest_multiprocessor(lambda block: 0 if block == 5 else 1 + block, FOUR, 8, 2) == 0


def test_the_estimate_takes_as_long_as_its_longest_block() -> None:
    source = """
    __global__ void turns(int *out)
    {
        int sum = 0;
        for (int k = 0; k < 20 * blockIdx.x; k++)
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
