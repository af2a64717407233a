"""Collect the rows of the actions: each prepares for one, and says after ``yield`` what must be so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ui.stand import Stand

Row = Callable[[Stand], Iterator[None]]
ROWS: dict[str, Row] = {}


def row(id_: str) -> Callable[[Row], Row]:
    """Register what an action does."""

    def register(function: Row) -> Row:
        assert id_ not in ROWS
        ROWS[id_] = function
        return function

    return register
