"""Define the base class of all nodes of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Seen:
    """Tell which declarations of the file a name may mean: the first ``count``; and, in a template, those that an
    argument's namespace has where the template is used."""

    count: int
    in_template: bool


EVERYTHING = Seen(1 << 30, True)


@dataclass(eq=False)
class Node:
    span: Span
