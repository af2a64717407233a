"""Describe the members of structs, by which addresses in arrays of them are named."""

from __future__ import annotations

from typing import NamedTuple


class StructMember(NamedTuple):
    """Describe a member of a struct: an array of ``dims`` elements, () for one, ``offset`` bytes from its start."""

    name: str
    offset: int
    dims: tuple[int, ...]
    element_bytes: int
    members: tuple[StructMember, ...]  # of the elements, where those are structs
