"""Suggest the nearest known name to one that is unknown."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint that names the closest of ``known``, or '' where none is close."""
    by_lower = {k.lower(): k for k in known if k != name}
    close = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return f"did you mean '{by_lower[close[0]]}'?" if close else ""
