"""Read what a cubin says of its kernels in sections named .nv.info: registers, frame, parameters, bounds."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

# Kinds of entries.
REGISTER_COUNT, FRAME_SIZE, STACK_SIZE, PARAMETER, PARAMETER_BANK, MAX_THREADS = 0x2F, 0x11, 0x12, 0x17, 0x0A, 0x05
CLUSTER, BARRIER_COUNT = 0x3D, 0x4C  # blocks of a cluster in each direction; barriers of a block
UNKNOWN_SIZE = 0xFFFFFFFF  # of the stack, in code for debuggers that calls itself
SIZED = 4  # format of an entry whose value has a length of its own


@dataclass(frozen=True)
class KernelParameter:
    """Describe a parameter of a kernel: where it lies among the parameters, and its size, in bytes."""

    ordinal: int
    offset: int
    size: int


@dataclass(frozen=True)
class KernelAttributes:
    """Hold the entries of one kernel: ``own`` of its section, ``common`` of the one that all functions share."""

    own: tuple[tuple[int, bytes], ...]
    common: dict[int, int] = field(repr=False)

    @classmethod
    def read(cls, section: bytes, common: dict[int, int]) -> KernelAttributes:
        """Return the entries of the kernel that has the ``section``."""
        return cls(tuple(_entries(section)), common)

    @property
    def registers(self) -> int:
        """Return the registers of a thread, 0 where the section does not say."""
        return self.common.get(REGISTER_COUNT, 0)

    @property
    def frame_bytes(self) -> int:
        sizes = (self.common.get(kind, 0) for kind in (FRAME_SIZE, STACK_SIZE))
        return max(size for size in (*sizes, 0) if size != UNKNOWN_SIZE)

    @property
    def parameter_base(self) -> int:
        """Return where the parameters begin in constant bank 0, in bytes."""
        return next((struct.unpack_from("<H", value, 4)[0] for value in self._of(PARAMETER_BANK)), 0)

    @property
    def parameters(self) -> tuple[KernelParameter, ...]:
        return tuple(sorted(map(_parameter, self._of(PARAMETER)), key=lambda parameter: parameter.ordinal))

    @property
    def max_threads(self) -> int:
        """Return the bound of threads a block, 0 where there is none."""
        return next((prod(struct.unpack_from("<III", value)) for value in self._of(MAX_THREADS)), 0)

    @property
    def cluster(self) -> tuple[int, int, int] | None:
        return next((struct.unpack_from("<III", value) for value in self._of(CLUSTER) if len(value) >= 12), None)

    @property
    def barriers(self) -> int:
        """Return the barriers of the hardware that a block uses, 0 where the section does not say."""
        return next((value[0] for value in self._of(BARRIER_COUNT) if value), 0)

    def _of(self, wanted: int) -> Iterator[bytes]:
        return (value for kind, value in self.own if kind == wanted)


def common_attributes(section: bytes) -> dict[int, dict[int, int]]:
    """Return the entries of the ``section`` that all functions share: a number by its kind, for each function by its
    number in the table of symbols."""
    found: dict[int, dict[int, int]] = {}
    for kind, value in _entries(section):
        if len(value) >= 8:
            function, number = struct.unpack_from("<II", value)
            found.setdefault(function, {})[kind] = number
    return found


def _entries(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (attribute, value) of each entry of an .nv.info section."""
    at = 0
    while at + 4 <= len(data):
        form, kind, size = data[at], data[at + 1], struct.unpack_from("<H", data, at + 2)[0]
        at += 4
        if form == SIZED:
            yield kind, data[at : at + size]
            at += size
        else:
            yield kind, struct.pack("<H", size)


def _parameter(value: bytes) -> KernelParameter:
    _, ordinal, offset, flags = struct.unpack_from("<IHHI", value)
    return KernelParameter(ordinal, offset, flags >> 18)
