"""Lay out the descriptor of a texture or surface object, which the host writes to device memory and fetches read, and
name what texture instructions do."""

from __future__ import annotations

import struct
from enum import IntEnum

# As struct WarpviewTexture of frontend/headers/textures.h has them, in words of 32 bits: an address and two pitches of
# 64 bits, 18 integers. ``is_tiled`` says that the memory is an array, whose sectors are 16 bytes of two rows.
FIELDS = (
    "data", "data_high", "pitch", "pitch_high", "slice", "slice_high", "width", "height", "depth", "components",
    "format", "texel_bytes", "addressing_x", "addressing_y", "addressing_z", "is_linear", "is_normalized",
    "gives_floats", "border_x", "border_y", "border_z", "border_w", "is_tiled", "unused",
)  # fmt: skip
DESCRIPTOR = struct.Struct("<3Q17i4x")
DESCRIPTOR_BYTES = DESCRIPTOR.size
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


class Fetch(IntEnum):
    """Name what a texture instruction does."""

    SAMPLE = 0  # TEX and TXD
    ELEMENT = 1  # TLD: the coordinate is the number of an element of linear memory
    GATHER = 2  # TLD4: one component of the four texels around
    READ = 3  # SULD: bytes of a surface
    WRITE = 4  # SUST


class Outside(IntEnum):
    """Name what a surface does outside of its bounds, as the instructions number it."""

    IGNORE = 0
    CLAMP = 1
    TRAP = 2
