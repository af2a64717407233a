"""The bounded history of a run: copies of its state now and then, and every change to global memory between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Steps between keyframes: few enough that carrying them out again takes a millisecond or three at most, and so many
# that a keyframe costs no more memory a step than the events themselves.
FIRST_INTERVAL = 8192
LAST_INTERVAL = 32768
BYTES_A_STEP = 32


@dataclass(frozen=True)
class Changes:
    """Words of global memory that changed, in order: word index, old and new value. ``end[k]`` is how many there are
    up to and including the k-th event since the keyframe."""

    end: NDArray[np.int64]
    word: NDArray[np.uint32]
    old: NDArray[np.uint32]
    new: NDArray[np.uint32]

    @property
    def nbytes(self) -> int:
        return int(self.end.nbytes + self.word.nbytes + self.old.nbytes + self.new.nbytes)

    def followed_by(self, other: Changes) -> Changes:
        return Changes(
            np.concatenate([self.end, other.end + len(self.word)]),
            np.concatenate([self.word, other.word]),
            np.concatenate([self.old, other.old]),
            np.concatenate([self.new, other.new]),
        )


@dataclass(frozen=True)
class Stretch:
    """The steps from ``first`` on: the state there, and what changes until the next stretch."""

    first: int
    state: tuple[NDArray[np.generic], ...]
    changes: Changes

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for array in self.state) + self.changes.nbytes


class Keyframes:
    """Stretches of steps, in order. They grow longer when they take more than ``limit`` bytes together."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.stretches: list[Stretch] = []
        self.interval = FIRST_INTERVAL
        self.nbytes = 0

    def append(self, stretch: Stretch) -> None:
        self.stretches.append(stretch)
        self.nbytes += stretch.nbytes
        if len(self.stretches) == 1:
            size = sum(int(array.nbytes) for array in stretch.state)
            self.interval = min(max(size // BYTES_A_STEP, FIRST_INTERVAL), LAST_INTERVAL)
        while self.nbytes > self._limit and self.interval < LAST_INTERVAL:
            self._thin_out()

    @property
    def full(self) -> bool:
        """Nothing more can be kept."""
        return self.nbytes > self._limit

    def _thin_out(self) -> None:
        """Join the stretches in pairs and drop the states of the second ones."""
        joined = []
        for k in range(0, len(self.stretches), 2):
            pair = self.stretches[k : k + 2]
            changes = pair[0].changes if len(pair) == 1 else pair[0].changes.followed_by(pair[1].changes)
            joined.append(Stretch(pair[0].first, pair[0].state, changes))
        self.stretches = joined
        self.interval = min(2 * self.interval, LAST_INTERVAL)
        self.nbytes = sum(stretch.nbytes for stretch in joined)

    def at(self, step: int) -> int:
        """Index of the stretch that holds a step: the last that begins at or before it."""
        return bisect_right(self.stretches, step, key=lambda stretch: stretch.first) - 1

    @property
    def steps(self) -> NDArray[np.int64]:
        """Where the stretches begin."""
        return np.array([stretch.first for stretch in self.stretches], dtype=np.int64)

    def move_memory(self, words: NDArray[np.uint32], start: int, goal: int) -> None:
        """Bring global memory from how it is after step ``start`` to how it is after step ``goal``."""
        if start < goal:
            for stretch, low, high in self._between(start, goal):
                # Of a word that occurs more than once the last value stays.
                words[stretch.word[low:high]] = stretch.new[low:high]
        else:
            for stretch, low, high in reversed(self._between(goal, start)):
                words[stretch.word[low:high][::-1]] = stretch.old[low:high][::-1]

    def _between(self, start: int, goal: int) -> Sequence[tuple[Changes, int, int]]:
        """The changes of the events after step ``start`` up to step ``goal``, stretch by stretch."""
        found = []
        for k in range(self.at(start), self.at(goal) + 1):
            stretch = self.stretches[k]
            end = stretch.changes.end
            first = min(max(start - stretch.first, 0), len(end))
            last = min(max(goal - stretch.first, 0), len(end))
            low = int(end[first - 1]) if first else 0
            high = int(end[last - 1]) if last else 0
            if low < high:
                found.append((stretch.changes, low, high))
        return found
