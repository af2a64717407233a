"""Implement cuFFT: a transform is carried out with numpy, in the order of its stream.

An operation is no launch and has no counters. The timeline shows the least time that the device needs, for 5 N log2 N
operations of N elements, or for its bytes at full speed. Transforms are not divided by the number of elements.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.host.channel import Request
from warpview.host.context import RuntimeContext, Values, answers
from warpview.host.timing import KERNEL_US
from warpview.isa.work import Work
from warpview.run.roofline import Roof
from warpview.sim.access_ranges import AccessRanges

SUCCESS, EXECUTION_FAILED = 0, 6  # of cufftResult
FORWARD = (1 << 64) - 1  # CUFFT_FORWARD as a word
_SINGLE, _DOUBLE = (np.float32, np.complex64), (np.float64, np.complex128)
# By cufftType: the name, and the elements of both sides.
_TYPES = {
    0x2A: ("R2C", *_SINGLE), 0x2C: ("C2R", *_SINGLE[::-1]), 0x29: ("C2C", np.complex64, np.complex64),
    0x6A: ("D2Z", *_DOUBLE), 0x6C: ("Z2D", *_DOUBLE[::-1]), 0x69: ("Z2Z", np.complex128, np.complex128),
}  # fmt: skip

Array = NDArray[Any]  # of real or complex numbers


class _OutOfBoundsError(Exception):
    """One side of the transform is not within the device's memory."""


@dataclass(frozen=True)
class _Transform:
    """Describe a transform of ``extents``, as many as there are in a ``batch``."""

    context: RuntimeContext
    name: str
    extents: tuple[int, ...]
    batch: int

    def side(self, words: Sequence[int], element: type[np.generic], padded: bool) -> tuple[Array, tuple[int, int]]:
        """Return the elements of one side, [batch, *extents], in device memory, and the bytes from the first to behind
        the last. Complex elements of a real transform are half as many; ``padded`` is the real side of one in place."""
        address, stride, distance, *embed = words
        dtype, shape, rank = np.dtype(element), list(self.extents), len(self.extents)
        half = self.extents[-1] // 2 + 1
        if self._is_real and dtype.kind == "c":
            shape[-1] = half
        widths = embed[:rank] if stride else [*shape[:-1], 2 * half if padded else shape[-1]]
        step = stride or 1
        steps = [step * math.prod(widths[k + 1 :]) for k in range(rank)]
        whole = [distance if stride else math.prod(widths), *steps]
        last = sum((n - 1) * s for n, s in zip((self.batch, *shape), whole, strict=True))
        size = (last + 1) * dtype.itemsize
        block = self.context.arena.holding(address)
        if block is None or address + size > block.end:
            what = (
                f"at {address:#x}, which is not device memory" if block is None else f"past the end of '{block.name}'"
            )
            self.context.find("out of bounds", f"{self.name} uses {size} bytes {what}")
            raise _OutOfBoundsError
        flat = self.context.arena.view(address, size)
        strides = tuple(s * dtype.itemsize for s in whole)
        return np.ndarray((self.batch, *shape), dtype, flat.data, strides=strides), (address, address + size)

    @property
    def _is_real(self) -> bool:
        return not self.name.endswith(("C2C", "Z2Z"))

    def compute(self, values: Array, result: type[np.generic], forward: bool) -> Array:
        """Return the transforms, which are not divided by anything."""
        axes = tuple(range(1, len(self.extents) + 1))
        if not self._is_real:
            kind = np.fft.fftn if forward else np.fft.ifftn
            return np.asarray(kind(values, axes=axes, norm="backward" if forward else "forward"), dtype=result)
        if np.dtype(result).kind == "c":
            return np.asarray(np.fft.rfftn(values, axes=axes), dtype=result)
        return np.asarray(np.fft.irfftn(values, s=self.extents, axes=axes, norm="forward"), dtype=result)

    def least_us(self, moved: int, element: type[np.generic]) -> float:
        """Return the time at the rates that the device reaches at most."""
        roof = Roof.of(self.context.device, Work.DOUBLE if np.dtype(element).itemsize in (16,) else Work.SINGLE)
        count = math.prod(self.extents)
        operations = 5 * count * max(1.0, math.log2(count)) * self.batch
        return KERNEL_US + max(operations / roof.peak, moved / roof.dram_gbps) / 1000


@answers("fft")
def fft(context: RuntimeContext, request: Request) -> Values:
    """Answer a transform: its status."""
    (handle,) = request.values
    words = struct.unpack(f"<{len(request.data) // 8}Q", request.data)
    kind, direction, rank, *extents = words[:6]
    name, source, target = _TYPES[kind]
    transform = _Transform(context, f"cufftExec{name}", tuple(extents[:rank]), words[6])
    in_place = words[7] == words[13]
    try:
        values, reads = transform.side(words[7:13], source, in_place and np.dtype(source).kind == "f")
        result, writes = transform.side(words[13:19], target, in_place and np.dtype(target).kind == "f")
    except _OutOfBoundsError:
        return [EXECUTION_FAILED]

    def run() -> None:
        result[...] = transform.compute(values, target, direction == FORWARD)
        block = context.arena.holding(writes[0])
        if block is not None:
            context.arena.mark_written(block, writes[0], writes[1] - writes[0])

    moved = values.nbytes + result.nbytes
    ranges = AccessRanges(*(np.array([span], dtype=np.int64) for span in (reads, writes)))
    context.scheduler.enqueue(
        context.stream(handle), "kernel", transform.name, context.place, run, size=moved, issued_us=context.host_us,
        duration_us=transform.least_us(moved, max(source, target, key=lambda t: np.dtype(t).itemsize)), writes=True,
        accesses=lambda: ranges,
    )  # fmt: skip
    return [SUCCESS]
