"""Define the base class of all nodes of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.diagnostics import Span


@dataclass(eq=False)
class Node:
    span: Span
