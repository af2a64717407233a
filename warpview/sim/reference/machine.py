"""A whole launch, block after block: the order of the profile engine."""

from __future__ import annotations

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.checks.access_log import LoggedAccesses
from warpview.sim.checks.races import find_races
from warpview.sim.launch import Cancelled, Launch, Options, Outcome
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW
from warpview.sim.reference.block import ThreadBlock
from warpview.sim.reference.memory import FindingLog, GlobalSegment
from warpview.sim.reference.warp import PRINTED_KEPT, Printed


def run_reference(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options | None = None
) -> Outcome:
    """Execute every block of the grid in linear order; writes ``memory``. A launch that gets stuck ends there."""
    options = options or Options()
    counts = np.zeros((len(program.instructions), N_RAW), dtype=np.int64)
    log, printed, aborted = FindingLog(), list[Printed](), False
    segment, block = GlobalSegment(memory), None
    accesses = LoggedAccesses() if options.check and options.races else None
    for index in range(launch.n_blocks):
        if options.progress is not None and not options.progress(index, launch.n_blocks):
            raise Cancelled
        block = ThreadBlock(program, device, launch, options, index, segment, counts, log, accesses=accesses)
        aborted = not block.run()
        printed += block.share.printed[: PRINTED_KEPT - len(printed)]
        if aborted:
            break
    races = [] if accesses is None else find_races(program, accesses, device.divergence == "stack")
    outcome = Outcome(counts, [*races, *log.listed()], memory, aborted, printed)
    if block is not None:
        files = [warp.registers.arrays() for warp in block.warps]
        outcome.registers32 = np.stack([file32 for file32, _ in files])
        outcome.registers64 = np.stack([file64 for _, file64 in files])
    return outcome
