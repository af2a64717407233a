"""Facts about a kernel that only show while code is written for it.

Lowering starts with the best assumption about each variable (in registers, never assigned, pointing into one space).
Where the code refutes one, the fact is noted under the variable's declaration and lowering starts again; each
start notes at least one new fact, so the number of starts is bounded by the number of declarations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from warpview.isa.types import Space


class StartAgain(Exception):
    """An assumption was refuted; the facts now know better."""


@dataclass
class Facts:
    in_memory: set[object] = field(default_factory=set)  # declarations indexed at run time
    assigned: set[object] = field(default_factory=set)  # declarations assigned through a reference or pointer
    spaces: dict[tuple[object, int], Space] = field(default_factory=dict)  # (declaration, byte offset) of pointers
    dynamic_shared_base: int = 0

    def must_be_in_memory(self, key: object) -> NoReturn:
        self.in_memory.add(key)
        raise StartAgain

    def is_assigned(self, key: object) -> NoReturn:
        self.assigned.add(key)
        raise StartAgain

    def points_into(self, key: object, offset: int, space: Space) -> NoReturn:
        self.spaces[key, offset] = space
        raise StartAgain
