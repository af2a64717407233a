"""End a compilation early: on the request of its caller, or at a limit of time or size, with a message."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span

MAX_SECONDS = 30.0  # of processor time for one compilation
MAX_SOURCE_BYTES = 4 << 20
_CALLS_PER_LOOK = 16  # checkpoints between two looks at the clock: the steps of a large function take long each


class _OutOfTime(Exception):  # no CompileError: an attempt whose failure is no error must not go on
    pass


@dataclass
class _Limit:
    """Keep the processor time at which a compilation is given up."""

    deadline: float
    calls: int = 0

    def check(self) -> None:
        self.calls += 1
        if self.calls % _CALLS_PER_LOOK == 0 and time.thread_time() > self.deadline:
            raise _OutOfTime


_ask: ContextVar[Callable[[], object] | None] = ContextVar("ask", default=None)
_limit: ContextVar[_Limit | None] = ContextVar("limit", default=None)


@contextmanager
def interruptible(ask: Callable[[], object]) -> Iterator[None]:
    """Make compiling within call ``ask`` every few milliseconds at least; ``ask`` raises to stop it."""
    before = _ask.set(ask)
    try:
        yield
    finally:
        _ask.reset(before)


@contextmanager
def limited(source: SourceText) -> Iterator[None]:
    """Give up what is compiled within, with a message, when it exceeds the limits of time and size."""
    if len(source.text) > MAX_SOURCE_BYTES:
        message = f"this file is longer than {MAX_SOURCE_BYTES >> 20} million characters"
        raise CompileError([Diagnostic(message, Span(source, 1, 1))])
    before = _limit.set(_Limit(time.thread_time() + MAX_SECONDS))
    try:
        yield
    except _OutOfTime:
        message = f"compiling this file takes more than {MAX_SECONDS:g} seconds of processor time"
        hint = "long unrolled loops, deep templates and very long functions take the most time"
        raise CompileError([Diagnostic(message, Span(source, 1, 1), hint=hint)]) from None
    finally:
        _limit.reset(before)


def checkpoint() -> None:
    """Let the compilation be stopped here; called once for each token, statement and block that is looked at."""
    ask = _ask.get()
    if ask is not None:
        ask()
    limit = _limit.get()
    if limit is not None:
        limit.check()
