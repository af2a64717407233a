"""Tell what a texture instruction does: which vectors of registers it has, and what it fetches from where."""

from __future__ import annotations

from collections.abc import Mapping

from warpview.isa.textures import COORDINATES, LAYERED, Fetch, Level, Outside, Shape, TextureOperation
from warpview.sass.operation import SassOperation

FETCHES = {
    "TEX": Fetch.SAMPLE, "TXD": Fetch.SAMPLE, "TLD": Fetch.ELEMENT, "TLD4": Fetch.GATHER, "SULD": Fetch.READ,
    "SUST": Fetch.WRITE, "TXQ": Fetch.QUERY,
}  # fmt: skip
SURFACE_SHAPES = {0: Shape.LINE, 2: Shape.LINES, 3: Shape.PLANE, 4: Shape.PLANES, 5: Shape.VOLUME}
SIZES = (1, 1, 2, 2, 4, 8, 16)  # in bytes, of an access to a surface
GRADIENTS = {Shape.PLANE: 4, Shape.LINES: 2, Shape.PLANES: 4}  # of TXD
HAS_LEVEL = 3  # the modifier "level" where one comes behind the coordinates
COMPARES = 4  # the bit of "offsets" or "compared" where a number comes last that texels are compared with


def _fetch(name: str) -> Fetch:
    return FETCHES[name.split(".")[0]]


def _shape(name: str, m: Mapping[str, int]) -> Shape:
    return SURFACE_SHAPES[m["shape"]] if "outside" in m else Shape(m.get("shape", Shape.LINE))


def texture_span(name: str, m: Mapping[str, int], letter: str) -> int:
    """Return how many registers a vector of a texture instruction has: d and e hold the components, two each, a and b
    the coordinates and what comes after them (half each with .SCR), s the data of a store."""
    count = COORDINATES[_shape(name, m)]
    if letter in "ds" and "outside" in m:
        return -(-SIZES[m["size"]] // 4)
    if letter in "de":
        wanted = m["mask"].bit_count()
        return min(wanted, 2) if letter == "d" else max(wanted - 2, 1)
    compares = bool((m.get("offsets", 0) | m.get("compared", 0)) & COMPARES)
    further = GRADIENTS[_shape(name, m)] if name == "TXD" else _has_level(name, m) + _has_offsets(m) + compares
    if not m.get("scr"):
        return count if letter == "a" else max(further, 1)
    words = count + further
    return (words + 1) // 2 if letter == "a" else max(words // 2, 1)


def _has_level(name: str, m: Mapping[str, int]) -> bool:
    """Return whether a level comes behind the coordinates."""
    return name == "TEX.LL" or (name == "TEX" and m["level"] == HAS_LEVEL)


def _has_offsets(m: Mapping[str, int]) -> bool:
    return bool(m.get("offsets", 0) & 1)


def texture_words(operation: SassOperation) -> list[tuple[str, int]]:
    """Return where the words are that a texture instruction reads, in the order of ``TextureOperation``: the letter of
    a vector, and the number in it."""
    what, operands = texture_operation(operation), operation.operands
    places = [(letter, k) for letter in "ab" if letter in operands for k in range(operands[letter].span)]
    if what.level == Level.GRADIENTS and what.shape in LAYERED:  # the layer comes behind the coordinates
        places.insert(0, places.pop(COORDINATES[what.shape] - 1))
    return places[: what.words]


def texture_operation(operation: SassOperation) -> TextureOperation:
    """Return what a texture instruction does."""
    name, m = operation.row.name, operation.modifiers
    is_surface = "outside" in m
    mask = 0 if is_surface else m["mask"]
    level = Level.GRADIENTS if name == "TXD" else Level.GIVEN if _has_level(name, m) else Level.FINEST
    return TextureOperation(
        _fetch(name), _shape(name, m), tuple(k for k in range(4) if mask >> k & 1), m.get("component", 0),
        Outside(m["outside"]) if is_surface else Outside.IGNORE, SIZES[m["size"]] if is_surface else 0, level,
        _has_offsets(m),
    )  # fmt: skip
