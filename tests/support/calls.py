"""Count what Python executes: a measure of work that does not depend on the machine or its load."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType


def calls_in(work: Callable[[], object], module: str = "warpview") -> Counter[str]:
    """Return how often each function of a module, or of those within it, is called by ``work``, by its name."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and str(frame.f_globals.get("__name__", "")).startswith(module):
            found[frame.f_code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found
