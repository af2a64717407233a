"""Suggest the nearest known name to one that is unknown, or list those that there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MOST_NAMES = 10  # in a message


def some_of(names: Sequence[str]) -> str:
    """Return names for a message, separated by commas; of many the first ones and the number of the others."""
    others = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {others} more" if others > 0 else "")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the closest of ``known``, or '' where none is close."""
    by_lower = {k.lower(): k for k in known if k != name}
    close = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return f"did you mean '{by_lower[close[0]]}'?" if close else ""
