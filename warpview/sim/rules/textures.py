"""Sample textures as the texture unit of an H200 does, bit for bit, and count the sectors that this takes.

The rules are those of ``frontend/headers/textures.h``, which says where they are from; here they serve the texture
instructions of machine code. Both engines execute this text: the reference as Python, the jit compiled by numba. So
functions take numbers and an opaque ``memory``, and the few that differ (``load``, ``float_of``, ``bits_of``,
``bit_length``) are named in ``BY_ENGINE``: those here are the reference's.

A *place* is what a fetch lies between: for each axis two texels, -1 outside, and the fraction from the first to the
second in 1/256. Numbers of texels around it: bit 0 says the second column, bit 1 the second row, bit 2 the second
slice.
"""

from __future__ import annotations

import math
import struct
from typing import Protocol

from warpview.isa.textures import OFFSETS, Fetch, Outside, Shape

BY_ENGINE = ("load", "float_of", "bits_of", "bit_length")

Place = tuple[int, int, int, int, int, int, int, int, int]

DATA, PITCH, SLICE = OFFSETS["data"], OFFSETS["pitch"], OFFSETS["slice"]
WIDTH, HEIGHT, DEPTH = OFFSETS["width"], OFFSETS["height"], OFFSETS["depth"]
COMPONENTS, FORMAT, TEXEL_BYTES = OFFSETS["components"], OFFSETS["format"], OFFSETS["texel_bytes"]
ADDRESSING, BORDER_BITS = OFFSETS["addressing_x"], OFFSETS["border_x"]
IS_LINEAR, IS_NORMALIZED, GIVES_FLOATS = OFFSETS["is_linear"], OFFSETS["is_normalized"], OFFSETS["gives_floats"]
IS_TILED = OFFSETS["is_tiled"]
S8, U8, S16, U16, WORD, F16, F32 = range(7)  # formats of a component
WRAP, CLAMP, MIRROR, BORDER = range(4)
LINE, PLANE, VOLUME, CUBE, LINES, PLANES, CUBES = (int(shape) for shape in Shape)
CLAMPED = int(Outside.CLAMP)
ELEMENT, READ, WRITE = int(Fetch.ELEMENT), int(Fetch.READ), int(Fetch.WRITE)
FARTHEST = 16777216.0
INFINITE, LARGEST_16, LARGEST_S16, LARGEST_S8 = 255, 65535.0, 32767.0, 127.0
SECTOR, TILE_COLUMN = 32, 16  # bytes; a sector of an array is 16 bytes of two rows
MOST_TEXELS, MOST_SLICES = 1 << 17, 1 << 14  # of an axis of a texture


# ------------------------------------------------------------------------------------------------ by engine


class ReadableMemory(Protocol):
    """Provide the memory that textures lie in, to the reference; to the jit it is the address of the first byte."""

    def read(self, address: int, size: int) -> int:
        """Return an unsigned integer."""


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
    for axis in range(3):
        in_bounds = in_bounds and 0 <= field(memory, texture, ADDRESSING + 4 * axis) <= BORDER
    return int(in_bounds and S8 <= kind <= F32 and count in (1, 2, 4) and size == count * each)


def end_of(memory: ReadableMemory, texture: int) -> int:
    """Return the address behind the last texel."""
    rows, slices = field(memory, texture, HEIGHT) - 1, field(memory, texture, DEPTH) - 1
    row = field(memory, texture, WIDTH) * field(memory, texture, TEXEL_BYTES)
    before = slices * load(memory, texture + SLICE, 8) + rows * load(memory, texture + PITCH, 8)
    return load(memory, texture + DATA, 8) + before + row


# ------------------------------------------------------------------------------------------------ places


def addressed(index: int, size: int, addressing: int) -> int:
    """Return the texel that stands at an index, -1 where there is none."""
    if addressing == BORDER:
        return -1 if index < 0 or index >= size else index
    if addressing == CLAMP:
        return min(max(index, 0), size - 1)
    period = size if addressing == WRAP else 2 * size
    if index < 0:
        index += period
    elif index >= period:
        index -= period
    return index if index < size else 2 * size - 1 - index


def along_axis(
    memory: ReadableMemory, texture: int, axis: int, x: float, is_between: int, is_share: int
) -> tuple[int, int, int]:
    """Return the two texels of an axis between which a coordinate lies, and the fraction. A coordinate that
    ``is_share`` runs from 0 to 1, whatever the texture says."""
    size, addressing = field(memory, texture, WIDTH + 4 * axis), field(memory, texture, ADDRESSING + 4 * axis)
    x = 0.0 if x != x else min(max(x, -FARTHEST), FARTHEST)
    if is_share or field(memory, texture, IS_NORMALIZED):
        part = math.floor(x * 2097152.0)
        if addressing == WRAP:
            part &= 0x1FFFFF
        if addressing == MIRROR:
            part &= 0x3FFFFF
        halves = part * size >> 12
    else:
        halves = math.floor(x * 512.0)
    place = ((halves + 1) >> 1) - 128 if is_between else halves >> 1
    index = min(max(place >> 8, -2), 2 * size)
    first, second = addressed(index, size, addressing), addressed(index + 1, size, addressing)
    is_single = addressing == CLAMP and first == second
    return first, second, place & 255 if is_between and not is_single else 0


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
    memory: ReadableMemory, texture: int, shape: int, layer: int, x: float, y: float, z: float, is_between: int
) -> Place:
    """Return the place of a fetch at floating-point coordinates."""
    slices = (0, 0, 0)
    if shape == VOLUME:
        slices = along_axis(memory, texture, 2, z, is_between, 0)
    elif shape in (LINES, PLANES):
        at = layer_of(memory, texture, layer)
        slices = (at, at, 0)
    elif shape in (CUBE, CUBES):
        face, x, y = on_cube(x, y, z)
        at = layer_of(memory, texture, 6 * layer + face)
        slices = (at, at, 0)
    is_share = int(shape in (CUBE, CUBES))
    columns = along_axis(memory, texture, 0, x, is_between, is_share)
    rows = along_axis(memory, texture, 1, y, is_between, is_share)
    return columns + rows + slices


def element_place(memory: ReadableMemory, texture: int, element: int) -> Place:
    """Return the place of an element of linear memory."""
    at = element if 0 <= element < field(memory, texture, WIDTH) else -1
    return at, at, 0, 0, 0, 0, 0, 0, 0


# ------------------------------------------------------------------------------------------------ texels


def weight(place: Place, k: int) -> int:
    """Return the weight in 1/256 of one of the eight texels around."""
    across, down, deep = place[2], place[5], place[8]
    slice_ = deep if k & 4 else 256 - deep
    right = slice_ * across + 128 >> 8
    column = right if k & 1 else slice_ - right
    lower = column * down + 127 + (k & 1) >> 8
    return lower if k & 2 else column - lower


def texel_address(memory: ReadableMemory, texture: int, place: Place, k: int) -> int:
    """Return the address of one of the texels around a place, -1 outside."""
    x, y, z = texel(place, k)
    if x < 0 or y < 0 or z < 0:
        return -1
    row = z * load(memory, texture + SLICE, 8) + y * load(memory, texture + PITCH, 8)
    return load(memory, texture + DATA, 8) + row + x * field(memory, texture, TEXEL_BYTES)


def texel(place: Place, k: int) -> tuple[int, int, int]:
    """Return column, row and slice of one of the texels around a place."""
    x = place[1] if k & 1 else place[0]
    y = place[4] if k & 2 else place[3]
    return x, y, place[7] if k & 4 else place[6]


def component_bits(memory: ReadableMemory, texture: int, place: Place, k: int, component: int) -> int:
    """Return a component as it lies in memory; one of few bits is extended."""
    if component >= field(memory, texture, COMPONENTS):
        return 0
    address = texel_address(memory, texture, place, k)
    if address < 0:
        return field(memory, texture, BORDER_BITS + 4 * component)
    kind = field(memory, texture, FORMAT)
    size = 1 if kind < S16 else 4 if kind in (WORD, F32) else 2
    bits = load(memory, address + size * component, size)
    if kind in (S8, S16):
        sign = 1 << 8 * size - 1
        return (bits ^ sign) - sign
    return bits


def bits_of_half(bits: int) -> int:
    """Return the bits of the float that a half stands for."""
    exponent, mantissa, sign = bits >> 10 & 31, bits & 1023, (bits & 0x8000) << 16
    if exponent == 0:
        return sign | bits_of(mantissa * 5.9604644775390625e-8)
    return sign | (255 if exponent == 31 else exponent + 112) << 23 | mantissa << 13


def value_of(memory: ReadableMemory, texture: int, bits: int) -> int:
    """Return what a component stands for: an integer, or the bits of a float."""
    kind = field(memory, texture, FORMAT)
    if kind == F16:
        return bits_of_half(bits)
    if kind >= WORD or not field(memory, texture, GIVES_FLOATS):
        return bits
    if kind == U8:
        return bits_of(bits / 255.0)
    if kind == U16:
        return bits_of(bits / LARGEST_16)
    return bits_of(max(bits / (LARGEST_S8 if kind == S8 else LARGEST_S16), -1.0))


# ------------------------------------------------------------------------------------------------ filters


def filtered_integers(memory: ReadableMemory, texture: int, place: Place, component: int) -> int:
    """Return the weighted sum of texels of 8 or 16 bits, which are filtered as integers of 16."""
    total = 0
    for k in range(8):
        by = weight(place, k)
        if by:
            total += component_bits(memory, texture, place, k, component) * by
    kind = field(memory, texture, FORMAT)
    if kind == U8:
        return bits_of((total * 257 + 128 >> 8) / LARGEST_16)
    if kind == U16:
        return bits_of((total + 128 >> 8) / LARGEST_16)
    if kind == S16:
        return bits_of(max((total + 128 >> 8) / LARGEST_S16, -1.0))
    return bits_of(max((total * 32768 + (total >> 4) * 4096 + total + 16384 >> 15) / LARGEST_S16, -1.0))


def cut(bits: int, exponent: int, is_half: int) -> int:
    """Return a float in units of a sum, cut to what 28 bits below the largest hold, or 15 of texels of 16 bits."""
    own = bits >> 23 & 255
    below = exponent - max(own, 1)
    if not 0 <= below <= 28:  # below 0: a subnormal beside a sum that is smaller still
        return 0
    mantissa = (bits & 0x7FFFFF) | (0 if own == 0 else 0x800000)
    size = mantissa >> 9 >> below << 13 if is_half else mantissa << 4 >> below
    return -size if bits >> 31 & 1 else size


def joined(first: int, first_exponent: int, second: int, second_exponent: int) -> tuple[int, int]:
    """Return the sum of two sums, and its exponent."""
    above = second_exponent - first_exponent
    if above < 0:
        return second + (first << -above), second_exponent
    shift = min(above, 26)
    size = abs(first) >> min(above - shift, 62)
    return (second << shift) + (-size if first < 0 else size), second_exponent - shift


def rounded(total: int, exponent: int, is_half: int) -> int:
    """Return the bits of a sum, rounded half away from zero to a float, or to what half precision holds."""
    size = abs(total)
    shift = max(bit_length(size) - (11 if is_half else 24), 138 - exponent if is_half else -64)
    up, down = max(-shift, 0), max(shift, 0)
    kept = (size << up) + ((1 << down) >> 1) >> down
    last = exponent - 162 + shift
    result = 0 if kept == 0 or last <= -150 else bits_of(float(kept)) + last * 0x800000
    return result | (0x80000000 if total < 0 else 0)


def filtered_floats(memory: ReadableMemory, texture: int, place: Place, component: int) -> int:
    """Return the weighted sum of texels that are floats or halves: four are added exactly, then the other four."""
    is_half = int(field(memory, texture, FORMAT) == F16)
    total, total_exponent = 0, 1
    for first in range(0, 8, 4):
        if first and place[8] == 0:
            break
        size = abs(total)
        exponent = total_exponent + bit_length(size) - 36 if size else 1
        for k in range(first, first + 4):
            if weight(place, k):
                bits = value_of(memory, texture, component_bits(memory, texture, place, k, component))
                if bits >> 23 & 255 == INFINITE:
                    return bits
                exponent = max(exponent, bits >> 23 & 255)
        part = 0
        for k in range(first, first + 4):
            by = weight(place, k)
            if by:
                bits = value_of(memory, texture, component_bits(memory, texture, place, k, component))
                part += cut(bits, exponent, is_half) * by
        if first:
            total, total_exponent = joined(total, total_exponent, part, exponent)
        else:
            total, total_exponent = part, exponent
    return rounded(total, total_exponent, is_half)


def sampled(memory: ReadableMemory, texture: int, place: Place, component: int) -> int:
    """Return a component of a fetch."""
    if not field(memory, texture, IS_LINEAR):
        return value_of(memory, texture, component_bits(memory, texture, place, 0, component))
    if field(memory, texture, FORMAT) < WORD:
        return filtered_integers(memory, texture, place, component)
    return filtered_floats(memory, texture, place, component)


def gathered(memory: ReadableMemory, texture: int, place: Place, component: int, k: int) -> int:
    """Return a component of the k-th of the four texels around, from the lower left counter-clockwise."""
    corner = 2 if k == 0 else 3 if k == 1 else 1 if k == 2 else 0
    return value_of(memory, texture, component_bits(memory, texture, place, corner, component))


# ------------------------------------------------------------------------------------------------ surfaces


def surface_address(memory: ReadableMemory, surface: int, x: int, y: int, z: int, size: int, outside: int) -> int:
    """Return the address of ``size`` bytes of a surface, whose x counts in bytes; -1 outside, where the bounds do not
    hold it inside."""
    width = field(memory, surface, WIDTH) * field(memory, surface, TEXEL_BYTES)
    height, depth = field(memory, surface, HEIGHT), field(memory, surface, DEPTH)
    is_inside = 0 <= x <= width - size and 0 <= y < height and 0 <= z < depth
    if not is_inside and (outside != CLAMPED or size > width):
        return -1
    x, y, z = min(max(x, 0), width - size), min(max(y, 0), height - 1), min(max(z, 0), depth - 1)
    row = z * load(memory, surface + SLICE, 8) + y * load(memory, surface + PITCH, 8)
    return load(memory, surface + DATA, 8) + row + x


# ------------------------------------------------------------------------------------------------ sectors


def sector_of(memory: ReadableMemory, texture: int, address: int) -> int:
    """Return a number for the sector that a texel lies in: in an array, 16 bytes of two rows."""
    if not field(memory, texture, IS_TILED):
        return address // SECTOR
    within = address - load(memory, texture + DATA, 8)
    slice_bytes, pitch = max(load(memory, texture + SLICE, 8), 1), max(load(memory, texture + PITCH, 8), 1)
    z, within = within // slice_bytes, within % slice_bytes
    y, x = within // pitch, within % pitch
    return (z * MOST_TEXELS + (y >> 1)) * MOST_TEXELS + x // TILE_COLUMN


def passes(fetch: int, shape: int, size: int, is_filtered: int) -> tuple[int, int, int]:
    """Return how many neighbouring lanes share a request, how many of them look up their sectors together, and how
    often they do. ``size`` is that of a texel, or of the bytes of a surface."""
    if fetch in (READ, WRITE):
        return 8, 8, 1
    if fetch == ELEMENT:
        together = 8 if size <= 8 else 4
        return together, together, 1
    is_wide = size == 16
    if not is_filtered:
        return 4, 4, 1
    together = 4 >> (is_wide + (shape == VOLUME))
    return 4, together, 2 if is_wide else 1
