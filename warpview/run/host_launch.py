"""Simulate the launches of host programs, over memory that exists already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.run.execution import EngineSetting, PreparedLaunch, execute
from warpview.run.rerun import MemoryBefore, Rerun
from warpview.run.result import Run
from warpview.sim.access_ranges import AccessRanges, launch_ranges
from warpview.sim.arguments.binding import Binding, BufferAllocator, bind_bytes
from warpview.sim.arguments.values import dim3
from warpview.sim.history.events import HISTORY_BYTES
from warpview.sim.launch import Dim3, Options
from warpview.sim.launch_check import check_launch, cluster_of
from warpview.sim.memory import DeviceMemory


@dataclass(frozen=True)
class HostLaunch:
    """Describe a launch as the CUDA runtime passes it on.

    ``args`` are the bytes of each parameter (see ``bind_bytes``), ``constants`` those of ``__constant__`` variables by
    name.
    """

    program: Program
    grid: Sequence[int]
    block: Sequence[int]
    args: Sequence[bytes]
    shared_bytes: int = 0
    constants: Mapping[str, bytes] = field(default_factory=dict)
    cluster: Dim3 | None = None  # blocks, where the launch asks for clusters

    def bound(self, memory: DeviceMemory, device: Device) -> tuple[Program, Binding]:
        """Return the program with its constants filled in, and the arguments bound to ``memory``, for a launch on
        ``device``."""
        program = _with_constant_bytes(self.program, self.constants)
        extents = dim3(self.grid, "grid"), dim3(self.block, "block")
        cluster = cluster_of(program, self.cluster)
        bound = bind_bytes(program, *extents, self.args, self.shared_bytes, memory, cluster, device.multiprocessors)
        return program, bound


def simulate_in(
    memory: DeviceMemory,
    launch: HostLaunch,
    device: Device,
    *,
    engine: str = "profile",
    options: Options | None = None,
    history_bytes: int = HISTORY_BYTES,
    traced_block: int = 0,
    buffer_bytes: int = 1 << 28,
    before: MemoryBefore | None = None,
) -> Run:
    """Simulate a launch over ``memory``, which is changed in place.

    ``Run.buffers`` holds copies of the allocations that pointers lead to, as long as they have ``buffer_bytes`` at
    most together. ``before`` keeps the memory as it is now, to execute it again. Raises LaunchError where the device
    cannot run the launch or an argument does not fit.
    """
    shared = launch.program.static_shared_bytes + launch.shared_bytes
    registers = launch.program.registers_per_thread
    extents = dim3(launch.grid, "grid"), dim3(launch.block, "block")
    cluster = cluster_of(launch.program, launch.cluster)
    occupancy = check_launch(launch.program, device, *extents, shared, registers, cluster)
    program, binding = launch.bound(memory, device)
    chosen = replace(options or Options(), source_checks=True)
    rerun = None
    if before is not None:
        again = replace(chosen, progress=None, too_long=None)
        rerun = Rerun(before, ((program, binding.launch),), binding.buffers, device, again)
    if sum(bound.allocation.size for bound in binding.buffers.values()) > buffer_bytes:
        binding = replace(binding, buffers={})
    prepared = PreparedLaunch(program, binding, occupancy, registers)
    run = execute(prepared, EngineSetting(device, engine, chosen, history_bytes, traced_block), BufferAllocator(memory))
    return replace(run, rerun=rerun)


def ranges_in(
    memory: DeviceMemory, launch: HostLaunch, device: Device
) -> tuple[AccessRanges, DeviceMemory] | None:  # fmt: skip
    """Return the ranges of ``memory`` that a launch accesses, and the memory as it is afterwards; None where it is too
    large. ``memory`` itself is left as it is."""
    program, binding = launch.bound(memory, device)
    return launch_ranges(program, device, binding.launch, memory, Options())


def _with_constant_bytes(program: Program, constants: Mapping[str, bytes]) -> Program:
    """Return the program with its ``__constant__`` variables filled in as they lie in memory."""
    image = bytearray(program.constant_bytes)
    for symbol in program.constant_symbols:
        raw = constants.get(symbol.name, b"")
        image[symbol.offset : symbol.offset + len(raw)] = raw
    return replace(program, constant_bytes=bytes(image)) if constants else program
