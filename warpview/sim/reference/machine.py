"""Execute a whole launch, block after block, in the order of the profile engine."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.checks.access_log import LoggedAccesses
from warpview.sim.checks.races import find_races
from warpview.sim.launch import PRINTED_KEPT, Cancelled, Launch, Options, Outcome, Printed, runs_in_clusters
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW
from warpview.sim.reference.block import ThreadBlock
from warpview.sim.reference.clusters import Cluster
from warpview.sim.reference.memory import FindingLog, GlobalSegment


def run_reference(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options | None = None
) -> Outcome:
    """Execute every block of the grid in linear order; writes ``memory``. A launch that gets stuck ends there."""
    options = options or Options()
    counts = np.zeros((len(program.instructions), N_RAW), dtype=np.int64)
    log, printed, aborted = FindingLog(), list[Printed](), False
    segment, block = GlobalSegment(memory), None
    accesses = LoggedAccesses() if options.check and options.races else None
    order = launch.clusters().ravel().tolist() if runs_in_clusters(program, launch) else range(launch.n_blocks)
    blocks = (
        ThreadBlock(
            program, device, launch, options, index, segment, counts, log, accesses=accesses,
            cluster=cluster,
        )
        for index, cluster in in_clusters(order, launch)
    )  # fmt: skip
    marks = [0]  # of the log: where all accesses before come before all that follow
    for block in run_blocks(blocks, program, launch, options, accesses, marks):
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


def in_clusters(blocks: Iterable[int], launch: Launch) -> Iterator[tuple[int, Cluster]]:
    """Yield blocks, those of a cluster one after the other, with their clusters."""
    cluster = Cluster(-1, 0)
    for block in blocks:
        number = launch.position(block) // launch.cluster_blocks
        if number != cluster.number:
            cluster = Cluster(number, launch.cluster_blocks)
        yield block, cluster


def run_blocks(
    blocks: Iterable[ThreadBlock], program: Program, launch: Launch, options: Options,
    accesses: LoggedAccesses | None, marks: list[int],
) -> Iterable[ThreadBlock]:  # fmt: skip
    """Execute blocks, those together that wait for one another, and yield each, one that gets stuck as the last."""
    if program.synchronises_grid:
        return _run_together(list(blocks), accesses, marks)
    if not runs_in_clusters(program, launch):
        return _run(blocks, launch, options)
    return _run_clusters(iter(blocks), launch.cluster_blocks, accesses)


def _run_clusters(
    blocks: Iterator[ThreadBlock], size: int, accesses: LoggedAccesses | None
) -> Iterator[ThreadBlock]:  # fmt: skip
    while cluster := list(itertools.islice(blocks, size)):
        for block in _run_together(cluster, accesses, []):
            yield block
            if not block.done:
                return


def _run(blocks: Iterable[ThreadBlock], launch: Launch, options: Options) -> Iterator[ThreadBlock]:
    """Execute blocks one after the other and yield each, one that gets stuck as the last."""
    for block in blocks:
        if options.progress is not None and not options.progress(block.index, launch.n_blocks):
            raise Cancelled
        went_well = block.run()
        yield block
        if not went_well:
            return


def _run_together(
    blocks: Sequence[ThreadBlock], accesses: LoggedAccesses | None, marks: list[int]
) -> Sequence[ThreadBlock]:
    """Execute blocks from one barrier of the grid, or of a cluster, to the next; one that gets stuck comes last."""
    running, warps = blocks, [warp for block in blocks for warp in block.warps]
    for block in blocks:
        block.warps_together = warps
    while True:
        for block in running:
            if not block.run():
                return [*(other for other in blocks if other is not block), block]
        settled = [c.number for c in dict.fromkeys(block.cluster for block in blocks) if c.settle()]
        running = [b for b in blocks if not b.done and ((b in running and b.yielding) or b.cluster.number in settled)]
        if running:
            continue
        waiting = running = [block for block in blocks if not block.done]
        if not waiting:
            return blocks
        held = [block for block in waiting if block.waits_for_cluster]
        if held:
            held[0].report_stuck()
            return [*(other for other in blocks if other is not held[0]), held[0]]
        if len(waiting) < len(blocks):
            waiting[0].report_stuck()
            return [*(block for block in blocks if block.done), *waiting]
        if accesses is not None:
            marks.append(len(accesses.records))
