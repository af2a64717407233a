"""Tell what a texture instruction does: which vectors of registers it has, and what it fetches from where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpview.isa.textures import COORDINATES, Fetch, Outside, Shape
from warpview.sass.operation import SassOperation

FETCHES = {
    "TEX": Fetch.SAMPLE, "TXD": Fetch.SAMPLE, "TLD": Fetch.ELEMENT, "TLD4": Fetch.GATHER, "SULD": Fetch.READ,
    "SUST": Fetch.WRITE,
}  # fmt: skip
SURFACE_SHAPES = {0: Shape.LINE, 2: Shape.LINES, 3: Shape.PLANE, 4: Shape.PLANES, 5: Shape.VOLUME}
SIZES = (1, 1, 2, 2, 4, 8, 16)  # in bytes, of an access to a surface
GRADIENTS = {Shape.PLANE: 4, Shape.LINES: 2, Shape.PLANES: 4}  # of TXD
HAVE_LEVEL = (2, 3)  # values of the modifier "level" with which one, or a bias, comes behind the coordinates


@dataclass(frozen=True)
class TextureOperation:
    """Describe a texture instruction. ``components`` are those that it gives, of TLD4 the texels; ``gathered`` is the
    component that TLD4 reads. ``bytes`` are those that a surface is accessed with, 0 of a texture. The layer comes
    before the coordinates, unless ``layer_is_last``."""

    fetch: Fetch
    shape: Shape
    components: tuple[int, ...]
    gathered: int
    outside: Outside
    bytes: int
    layer_is_last: bool

    @property
    def number(self) -> int:
        """Return everything but the components as a number, by ``FIELDS``."""
        values = self.fetch, self.shape, self.outside, self.gathered, self.bytes, self.layer_is_last
        return sum(int(value) << 8 * k for k, value in enumerate(values))


def _fetch(name: str) -> Fetch:
    return FETCHES[name.split(".")[0]]


def _shape(name: str, m: Mapping[str, int]) -> Shape:
    return SURFACE_SHAPES[m["shape"]] if "outside" in m else Shape(m["shape"])


def texture_span(name: str, m: Mapping[str, int], letter: str) -> int:
    """Return how many registers a vector of a texture instruction has: d and e hold the components, two each, a and b
    the coordinates and what comes after them (half each with .SCR), s the data of a store."""
    count = COORDINATES[_shape(name, m)]
    if letter in "ds" and "outside" in m:
        return -(-SIZES[m["size"]] // 4)
    if letter in "de":
        wanted = m["mask"].bit_count()
        return min(wanted, 2) if letter == "d" else max(wanted - 2, 1)
    if not m.get("scr"):
        return count if letter == "a" else GRADIENTS[_shape(name, m)] if name == "TXD" else 1
    words = count + (m.get("level", 0) in HAVE_LEVEL)
    return (words + 1) // 2 if letter == "a" else max(words // 2, 1)


def texture_operation(operation: SassOperation) -> TextureOperation:
    """Return what a texture instruction does."""
    name, m = operation.row.name, operation.modifiers
    is_surface = "outside" in m
    mask = 0 if is_surface else m["mask"]
    return TextureOperation(
        _fetch(name), _shape(name, m), tuple(k for k in range(4) if mask >> k & 1), m.get("component", 0),
        Outside(m["outside"]) if is_surface else Outside.IGNORE, SIZES[m["size"]] if is_surface else 0,
        name == "TXD",
    )  # fmt: skip
