"""Keep the bounded history of a run: copies of its state now and then, and every change to global memory between."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# Steps between keyframes: few enough that carrying them out again takes a millisecond or three at most, and so many
# that a keyframe costs no more memory a step than the events themselves.
FIRST_INTERVAL = 8192
LAST_INTERVAL = 32768
BYTES_A_STEP = 32


@dataclass(frozen=True)
class MemoryChanges:
    """List the words of global memory that changed, in order: word index, old and new value. ``end[k]`` is how many
    there are up to and including the k-th event."""

    end: NDArray[np.int64]
    word: NDArray[np.uint32]
    old: NDArray[np.uint32]
    new: NDArray[np.uint32]

    @property
    def nbytes(self) -> int:
        return int(self.end.nbytes + self.word.nbytes + self.old.nbytes + self.new.nbytes)

    def until(self, step: int) -> int:
        """Return how many words changed in the first ``step`` events."""
        return int(self.end[min(step, len(self.end)) - 1]) if step and len(self.end) else 0

    @classmethod
    def joined(cls, pieces: list[MemoryChanges]) -> MemoryChanges:
        """Join the changes one after another. Takes the pieces out of their list, so that they are not held twice."""
        events, words = sum(len(piece.end) for piece in pieces), sum(len(piece.word) for piece in pieces)
        whole = cls(np.empty(events, np.int64), *(np.empty(words, np.uint32) for _ in range(3)))
        while pieces:
            piece = pieces.pop()
            events, words = events - len(piece.end), words - len(piece.word)
            whole.end[events : events + len(piece.end)] = piece.end + words
            for name in ("word", "old", "new"):
                getattr(whole, name)[words : words + len(piece.word)] = getattr(piece, name)
        return whole


@dataclass(frozen=True)
class Keyframe:
    """Hold the steps from ``first`` on, and the state there."""

    first: int
    state: tuple[NDArray[np.generic], ...]

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for array in self.state)


@dataclass(frozen=True)
class HistoryCost:
    """Hold the bytes that each ``step`` and each ``keyframe`` take elsewhere, and the ``most`` that one step can take
    in all."""

    step: int = 0
    keyframe: int = 0
    most: int = 1


class KeyframeHistory:
    """Keep keyframes in order, whose states take ``state_bytes`` each, and the changes of memory between them. The
    distances grow where otherwise all of it would take more than ``limit`` bytes, with what it costs elsewhere."""

    def __init__(self, limit: int, state_bytes: int, cost: HistoryCost) -> None:
        self._limit, self._state_bytes, self._cost = limit, state_bytes, cost
        self.keyframes: list[Keyframe] = []
        self._pieces: list[MemoryChanges] = []
        self.interval = min(max(state_bytes // BYTES_A_STEP, FIRST_INTERVAL), LAST_INTERVAL)
        self.nbytes = 0
        self._elsewhere = 0

    def append(self, keyframe: Keyframe, changes: MemoryChanges) -> None:
        """Append a keyframe, and the changes until the next one."""
        self.keyframes.append(keyframe)
        self._pieces.append(changes)
        self.nbytes += keyframe.nbytes + changes.nbytes
        self._elsewhere += self._cost.step * len(changes.end) + self._cost.keyframe

    def room(self) -> int:
        """Return how many steps may follow the next keyframe, for which room is made; 0 where nothing more can be
        kept."""
        while len(self.keyframes) > 1 and self._fitting() < self.interval < LAST_INTERVAL:
            self._thin_out()
        return max(0, min(self._fitting(), self.interval))

    def _fitting(self) -> int:
        """Return the steps that fit into what is left, whatever they change."""
        left = self._limit - self.nbytes - self._elsewhere - self._state_bytes - self._cost.keyframe
        return left // self._cost.most

    def _thin_out(self) -> None:
        """Drop every second keyframe."""
        dropped = self.keyframes[1::2]
        self.nbytes -= sum(keyframe.nbytes for keyframe in dropped)
        self._elsewhere -= self._cost.keyframe * len(dropped)
        self.keyframes = self.keyframes[::2]
        self.interval = min(2 * self.interval, LAST_INTERVAL)

    def at(self, step: int) -> int:
        """Return the index of the last keyframe at or before a step."""
        return bisect_right(self.keyframes, step, key=lambda keyframe: keyframe.first) - 1

    @property
    def steps(self) -> NDArray[np.int64]:
        """Return the step of each keyframe."""
        return np.array([keyframe.first for keyframe in self.keyframes], dtype=np.int64)

    @cached_property
    def _changes(self) -> MemoryChanges:
        """Return all changes; from here on no keyframe is appended."""
        return MemoryChanges.joined(self._pieces)

    def move_memory(self, words: NDArray[np.uint32], start: int, goal: int) -> None:
        """Bring global memory from how it is after step ``start`` to how it is after step ``goal``."""
        changes = self._changes
        low, high = changes.until(start), changes.until(goal)
        if low < high:
            # Of a word that occurs more than once the last value stays.
            words[changes.word[low:high]] = changes.new[low:high]
        elif low > high:
            words[changes.word[high:low][::-1]] = changes.old[high:low][::-1]
