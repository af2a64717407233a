"""Implement copies and fills between the host's memory and the device's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from warpview.host.arena import ON_HOST, MemoryBlock
from warpview.host.channel import HostOrder, Request
from warpview.host.context import CudaFailure, RuntimeContext, answers
from warpview.host.errors import CudaError
from warpview.host.timing import copy_us
from warpview.sim.access_ranges import NO_RANGES, AccessRanges, Ranges, rectangle

UNKNOWN_DIRECTION = 4  # cudaMemcpyDefault: the pointers tell
KINDS = ("host to host", "host to device", "device to host", "device to device", "default")


@dataclass(frozen=True)
class _CopyEnd:
    """Describe one end of a copy: its address and pitch, and the block that it lies in (None on the host's own
    memory)."""

    address: int
    pitch: int
    block: MemoryBlock | None

    @property
    def is_on_host(self) -> bool:
        return self.block is None or self.block.kind in ON_HOST


@answers("memcpy")
def memcpy(context: RuntimeContext, request: Request) -> None:
    to, source, size, kind, is_async, stream = request.values
    call = "cudaMemcpyAsync" if is_async else "cudaMemcpy"
    _copy(context, call, (to, size), (source, size), size, 1, kind, bool(is_async), stream)


@answers("memcpy_2d")
def memcpy_2d(context: RuntimeContext, request: Request) -> None:
    to, to_pitch, source, source_pitch, width, height, kind, is_async, stream = request.values
    if width > to_pitch or width > source_pitch:
        context.find("copy out of bounds", f"rows of {width} bytes are wider than a pitch ({to_pitch}, {source_pitch})")
        raise CudaFailure(CudaError.INVALID_PITCH_VALUE)
    call = "cudaMemcpy2DAsync" if is_async else "cudaMemcpy2D"
    _copy(context, call, (to, to_pitch), (source, source_pitch), width, height, kind, bool(is_async), stream)


@answers("memcpy_symbol")
def memcpy_symbol(context: RuntimeContext, request: Request) -> None:
    shadow, other, size, offset, kind, is_async, stream, to_symbol = request.values
    known = context.symbols.get(shadow)
    call = f"cudaMemcpy{'To' if to_symbol else 'From'}Symbol"
    if known is None:
        context.find("invalid symbol", f"{call} needs a __device__ or __constant__ variable")
        raise CudaFailure(CudaError.INVALID_SYMBOL)
    address = known.block.base + offset
    ends = ((address, size), (other, size)) if to_symbol else ((other, size), (address, size))
    _copy(context, call, *ends, size, 1, kind, bool(is_async), stream)


def _copy(
    context: RuntimeContext, call: str, to: tuple[int, int], source: tuple[int, int], width: int, height: int,
    kind: int, is_async: bool, handle: int,
) -> None:  # fmt: skip
    """Hand a copy of ``height`` rows of ``width`` bytes to a stream; ``to`` and ``source`` are address and pitch."""
    stream = context.stream(handle)
    if not width or not height:
        return
    if kind > UNKNOWN_DIRECTION:
        raise CudaFailure(CudaError.INVALID_MEMCPY_DIRECTION)
    into, out_of = (
        _copy_end(context, *to, width, height, call, "writes"),
        _copy_end(context, *source, width, height, call, "reads"),
    )
    _check_direction(context, call, kind, into, out_of)
    name = _kind_of(kind, into, out_of)
    used = tuple(b for b in (into.block, out_of.block) if b is not None and b.kind in ON_HOST)
    # Memory that is not page-locked is staged: the call returns once the source has been read, or the target written.
    pageable = any(not _is_pinned(context, side) for side in (into, out_of) if side.is_on_host)
    size = width * height
    operation = context.scheduler.enqueue(
        stream, name, call, context.place, lambda: _execute(context, into, out_of, width, height),
        size=size, issued_us=context.host_us, duration_us=copy_us(context.device, name, size, not pageable),
        uses=used, writes=into.block is not None and into.block.kind in ON_HOST,
        takes_host=into.block is None or out_of.block is None,
        accesses=partial(_accesses, into, out_of, width, height),
    )  # fmt: skip
    between_devices = not into.is_on_host and not out_of.is_on_host
    if (is_async and not pageable) or between_devices:
        context.lock_memory()
        return
    context.wait_for([operation])


def _accesses(into: _CopyEnd, out_of: _CopyEnd | None, width: int, height: int) -> AccessRanges:
    """Return what a copy, or a fill (``out_of`` None), accesses of the memory that the device has."""

    def ranges(side: _CopyEnd | None) -> Ranges:
        if side is None or side.block is None:
            return NO_RANGES
        return rectangle(side.address, side.pitch, width, height)

    return AccessRanges(ranges(out_of), ranges(into))


def _is_pinned(context: RuntimeContext, side: _CopyEnd) -> bool:
    if side.block is not None:
        return True
    return any(base <= side.address < base + size for base, size in context.host_memory.items())


def _kind_of(kind: int, into: _CopyEnd, out_of: _CopyEnd) -> str:
    """Return the kind of the copy, as the timeline shows it."""
    to_host = into.is_on_host and kind not in (1, 3)
    from_host = out_of.is_on_host and kind not in (2, 3)
    if to_host:
        return "copy on host" if from_host else "copy from device"
    return "copy to device" if from_host else "copy on device"


def _copy_end(
    context: RuntimeContext, address: int, pitch: int, width: int, height: int, call: str, verb: str
) -> _CopyEnd:
    """Return one end of a copy, within bounds; a finding and an error where it is not."""
    size = pitch * (height - 1) + width
    block = context.arena.holding(address)
    if block is not None:
        if address + size > block.end:
            past = address + size - block.end
            context.find(
                "copy out of bounds",
                f"{call} {verb} {past} bytes past the end of '{block.name}' "
                f"({block.size} bytes, line {block.place.line})",
            )
            raise CudaFailure(CudaError.INVALID_VALUE)
        return _CopyEnd(address, pitch, block)
    once = context.arena.once_held(address)
    if once is not None and once.freed is not None:
        context.find("use after free", f"{call} {verb} '{once.name}', which was freed in line {once.freed.line}")
        raise CudaFailure(CudaError.INVALID_VALUE)
    if address < context.arena.limit:
        what = "a null pointer" if not address else f"{address:#x}, which is no memory of the host or the device"
        context.find("invalid pointer", f"{call} {verb} through {what}")
        raise CudaFailure(CudaError.INVALID_VALUE)
    return _CopyEnd(address, pitch, None)


def _check_direction(context: RuntimeContext, call: str, kind: int, into: _CopyEnd, out_of: _CopyEnd) -> None:
    """Check that the direction that the call names is that of its pointers; memory of the host where it says device is
    an error, device memory where it says host is not."""
    if kind > 4:
        raise CudaFailure(CudaError.INVALID_MEMCPY_DIRECTION)
    for side, on_device, what in ((into, kind in (1, 3), "first"), (out_of, kind in (2, 3), "second")):
        if kind == UNKNOWN_DIRECTION:
            continue
        if on_device and side.block is None:
            context.find("wrong direction", f"{call} says {KINDS[kind]}, but its {what} pointer is memory of the host")
            raise CudaFailure(CudaError.INVALID_VALUE)
        if not on_device and side.block is not None and side.block.kind not in ON_HOST:
            message = f"{call} says {KINDS[kind]}, but its {what} pointer is device memory '{side.block.name}'"
            context.find("wrong direction", message, severity="warning")  # the runtime copies all the same


def _execute(context: RuntimeContext, into: _CopyEnd, out_of: _CopyEnd, width: int, height: int) -> None:
    """Move the bytes: within device memory here, else in the host part."""
    if out_of.block is not None and out_of.block.kind == "device":
        _check_written(context, out_of, width, height)
    ends = (into.address, into.pitch, out_of.address, out_of.pitch, width, height)
    if into.block is not None and out_of.block is not None:
        for row in range(height):
            source = context.arena.view(out_of.address + row * out_of.pitch, width)
            context.arena.view(into.address + row * into.pitch, width)[:] = source.copy()
    else:
        order = HostOrder.TO_DEVICE if into.block else HostOrder.FROM_DEVICE if out_of.block else HostOrder.ON_HOST
        context.execute(order, ends)
    if into.block is not None:
        for row in range(height if width < into.pitch else 1):
            extent = width if width < into.pitch else width * height
            context.arena.mark_written(into.block, into.address + row * into.pitch, extent)


def _check_written(context: RuntimeContext, side: _CopyEnd, width: int, height: int) -> None:
    """Report a finding where nothing of what is copied was ever written."""
    assert side.block is not None
    written = any(
        context.arena.is_any_written(side.address + row * side.pitch, width)
        for row in range(height if height < 64 else 1)
    )
    if not written:
        context.find(
            "uninitialised copy",
            f"'{side.block.name}' is copied, but nothing was ever written there",
            severity="warning",
        )


@answers("memset")
def memset(context: RuntimeContext, request: Request) -> None:
    """Fill memory with the lowest byte of a value, or with the bytes of an element in ``data``."""
    address, width, height, pitch, value, _, handle = request.values
    stream = context.stream(handle)
    if not width or not height:
        return
    side = _copy_end(context, address, pitch, width, height, "cudaMemset", "writes")
    if side.block is None:
        context.find("wrong memory", "cudaMemset is given memory of the host")
        raise CudaFailure(CudaError.INVALID_VALUE)
    block = side.block
    pattern = np.resize(np.frombuffer(request.data or bytes([value & 0xFF]), np.uint8), width)

    def fill() -> None:
        for row in range(height):
            context.arena.view(address + row * pitch, width)[:] = pattern
            context.arena.mark_written(block, address + row * pitch, width)

    used = (block,) if block.kind in ON_HOST else ()
    context.scheduler.enqueue(
        stream, "memset", "cudaMemset", context.place, fill, size=width * height, issued_us=context.host_us,
        duration_us=copy_us(context.device, "memset", width * height, True), uses=used, writes=True,
        accesses=partial(_accesses, side, None, width, height),
    )  # fmt: skip
    context.lock_memory()
