"""Execute every block of the grid on all cores, with every counter: the profile engine, a door to the jitted code.

Blocks are handed out in slices to host threads, each with a machine and counts of its own. The result is that of one
thread that runs the blocks in order: every thread notes which words of global memory its blocks read and wrote, and if
two threads met in a word that one of them wrote, memory is put back and the blocks run again in order. So they do if
the launch was aborted or races are suspected (race_check.py), and from the start if the program has atomics on global
memory.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS
from warpview.isa.print_format import NULL_STRING
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES, Type
from warpview.sim.checks.access_log import LoggedAccesses
from warpview.sim.checks.race_check import AccessRecorder, RaceScreen, Watch
from warpview.sim.checks.races import find_races
from warpview.sim.estimate.sampling import Estimate, SampleWanted, sampled, scaled
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import NULL_TEXT, Status
from warpview.sim.launch import PRINTED_KEPT, Cancelled, Launch, Options, Outcome, Printed, RawFinding, waits_for_blocks
from warpview.sim.memory import DeviceMemory

SLICES_PER_THREAD = 24
MIN_WARPS_PER_THREAD = 64  # fewer are not worth a thread
POLL_SECONDS = 0.05

Blocks = NDArray[np.int64]


def warm_up(progress: Callable[[int, int], object] | None = None) -> None:
    """Compile the engine, or load it from the cache; ``progress(done, total)`` on the way."""
    machine_code.load(progress)


def run_profile(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options,
    blocks: Blocks | None = None,
    before: DeviceMemory | None = None,
) -> Outcome:
    """Run a launch, or only the given blocks of it (linear indices, ascending). ``memory`` is changed in place;
    ``before`` is a copy of it, where the caller has one, which is left alone."""
    warm_up()
    if blocks is None:
        blocks = np.arange(launch.n_blocks, dtype=np.int64)
    common = LaunchContext.of(program, device, launch, memory, options)
    if common.waits_for_blocks:
        common = replace(common, options=replace(options, sample=1.0, too_long=None))
        options = common.options
    threads = _thread_count(program, launch, options, len(blocks))
    kept = before
    if before is None and (threads > 1 or common.finds_races or options.too_long is not None):
        before = memory.copy()
    try:
        outcome, screen = _executed(common, sampled(blocks, options.sample), threads, before)
    except SampleWanted as wanted:
        assert before is not None
        memory.restore(before)
        common = replace(common, options=replace(options, sample=wanted.share, too_long=None))
        outcome, screen = _executed(common, sampled(blocks, wanted.share), threads, before)
    chosen = sampled(blocks, common.options.sample)
    if len(chosen) < len(blocks):
        counts, share = scaled(outcome.counts, len(chosen), len(blocks)), len(chosen) / len(blocks)
        outcome = replace(outcome, counts=counts, sample=share)
    if before is not None and screen is not None and screen.has_suspects:
        races = _races(replace(common, memory=before if kept is None else before.copy()), chosen, screen)
        outcome = replace(outcome, findings=[*races, *outcome.findings])
    return outcome


def _executed(
    common: LaunchContext, blocks: Blocks, threads: int, before: DeviceMemory | None
) -> tuple[Outcome, RaceScreen | None]:
    """Execute blocks by several threads, and once more by one where the result may not be that of one."""
    run = execution_of(common, blocks, threads)
    run.execute()
    if before is not None and threads > 1 and not run.is_valid:
        common.memory.restore(before)
        run = Execution(common, blocks, 1)
        run.execute()
    return run.outcome(), run.screen


def execution_of(common: LaunchContext, blocks: Blocks, threads: int) -> Execution:
    """Return an execution of some blocks. Those that wait for others are executed by one thread: of a program that
    synchronises its grid all blocks, and whole clusters."""
    from warpview.sim.blocks_together import GroupExecution  # which is an Execution

    return GroupExecution(common, blocks) if common.waits_for_blocks else Execution(common, blocks, threads)


def _races(common: LaunchContext, blocks: Blocks, screen: RaceScreen) -> list[RawFinding]:
    """Return the races among suspected accesses: the launch once more, up to the last block that is suspected."""
    last = int(screen.blocks().max())
    options = replace(common.options, races=False, too_long=None)
    run = execution_of(replace(common, options=options), blocks[blocks <= last], 1)
    recorder = AccessRecorder(run.workers[0].machine, Watch.suspected(screen))
    run.execute()
    records, marks = recorder.log().records, [*run.log_marks, None]
    stretches = (LoggedAccesses(records[a:b]) for a, b in itertools.pairwise(marks))
    lockstep = common.device.divergence == "stack"
    return merge_findings(race for log in stretches for race in find_races(common.program, log, lockstep))


def _thread_count(program: Program, launch: Launch, options: Options, n_blocks: int) -> int:
    if any(i.op in ATOMIC_OPS and i.space in GLOBAL_SPACES for i in program.instructions):
        return 1
    waits = waits_for_blocks(program, launch)
    threads = 1 if waits else options.threads or os.cpu_count() or 1
    return max(1, min(threads, n_blocks, n_blocks * launch.warps // MIN_WARPS_PER_THREAD))


@dataclass
class HostThread:
    """Hold a host thread's machine, and the words of global memory that its blocks accessed: a bit a word."""

    machine: Machine
    reads: NDArray[np.uint64]
    writes: NDArray[np.uint64]
    aborted: bool = False
    last_block: int = -1


@dataclass
class Execution:
    """Execute some blocks by a number of host threads."""

    common: LaunchContext
    blocks: Blocks
    threads: int
    workers: list[HostThread] = field(init=False)
    finished: int = 0
    screen: RaceScreen | None = None
    log_marks: list[int] = field(default_factory=lambda: [0])  # where in a log the order of all blocks begins anew

    def __post_init__(self) -> None:
        if self.common.finds_races:
            self.screen = RaceScreen(self.common.program, self.common.memory, self.common.launch)
        self.workers = [self._worker() for _ in range(self.threads)]
        self._slices = self._split()
        self._next = itertools.count()  # hands out slices; next() is atomic
        self._lock = threading.Lock()
        self._kernel = machine_code.entry("run_blocks")

    def _worker(self) -> HostThread:
        size = len(self.common.memory.data) // 256 + 2 if self.threads > 1 else 0
        worker = HostThread(self.new_machine(), np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint64))
        if self.threads > 1:
            worker.machine.record["reads_at"] = worker.reads.ctypes.data
            worker.machine.record["writes_at"] = worker.writes.ctypes.data
        if self.screen is not None:
            self.screen.attach(worker.machine)
        return worker

    def new_machine(self) -> Machine:
        return Machine(self.common)

    def _split(self) -> list[Blocks]:
        """Return the blocks in slices; the first are short, so that the time of a long launch is soon known."""
        largest = max(1, len(self.blocks) // (self.threads * SLICES_PER_THREAD))
        ends, size = [0], 1
        while ends[-1] < len(self.blocks):
            ends.append(min(ends[-1] + size, len(self.blocks)))
            size = min(2 * size, largest)
        return np.split(self.blocks, ends[1:-1]) if len(self.blocks) else []

    # ---------------------------------------------------------------------------------------- execution

    def execute(self) -> None:
        """Run all slices, reporting progress from this thread; raises Cancelled."""
        self.common.cancel[0] = 0
        with ThreadPoolExecutor(self.threads, thread_name_prefix="warpview") as pool:
            jobs = [pool.submit(self.work, worker) for worker in self.workers]
            try:
                self._watch(jobs)
            except BaseException:
                self.common.cancel[0] = 1
                raise
        for job in jobs:
            job.result()

    def _watch(self, jobs: Sequence[Future[None]]) -> None:
        waiting, estimate = set(jobs), Estimate(self.common.options.too_long)
        while waiting:
            waiting = wait(waiting, timeout=POLL_SECONDS).not_done
            if waiting:
                estimate.look(self.finished, len(self.blocks))
            if self.common.options.progress is None:
                continue
            if not self.common.options.progress(self.finished, len(self.blocks)):
                raise Cancelled

    def work(self, worker: HostThread) -> None:
        """Take slices in increasing order until there are none."""
        for k in self._next:
            if k >= len(self._slices) or self.aborted:
                return
            some = self._slices[k]
            status = self._kernel(worker.machine.address, some.ctypes.data, len(some))
            worker.last_block = int(some[-1])
            if status == Status.ABORTED:
                worker.aborted = True
            if status != Status.RAN:
                return
            with self._lock:
                self.finished += len(some)

    @property
    def aborted(self) -> bool:
        return any(worker.aborted for worker in self.workers)

    @property
    def is_valid(self) -> bool:
        """Return whether the result of several threads equals that of one, without a suspected race."""
        suspected = self.screen is not None and self.screen.has_suspects
        return not (self.aborted or suspected or self.has_conflicts())

    def has_conflicts(self) -> bool:
        """Return whether two threads accessed one word of global memory and one of them wrote it."""
        reads, writes = self.workers[0].reads, self.workers[0].writes
        for other in self.workers[1:]:
            if (writes & (other.reads | other.writes)).any() or (reads & other.writes).any():
                return True
            reads |= other.reads
            writes |= other.writes
        return False

    # ---------------------------------------------------------------------------------------- outcome

    def outcome(self) -> Outcome:
        counts: NDArray[np.int64] = sum((w.machine.counts for w in self.workers[1:]), self.workers[0].machine.counts)
        last = max(self.workers, key=lambda w: w.last_block).machine
        return Outcome(
            counts=counts,
            findings=self._findings(),
            memory=self.common.memory,
            aborted=self.aborted,
            printed=self._printed(),
            registers32=last.registers32().copy(),
            registers64=last.registers64().copy(),
        )

    def _findings(self) -> list[RawFinding]:
        """Return one for each kind and instruction, in the order of the blocks in which they were first found."""
        found = sorted((f for w in self.workers for f in w.machine.found()), key=lambda f: f[:2])
        return merge_findings(finding for _, _, finding in found)

    def _printed(self) -> list[Printed]:
        """Return the printed lines, in the order of the blocks."""
        rows = [row for w in self.workers for row in printed_rows(w.machine)]
        return sorted(rows, key=lambda row: row[1])[:PRINTED_KEPT]


def merge_findings(findings: Iterable[RawFinding]) -> list[RawFinding]:
    """Return one finding for each kind and instruction: the first, with the occurrences of all."""
    merged: dict[tuple[int, int], RawFinding] = {}
    for finding in findings:
        key = (finding.kind, finding.pc)
        known = merged.get(key)
        merged[key] = finding if known is None else replace(known, count=known.count + finding.count)
    return list(merged.values())


def printed_rows(machine: Machine) -> list[Printed]:
    """Return what a machine printed, in order."""
    rows = machine.printed[: int(machine.record["n_printed"][0])]
    texts = machine.texts[: int(machine.record["n_texts"][0])].tobytes()
    return [_print(machine.common.program, texts, row) for row in rows]


def _print(program: Program, texts: bytes, row: np.void) -> Printed:
    instruction = program.instructions[int(row["pc"])]
    call = program.prints[instruction.imm]
    values = tuple(
        _text(texts, int(bits)) if call.is_string(k, type_) else _number(type_, int(bits))
        for k, (type_, bits) in enumerate(zip(instruction.printed_types, row["value"], strict=False))
    )
    return instruction.imm, int(row["block"]), int(row["thread"]), values


def _text(texts: bytes, start: int) -> str:
    """Return a string that was printed; '?' where it was not kept."""
    if start < 0:
        return NULL_STRING if start == NULL_TEXT else "?"
    return texts[start : texts.index(0, start)].decode(errors="replace")


def _number(type_: Type, bits: int) -> int | float:
    """Return the value behind the bits of a register."""
    raw = np.array([bits], dtype=np.int64)
    if type_.is_wide:
        kinds = {Type.F64: np.float64, Type.U64: np.uint64}
        return raw.view(kinds.get(type_, np.int64))[0].item()  # type: ignore[no-any-return]
    words = raw.view(np.uint32)[:1]
    kind = np.float32 if type_ == Type.F32 else np.int32 if type_.is_signed else np.uint32
    return words.view(kind)[0].item()  # type: ignore[no-any-return]
