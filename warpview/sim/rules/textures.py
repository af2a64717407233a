"""Sample textures as the texture unit of an H200 does, bit for bit, and count the sectors that this takes.

What is not in NVIDIA's documents was measured there (tests/host/programs/texture_modes.cu, texture_shapes.cu;
tests/sass/mipmaps.cu). A coordinate from 0 to 1 counts in units of 2^-21. A fraction has 8 bits, and the weights of
the texels around are integers that add up to 256. Texels are cut to 28 bits below the largest one that counts, added
exactly and rounded half away from zero, four at a time. Texels of 8 and 16 bits are filtered as integers of 16.

Both engines execute this text: the reference as Python, the jit compiled by numba. So functions take numbers and an
opaque ``memory``, and the few that differ (``load``, ``float_of``, ``bits_of``, ``bit_length``) are named in
``BY_ENGINE``: those here are the reference's. ``texture`` is the address of the descriptor of a level.
"""

from __future__ import annotations

from warpview.isa.textures import OFFSETS, Fetch, Outside
from warpview.sim.rules.texture_places import (
    COMPONENTS,
    DATA,
    DEPTH,
    ELEMENT,
    F16,
    F32,
    FORMAT,
    HEIGHT,
    IS_LINEAR,
    MOST_TEXELS,
    PITCH,
    S8,
    S16,
    SLICE,
    TEXEL_BYTES,
    U8,
    U16,
    VOLUME,
    WIDTH,
    WORD,
    Place,
    ReadableMemory,
    bit_length,
    bits_of,
    field,
    load,
)

BORDER_BITS, GIVES_FLOATS, IS_TILED = OFFSETS["border_x"], OFFSETS["gives_floats"], OFFSETS["is_tiled"]
CLAMPED = int(Outside.CLAMP)
READ, WRITE = int(Fetch.READ), int(Fetch.WRITE)
INFINITE, LARGEST_16, LARGEST_S16, LARGEST_S8 = 255, 65535.0, 32767.0, 127.0
SECTOR, TILE_COLUMN = 32, 16  # bytes; a sector of an array is 16 bytes of two rows


# ------------------------------------------------------------------------------------------------ texels


def weight(place: Place, k: int, share: int) -> int:
    """Return the weight in 1/256 of one of the eight texels around, of a level that has a ``share`` of the 256."""
    across, down, deep = place[2], place[5], place[8]
    far = share * deep + 127 >> 8
    slice_ = far if k & 4 else share - far
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


def filtered_integers(
    memory: ReadableMemory, texture: int, place: Place, coarser: int, other: Place, fraction: int, component: int
) -> int:
    """Return the weighted sum of texels of 8 or 16 bits, which are filtered as integers of 16."""
    total = 0
    for k in range(16):
        at, around = (texture, place) if k < 8 else (coarser, other)
        by = weight(around, k & 7, 256 - fraction if k < 8 else fraction)
        if by:
            total += component_bits(memory, at, around, k & 7, component) * by
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
    """Return the sum of two sums of floats, and its exponent."""
    above = second_exponent - first_exponent
    if above < 0:
        return second + (first << -above), second_exponent
    shift = min(above, 26)
    size = abs(first) >> min(above - shift, 62)
    return (second << shift) + (-size if first < 0 else size), second_exponent - shift


def joined_halves(first: int, first_exponent: int, second: int, second_exponent: int) -> tuple[int, int]:
    """Return the sum of two sums of halves, whose lowest 13 bits are zeros, and its exponent: the smaller one is
    rounded half away from zero to a unit of the larger one."""
    if first_exponent > second_exponent:
        first, first_exponent, second, second_exponent = second, second_exponent, first, first_exponent
    shift = min(second_exponent - first_exponent, 40)
    size = (abs(first) >> 13) + ((1 << shift) >> 1) >> shift << 13
    return second + (-size if first < 0 else size), second_exponent


def rounded(total: int, exponent: int, is_half: int) -> int:
    """Return the bits of a sum, rounded half away from zero to a float, or to what half precision holds."""
    size = abs(total)
    shift = max(bit_length(size) - (11 if is_half else 24), 138 - exponent if is_half else -64)
    up, down = max(-shift, 0), max(shift, 0)
    kept = (size << up) + ((1 << down) >> 1) >> down
    last = exponent - 162 + shift
    result = 0 if kept == 0 or last <= -150 else bits_of(float(kept)) + last * 0x800000
    return result | (0x80000000 if total < 0 else 0)


def filtered_floats(
    memory: ReadableMemory, texture: int, place: Place, coarser: int, other: Place, fraction: int, component: int
) -> int:
    """Return the weighted sum of texels that are floats or halves: four are added exactly, then the next four."""
    is_half = int(field(memory, texture, FORMAT) == F16)
    total, total_exponent, is_first = 0, 1, True
    for group in range(4):
        at, around = (texture, place) if group < 2 else (coarser, other)
        share = 256 - fraction if group < 2 else fraction
        if share == 0 or (group & 1 and around[8] == 0):
            continue
        size = abs(total)
        exponent = total_exponent + bit_length(size) - 36 if size and not is_half else 1
        for k in range(4 * (group & 1), 4 * (group & 1) + 4):
            if weight(around, k, share):
                bits = value_of(memory, at, component_bits(memory, at, around, k, component))
                if bits >> 23 & 255 == INFINITE:
                    return bits
                exponent = max(exponent, bits >> 23 & 255)
        part = 0
        for k in range(4 * (group & 1), 4 * (group & 1) + 4):
            by = weight(around, k, share)
            if by:
                bits = value_of(memory, at, component_bits(memory, at, around, k, component))
                part += cut(bits, exponent, is_half) * by
        if is_first:
            total, total_exponent = part, exponent
        elif is_half:
            total, total_exponent = joined_halves(total, total_exponent, part, exponent)
        else:
            total, total_exponent = joined(total, total_exponent, part, exponent)
        is_first = False
    return rounded(total, total_exponent, is_half)


def sampled(
    memory: ReadableMemory, texture: int, place: Place, coarser: int, other: Place, fraction: int, component: int
) -> int:
    """Return a component of a fetch: at a place of a level and, for a ``fraction`` of 256, at one of a coarser."""
    if not field(memory, texture, IS_LINEAR) and fraction == 0:
        return value_of(memory, texture, component_bits(memory, texture, place, 0, component))
    if field(memory, texture, FORMAT) < WORD:
        return filtered_integers(memory, texture, place, coarser, other, fraction, component)
    return filtered_floats(memory, texture, place, coarser, other, fraction, component)


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
