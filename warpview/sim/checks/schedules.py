"""Search for an order of execution under which a racing launch ends with another result.

Tried are: each race the other way round, by holding back the access that came first until nothing else can run (a
bounded systematic search over the racing pairs); the last warps first; random priorities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.checks.access_log import LogKind, LogRecord
from warpview.sim.checks.interleaving import Delayed, Hold, Interleaving, Order, RandomPriorities, Reversed
from warpview.sim.checks.race_check import AccessRecorder, Watch
from warpview.sim.engine import run_profile, warm_up
from warpview.sim.jit.machine import LaunchContext
from warpview.sim.jit.state import LANES
from warpview.sim.launch import FindingKind, Launch, Options, RawFinding, coordinates, runs_in_clusters
from warpview.sim.memory import DeviceMemory

MOST_PAIRS = 16
MOST_BLOCKS = 256  # of a launch that synchronises its grid
FUEL = 1 << 24  # instructions of one execution
RACES = frozenset({FindingKind.RACE, FindingKind.SAME_VALUE_RACE})


@dataclass(frozen=True)
class Parting:
    """Describe the first read of a racing element that gave another value: ``read`` what it was, ``value`` bits in the
    usual order."""

    read: LogRecord
    value: int


@dataclass(frozen=True)
class OtherResult:
    """Hold an execution with another result: its memory, that of the usual order, and where the two part."""

    words: str
    memory: DeviceMemory
    usual: DeviceMemory
    parting: Parting | None


def other_result(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options,
    seeds: Sequence[int],
    differs: Callable[[DeviceMemory, DeviceMemory], bool],
) -> OtherResult | None:
    """Return an execution of a launch whose result is not that of the usual order; None where none was found.

    ``seeds`` are those of the random orders; ``differs`` tells whether two results differ. ``memory`` is left alone.
    """
    if program.synchronises_grid and launch.n_blocks > MOST_BLOCKS:
        return None  # all of them are resident at once
    if runs_in_clusters(program, launch):
        return None
    warm_up()
    usual = memory.copy()
    outcome = run_profile(program, device, launch, usual, replace(options, progress=None))
    races = [finding for finding in outcome.findings if finding.kind in RACES]
    if not races or outcome.aborted:
        return None
    plain = replace(options, check=False, races=False, progress=None)
    watch = _watch(races, launch.n_blocks)
    known: list[LogRecord] | None = None
    for order in _orders(races, device, launch, seeds):
        found = _executed(program, device, launch, memory.copy(), plain, order, watch)
        if found is None or not differs(found[0], usual):
            continue
        if known is None:
            ordinary = _executed(program, device, launch, memory.copy(), plain, Order(), watch)
            known = [] if ordinary is None else ordinary[1]
        return OtherResult(order.words, found[0], usual, _parting(known, found[1]))
    return None


def _orders(races: list[RawFinding], device: Device, launch: Launch, seeds: Sequence[int]) -> Iterator[Order]:
    for race in races[:MOST_PAIRS]:
        first = race.other
        if first is None or first.issue < 0:
            continue
        same_warp = (race.block, race.thread // LANES) == (first.block, first.thread // LANES)
        if same_warp and (device.divergence == "stack" or first.issue == race.issue):
            continue
        x, y, z = coordinates(first.thread, launch.block)
        who = f"{'thread' if same_warp else 'the warp of thread'} ({x}, {y}, {z})"
        lane = first.thread % LANES if same_warp else None
        hold = Hold(first.block, first.thread // LANES, first.issue, lane)
        yield Delayed(hold, f"with {who} of block {first.block} held back until nothing else can run")
    yield Reversed()
    yield from map(RandomPriorities, seeds)


def _watch(races: list[RawFinding], n_blocks: int) -> Watch:
    """Return the elements that races are about, in all blocks."""
    words: dict[Space, list[int]] = {Space.GLOBAL: [], Space.SHARED: []}
    for race in races:
        words[Space(race.space)] += [address // 4 for address in (race.address, *race.elements)]
    at = {space: np.unique(np.array(found, dtype=np.int64)) for space, found in words.items()}
    return Watch(at[Space.GLOBAL], at[Space.SHARED], np.arange(n_blocks, dtype=np.int64))


def _executed(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options, order: Order, watch: Watch
) -> tuple[DeviceMemory, list[LogRecord]] | None:
    """Return memory after an execution and the reads of watched elements; None where it does not come to an end."""
    common = LaunchContext.of(program, device, launch, memory, options)
    execution = Interleaving(common, order, FUEL)
    recorder = AccessRecorder(execution.machine, watch, (LogKind.READ,))
    return (memory, recorder.log().records) if execution.run() else None


def _parting(usual: list[LogRecord], other: list[LogRecord]) -> Parting | None:
    """Return the first read of ``other`` that gave another value than the same read of its thread in ``usual``."""
    reads: dict[tuple[int, int], list[LogRecord]] = {}
    for record in usual:
        reads.setdefault((record.block, record.thread), []).append(record)
    done: dict[tuple[int, int], int] = {}
    for record in other:
        thread = record.block, record.thread
        number = done[thread] = done.get(thread, -1) + 1
        own = reads.get(thread, [])
        same = own[number] if number < len(own) else None
        if same is not None and (same.pc, same.address) == (record.pc, record.address) and same.value != record.value:
            return Parting(record, same.value)
    return None
