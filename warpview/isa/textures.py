"""Lay out the descriptor of a texture or surface object, which the host writes to device memory and fetches read, and
name what texture instructions do."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

# In words of 32 bits: an address and two pitches of 64 bits, 24 integers. A texel is ``components`` numbers of a
# ``format``: signed or unsigned ones of 8 bits, then of 16 (0 to 3), integers of 32 bits, halves, floats. The size is
# in texels; layers and faces are slices. The border is the components of what lies outside, as a texel has them.
# ``is_tiled`` says that the memory is an array, whose sectors are 16 bytes of two rows. A texture has ``levels``, whose
# descriptors lie one behind the other, the finest first; the bounds of the level and what is added to it are in 1/256.
# A query is told another height and depth where the shape has none, or layers.
FIELDS = (
    "data", "data_high", "pitch", "pitch_high", "slice", "slice_high", "width", "height", "depth", "components",
    "format", "texel_bytes", "addressing_x", "addressing_y", "addressing_z", "is_linear", "is_normalized",
    "gives_floats", "border_x", "border_y", "border_z", "border_w", "is_tiled", "levels", "is_between_levels", "bias",
    "least_level", "most_level", "told_height", "told_depth",
)  # fmt: skip
DESCRIPTOR = struct.Struct("<3Q24i")
DESCRIPTOR_BYTES = DESCRIPTOR.size
MOST_LEVELS = 18
OFFSETS = {name: 4 * k for k, name in enumerate(FIELDS)}
assert 4 * len(FIELDS) == DESCRIPTOR_BYTES


class Shape(IntEnum):
    """Name the shapes of textures, as TEX numbers them."""

    LINE = 0
    PLANE = 1
    VOLUME = 2
    CUBE = 3
    LINES = 4
    PLANES = 5
    CUBES = 7


# The coordinates of each shape; a layer comes first.
COORDINATES = {
    Shape.LINE: 1, Shape.PLANE: 2, Shape.VOLUME: 3, Shape.CUBE: 3, Shape.LINES: 2, Shape.PLANES: 3, Shape.CUBES: 4,
}  # fmt: skip

LAYERED = frozenset({Shape.LINES, Shape.PLANES, Shape.CUBES})


class Fetch(IntEnum):
    """Name what a texture instruction does."""

    SAMPLE = 0  # TEX and TXD
    ELEMENT = 1  # TLD: the coordinate is the number of an element of linear memory
    GATHER = 2  # TLD4: one component of the four texels around
    READ = 3  # SULD: bytes of a surface
    WRITE = 4  # SUST
    QUERY = 5  # TXQ: the width, height or depth of a level, whose number is the one word that is read


class Outside(IntEnum):
    """Name what a surface does outside of its bounds, as the instructions number it."""

    IGNORE = 0
    CLAMP = 1
    TRAP = 2


class Level(IntEnum):
    """Name how a fetch chooses the level of a mipmap."""

    FINEST = 0
    GIVEN = 1  # by a number behind the coordinates
    GRADIENTS = 2  # by the derivatives of each coordinate, along x and then along y


@dataclass(frozen=True)
class TextureOperation:
    """Describe a texture instruction. ``components`` are those that it gives, of a gather the texels; ``gathered`` is
    the component that a gather reads. ``bytes`` are those that a surface is accessed with, 0 of a texture. The words
    that it reads are the coordinates, a layer first, then what the level needs, then offsets in texels, four bits
    each, or six in a byte each of a gather, if it has any."""

    fetch: Fetch
    shape: Shape
    components: tuple[int, ...] = ()
    gathered: int = 0
    outside: Outside = Outside.IGNORE
    bytes: int = 0
    level: Level = Level.FINEST
    has_offsets: bool = False

    @property
    def number(self) -> int:
        """Return all of it as a number, eight bits each; of components, and whether it has offsets, one bit each."""
        flags = sum(1 << k for k in self.components) | self.has_offsets << 4
        values = self.fetch, self.shape, self.outside, self.gathered, self.bytes, self.level, flags
        return sum(int(value) << 8 * k for k, value in enumerate(values))

    @classmethod
    def of(cls, number: int) -> TextureOperation:
        """Return the operation that a ``number`` stands for."""
        fetch, shape, outside, gathered, size, level, flags = number.to_bytes(7, "little")
        components = tuple(k for k in range(4) if flags >> k & 1)
        return cls(
            Fetch(fetch), Shape(shape), components, gathered, Outside(outside), size, Level(level), bool(flags >> 4)
        )  # fmt: skip

    @property
    def dimensions(self) -> int:
        """Return how many coordinates there are beside the layer."""
        return COORDINATES[self.shape] - (self.shape in LAYERED)

    @property
    def words(self) -> int:
        """Return how many words it reads, beside the object and the data of a store."""
        of_level = (0, 1, 2 * self.dimensions)[self.level]
        return COORDINATES[self.shape] + of_level + self.has_offsets
