"""Colour the elements of an array by who accessed them, once that is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.trace.access_log import ElementHistory
from warpview.ui.views.context import FrameContext

# Key, words of the button, words before the samples of the colours.
COLOURINGS = (
    ("", "by value", ""),
    ("warp", "by warp", "last accessed by"),
    ("lane", "by lane", "last accessed by lane"),
    ("block", "by block", "last accessed by"),
    ("time", "by time", "last accessed"),
    ("count", "by accesses", "accessed"),
    ("passes", "by wavefronts", "wavefronts or transactions of the last access:"),
)
HUES, SHADES = 32, 6
PALEST = 2  # of the palette's shades: paler ones look like elements that nobody accessed
# Hues of warps and blocks: neighbours far apart, the first few as far as can be. Bits of the number, reversed.
OWNER_HUES = np.array([int(f"{k:05b}"[::-1], 2) for k in range(HUES)], np.uint8)
NOTHING, OUTSIDE = HUES + SHADES, HUES + SHADES + 1  # indices of elements that nobody accessed, and of none at all
TOKENS = (*(f"lane{k}" for k in range(HUES)), *(f"heat{k}" for k in range(PALEST, PALEST + SHADES)), "raised", "clear")


def next_colouring(key: str) -> str:
    """Return the key after ``key``; after the last comes none."""
    keys = [k for k, _, _ in COLOURINGS]
    return keys[(keys.index(key) + 1) % len(keys)] if key in keys else ""


def words_of(key: str) -> tuple[str, str]:
    """Return the words for the button and for the legend."""
    return next((button, legend) for k, button, legend in COLOURINGS if k == key)


def dark(index: int) -> bool:
    """Return whether text on a colour needs the colour of text on lanes."""
    return index < HUES or HUES + SHADES // 2 - 1 <= index < NOTHING


@dataclass(frozen=True)
class Access:
    """Describe one access to an element."""

    step: int
    block: int
    warp: int
    lane: int
    pc: int


def access_at(history: ElementHistory, index: int) -> Access:
    row, events = int(history.row[index]), history.events
    return Access(row + 1, int(events.block[row]), int(events.warp[row]), int(history.lane[index]), int(events.pc[row]))


def colours(key: str, history: ElementHistory, last: NDArray[np.int32], warps: int, steps: int) -> NDArray[np.uint8]:
    """Return a colour for each element, as an index into TOKENS; ``last`` is its last access so far (-1: none),
    ``steps`` how many there are in the whole run."""
    found = np.full(len(last), NOTHING, np.uint8)
    accessed = last >= 0
    at = last[accessed]
    row = history.row[at]
    events = history.events
    if key == "lane":
        found[accessed] = history.lane[at]
    elif key == "time":
        found[accessed] = HUES + row * SHADES // max(1, steps)
    elif key == "passes":
        passes = np.maximum(1, events.units[row].astype(np.int64))
        found[accessed] = HUES + np.minimum(SHADES - 1, np.log2(passes)).astype(np.uint8)
    elif key == "count":
        times = history.nth[at] + 1
        found[accessed] = HUES + np.minimum(SHADES - 1, np.log2(times) * SHADES / _span(times)).astype(np.uint8)
    else:
        owner = events.block[row] if key == "block" else events.block[row].astype(np.int64) * warps + events.warp[row]
        found[accessed] = OWNER_HUES[owner % HUES]
    return found


def _span(times: NDArray[np.int32]) -> float:
    """Return the doublings from one access to the most, of which the shades make equal parts."""
    return max(1.0, float(np.log2(times.max(initial=1))) + 1e-6)


def legend_of(context: FrameContext) -> str:
    """Return the meaning of the colours of accesses, in words."""
    key = context.selection.colours
    ends = {"time": "early (pale) to late", "count": "once (pale) to often", "passes": "1 (pale) to 32"}
    return f"{words_of(key)[1]} {ends.get(key, '')}".strip()
