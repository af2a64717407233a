"""Find the texels that a fetch from a texture lies between, as the texture unit of an H200 does.

A *place* is what a fetch lies between: for each axis two texels, -1 outside, and the fraction from the first to the
second in 1/256. Numbers of texels around it: bit 0 says the second column, bit 1 the second row, bit 2 the second
slice. What ``textures`` beside says of this text holds for it, too.
"""

from __future__ import annotations

import math
import struct
from typing import Protocol

from warpview.isa.textures import COORDINATES, DESCRIPTOR_BYTES, MOST_LEVELS, OFFSETS, Fetch, Level, Shape

BY_ENGINE = ("load", "word", "float_of", "bits_of", "bit_length")

Place = tuple[int, int, int, int, int, int, int, int, int]

DATA, PITCH, SLICE = OFFSETS["data"], OFFSETS["pitch"], OFFSETS["slice"]
WIDTH, HEIGHT, DEPTH = OFFSETS["width"], OFFSETS["height"], OFFSETS["depth"]
COMPONENTS, FORMAT, TEXEL_BYTES = OFFSETS["components"], OFFSETS["format"], OFFSETS["texel_bytes"]
ADDRESSING, IS_LINEAR, IS_NORMALIZED = OFFSETS["addressing_x"], OFFSETS["is_linear"], OFFSETS["is_normalized"]
LEVELS, IS_BETWEEN_LEVELS, BIAS = OFFSETS["levels"], OFFSETS["is_between_levels"], OFFSETS["bias"]
LEAST_LEVEL, MOST_LEVEL = OFFSETS["least_level"], OFFSETS["most_level"]
TOLD_HEIGHT, TOLD_DEPTH = OFFSETS["told_height"], OFFSETS["told_depth"]
S8, U8, S16, U16, WORD, F16, F32 = range(7)  # formats of a component
WRAP, CLAMP, MIRROR, BORDER = range(4)
LINE, PLANE, VOLUME, CUBE, LINES, PLANES, CUBES = (int(shape) for shape in Shape)
COUNT = tuple(COORDINATES[Shape(k)] if k in set(Shape) else 0 for k in range(8))  # of coordinates, by shape
ELEMENT, GATHER = int(Fetch.ELEMENT), int(Fetch.GATHER)
GIVEN, GRADIENTS = int(Level.GIVEN), int(Level.GRADIENTS)
FINEST = -256 * MOST_LEVELS  # the level, in 1/256, that a fetch asks for which names none
FARTHEST, LEAST_STEP = 16777216.0, 2.0**-24
MOST_TEXELS, MOST_SLICES = 1 << 17, 1 << 14  # of an axis of a texture


# ------------------------------------------------------------------------------------------------ by engine


class ReadableMemory(Protocol):
    """Provide the memory that textures lie in, to the reference; to the jit it is the address of the first byte."""

    def read(self, address: int, size: int) -> int:
        """Return an unsigned integer."""


class WordsOfLane(Protocol):
    """Hold the words that an instruction reads in a lane, in the order of ``TextureOperation``."""

    def __getitem__(self, k: int) -> int:
        """Return an unsigned word."""


def word(words: WordsOfLane, k: int) -> int:
    """Return a word that an instruction reads."""
    return words[k]


def load(memory: ReadableMemory, address: int, size: int) -> int:
    """Return an unsigned integer in memory."""
    return memory.read(address, size)


def float_of(bits: int) -> float:
    """Return the number that the bits of a float stand for."""
    number: float = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
    return number


def bits_of(number: float) -> int:
    """Return the bits of the float nearest to a number."""
    bits: int = struct.unpack("<I", struct.pack("<f", number))[0]
    return bits


def bit_length(number: int) -> int:
    """Return how many bits a number has that is not negative."""
    return number.bit_length()


# ------------------------------------------------------------------------------------------------ descriptors


def field(memory: ReadableMemory, texture: int, offset: int) -> int:
    """Return a signed integer of a descriptor."""
    return (load(memory, texture + offset, 4) ^ 0x80000000) - 0x80000000


def is_sound(memory: ReadableMemory, texture: int) -> int:
    """Return whether a descriptor is one that a host may have written."""
    size = field(memory, texture, TEXEL_BYTES)
    count, kind = field(memory, texture, COMPONENTS), field(memory, texture, FORMAT)
    each = 1 if kind < S16 else 4 if kind in (WORD, F32) else 2
    in_bounds = 0 < field(memory, texture, WIDTH) <= 1 << 28 and 0 < field(memory, texture, HEIGHT) <= MOST_TEXELS
    in_bounds = in_bounds and 0 < field(memory, texture, DEPTH) <= MOST_SLICES
    in_bounds = in_bounds and 0 < field(memory, texture, LEVELS) <= MOST_LEVELS
    for axis in range(3):
        in_bounds = in_bounds and 0 <= field(memory, texture, ADDRESSING + 4 * axis) <= BORDER
    return int(in_bounds and S8 <= kind <= F32 and count in (1, 2, 4) and size == count * each)


def end_of(memory: ReadableMemory, texture: int) -> int:
    """Return the address behind the last texel."""
    rows, slices = field(memory, texture, HEIGHT) - 1, field(memory, texture, DEPTH) - 1
    row = field(memory, texture, WIDTH) * field(memory, texture, TEXEL_BYTES)
    before = slices * load(memory, texture + SLICE, 8) + rows * load(memory, texture + PITCH, 8)
    return load(memory, texture + DATA, 8) + before + row


def told(memory: ReadableMemory, handle: int, level: int, component: int) -> int:
    """Return the width, height or depth of a level as a query tells it: 0 of a level that there is not."""
    if not 0 <= level < field(memory, handle, LEVELS):
        return 0
    place = WIDTH if component == 0 else TOLD_HEIGHT if component == 1 else TOLD_DEPTH
    return field(memory, handle + level * DESCRIPTOR_BYTES, place)


# ------------------------------------------------------------------------------------------------ places


def addressed(index: int, size: int, addressing: int) -> int:
    """Return the texel that stands at an index, -1 where there is none."""
    if addressing == BORDER:
        return -1 if index < 0 or index >= size else index
    if addressing == CLAMP:
        return min(max(index, 0), size - 1)
    if addressing == WRAP:
        return index % size
    index %= 2 * size
    return index if index < size else 2 * size - 1 - index


def along_axis(
    memory: ReadableMemory, texture: int, axis: int, x: float, is_between: int, is_share: int, offset: int
) -> tuple[int, int, int]:
    """Return the two texels of an axis between which a coordinate lies, ``offset`` texels further, and the fraction. A
    coordinate that ``is_share`` runs from 0 to 1, whatever the texture says."""
    size, addressing = field(memory, texture, WIDTH + 4 * axis), field(memory, texture, ADDRESSING + 4 * axis)
    x = 0.0 if x != x else min(max(x, -FARTHEST), FARTHEST)
    if is_share or field(memory, texture, IS_NORMALIZED):
        halves = math.floor(x * 2097152.0) * size >> 12
    else:
        halves = math.floor(x * 512.0)
    place = ((halves + 1) >> 1) - 128 if is_between else halves >> 1
    index = (place >> 8) + offset
    first, second = addressed(index, size, addressing), addressed(index + 1, size, addressing)
    is_single = addressing == CLAMP and first == second
    return first, second, place & 255 if is_between and not is_single else 0


def offset_of(offsets: int, axis: int) -> int:
    """Return the offset in texels of an axis, each of which has a byte."""
    return ((offsets >> 8 * axis & 255) ^ 128) - 128


def unpacked(offsets: int, fetch: int) -> int:
    """Return the offsets of an instruction in a byte each: those of a gather have six bits of a byte there, others four
    bits one behind the other."""
    if fetch == GATHER:
        return (offsets & 0x3F3F3F) | (offsets & 0x202020) * 6
    spread = offsets & 15 | (offsets & 240) << 4 | (offsets & 3840) << 8
    return spread | (spread & 0x080808) * 30


def layer_of(memory: ReadableMemory, texture: int, layer: int) -> int:
    """Return the slice of a layer: the last one for those beyond."""
    return min(layer, field(memory, texture, DEPTH) - 1)


def on_cube(x: float, y: float, z: float) -> tuple[int, float, float]:
    """Return the face of a cube that a direction leads to, and the coordinates there."""
    wide, high, deep = abs(x), abs(y), abs(z)
    face, across, down, along = 4 if z >= 0.0 else 5, x if z >= 0.0 else -x, -y, deep
    if wide >= high and wide >= deep:
        face, across, along = 0 if x >= 0.0 else 1, -z if x >= 0.0 else z, wide
    elif high >= deep:
        face, across, down, along = 2 if y >= 0.0 else 3, x, z if y >= 0.0 else -z, high
    if along == 0.0:
        return face, math.nan, math.nan
    return face, half_of(float_of(bits_of(across / along))), half_of(float_of(bits_of(down / along)))


def half_of(x: float) -> float:
    """Return (x + 1) / 2 as floats give it."""
    return float_of(bits_of(x + 1.0)) * 0.5


def place_of(
    memory: ReadableMemory,
    texture: int,
    shape: int,
    layer: int,
    x: float,
    y: float,
    z: float,
    is_between: int,
    offsets: int,
) -> Place:
    """Return the place of a fetch at floating-point coordinates."""
    slices = (0, 0, 0)
    if shape == VOLUME:
        slices = along_axis(memory, texture, 2, z, is_between, 0, offset_of(offsets, 2))
    elif shape in (LINES, PLANES):
        at = layer_of(memory, texture, layer)
        slices = (at, at, 0)
    elif shape in (CUBE, CUBES):
        face, x, y = on_cube(x, y, z)
        at = layer_of(memory, texture, 6 * layer + face)
        slices = (at, at, 0)
    is_share = int(shape in (CUBE, CUBES))
    columns = along_axis(memory, texture, 0, x, is_between, is_share, offset_of(offsets, 0))
    rows = along_axis(memory, texture, 1, y, is_between, is_share, offset_of(offsets, 1))
    return columns + rows + slices


def element_place(memory: ReadableMemory, texture: int, element: int) -> Place:
    """Return the place of an element of linear memory."""
    at = element if 0 <= element < field(memory, texture, WIDTH) else -1
    return at, at, 0, 0, 0, 0, 0, 0, 0


# ------------------------------------------------------------------------------------------------ levels


def in_256ths(level: float) -> int:
    """Return a level in 1/256, cut toward zero."""
    return int(min(max(level, -MOST_LEVELS), MOST_LEVELS) * 256.0) if level == level else 0


def level_within(memory: ReadableMemory, texture: int, level: int) -> int:
    """Return the level of a mipmap, in 1/256, that a fetch reads which asks for one."""
    least, most = field(memory, texture, LEAST_LEVEL), field(memory, texture, MOST_LEVEL)
    found = min(max(level + field(memory, texture, BIAS), least), most, 256 * (field(memory, texture, LEVELS) - 1))
    found = max(found, 0)
    return found if field(memory, texture, IS_BETWEEN_LEVELS) else found + 128 & -256


def length(x: float, y: float, z: float) -> float:
    """Return about the length of a vector, as levels are told by: the largest component, 11/32 of the next one and a
    quarter of the last one."""
    x, y, z = abs(x), abs(y), abs(z)
    most, least = max(x, y, z), min(x, y, z)
    return most + 0.34375 * (x + y + z - most - least) + 0.25 * least


def level_of_gradients(across: tuple[float, float, float], down: tuple[float, float, float]) -> int:
    """Return the level in 1/256 by how many texels of the finest one a step along x and a step along y are."""
    longest = max(length(across[0], across[1], across[2]), length(down[0], down[1], down[2]))
    for sign in (-1.0, 1.0):
        x, y, z = across[0] + sign * down[0], across[1] + sign * down[1], across[2] + sign * down[2]
        longest = max(longest, 0.6875 * length(x, y, z))
    if not LEAST_STEP < longest < FARTHEST:  # or no number
        return 256 * (MOST_LEVELS if longest >= FARTHEST else -MOST_LEVELS)
    exponent = math.floor(math.log2(longest))
    steps = math.floor(longest * 2.0 ** (8 - exponent)) - 256
    return exponent * 256 + (math.floor(math.log2(1.0 + (steps + 0.5) / 256.0) * 256.0 + 0.5) if steps else 0)


# ------------------------------------------------------------------------------------------------ of a lane


def level_of_lane(memory: ReadableMemory, handle: int, number: int, words: WordsOfLane) -> int:
    """Return the level in 1/256 that a lane reads, by the ``number`` of its operation."""
    shape, level = number >> 8 & 255, number >> 40 & 255
    wanted, first = FINEST, COUNT[shape]
    if level == GIVEN:
        wanted = in_256ths(float_of(word(words, first)))
    elif level == GRADIENTS:
        dimensions = first - (1 if shape in (LINES, PLANES, CUBES) else 0)
        across = gradient(memory, handle, words, first, dimensions)
        wanted = level_of_gradients(across, gradient(memory, handle, words, first + 1, dimensions))
    return level_within(memory, handle, wanted)


def gradient(
    memory: ReadableMemory, handle: int, words: WordsOfLane, first: int, dimensions: int
) -> tuple[float, float, float]:
    """Return how many texels of the finest level a step is."""
    x, y, z = float_of(word(words, first)) * field(memory, handle, WIDTH), 0.0, 0.0
    if dimensions > 1:
        y = float_of(word(words, first + 2)) * field(memory, handle, HEIGHT)
    if dimensions > 2:
        z = float_of(word(words, first + 4)) * field(memory, handle, DEPTH)
    return x, y, z


def place_of_lane(memory: ReadableMemory, texture: int, number: int, words: WordsOfLane) -> Place:
    """Return the place that a lane fetches from in a level."""
    fetch, shape = number & 255, number >> 8 & 255
    if fetch == ELEMENT:
        return element_place(memory, texture, (word(words, 0) ^ 0x80000000) - 0x80000000)
    first = 1 if shape in (LINES, PLANES, CUBES) else 0
    layer = word(words, 0) if first else 0
    x, y, z = float_of(word(words, first)), 0.5 if shape == LINES else 0.0, 0.0
    if COUNT[shape] - first > 1:
        y = float_of(word(words, first + 1))
    if COUNT[shape] - first > 2:
        z = float_of(word(words, first + 2))
    is_between = 1 if fetch == GATHER else field(memory, texture, IS_LINEAR)
    further = COUNT[shape] + (1 if number >> 40 & 255 == GIVEN else 0)
    offsets = unpacked(word(words, further), fetch) if number >> 52 & 1 else 0
    return place_of(memory, texture, shape, layer, x, y, z, is_between, offsets)
