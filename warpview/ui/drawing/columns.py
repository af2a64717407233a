"""Place the 32 lanes across a picture: at the same columns in lanes, banks and segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from warpview.ui.drawing.picture import Box


@dataclass(frozen=True, eq=False)  # ``between`` keeps them: found by identity
class LaneColumns:
    """Hold the left end of each lane (or bank) and their pitch; wider gaps after every eighth."""

    left: tuple[float, ...]
    width: float
    right: float

    @classmethod
    @lru_cache(64)
    def between(cls, left: float, right: float, count: int = 32) -> LaneColumns:
        gap = max(2.0, (right - left) / 160)
        pitch = (right - left - (count - 1) // 8 * gap) / count
        return cls(tuple(left + k * pitch + (k // 8) * gap for k in range(count)), pitch, right)

    def at(self, x: float) -> int | None:
        """Return the lane whose column holds ``x``."""
        return next((k for k, left in enumerate(self.left) if left <= x < left + self.width), None)

    def centre(self, lane: int) -> float:
        return self.left[lane] + self.width / 2

    def pitch_of_numbers(self, number_width: float) -> int:
        """Return of how many lanes one can have its number, which is ``number_width`` wide: 1, 2, 4, 8, 16 or 32."""
        if self.width >= 1.12 * number_width:
            return 1
        return next((every for every in (2, 4, 8, 16) if every * self.width >= 1.5 * number_width), 32)


def cells(columns: LaneColumns, y: float, h: float, gap: float) -> tuple[Box, ...]:
    """Return a box for each lane in a row, ``gap`` narrower than its column."""
    return tuple(Box(left, y, columns.width - gap, h) for left in columns.left)
