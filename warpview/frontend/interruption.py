"""How whoever waits for the compiler makes it stop: what takes long asks now and then whether it shall go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ask: ContextVar[Callable[[], object] | None] = ContextVar("ask", default=None)


@contextmanager
def interruptible(ask: Callable[[], object]) -> Iterator[None]:
    """Within, compiling calls ``ask`` every few milliseconds at least; it raises to stop."""
    before = _ask.set(ask)
    try:
        yield
    finally:
        _ask.reset(before)


def checkpoint() -> None:
    """Called once for each token, statement and block that is looked at."""
    ask = _ask.get()
    if ask is not None:
        ask()
