"""Choose a sample of a launch's blocks in place of all of them, from an estimate of the launch's time.

A sample's counts are scaled to the whole launch: they are estimates, exact where all blocks do the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

LONG_SECONDS = 10.0  # a launch that takes longer is asked about
FIRST_LOOK = 1.0  # seconds after which blocks done are enough for an estimate
GOLDEN = 0.6180339887498949

Ask = Callable[[float], float]


class SampleWanted(Exception):
    """A launch is to be executed as a sample of its blocks: a ``share`` between 0 and 1."""

    def __init__(self, share: float) -> None:
        self.share = share
        super().__init__(share)


def sampled(blocks: NDArray[np.int64], share: float) -> NDArray[np.int64]:
    """Return a share of some blocks, at least one, ascending.

    One block is taken of each of as many equal parts, at places that follow no stride: columns of blocks that do more
    than others, as at the edge of a picture, have their part of the sample.
    """
    count = max(1, round(len(blocks) * share))
    if count >= len(blocks):
        return blocks
    places = (np.arange(count) + np.arange(1, count + 1) * GOLDEN % 1.0) * (len(blocks) / count)
    return blocks[places.astype(np.int64)]


def scaled(counts: NDArray[np.int64], executed: int, blocks: int) -> NDArray[np.int64]:
    """Return the counts of ``executed`` blocks as those of ``blocks``."""
    return counts if executed == blocks else np.rint(counts * (blocks / max(1, executed))).astype(np.int64)


def about(seconds: float) -> str:
    """Return a time as people say it."""
    for size, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return "1 second" if round(seconds) <= 1 else f"{seconds:.0f} seconds"


class Estimate:
    """Estimate how long a launch takes, from the blocks that are done, and ask once where that is long.

    ``ask`` is called with the seconds of the whole launch and returns the share of the blocks to execute, 1 for all; it
    may raise Cancelled.
    """

    def __init__(self, ask: Ask | None) -> None:
        self._ask, self._start = ask, time.monotonic()

    def look(self, finished: int, total: int) -> None:
        """Take note of the blocks that are done. Raises SampleWanted where the answer is to take fewer."""
        elapsed = time.monotonic() - self._start
        if self._ask is None or not finished or elapsed < FIRST_LOOK:
            return
        whole = elapsed * total / finished
        if whole > LONG_SECONDS:
            ask, self._ask = self._ask, None
            share = ask(whole)
            if share < 1:
                raise SampleWanted(share)
