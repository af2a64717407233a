"""Record the launches of a program, and hold the settings with which they are simulated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from warpview import frontend
from warpview.devices import Device
from warpview.diagnostics import LaunchError, SourceText
from warpview.host.arena import Arena, MemoryBlock
from warpview.host.channel import SourcePlace
from warpview.host.machine_code_variables import with_variables
from warpview.isa.program import Program
from warpview.run.compilation import read_source
from warpview.run.host_launch import HostLaunch, simulate_in
from warpview.sim.history.events import HISTORY_BYTES
from warpview.sim.launch import Dim3, Options
from warpview.sim.memory import Allocation, DeviceMemory

if TYPE_CHECKING:
    from warpview.run.result import Run

SNAPSHOT_BYTES = 512 << 20  # of device memory before launches, all launches of a program together
BUFFER_BYTES = 1 << 26  # copied into Run.buffers of one launch


@dataclass(frozen=True)
class Settings:
    """Settings say how the kernels of a program are compiled and simulated.

    ``sample`` and ``too_long`` are those of ``simulate``; ``compiler`` "nvrtc" runs NVIDIA's machine code.
    """

    defines: Mapping[str, object] = field(default_factory=dict)
    fma: bool = True
    predicate: bool = False
    check: bool = True
    timed: bool = True
    progress: Callable[[str, int, int], bool] | None = None
    sample: float = 1.0
    too_long: Callable[[float], float] | None = None
    compiler: str = "warpview"


@dataclass(frozen=True)
class MemorySnapshot:
    """Keep device memory before a launch: the contents of every allocation, and which of its words were written."""

    parts: tuple[tuple[Allocation, NDArray[np.uint8], NDArray[np.bool_]], ...]

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of contents and marks; snapshots share those that did not change between them."""
        return sum(contents.nbytes + marks.nbytes for _, contents, marks in self.parts)

    def copy(self) -> DeviceMemory:
        """Return a memory that a launch may change."""
        top = max((allocation.end for allocation, _, _ in self.parts), default=0)
        size = -(-(top + 4096) // 256) * 256
        data, written = np.zeros(size, np.uint8), np.zeros(size // 4, np.bool_)
        for allocation, contents, marks in self.parts:
            data[allocation.base : allocation.end] = contents
            written[allocation.base // 4 : -(-allocation.end // 4)] = marks
        return DeviceMemory.over(data, written, [allocation for allocation, _, _ in self.parts])


@dataclass(frozen=True, repr=False)
class LaunchRecord:
    """Record one launch of a program: where it stands in the source, what it ran with, and what it did."""

    index: int
    order: tuple[int, ...]
    """number among the host's launches, then, where a kernel made it, among those of each kernel around it"""
    kernel: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    stream: int
    place: SourcePlace
    program: Program
    arguments: tuple[bytes, ...]
    constants: Mapping[str, bytes]
    device: Device
    run: Run
    snapshot: MemorySnapshot | None
    time_us: float | None
    """duration on the device by the model; of a launch like an earlier one, that one's by the instructions of both"""
    reachable_bytes: int
    """size of the allocations that the launch's pointers lead to"""
    device_addresses: Mapping[str, int] = field(default_factory=dict)
    """where the ``__device__`` variables of the file lie, by name"""
    launched_by: int | None = None
    """index of the launch whose kernel made this one; None of a launch by the host"""
    cluster: Dim3 | None = None
    """blocks of a cluster in each direction, where the launch asks for clusters"""

    def __repr__(self) -> str:
        return f"<LaunchRecord {self.index + 1} in line {self.place.line}: {self.run!r}>"

    def with_source(
        self, source: SourceText, *, defines: Mapping[str, object] | None = None, fma: bool = True,
        predicate: bool = False, compiler: str = "warpview",
    ) -> LaunchRecord:  # fmt: skip
        """Return the launch with its kernel compiled from another text of its file, or by another compiler.

        Raises CompileError, and LaunchError where the kernel has other parameters there: their values are not known.
        """
        folder = Path(source.name).parent
        if compiler == "nvrtc":
            unplaced = by_nvrtc(
                source, self.kernel, dict(defines or {}), fma, folder, self.device, self.device_addresses
            )
            program = with_variables(unplaced, self.device_addresses)
        else:
            program = frontend.compile_source(
                source, self.kernel, dict(defines or {}), fma=fma, predicate=predicate, include_dir=folder,
                device_addresses=self.device_addresses,
            )  # fmt: skip
        if _signature(program) != _signature(self.program):
            raise LaunchError(
                f"the parameters of {self.kernel} are not those of the program's launch any more: run the program again"
            )
        return replace(self, program=program)

    def open(
        self, engine: str = "sm", options: Options | None = None, history_bytes: int = HISTORY_BYTES,
        traced_block: int = 0,
    ) -> Run:  # fmt: skip
        """Simulate the launch again from the memory that it began with, to step through the multiprocessor of a block.

        Raises ValueError where that memory was not kept (see SNAPSHOT_BYTES): run the program again with ``keep`` set
        to this launch.
        """
        if self.snapshot is None:
            raise ValueError(f"the memory before launch {self.index + 1} was not kept")
        launch = HostLaunch(
            self.program, self.grid, self.block, self.arguments, self.shared_bytes, self.constants, self.cluster
        )  # fmt: skip
        return simulate_in(
            self.snapshot.copy(), launch, self.device, engine=engine, options=options, history_bytes=history_bytes,
            traced_block=traced_block, before=self.snapshot,
        )  # fmt: skip


def _signature(program: Program) -> list[tuple[str, int]]:
    """Return the types and places of a kernel's parameters."""
    return [(param.ctype, param.offset) for param in program.params]


class SnapshotKeeper:
    """Keep device memory before launches; allocations that did not change since an earlier snapshot are shared."""

    def __init__(self, arena: Arena, limit: int = SNAPSHOT_BYTES, only: int | None = None) -> None:
        self._arena, self._left, self._only = arena, limit, only
        self._last: dict[int, tuple[MemoryBlock, NDArray[np.uint8], NDArray[np.bool_]]] = {}

    def take(self, index: int) -> MemorySnapshot | None:
        """Return a snapshot before launch ``index``; None where there is no room left, or only another one is
        wanted."""
        if self._only is not None and index != self._only:
            return None
        parts = []
        for block in self._arena.blocks:
            kept = self._kept(block)
            if kept is None:
                return None
            parts.append((Allocation(block.name, block.base, block.size, block.filled), *kept))
        return MemorySnapshot(tuple(parts))

    def _kept(self, block: MemoryBlock) -> tuple[NDArray[np.uint8], NDArray[np.bool_]] | None:
        now, marks = self._arena.view(block.base, block.size), self._arena.written_marks(block)
        known = self._last.get(block.base)
        if (
            known is not None
            and known[0] is block
            and np.array_equal(known[1], now)
            and np.array_equal(known[2], marks)
        ):
            return known[1:]
        if block.size > self._left:
            return None
        self._left -= block.size
        copies = now.copy(), marks.copy()
        self._last[block.base] = (block, *copies)
        return copies


def by_nvrtc(
    source: SourceText, kernel: str, defines: Mapping[str, object], fma: bool, folder: Path, device: Device,
    device_addresses: Mapping[str, int],
) -> Program:  # fmt: skip
    """Return a kernel of a program as NVIDIA's compiler writes it for a device. In machine code its variables have no
    place as yet.

    Raises CompileError, and WarpviewError where the device has none that can be run.
    """
    from warpview.run.nvrtc_program import compile_with_nvrtc
    from warpview.run.nvrtc_targets import architecture_of

    return compile_with_nvrtc(
        source, kernel, defines, architecture_of(device), fma=fma, include_folder=folder,
        device_addresses=device_addresses,
    )  # fmt: skip


@lru_cache(maxsize=256)
def compiled_by_nvrtc(
    path: Path, stamp: int, kernel: str, defines: tuple[tuple[str, object], ...], fma: bool, device: Device,
    device_addresses: tuple[tuple[str, int], ...],
) -> Program:  # fmt: skip
    """Return a kernel of a program as NVIDIA's compiler writes it; ``stamp`` is the file's time of change."""
    return by_nvrtc(read_source(path), kernel, dict(defines), fma, path.parent, device, dict(device_addresses))


@lru_cache(maxsize=256)
def compiled(
    path: Path, stamp: int, kernel: str, defines: tuple[tuple[str, object], ...], fma: bool, predicate: bool,
    device_addresses: tuple[tuple[str, int], ...],
) -> Program:  # fmt: skip
    """Return a kernel of a program; ``stamp`` is the file's time of change. Raises CompileError."""
    return frontend.compile_source(
        read_source(path), kernel, dict(defines), fma=fma, predicate=predicate, include_dir=path.parent,
        device_addresses=dict(device_addresses),
    )  # fmt: skip
