"""Things worked out once a program: kept for the few used last, found by identity (programs are not hashable)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from warpview.isa.program import Program

Made = TypeVar("Made")
KEPT = 8


def per_program(make: Callable[[Program], Made]) -> Callable[[Program], Made]:
    """Decorates a function of a program so that it is called once for each of the last few."""
    kept: OrderedDict[int, tuple[Program, Made]] = OrderedDict()

    @wraps(make)
    def found(program: Program) -> Made:
        held = kept.get(id(program))
        if held is None or held[0] is not program:
            held = (program, make(program))
            kept[id(program)] = held
            if len(kept) > KEPT:
                kept.popitem(last=False)
        return held[1]

    return found
