"""Represent the places of the views as trees: side by side, stacked, or one at a time. Qt-free."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec.structs import force_setattr, replace

Size = Annotated[int, msgspec.Meta(ge=0, le=100_000)]  # more than any screen has pixels
Kind = Literal["h", "v", "tabs", "stage"]
Side = Literal["left", "right", "above", "below", "tabs"]


class LayoutNode(msgspec.Struct, frozen=True, array_like=True):
    """Hold views beside ('h') or above one another ('v') in the proportions ``sizes``; or one of them at a time, chosen
    by the user ('tabs') or by what the step does ('stage')."""

    kind: Kind
    parts: tuple[LayoutNode | str, ...]
    sizes: tuple[Size, ...] = ()  # one a part; all alike where none are given

    def __post_init__(self) -> None:
        if not self.sizes:
            force_setattr(self, "sizes", (1,) * len(self.parts))


STACKED = ("tabs", "stage")  # kinds of which one view is seen at a time


def keys(part: LayoutNode | str) -> Iterator[str]:
    """Yield the views in a tree, from left to right and from top to bottom."""
    if isinstance(part, str):
        yield part
    else:
        for each in part.parts:
            yield from keys(each)


# ---- changing a tree: each gives another


def without(tree: LayoutNode, away: Collection[str]) -> LayoutNode:
    """Remove the views of ``away``; a box that is left with one part gives way to it."""
    kept = _without(tree, away)
    return kept if isinstance(kept, LayoutNode) else LayoutNode("v", () if kept is None else (kept,))


def _without(part: LayoutNode | str, away: Collection[str]) -> LayoutNode | str | None:
    if isinstance(part, str):
        return None if part in away else part
    found = [(kept, size) for each, size in zip(part.parts, part.sizes, strict=True)
             if (kept := _without(each, away)) is not None]  # fmt: skip
    if len(found) < 2:
        return found[0][0] if found else None
    return _flat(LayoutNode(part.kind, tuple(kept for kept, _ in found), tuple(size for _, size in found)))


def swapped(tree: LayoutNode, one: str, other: str) -> LayoutNode:
    """Exchange the places of two views."""
    turn = {one: other, other: one}

    def of(part: LayoutNode | str) -> LayoutNode | str:
        return turn.get(part, part) if isinstance(part, str) else replace(part, parts=tuple(map(of, part.parts)))

    return replace(tree, parts=tuple(map(of, tree.parts)))


def placed(tree: LayoutNode, key: str, at: str, side: Side) -> LayoutNode:
    """Put the view ``key``, wherever it was, at a side of ``at``, or behind it as a tab."""
    if key == at:
        return tree
    rest = without(tree, {key})
    grown = _placed(rest, key, at, side)
    assert isinstance(grown, LayoutNode)
    return _flat(grown)


def _placed(part: LayoutNode | str, key: str, at: str, side: Side) -> LayoutNode | str:
    if isinstance(part, str):
        return _beside(part, key, side) if part == at else part
    if part.kind not in STACKED:
        return replace(part, parts=tuple(_placed(each, key, at, side) for each in part.parts))
    if at not in part.parts:
        return part
    if side != "tabs":
        return _beside(part, key, side)
    where = part.parts.index(at) + 1
    return LayoutNode(part.kind, (*part.parts[:where], key, *part.parts[where:]))


def _beside(part: LayoutNode | str, key: str, side: Side) -> LayoutNode:
    kinds: dict[Side, Kind] = {"tabs": "tabs", "left": "h", "right": "h", "above": "v", "below": "v"}
    return LayoutNode(kinds[side], (key, part) if side in ("left", "above") else (part, key))


def _flat(box: LayoutNode) -> LayoutNode:
    """Merge a row of views within a row into one row, and a column within a column into one column."""
    if box.kind in STACKED:
        return box
    parts: list[LayoutNode | str] = []
    shares: list[float] = []
    for part, share in zip(box.parts, _shares(box), strict=True):
        each = _flat(part) if isinstance(part, LayoutNode) else part
        if isinstance(each, LayoutNode) and each.kind == box.kind:
            parts += each.parts
            shares += (share * inner for inner in _shares(each))
        else:
            parts.append(each)
            shares.append(share)
    return LayoutNode(box.kind, tuple(parts), tuple(max(1, round(1000 * share)) for share in shares))


def _shares(box: LayoutNode) -> list[float]:
    return [size / sum(box.sizes) for size in box.sizes]


def shown_again(tree: LayoutNode, key: str, first: LayoutNode) -> LayoutNode:
    """Put the view ``key`` back beside its neighbour in ``first``; beside the last view if its neighbours are all
    hidden."""
    there = list(keys(tree))
    home = _home(first, key)
    mates = [mate for part in (home.parts if home else ()) for mate in keys(part) if mate in there]
    if home is None or not mates:
        return placed(tree, key, there[-1], "tabs") if there else LayoutNode("v", (key,))
    return placed(tree, key, mates[-1], "tabs" if home.kind in STACKED else "right" if home.kind == "h" else "below")


def _home(box: LayoutNode, key: str) -> LayoutNode | None:
    if key in box.parts:
        return box
    return next((found for part in box.parts if isinstance(part, LayoutNode) and (found := _home(part, key))), None)


# ---- saved as JSON, as msgspec writes them


def read_trees(text: str, known: Collection[str]) -> dict[str, LayoutNode]:
    """Read trees by name; what is not one is left out, and so is one in which a view stands twice."""
    trees = {}
    with suppress(msgspec.DecodeError, RecursionError):
        for name, value in msgspec.json.decode(text, type=dict[str, msgspec.Raw]).items():
            with suppress(msgspec.ValidationError):
                tree = msgspec.json.decode(value, type=LayoutNode)
                there = list(keys(tree))
                if _sound(tree, known) and len(there) == len(set(there)):
                    trees[name] = tree
    return trees


def _sound(part: LayoutNode | str, known: Collection[str]) -> bool:
    if isinstance(part, str):
        return part in known
    if len(part.parts) != len(part.sizes) or not any(part.sizes):
        return False
    if part.kind in STACKED and not all(isinstance(each, str) for each in part.parts):
        return False
    return all(_sound(each, known) for each in part.parts)
