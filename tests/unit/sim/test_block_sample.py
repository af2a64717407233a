"""Samples of the blocks of a multiprocessor."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.estimate.block_sample import ENOUGH_ISSUES, FEWEST_WAVES, MOST_WAVES, BlockSample
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options

OWN = np.arange(7, 7 + 132 * 1000, 132)


def test_few_blocks_are_all_looked_at() -> None:
    sample = BlockSample(OWN[:20], 8)
    assert list(sample.blocks) == list(OWN[:20])
    assert sample.part == 1.0


def test_many_blocks_are_the_first_ones_and_some_from_all_over() -> None:
    sample = BlockSample(OWN, 8)
    assert len(sample.blocks) == MOST_WAVES * 8
    assert list(sample.blocks[:8]) == list(OWN[:8])
    assert np.all(np.diff(sample.blocks) > 0)
    assert sample.blocks[-1] > OWN[-5]
    assert sample.part == pytest.approx(0.512)


@pytest.mark.parametrize(("a_block", "waves"), [(ENOUGH_ISSUES, FEWEST_WAVES), (ENOUGH_ISSUES // 160, 20)])
def test_costly_blocks_make_the_sample_smaller(a_block: int, waves: int) -> None:
    sample = BlockSample(OWN, 8)
    begun = list(sample.blocks[:12])
    assert sample.reduce(started=12, issued=8 * a_block)
    assert len(sample.blocks) == waves * 8
    assert list(sample.blocks[:12]) == begun
    assert np.all(np.diff(sample.blocks) > 0)
    assert set(sample.blocks) <= set(OWN)


def test_cheap_blocks_leave_the_sample_as_it_is() -> None:
    sample = BlockSample(OWN, 8)
    before = list(sample.blocks)
    assert not sample.reduce(started=12, issued=8000)
    assert list(sample.blocks) == before


def test_blocks_that_have_started_stay() -> None:
    sample = BlockSample(OWN, 8)
    begun = list(sample.blocks[:300])
    assert sample.reduce(started=300, issued=296 * ENOUGH_ISSUES)
    assert list(sample.blocks) == begun


TABLE = 1 << 17  # words, which every block reads twice


def test_a_sample_brings_in_what_it_stands_for() -> None:
    text = """__global__ void rows(const int *x, int *y, int n) {
        int sum = 0;
        for (int k = threadIdx.x; k < 2 * n; k += blockDim.x)
            sum += x[k % n];
        if (sum)
            y[threadIdx.x] = sum;
    }"""
    program, blocks = wv.compile(text, device="h200"), 132 * 64
    arguments = [np.zeros(TABLE, np.int32), np.zeros(1024, np.int32), TABLE]
    bound = bind(program, (blocks, 1, 1), (1024, 1, 1), arguments, 0)
    options = SmOptions(record=False, estimate=True)
    result = run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), options).result
    assert result.blocks_run < blocks // 132 / 2
    sectors = result.dram_sectors * blocks / result.blocks_run
    # The table once; 2.7 times without what the first blocks have brought in for the others.
    assert sectors == pytest.approx(TABLE * 4 / 32, rel=0.1)
