"""Execute the launches of a series again: to find who wrote an element, or in another order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.arguments.binding import BoundBuffer
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory

MOST_BYTES = 1 << 28  # of buffers that are kept as they were before the first launch


class MemoryBefore(Protocol):
    """Keep global memory as it was before a launch, as a ``DeviceMemory`` does, or in another form."""

    @property
    def kept_bytes(self) -> int: ...

    def copy(self) -> DeviceMemory: ...


@dataclass(frozen=True, eq=False)
class Rerun:
    """Hold the launches of a series up to one of them, and what they began with.

    Attributes
    ----------
    memory : MemoryBefore
        Global memory before the first launch; it is shared by the runs of a series and must be copied before use.
    launches : tuple of (Program, Launch)
        The launches in order; the last one is that of the run.
    buffers : mapping of str to BoundBuffer
        Arrays of the last launch by parameter name.
    device : Device
    options : Options
    expected : mapping of str to ndarray
        What arrays should hold after the launch, flat, by name; empty where that is not known.
    """

    memory: MemoryBefore
    launches: tuple[tuple[Program, Launch], ...]
    buffers: Mapping[str, BoundBuffer]
    device: Device
    options: Options
    expected: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Return the bytes of the memory, with which of its words have been written, and of the expected arrays."""
        return self.memory.kept_bytes + sum(array.nbytes for array in self.expected.values())
