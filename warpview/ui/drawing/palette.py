"""Choose the colours of pictures by token: those of the theme, and those derived from it (lanes, paths, stalls)."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QColor

from warpview.trace.frame import Stall
from warpview.trace.presentation import STALLS
from warpview.ui.drawing.theme import Theme, contrast, lane_colour

_PATHS = ("active", "divergence", "good", "conflict", "atomic", "error")


def path_token(index: int) -> str:
    """Return the colour of one of several paths of a warp."""
    return _PATHS[index % len(_PATHS)]


@lru_cache(maxsize=1024)
def colour(theme: Theme, token: str) -> QColor:
    if token.startswith("lane"):
        return QColor(lane_colour(int(token[4:]), theme.dark))
    if token.startswith("on_stall_"):
        under = colour(theme, token[3:])
        return QColor(max(("#000000", "#FFFFFF"), key=lambda ink: contrast(ink, under.name())))
    if token.startswith("stall_"):
        stall = STALLS[Stall[token[6:].upper()]]
        return _mix(theme.panel, colour(theme, stall.colour).name(), stall.strength)
    if token.startswith("path"):
        return theme.qcolor(path_token(int(token[4:])))
    if token.startswith("heat"):
        return _mix(theme.panel, theme.active, 0.08 + 0.82 * int(token[4:]) / 7)
    if token == "on_lane":
        return QColor("#06121C" if theme.dark else "#FFFFFF")
    if token == "conflict_text":
        return theme.qcolor("conflict") if theme.dark else QColor("#9A5B00")
    if token == "conflict_dark":  # every other pass over a bank
        return _mix(theme.conflict, "#000000", 0.24)
    if token == "on_conflict":
        return QColor("#1A1200")
    if token == "memory":
        return QColor("#D7C345" if theme.dark else "#EAD65C")
    if token == "clear":
        return QColor(0, 0, 0, 0)
    return theme.qcolor(token)


def _mix(first: str, second: str, share: float) -> QColor:
    a, b = QColor(first), QColor(second)
    mixed = (round(x + (y - x) * share) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True))  # type: ignore[index]
    return QColor(*mixed)
