"""Execute one warp: keep its registers and its paths, and issue one instruction at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from warpview.isa.matrices import PRODUCTS
from warpview.isa.modes import BARRIERS_A_BLOCK, Clock, Spin
from warpview.isa.ops import (
    BLOCK_BARRIERS,
    MATRIX_OPS,
    MEMORY_OPS,
    WARP_COLLECTIVES,
    MatchMode,
    Op,
    ReduxOp,
    ShflMode,
    VoteMode,
    operation,
)
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.shuffles import shuffle_source
from warpview.isa.types import FULL, Space, Type
from warpview.isa.values import decode, wrap
from warpview.sim.checks.access_log import LogKind, LogRecord
from warpview.sim.checks.trap_codes import Trap
from warpview.sim.launch import BARRIER_NUMBER_SHIFT, FindingKind, Party, Printed, masks_need_convergence
from warpview.sim.reference import collective
from warpview.sim.reference.accesses import BlockMemory, SpaceAccess, WarpAccess
from warpview.sim.reference.clusters import Cluster
from warpview.sim.reference.counting import count_access, count_branch, count_issue
from warpview.sim.reference.fetches import fetch
from warpview.sim.reference.integer_traps import trapped
from warpview.sim.reference.livelock import Looks
from warpview.sim.reference.matrix_products import multiplied, transposed
from warpview.sim.reference.paths import Paths, any_place
from warpview.sim.reference.printing import keep_line
from warpview.sim.reference.registers import LANES, Registers, lanes_of
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.rules.codes import clock_khz

Counts = NDArray[np.int64]  # [n_instructions, N_RAW]


@dataclass(frozen=True)
class IssueRecord:
    """Record the effects of one issue.

    ``mask`` the lanes of the path, ``on`` those whose guard held, ``taken`` those that took a branch. ``paths`` lists
    (mask, on) of every path that took part: more than one only for a collective that several carried out together.
    """

    pc: int
    mask: int
    on: int
    taken: int = 0
    parts: tuple[SpaceAccess, ...] = ()
    paths: tuple[tuple[int, int], ...] = ()

    @property
    def divergent(self) -> bool:
        return self.taken not in (0, self.mask)


@dataclass
class BarrierArrival:
    """Describe a path that waits at a BAR_RED: the predicate of each lane, and the row that the result goes to."""

    instruction: Instruction
    predicates: dict[int, int]
    result: list[int]


@dataclass
class WarpShare:
    """Hold the state that the warps of one block share."""

    program: Program
    memory: BlockMemory
    counts: Counts
    cluster: Cluster
    arrivals: list[BarrierArrival] = field(default_factory=list)
    printed: list[Printed] = field(default_factory=list)
    asserted: bool = False
    traps: Mapping[int, Trap] = field(default_factory=dict)  # the instructions whose operands are looked at


class Warp:
    """Execute a warp: ``issue`` executes one instruction of its current path, and CLOCK reads ``clock``."""

    def __init__(self, share: WarpShare, index: int, registers: Registers, paths: Paths) -> None:
        self.share = share
        self.index = index
        self.registers = registers
        self.paths = paths
        self.issued = 0  # by all paths
        self.looks = Looks(self)
        self.reducing: list[BarrierArrival] = []  # at a barrier with a number
        self.first_live = paths.live
        self.cluster_arrived = 0  # lanes that have arrived at the barrier of the cluster, whose phase goes on
        self.exit_pc = NONE  # where lanes exited last
        self.gives_way = False  # the instruction issued last lets the other warps go first
        self.arrivals = 0  # at convergence barriers of machine code, of lanes that wait there
        self.masks_need_convergence = masks_need_convergence(share.program, share.memory.device)
        self.clock: Callable[[], int] = lambda: self.issued - 1

    # ---------------------------------------------------------------------------------------- what comes next

    def path(self) -> tuple[int, int] | None:
        """Return (pc, mask) of the path that issues next; None where none can run.

        A path whose collective lacks lanes is put to wait here, which counts as nothing.
        """
        while (current := self.paths.current()) is not None:
            ins = self.share.program.instructions[current[0]]
            on = self._on(ins, current[1])
            if ins.op not in WARP_COLLECTIVES or not on:
                return current
            members = self._members(ins, on)
            if self.paths.joint(members) is not None:
                return current
            self.paths.wait_collective(members)
        return None

    def _on(self, ins: Instruction, mask: int) -> int:
        return mask if ins.guard == NONE else self.registers.guarded(ins.guard, ins.guard_negated, mask)

    def _members(self, ins: Instruction, on: int) -> int:
        """Return the lanes that the member masks of a collective name, which are its last source."""
        masks = self.registers.row(Type.U32, ins.srcs[-1])
        return reduce(or_, (masks[lane] for lane in lanes_of(on)))

    # ---------------------------------------------------------------------------------------- issue

    def issue(self) -> IssueRecord | None:
        """Execute the next instruction; None where no path can run."""
        path = self.path()
        if path is None:
            return None
        pc, mask = path
        self.gives_way = False
        ins = self.share.program.instructions[pc]
        on = self._on(ins, mask)
        if ins.op in WARP_COLLECTIVES:
            return self._collective(ins, pc, mask, on)
        self._count(pc, mask, on)
        if ins.op in MEMORY_OPS:
            return self._memory(ins, pc, mask, on)
        if ins.op == Op.BRA:
            count_branch(self.share.counts[pc], mask, on)
            self.paths.branch(on, ins.target, ins.reconvergence, bool(ins.spins))
            staying = {Spin.LEAVES_BY_BRANCH: 0, Spin.STAYS_BY_BRANCH: mask}.get(ins.spins)
            self.gives_way = on == staying  # all lanes wait for other threads, so other warps go first
            return IssueRecord(pc, mask, on, taken=on, paths=((mask, on),))
        if ins.op == Op.EXIT:
            if on:
                self.exit_pc = pc
            self.paths.exit(on)
        elif ins.op in BLOCK_BARRIERS and on and not self._is_phase_over(ins, on):
            self._arrive(ins, pc, on)
        else:
            self._single(ins, pc, mask, on)
            self.paths.advance()
        return IssueRecord(pc, mask, on, paths=((mask, on),))

    def _count(self, pc: int, mask: int, on: int) -> None:
        self.issued += 1
        count_issue(self.share.counts[pc], mask, on)

    def _memory(self, ins: Instruction, pc: int, mask: int, on: int) -> IssueRecord:
        parts = WarpAccess(self.share.memory, self.registers, ins, pc, self.index, on, self.issued).execute()
        count_access(self.share.counts[pc], parts, ins.space == Space.GENERIC)
        self.paths.advance()
        return IssueRecord(pc, mask, on, parts=tuple(parts), paths=((mask, on),))

    def _arrive(self, ins: Instruction, pc: int, on: int) -> None:
        """Arrive at a block barrier: the path waits until the block says otherwise."""
        if self.share.memory.device.divergence == "stack":
            self.check_who_arrives(pc, on, self.paths.live)
        if ins.op == Op.BAR_RED:
            row = self.registers.row(Type.PRED, ins.srcs[0])
            result = self.registers.row(Type.U32, ins.dst)
            self.share.arrivals.append(BarrierArrival(ins, {lane: row[lane] for lane in lanes_of(on)}, result))
        if ins.op == Op.BAR_NAMED:
            self._check_operands(ins, pc, on)
        self.paths.block_barrier()

    def check_who_arrives(self, pc: int, on: int, expected: int) -> None:
        """Report lanes that are expected at a block barrier at which others of the warp arrive."""
        missing = expected & ~on
        if missing and self.share.memory.options.check:
            block, first = self.share.memory.block, self.index * LANES
            other = Party(NONE, block, first + lowest_lane(missing))
            kind, thread = FindingKind.DIVERGENT_BARRIER, first + lowest_lane(on)
            self.share.memory.log.report(kind, pc, block, thread, other=other)

    def release(self, is_meant: Callable[[int], bool] = any_place) -> None:
        """Let the paths go on that wait at a barrier; see ``paths.Paths``."""
        self.share.memory.globals.changes.count += 1
        self.paths.release(is_meant)

    def _arrive_at_cluster(self, pc: int, on: int) -> None:
        self.share.memory.globals.changes.count += 1
        self.cluster_arrived |= on
        self.note(LogKind.BARRIER_ARRIVED, pc, on, self.share.cluster.barrier)

    def _is_phase_over(self, ins: Instruction, on: int) -> bool:
        """Return whether lanes need not wait at the barrier of the cluster."""
        return ins.op == Op.CLUSTER_WAIT and not on & self.cluster_arrived

    def barrier_operands(self, ins: Instruction, lane: int) -> tuple[int, int]:
        """Return the number of a barrier, and of how many threads; machine code may have both in one register."""
        number, threads = (self.registers.row(Type.U32, row)[lane] for row in ins.srcs)
        is_packed = ins.native is not None and ins.srcs[0] == ins.srcs[1]
        return (number & 15, threads >> 16) if is_packed else (number, threads)

    def _check_operands(self, ins: Instruction, pc: int, on: int) -> None:
        """End the launch where a barrier has a number that no barrier has, or waits for threads that are no full
        warps: both are illegal instructions on an H200."""
        lane = lowest_lane(on)
        number, threads = self.barrier_operands(ins, lane)
        if number >= BARRIERS_A_BLOCK or threads % LANES:
            self.share.memory.log.report(
                FindingKind.BARRIER_COUNT, pc, self.share.memory.block, self.index * LANES + lane, threads,
                value=number << BARRIER_NUMBER_SHIFT | threads,
            )  # fmt: skip
            self.share.asserted = True

    def _single(self, ins: Instruction, pc: int, mask: int, on: int) -> None:
        """Execute an instruction that each lane executes for itself."""
        if ins.op in (Op.NOP, Op.CP_ASYNC) or ins.op in BLOCK_BARRIERS:
            return
        if ins.op == Op.MEMBAR:
            self.note(LogKind.FENCE, pc, on)
            return
        if ins.op == Op.CLUSTER_ARRIVE:
            self._arrive_at_cluster(pc, on)
            return
        if ins.op == Op.PRINTF:
            self._print(ins, on)
        elif ins.op == Op.TRAP:
            self._trap(pc, on)
        elif ins.op == Op.TEX:
            if on:
                fetch(self, ins, pc, on)
        elif ins.op == Op.ACTIVEMASK:
            self._write(Type.U32, ins.dst, dict.fromkeys(lanes_of(on), on))
        elif ins.op == Op.CLOCK:
            in_nanoseconds = self.gives_way = ins.mod == Clock.NANOSECONDS
            now = self.read_timer() if in_nanoseconds else self.clock()
            self._write(ins.type, ins.dst, dict.fromkeys(lanes_of(on), wrap(ins.type, now)))
        else:
            evaluate = operation(ins.op, ins.type, ins.stype, ins.mod)
            sources = [self.registers.row(t, row) for t, row in zip(ins.src_types, ins.srcs, strict=True)]
            if pc in self.share.traps:
                self._check_integers(ins, pc, on, sources)
            lanes = lanes_of(on)
            results = map(evaluate, *([source[lane] for lane in lanes] for source in sources))
            self._write(ins.operand_type(ins.info.dst), ins.dst, dict(zip(lanes, results, strict=True)))

    def read_timer(self) -> int:
        """Return the nanoseconds since the launch began."""
        return self.clock() * 1_000_000 // clock_khz(self.share.memory.device)

    def _check_integers(self, ins: Instruction, pc: int, on: int, sources: list[list[int]]) -> None:
        """Report the lanes whose operands an instruction must not have."""
        for lane in lanes_of(on):
            wrong = trapped(ins, self.share.traps[pc], [source[lane] for source in sources])
            if wrong is not None:
                kind, address, value = wrong
                thread = self.index * LANES + lane
                self.share.memory.log.report(kind, pc, self.share.memory.block, thread, address, value=value)

    def _write(self, type_: Type, row: int, values: dict[int, int]) -> None:
        if row == NONE:
            return
        destination = self.registers.row(type_, row)
        for lane, value in values.items():
            destination[lane] = value

    def _print(self, ins: Instruction, on: int) -> None:
        for lane in lanes_of(on):
            values = [decode(t, self.registers.row(t, row)[lane]) for row, t in ins.extra]
            keep_line(self.share.printed, self.share.program, self.share.memory, ins, self.index * LANES + lane, values)

    def _trap(self, pc: int, on: int) -> None:
        for lane in lanes_of(on):
            thread = self.index * LANES + lane
            self.share.memory.log.report(FindingKind.ASSERTION, pc, self.share.memory.block, thread)
            self.share.asserted = True

    # ---------------------------------------------------------------------------------------- collectives

    def _collective(self, ins: Instruction, pc: int, mask: int, on: int) -> IssueRecord:
        """Return an exchange among lanes, carried out by the current path or by several that waited for one another."""
        group = (self.paths.joint(self._members(ins, on)) if on else None) or (mask,)
        paths = tuple((m, self._on(ins, m)) for m in group)
        for m, o in paths:
            self._count(pc, m, o)
        all_on = 0
        for _, o in paths:
            all_on |= o
        if all_on:
            self._check_masks(ins, pc, all_on)
            masks = self.registers.row(Type.U32, ins.srcs[-1])
            for mask in dict.fromkeys(masks[lane] for lane in lanes_of(all_on)):  # a meeting for each
                self.note(LogKind.WARP_SYNC, pc, sum(1 << lane for lane in lanes_of(all_on) if masks[lane] == mask))
            if ins.op != Op.WARPSYNC:
                self._exchange(ins, pc, all_on)
        self.paths.advance()
        union = 0
        for m, _ in paths:
            union |= m
        return IssueRecord(pc, union, all_on, paths=paths)

    def note(self, kind: LogKind, pc: int, lanes: int, number: int = 0) -> None:
        """Add a synchronisation of some lanes to the log for the race check, at the barrier of a ``number``."""
        memory, first = self.share.memory, self.index * LANES
        if memory.accesses is not None and lanes:
            block = memory.block
            record = LogRecord(kind, block, first, pc, 0, number, 0, lanes, self.issued, memory.epoch, block)
            memory.accesses.records.append(record)

    def _check_masks(self, ins: Instruction, pc: int, on: int) -> None:
        """Report lanes that their own member mask leaves out, or whose mask names a lane that does not take part."""
        if not self.share.memory.options.check:
            return
        absent = self.first_live & ~(on if self.masks_need_convergence else self.paths.live)
        for lane, mask in enumerate(self.registers.row(Type.U32, ins.srcs[-1])):
            if on >> lane & 1 and (not mask >> lane & 1 or mask & absent):
                other = self._absent_party(mask & absent) if mask >> lane & 1 else None
                self.share.memory.log.report(
                    FindingKind.MEMBER_MASK, pc, self.share.memory.block, self.index * LANES + lane, mask, other=other
                )

    def _absent_party(self, lanes: int) -> Party:
        """Return the first of some lanes that do not take part, and where it exited, if it has."""
        lane = lowest_lane(lanes)
        pc = NONE if self.paths.live >> lane & 1 else self.exit_pc
        return Party(pc, self.share.memory.block, self.index * LANES + lane)

    def _exchange(self, ins: Instruction, pc: int, on: int) -> None:
        if ins.op in MATRIX_OPS:
            self._multiply(ins)
            return
        source = self.registers.row(ins.src_types[0], ins.srcs[0])
        if ins.op == Op.SHFL:
            results = self._shuffle(ins, pc, on, source)
        else:
            masks = self.registers.row(Type.U32, ins.srcs[-1])
            results = {lane: self._among(ins, source, lane, on, masks) for lane in lanes_of(on)}
        self._write(ins.operand_type(ins.info.dst), ins.dst, results)

    def _multiply(self, ins: Instruction) -> None:
        """Multiply matrices, or transpose one: all lanes give their parts and get one."""
        operands = [self.registers.row(kind, row) for kind, row in zip(ins.src_types, ins.srcs, strict=True)]
        if ins.op == Op.MOVM:
            self.registers.row(Type.U32, ins.dst)[:] = transposed(operands[0])
            return
        product = PRODUCTS[ins.mod]
        parts = (operands[: product.a], operands[product.a : -product.d - 1], operands[-product.d - 1 : -1])
        results = multiplied(product, *(list(zip(*rows, strict=True)) for rows in parts))
        for row, words in zip(ins.result_rows, zip(*results, strict=True), strict=True):
            self.registers.row(ins.type, row)[:] = words

    def _among(self, ins: Instruction, source: list[int], lane: int, on: int, masks: list[int]) -> int:
        """Return what a lane receives from those that its member mask names."""
        members = on & masks[lane]
        if ins.op == Op.MATCH:
            return collective.match(MatchMode(ins.mod), source, lane, members)
        if ins.op == Op.VOTE:
            return collective.vote(VoteMode(ins.mod), source, members)
        alike = sum(1 << other for other in lanes_of(on) if masks[other] == masks[lane])
        return collective.redux(ReduxOp(ins.mod), ins.type, source, members or alike)

    def _shuffle(self, ins: Instruction, pc: int, on: int, values: list[int]) -> dict[int, int]:
        operand = self.registers.row(Type.U32, ins.srcs[1])
        width = self.registers.row(Type.U32, ins.srcs[2])
        results = {}
        for lane in lanes_of(on):
            source = shuffle_source(ShflMode(ins.mod), lane, operand[lane], width[lane])
            if source is not None and not on >> source & 1 and self.share.memory.options.check:
                thread = self.index * LANES + lane
                self.share.memory.log.report(
                    FindingKind.INACTIVE_LANE, pc, self.share.memory.block, thread, address=source
                )
            results[lane] = values[lane if source is None else source]
        return results


def live_lanes(threads: int, warp: int) -> int:
    """Return the lanes of a warp that belong to threads of a block of that many threads."""
    count = min(max(threads - warp * LANES, 0), LANES)
    return FULL >> (LANES - count) if count else 0
