"""Describe values over the lanes that follow a pattern by the pattern: "0, 64, 128, … 1984, +64 a lane"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, SupportsInt

import numpy as np
from numpy.typing import NDArray

from warpview.ui.drawing.values import lanes_of, ranges

PERIODS = (2, 4, 8, 16)  # lanes after which values may come again: the shortest is told
MOST_GROUPS = 4  # different values that are told with the lanes that hold each


def pattern(values: NDArray[Any], lanes: int, write: Callable[[Any], str]) -> str | None:
    """Return the pattern of the values of the lanes in a mask, in words; None where they follow none.

    ``values`` is an array of shape [32], ``write`` gives the text of one. The patterns are: one value in all lanes; a
    constant difference from lane to lane; such a sequence again after 2, 4, 8 or 16 lanes; a few values, each in a set
    of lanes.
    """
    told = uniform(values, lanes, write)
    if told is not None or not lanes:
        return told
    on = lanes_of(lanes)
    held = values[list(on)]
    texts = [write(value) for value in held]
    for period in PERIODS:
        first = [k for k, lane in enumerate(on) if lane < period]
        if len(on) == 32 and all(text == texts[k % period] for k, text in enumerate(texts)):
            inner = _sequence(on[:period], held[:period], texts[:period], write)
            head = inner.rpartition("  ")[0] if inner else ", ".join(texts[k] for k in first)
            if inner or period <= MOST_GROUPS:
                return f"{head}  repeating every {period} lanes"
    return _groups(on, texts)


def uniform(values: NDArray[Any], lanes: int, write: Callable[[Any], str]) -> str | None:
    """Return the first two patterns alone: one value, or a constant difference from lane to lane."""
    on = lanes_of(lanes)
    held = values[list(on)]
    texts = [write(value) for value in held]
    if len(set(texts)) == 1:
        return texts[0]
    return _sequence(on, held, texts, write) or None


def _sequence(on: Sequence[int], held: NDArray[Any], texts: Sequence[str], write: Callable[[Any], str]) -> str:
    """Return a constant difference from lane to lane; '' where there is none or it is not exact."""
    if len(on) < 3 or held.dtype == np.uint8:  # predicates
        return ""
    wide = held.astype(np.float64 if held.dtype.kind == "f" else object)
    step = (wide[1] - wide[0]) / (on[1] - on[0]) if held.dtype.kind == "f" else _whole(wide[1] - wide[0], on[1] - on[0])
    if step is None or any(v != wide[0] + step * (lane - on[0]) for lane, v in zip(on, wide, strict=True)):
        return ""
    sign = "+" if step > 0 else "−"
    return f"{', '.join(texts[:3])}, … {texts[-1]}  {sign}{write(abs(step))} per lane"


def _whole(difference: SupportsInt, lanes: int) -> int | None:
    quotient, rest = divmod(int(difference), lanes)
    return None if rest else quotient


def _groups(on: Sequence[int], texts: Sequence[str]) -> str | None:
    lanes: dict[str, int] = {}
    for lane, text in zip(on, texts, strict=True):
        lanes[text] = lanes.get(text, 0) | 1 << lane
    if len(lanes) > MOST_GROUPS or len(lanes) * 2 > len(on):
        return None
    most = max(lanes.values(), key=int.bit_count)
    named = [f"{text} in lanes {_short(mask)}" for text, mask in lanes.items() if mask != most]
    rest = next(text for text, mask in lanes.items() if mask == most)
    if len(lanes) == 2 and any(len(_short(mask)) > 24 for mask in lanes.values()):
        return None
    return ", ".join([*named, f"{rest} in the others"])


@lru_cache(256)
def _short(mask: int) -> str:
    return ranges(mask)
