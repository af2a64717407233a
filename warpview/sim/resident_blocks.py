"""Computes how many blocks are on a multiprocessor at once."""

from __future__ import annotations

from warpview.devices import Device, occupancy
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.sim.launch import Launch


def resident_blocks(program: Program, device: Device, launch: Launch, registers: int | None = None) -> int:
    """Return the resident blocks of a launch; ``registers`` a thread instead of the program's. Raises LaunchError if
    none fits."""
    blocks = occupancy(
        device,
        threads=launch.threads,
        registers=registers or program.registers_per_thread,
        shared_bytes=program.static_shared_bytes + launch.dynamic_shared_bytes,
    ).blocks
    if blocks == 0:
        raise LaunchError(f"not one block of this launch fits on a multiprocessor of {device.name}")
    return blocks
