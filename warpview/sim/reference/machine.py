"""Execute a whole launch, block after block, in the order of the profile engine."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

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
    blocks = (
        ThreadBlock(program, device, launch, options, index, segment, counts, log, accesses=accesses)
        for index in range(launch.n_blocks)
    )
    marks = [0]  # of the log: where all accesses before come before all that follow
    for block in (
        _run_grid(list(blocks), accesses, marks) if program.synchronises_grid else _run(blocks, launch, options)
    ):
        aborted = not block.done
        printed += block.share.printed[: PRINTED_KEPT - len(printed)]
    races, records = [], [] if accesses is None else accesses.records
    for begin, end in itertools.pairwise([*marks, None]):
        races += find_races(program, LoggedAccesses(records[begin:end]), device.divergence == "stack")
    outcome = Outcome(counts, [*races, *log.listed()], memory, aborted, printed)
    if block is not None:
        files = [warp.registers.arrays() for warp in block.warps]
        outcome.registers32 = np.stack([file32 for file32, _ in files])
        outcome.registers64 = np.stack([file64 for _, file64 in files])
    return outcome


def _run(blocks: Iterable[ThreadBlock], launch: Launch, options: Options) -> Iterator[ThreadBlock]:
    """Execute blocks one after the other and yield each, one that gets stuck as the last."""
    for block in blocks:
        if options.progress is not None and not options.progress(block.index, launch.n_blocks):
            raise Cancelled
        went_well = block.run()
        yield block
        if not went_well:
            return


def _run_grid(
    blocks: Sequence[ThreadBlock], accesses: LoggedAccesses | None, marks: list[int]
) -> Sequence[ThreadBlock]:
    """Execute all blocks from one barrier of the grid to the next; one that gets stuck comes last."""
    running = blocks
    while True:
        for block in running:
            if not block.run():
                return [*(other for other in blocks if other is not block), block]
        running = [block for block in running if block.yielding and not block.done]
        if running:
            continue
        waiting = running = [block for block in blocks if not block.done]
        if not waiting:
            return blocks
        if len(waiting) < len(blocks):
            waiting[0].report_stuck()
            return [*(block for block in blocks if block.done), *waiting]
        if accesses is not None:
            marks.append(len(accesses.records))
