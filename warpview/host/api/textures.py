"""Implement arrays, textures and surfaces: cudaMallocArray, cudaCreateTextureObject and their like.

A texture object is the address of the descriptors of its levels in device memory; see ``isa/textures.py``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from warpview.host.api.array_limits import CUBEMAP, LAYERED, array_fits
from warpview.host.arena import MemoryBlock
from warpview.host.channel import Request
from warpview.host.context import CudaArray, CudaFailure, RuntimeContext, TexelFormat, Values, answers
from warpview.host.errors import CudaError
from warpview.isa.textures import DESCRIPTOR, DESCRIPTOR_BYTES
from warpview.isa.types import Type

SIGNED, UNSIGNED, FLOAT = range(3)  # of cudaChannelFormatKind
FACES = 6
ARRAY, MIPMAP, LINEAR, PITCH_2D = range(4)  # of cudaResourceType
WRAP, CLAMP, MIRROR, BORDER = range(4)  # of cudaTextureAddressMode
ALIGNMENT, PITCH_ALIGNMENT = 512, 32  # in bytes, of cudaDeviceProp

# The formats of descriptors by bits of a component and kind.
FORMATS = {
    (8, SIGNED): 0, (8, UNSIGNED): 1, (16, SIGNED): 2, (16, UNSIGNED): 3, (32, SIGNED): 4, (32, UNSIGNED): 4,
    (16, FLOAT): 5, (32, FLOAT): 6,
}  # fmt: skip
# The type of a component by its format, where numbers of that type can be shown.
COMPONENTS = {0: Type.S8, 1: Type.U8, 2: Type.S16, 3: Type.U16, 4: Type.S32, 6: Type.F32}
LARGEST_HANDLE = 1 << 32  # machine code takes the lower word of an object
RESOURCE_BYTES = 144  # of cudaResourceDesc
TEXTURE = struct.Struct("<3i3i4fi4x i3f")  # the beginning of cudaTextureDesc, up to maxMipmapLevelClamp
STEPS = 256  # of a level
MOST_CLAMP = 255.0  # of levels that a texture is kept within


@dataclass(frozen=True)
class _Texels:
    """Describe the memory that a texture or a surface reads: where it lies, and ``size`` in elements."""

    address: int
    pitch: int
    slice: int
    size: tuple[int, int, int]
    format: TexelFormat
    is_linear_memory: bool = False
    is_array: bool = False
    told: tuple[int, int] = (0, 0)  # the height and depth that a query gives


@dataclass(frozen=True)
class _Sampling:
    """Describe how a texture is read, in the numbers of cudaTextureDesc."""

    addressing: tuple[int, int, int] = (BORDER, BORDER, BORDER)
    is_filtered: bool = False
    is_normalized: bool = False
    gives_floats: bool = False
    border: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    is_between_levels: bool = False
    levels: tuple[float, float, float] = (0.0, 0.0, 0.0)  # what is added to a level, the least and the most


@dataclass(frozen=True)
class TexelMemory:
    """Describe the memory behind a texture or a surface: from ``address``, the ``rows`` of all slices of ``columns``
    components each, those that only fill a row up included."""

    address: int
    rows: int
    columns: int
    component: Type | None


def memory_behind(descriptor: bytes) -> TexelMemory:
    """Return the memory that the contents of a texture object describe."""
    finest = descriptor[:DESCRIPTOR_BYTES]
    address, pitch, _, width, height, depth, components, kind, texel_bytes, *_ = DESCRIPTOR.unpack(finest)
    per_row = pitch // (texel_bytes // components) if pitch else width * components
    return TexelMemory(address, height * depth, per_row, COMPONENTS.get(kind))


# ------------------------------------------------------------------------------------------------ arrays
@answers("array_malloc")
def array_malloc(context: RuntimeContext, request: Request) -> Values:
    width, height, depth, flags, *bits, kind = request.values
    name = context.argument_name("cudaMalloc(?:3D)?Array", f"array of line {context.place.line}")
    return [_allocate(context, name, (width, height, depth), flags, _format(bits, kind)).block.base]


def _allocate(
    context: RuntimeContext, name: str, extent: tuple[int, int, int], flags: int, texels: TexelFormat
) -> CudaArray:
    width, height, depth = extent
    if not width or (flags & CUBEMAP and (width != height or depth % FACES)):
        raise CudaFailure(CudaError.INVALID_VALUE)
    if not array_fits(context.device.capability, (width, height, depth), flags):
        raise CudaFailure(CudaError.INVALID_VALUE)
    size = width * max(height, 1) * max(depth, 1) * texels.texel_bytes
    block = context.arena.allocate(size, name, context.place, "array")
    if block is None:
        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
    found = context.arrays[block.base] = CudaArray(block, texels, extent, flags)
    return found


@answers("mipmap_malloc")
def mipmap_malloc(context: RuntimeContext, request: Request) -> Values:
    """Allocate an array for each level; the handle is that of the finest one. There are as many levels as the largest
    dimension can be halved, and one more, whatever number is asked for."""
    width, height, depth, wanted, flags, *bits, kind = request.values
    texels, slices = _format(bits, kind), 0 if flags & (LAYERED | CUBEMAP) else depth
    count = min(max(wanted, 1), max(width, height, slices).bit_length())
    name = context.argument_name("cudaMallocMipmappedArray", f"mipmap of line {context.place.line}")
    arrays = []
    for level in range(count):
        size = [max(n >> level, 1) if n else 0 for n in (width, height, slices)]
        extent = size[0], size[1], size[2] if slices else depth
        arrays.append(_allocate(context, f"{name}, level {level}", extent, flags, texels))
    context.mipmaps[arrays[0].block.base] = tuple(array.block.base for array in arrays)
    return [arrays[0].block.base]


@answers("mipmap_level")
def mipmap_level(context: RuntimeContext, request: Request) -> Values:
    handle, level = request.values
    levels = _levels(context, handle)
    if level >= len(levels):
        raise CudaFailure(CudaError.INVALID_VALUE)
    return [levels[level].block.base]


@answers("mipmap_free")
def mipmap_free(context: RuntimeContext, request: Request) -> None:
    if request.values[0]:
        _free(context, [array.block for array in _levels(context, request.values[0])])


def _levels(context: RuntimeContext, handle: int) -> list[CudaArray]:
    """Return the arrays of the levels of a mipmap."""
    if handle not in context.mipmaps:
        context.find("invalid array", f"{handle:#x} is not a mipmapped array")
        raise CudaFailure(CudaError.INVALID_VALUE)
    return [_array(context, level) for level in context.mipmaps[handle]]


def _format(bits: list[int], kind: int) -> TexelFormat:
    """Return a format of one, two or four components. Raise CudaFailure for others."""
    found = TexelFormat((bits[0], bits[1], bits[2], bits[3]), kind)
    is_even = set(bits) in ({bits[0]}, {bits[0], 0}) and found.components in (1, 2, 4)
    if not is_even or not bits[0] or (bits[0], kind) not in FORMATS:
        raise CudaFailure(CudaError.INVALID_CHANNEL_DESCRIPTOR)
    return found


def _array(context: RuntimeContext, handle: int) -> CudaArray:
    known = context.arrays.get(handle)
    if known is None:
        context.find("invalid array", f"{handle:#x} is not an array")
        raise CudaFailure(CudaError.INVALID_VALUE)
    if known.block.freed is not None:
        where = f"line {known.block.freed.line}"
        context.find("invalid array", f"the array '{known.block.name}' was freed in {where} already")
        raise CudaFailure(CudaError.INVALID_RESOURCE_HANDLE)
    return known


@answers("array_free")
def array_free(context: RuntimeContext, request: Request) -> None:
    """cudaFreeArray waits for the device, as cudaFree does."""
    if request.values[0]:
        _free(context, [_array(context, request.values[0]).block])


def _free(context: RuntimeContext, blocks: Sequence[MemoryBlock]) -> None:
    waiting = list(context.scheduler.pending.values())
    context.scheduler.complete(waiting)
    for block in blocks:
        context.arena.free(block, context.place)
    context.wait_for(waiting)


@answers("array_info")
def array_info(context: RuntimeContext, request: Request) -> Values:
    array = _array(context, request.values[0])
    return [*array.extent, array.flags, *array.format.bits, array.format.kind]


@answers("array_place")
def array_place(context: RuntimeContext, request: Request) -> Values:
    """Return the address of a byte of a row, the bytes of a row, and the rows of a slice."""
    handle, x, y = request.values
    array = _array(context, handle)
    rows = max(array.extent[1], 1)
    if x >= array.pitch or y >= rows:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return [array.block.base + y * array.pitch + x, array.pitch, rows]


# ------------------------------------------------------------------------------------------------ objects
@answers("texture_create")
def texture_create(context: RuntimeContext, request: Request) -> Values:
    levels = _resource(context, request.data)
    texels, sampling = levels[0], _sampling(request.data[RESOURCE_BYTES:], _kind(request.data) == MIPMAP)
    is_float = texels.format.kind == FLOAT
    if sampling.gives_floats and not is_float and texels.format.bits[0] == 32:
        raise CudaFailure(CudaError.INVALID_NORM_SETTING)
    if (
        (sampling.is_filtered or sampling.is_between_levels)
        and not (is_float or sampling.gives_floats)
        and not texels.is_linear_memory
    ):
        raise CudaFailure(CudaError.INVALID_FILTER_SETTING)
    sampling = _Sampling() if texels.is_linear_memory else sampling
    return [_descriptors(context, "cudaCreateTextureObject", levels, sampling)]


@answers("surface_create")
def surface_create(context: RuntimeContext, request: Request) -> Values:
    if _kind(request.data) == MIPMAP:
        raise CudaFailure(CudaError.INVALID_VALUE)
    texels = _resource(context, request.data, is_surface=True)
    return [_descriptors(context, "cudaCreateSurfaceObject", texels, _Sampling())]


@answers("texture_destroy")
def texture_destroy(context: RuntimeContext, request: Request) -> None:
    block = context.arena.holding(request.values[0])
    if block is None or block.kind != "texture" or block.base != request.values[0]:
        raise CudaFailure(CudaError.INVALID_VALUE)
    context.scheduler.complete(list(context.scheduler.pending.values()))
    context.arena.free(block, context.place)


def _kind(data: bytes) -> int:
    """Return the kind of a cudaResourceDesc."""
    return int.from_bytes(data[:4], "little")


def _resource(context: RuntimeContext, data: bytes, *, is_surface: bool = False) -> list[_Texels]:
    """Return the memory that a cudaResourceDesc means, of each level. Raise CudaFailure where neither a texture nor a
    surface can be made of it."""
    kind, address = struct.unpack_from("<i4xQ", data)
    if kind == ARRAY:
        return [_texels_of(_array(context, address), is_surface)]
    if kind == MIPMAP:
        return [_texels_of(array, is_surface) for array in _levels(context, address)]
    block = context.arena.holding(address)
    if kind not in (LINEAR, PITCH_2D) or address % ALIGNMENT or block is None:
        raise CudaFailure(CudaError.INVALID_VALUE)
    *bits, channel = struct.unpack_from("<5i", data, 16)
    texels = _format(bits, channel)
    if kind == LINEAR:
        (size,) = struct.unpack_from("<Q", data, 40)
        count = min(size, block.end - address) // texels.texel_bytes  # cudaBindTexture may say UINT_MAX
        return [_Texels(address, 0, 0, (count, 1, 1), texels, is_linear_memory=True)]
    width, height, pitch = struct.unpack_from("<3Q", data, 40)
    if pitch % PITCH_ALIGNMENT or not width or not height or width * texels.texel_bytes > pitch:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return [_Texels(address, pitch, 0, (width, height, 1), texels, told=(height, 0))]


def _texels_of(array: CudaArray, is_surface: bool) -> _Texels:
    width, height, depth = (max(n, 1) for n in array.extent)
    return _Texels(
        array.block.base, array.pitch, array.pitch * height, (width, height, depth), array.format, is_array=True,
        told=_told(array, is_surface),
    )  # fmt: skip


def _told(array: CudaArray, is_surface: bool) -> tuple[int, int]:
    """Return the height and depth that a query gives, as on an H200: of lines the layers in place of the height, of a
    texture of cubes the cubes in place of the faces."""
    _, height, depth = array.extent
    if not height:
        return depth or int(not is_surface), 0
    if array.flags & CUBEMAP and not is_surface:
        depth = depth // FACES if array.flags & LAYERED else 0
    return height, depth


def _sampling(data: bytes, has_levels: bool) -> _Sampling:
    first, second, third, linear, read_mode, _, *border, normalized, between, bias, least, most = TEXTURE.unpack_from(
        data
    )
    # Without normalized coordinates a texture cannot repeat itself.
    addressing = [mode if normalized or mode == BORDER else CLAMP for mode in (first, second, third)]
    found = _Sampling(
        (addressing[0], addressing[1], addressing[2]), linear == 1, bool(normalized), read_mode == 1,
        (border[0], border[1], border[2], border[3]),
    )  # fmt: skip
    if not has_levels:
        return found
    # The coordinates of a mipmap run from 0 to 1, whatever the description says (measured on an H200).
    return replace(found, is_normalized=True, is_between_levels=between == 1, levels=(bias, least, most))


def _descriptors(context: RuntimeContext, call: str, levels: Sequence[_Texels], sampling: _Sampling) -> int:
    """Write the descriptors of the levels to device memory and return their address."""
    contents = b"".join(_descriptor(texels, len(levels), sampling) for texels in levels)
    name = context.argument_name(call, f"texture of line {context.place.line}")
    block = context.arena.allocate(len(contents), name, context.place, "texture")
    if block is None or block.end > LARGEST_HANDLE:
        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
    context.arena.view(block.base, block.size)[:] = memoryview(contents)
    context.arena.mark_written(block, block.base, block.size)
    return block.base


def _descriptor(texels: _Texels, levels: int, sampling: _Sampling) -> bytes:
    layout = texels.format
    bias, least, most = (int(min(max(level, -MOST_CLAMP), MOST_CLAMP) * STEPS) for level in sampling.levels)
    return DESCRIPTOR.pack(
        texels.address, texels.pitch, texels.slice, *texels.size,
        layout.components, FORMATS[layout.bits[0], layout.kind], layout.texel_bytes,
        *sampling.addressing, sampling.is_filtered, sampling.is_normalized, sampling.gives_floats,
        *(_border(layout, sampling, value) for value in sampling.border), texels.is_array, levels,
        sampling.is_between_levels, bias, max(least, 0), max(most, 0), *texels.told,
    )  # fmt: skip


def _border(layout: TexelFormat, sampling: _Sampling, value: float) -> int:
    """Return a component of the border as a texel has it: of integers the lowest bits of the float, as on an H200, or
    its value where texels are read as fractions."""
    bits = layout.bits[0]
    if layout.kind == FLOAT and bits == 16:
        return int(_cut_to_half(value))
    if sampling.gives_floats and layout.kind != FLOAT:
        return _as_fraction(value, bits, layout.kind == SIGNED)
    raw: int = struct.unpack("<I", struct.pack("<f", value))[0] & (1 << bits) - 1
    is_signed = layout.kind == SIGNED or bits == 32  # 32 bits are kept as an int
    return raw - (1 << bits) if is_signed and raw >> bits - 1 else raw


def _as_fraction(value: float, bits: int, is_signed: bool) -> int:
    """Return the integer that stands for a value from 0 or -1 to 1. As on an H200, the value is cut to four bits more
    than the integer has, and rounded half toward zero."""
    kept = min(max(value, -1.0 if is_signed else 0.0), 1.0)
    largest, steps = (1 << bits - is_signed) - 1, 1 << bits - is_signed + 4
    size = (2 * int(abs(kept) * steps) * largest + steps - 1) // (2 * steps)
    return -size if kept < 0 else size


def _cut_to_half(value: float) -> int:
    """Return the bits of a value in half precision, cut toward zero."""
    nearest = np.float16(value)
    cut = np.nextafter(nearest, np.float16(0)) if abs(float(nearest)) > abs(value) else nearest
    return int(cut.view(np.uint16))
