"""Describe a horizontal bar of a plot, as models make it. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BarRow:
    """Describe one bar: its name, its value, its figures at the right, a colour token, and its hover text."""

    name: str
    value: float
    figures: str
    colour: str = "active"
    hatched: bool = False
    hover: str = ""
