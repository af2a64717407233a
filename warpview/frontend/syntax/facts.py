"""Keep what is found out about a node of the tree, or a struct, with it, so that it goes when that goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def remembered(function: Function) -> Function:
    """Let a function compute its result once for each object that its first argument is, and for each of the others.

    The results are kept in the object. A cache of the process would keep the objects themselves, with all of the tree
    and of the source that they refer to, long after the last kernel of the file was compiled.
    """

    @wraps(function)
    def found(owner: Any, *others: Any) -> Any:
        facts = owner.__dict__.setdefault("_facts", {})
        key = (function, *others) if others else function
        if key not in facts:
            facts[key] = function(owner, *others)
        return facts[key]

    return found  # type: ignore[return-value]
