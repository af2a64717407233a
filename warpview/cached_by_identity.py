"""Cache results that are computed once a program, or once a launch of it: those of the few used last, found by identity
(programs are not hashable)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

Made = TypeVar("Made")
Of = TypeVarTuple("Of")
KEPT = 8


def cached_by_identity(make: Callable[[*Of], Made]) -> Callable[[*Of], Made]:
    """Decorate a function of a program, or of the parts of a launch, so that it is called once for each of the last
    few."""
    kept: OrderedDict[tuple[int, ...], tuple[tuple[Any, ...], Made]] = OrderedDict()

    @wraps(make)
    def found(*of: *Of) -> Made:
        key = tuple(map(id, of))
        held = kept.get(key)  # which holds what it was made of: no other can have its identity
        if held is None:
            held = kept[key] = (of, make(*of))
            if len(kept) > KEPT:
                kept.popitem(last=False)
        return held[1]

    return found
