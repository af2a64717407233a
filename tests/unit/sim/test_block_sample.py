"""Samples of the blocks of a multiprocessor."""

from __future__ import annotations

import numpy as np
import pytest

from warpview.sim.estimate.block_sample import ENOUGH_ISSUES, FEWEST_WAVES, MOST_WAVES, BlockSample

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
