"""Passes over the intermediate representation. Each keeps the meaning of every thread bit for bit."""

from __future__ import annotations

from warpview.frontend.ir import Function
from warpview.frontend.passes.cleanup import clean


def optimise(function: Function, predicate: bool) -> None:
    """What a plain compiler does, in its order."""
    clean(function)
