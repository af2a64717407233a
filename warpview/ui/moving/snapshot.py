"""Hold the selection at one moment. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.ui.moving.elements import Element


@dataclass(frozen=True)
class Bookmark:
    """Name a step to come back to."""

    name: str
    step: int
    block: int
    warp: int


@dataclass(frozen=True)
class Snapshot:
    """Hold a moment of the selection. ``block`` and ``warp`` name the selected warp; the rest may be unset (None)."""

    step: int = 0
    block: int = 0
    warp: int = 0
    lane: int | None = None
    line: int | None = None  # source line, from 1
    pc: int | None = None
    counter: str | None = None  # key of a declared counter
    breakpoints: frozenset[int] = frozenset()  # source lines at which running stops
    bookmarks: tuple[Bookmark, ...] = ()  # in the order of their steps
    element: Element | None = None  # an element of an array
    part: int | None = None  # which of the passes or transactions of the access, from 0; None: all of them
    colours: str = ""  # what the arrays are coloured by; empty: not at all

    @property
    def key(self) -> tuple[int, int]:
        return (self.block, self.warp)
