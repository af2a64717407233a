"""Choose which blocks of a multiprocessor an estimate looks at, as many as it can afford."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEWEST_WAVES, MOST_WAVES = 4, 64  # of resident blocks
ENOUGH_ISSUES = 1 << 20  # warp instructions, beyond which no more than FEWEST_WAVES are looked at


class BlockSample:
    """Sample the blocks ``own`` of a multiprocessor, of which ``resident`` run at a time: those that it starts with,
    and later ones from all over the rest. ``blocks`` are at first as many as an estimate takes at most; ``reduce``
    leaves some of them out once it is known what a block costs."""

    def __init__(self, own: NDArray[np.int64], resident: int) -> None:
        self._own, self._resident = own, resident
        self.blocks = self._spread(own[:resident], own[resident:], MOST_WAVES)

    @property
    def part(self) -> float:
        """Return the share of the multiprocessor's blocks that are looked at."""
        return len(self.blocks) / max(1, len(self._own))

    def _spread(self, first: NDArray[np.int64], rest: NDArray[np.int64], waves: int) -> NDArray[np.int64]:
        """Return ``first`` and blocks from all over the rest, so many waves together."""
        count = min(len(rest), max(0, waves * self._resident - len(first)))
        places = np.linspace(0, len(rest), count, endpoint=False).astype(np.int64)
        return np.concatenate([first, rest[places]])

    def reduce(self, started: int, issued: int) -> bool:
        """Leave blocks out when the first ``started`` of them have issued so many instructions; returns whether the
        sample has changed. The blocks that run are half done on the average."""
        a_block = issued / max(1.0, started - self._resident / 2)
        waves = ENOUGH_ISSUES / (a_block * self._resident)
        count = round(self._resident * min(max(waves, FEWEST_WAVES), MOST_WAVES))
        if count >= len(self.blocks):
            return False
        begun = self.blocks[:started]
        later = (
            self._own[np.searchsorted(self._own, begun[-1], side="right") :]
            if started > self._resident
            else (self._own[self._resident :])
        )
        self.blocks = self._spread(begun, later, max(1, round(count / self._resident)))
        return True
