"""Raise the interpreter's recursion limit, which all threads share, while any of them needs it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_limits_before: list[int] = []  # one for each context that is open; the first is the process's own


@contextmanager
def raised_recursion_limit(limit: int) -> Iterator[None]:
    """Let Python recurse ``limit`` deep at least. The last context to close restores the limit that the first found, so
    that contexts of several threads may overlap."""
    with _lock:
        _limits_before.append(sys.getrecursionlimit())
        sys.setrecursionlimit(max(_limits_before[-1], limit))
    try:
        yield
    finally:
        with _lock:
            own = _limits_before[0]
            _limits_before.pop()
            if not _limits_before:
                sys.setrecursionlimit(own)
