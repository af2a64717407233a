"""Execute one warp of a program in NVIDIA's machine code, one instruction at a time."""

from __future__ import annotations

from functools import reduce
from operator import or_

from warpview.isa.ops import BLOCK_BARRIERS, MEMORY_OPS, AtomOp, Op
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import FULL, LOCAL_WINDOW, Space
from warpview.isa.values import decode as number
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.operand_rows import FIRST_ARGUMENT, SECOND_ARGUMENT
from warpview.sass.operation import REDUCING, OperandKind, SassOperation
from warpview.sass.word_reader import CONVERGED
from warpview.sim.checks.access_log import LogKind
from warpview.sim.launch import LONGEST_WAIT, FindingKind
from warpview.sim.raw_counts import Raw
from warpview.sim.reference.accesses import BlockMemory
from warpview.sim.reference.counting import (
    count_access,
    count_atomic,
    count_branch,
    count_issue,
    count_late,
    count_parting,
)
from warpview.sim.reference.native.access import NativeAccess
from warpview.sim.reference.native.lane import Lane, NativeRegisters
from warpview.sim.reference.native.meanings import IN_LANE, IN_WARP, decoded
from warpview.sim.reference.native.paths import NativePaths, first_together
from warpview.sim.reference.printing import keep_line
from warpview.sim.reference.registers import LANES, lanes_of
from warpview.sim.reference.splits import lowest_lane
from warpview.sim.reference.warp import BarrierArrival, IssueRecord, Warp, WarpShare
from warpview.sim.rules.banks import ideal

TAKES_FURTHER_GUARD = ("bra", "exit", "break")  # whose predicate p is their guard where they have no other


class NativeWarp(Warp):
    """Issue instructions of machine code; the interface is that of ``Warp``."""

    registers: NativeRegisters  # type: ignore[assignment]
    paths: NativePaths

    def __init__(self, share: WarpShare, index: int, registers: NativeRegisters, paths: NativePaths) -> None:
        super().__init__(share, index, registers, paths)  # type: ignore[arg-type]
        assert share.program.native is not None
        self.native = share.program.native
        self.operations = decoded(self.native)
        paths.members, paths.restored = registers.barriers, registers.restored
        self._pc = 0  # of the instruction that is executed
        self._waits = 0  # how often it has stayed at an instruction that waits for a barrier in shared memory

    # ---------------------------------------------------------------------------------------- what comes next

    def path(self) -> tuple[int, int] | None:
        while (current := self.paths.current()) is not None:
            operation = self.operations[current[0]]
            if operation.row.meaning == "warpsync" and operation.modifiers.get("kind"):
                current = current[0], self._part_by_members(operation, *current)
            on = self._guarded(operation, current[1])
            if operation.row.op != Op.WARPSYNC or not on:
                return current
            if operation.row.meaning == "bsync":
                barrier = operation.operands["B"].index
                if self.paths.may_pass(barrier):
                    return current
                self._count_bsync(*current, on)
                self.paths.wait_at(barrier)
                self.arrivals += 1
            elif self.paths.joint(members := self._meeting(operation, on)) is not None:
                return current
            else:
                self.paths.wait_collective(members)
        return None

    def _part_by_members(self, operation: SassOperation, pc: int, mask: int) -> int:
        """Part the lanes at a WARPSYNC of several groups; return those of one member mask, which go on."""
        together = first_together({lane: self._members_of(operation, lane) for lane in lanes_of(mask)})
        count_parting(self.share.counts[pc], mask & ~together, operation.modifiers["kind"])
        self.paths.part(together)
        return together

    def lane(self, operation: SassOperation, lane: int) -> Lane:
        return Lane(self.registers, operation, lane)

    def _guarded(self, operation: SassOperation, mask: int) -> int:
        """Return the lanes where the guard holds, or where there is none the further predicate of a branch."""
        guard = operation.guard
        if guard.holds_always and operation.row.meaning in TAKES_FURTHER_GUARD:
            guard = operation.operands.get("p", guard)
        return self.registers.holding(guard, mask)

    def _going(self, operation: SassOperation, mask: int, on: int) -> int:
        """Return the lanes that take a branch or exit: further predicates, and whether the lanes that it names are
        all here (.CONV) or not (.DIV)."""
        further = operation.operands.get("p")
        if further is not None and not operation.guard.holds_always:
            on = self.registers.holding(further, on)
        if operation.goes_together:
            return mask if on else 0
        if "b" in operation.operands and operation.row.meaning == "bra":
            named = self._named(operation)
            if operation.modifiers["kind"] == CONVERGED:
                on = 0 if named & ~mask else on
            else:  # all go where the guard does not hold in all the lanes that it names
                on = mask if named & ~on else 0
        return on

    def _named(self, operation: SassOperation) -> int:
        """Return the lanes that a branch on convergence names; an immediate stands for those that have not exited."""
        operand = operation.operands["b"]
        named = self.lane(operation, 0).word_of(operand) ^ (FULL if operand.negated else 0)
        return named & self.paths.live if operand.kind == OperandKind.IMMEDIATE else named

    def _meeting(self, operation: SassOperation, on: int) -> int:
        """Return the lanes that meet at a WARPSYNC."""
        return reduce(or_, (self._members_of(operation, lane) for lane in lanes_of(on)), 0)

    def _members_of(self, operation: SassOperation, lane: int) -> int:
        x = self.lane(operation, lane)
        return x.word("b") if "b" in operation.operands else x.word("i") if "i" in operation.operands else FULL

    # ---------------------------------------------------------------------------------------- issue

    def issue(self) -> IssueRecord | None:
        path = self.path()
        if path is None:
            return None
        pc, mask = path
        self._pc, self.gives_way, operation = pc, False, self.operations[pc]
        on = self._guarded(operation, mask)
        if operation.row.op == Op.WARPSYNC:
            meet = self._converge if operation.row.meaning == "bsync" else self._meet
            return meet(operation, pc, mask, on)
        if self.paths.issues_again:
            self.issued += 1
            self._count_again(pc, mask)
            self.note_half_guarded(mask & ~on)
        else:
            self._count(pc, mask, on)
        instruction = self.share.program.instructions[pc]
        match operation.row.meaning:
            case "bra":
                return self._branch(operation, pc, mask, on)
            case "ret":
                return self._return(operation, pc, mask, on)
            case "exit":
                return self._exit(operation, pc, mask, on)
            case "yield":
                self.gives_way = True
                for again, lanes in self.paths.yield_turn():
                    self._count_again(again, lanes)
            case "bar" if instruction.op in BLOCK_BARRIERS and on and not self._is_phase_over(instruction, on):
                self._arrive_at(operation, pc, mask, on)
            case "call" | "trap":
                self._call(instruction, pc, on)
                self.paths.advance()
            case "nop" if operation.row.name == "NANOSLEEP":
                self.gives_way = on != 0
                self.paths.advance()
            case _ if instruction.op in MEMORY_OPS:
                return self._access(operation, pc, mask, on)
            case _:
                if instruction.op == Op.MEMBAR:
                    self.note(LogKind.FENCE, pc, on)
                elif instruction.op == Op.CLUSTER_ARRIVE:
                    self._arrive_at_cluster(pc, on)
                elif instruction.op == Op.CLUSTER_WAIT:
                    pass  # the phase is over
                elif on:
                    self._execute(operation, on)
                self.paths.advance()
        return IssueRecord(pc, mask, on, paths=((mask, on),))

    def _execute(self, operation: SassOperation, on: int) -> None:
        """Execute an instruction that each lane executes for itself, or all for the warp, or together."""
        meaning = operation.row.meaning
        if meaning == "s2r" and operation.operands["S"].index in special.CLOCKS:
            meaning = "clock"
        if meaning in IN_WARP:
            IN_WARP[meaning](self, operation, on)
            return
        compute, x = IN_LANE[meaning], self.lane(operation, lowest_lane(on))
        for lane in (x.lane,) if _is_uniform(operation) else lanes_of(on):
            x.lane = lane  # not another one for each lane, which takes as long as to compute
            compute(x)

    def note_half_guarded(self, lanes: int) -> None:
        self.share.counts[self._pc][Raw.HALF_GUARDED] += lanes.bit_count()

    def _branch(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        going, row = self._going(operation, mask, on), self.share.counts[pc]
        present = mask if operation.modifiers.get("kind") == CONVERGED else on
        if "b" in operation.operands and self._named(operation) & ~present == 0:
            self.note(LogKind.WARP_SYNC, pc, self._named(operation))
        if "p" in operation.operands and not operation.guard.holds_always and not operation.operands["p"].holds_always:
            self.note_half_guarded(on & ~going)
        count_branch(row, mask, going)
        self.paths.branch(going, operation.operands["L"].index // f.WORD_BYTES)
        return IssueRecord(pc, mask, on, taken=going, paths=((mask, on),))

    def _return(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        """Go to the address in a register, or on where the guard does not hold: first those that go on, else where the
        lowest lane goes, but not if more than half the lanes do."""
        instruction = self.share.program.instructions[pc]
        assert instruction.native is not None
        places = dict.fromkeys(lanes_of(mask & ~on), NONE)
        places |= {lane: self.lane(operation, lane).word("a") for lane in lanes_of(on)}
        together = first_together(places)
        first = places[lowest_lane(together)]
        row = self.share.counts[pc]
        row[Raw.TAKEN] += first != NONE
        row[Raw.DIVERGENT] += together != mask
        row[Raw.FURTHER_TARGETS] += together != mask and self.paths.issues_again
        if first == NONE:
            self.paths.go_to(together, pc + 1)
            return IssueRecord(pc, mask, on, paths=((mask, on),))
        target = operation.operands["L"].index // f.WORD_BYTES + first // f.WORD_BYTES
        if not 0 <= target < instruction.native.imm:
            for lane in lanes_of(on):
                thread = self.index * LANES + lane
                self.share.memory.log.report(FindingKind.OUT_OF_BOUNDS, pc, self.share.memory.block, thread, first)
            self.share.asserted, target = True, pc
        self.paths.go_to(together, target)
        return IssueRecord(pc, mask, on, taken=together, paths=((mask, on),))

    def _exit(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        going = self._going(operation, mask, on)
        self.note_half_guarded(on & ~going)
        if going:
            self.exit_pc = pc
        self.paths.exit(going)
        return IssueRecord(pc, mask, going, paths=((mask, going),))

    def stays(self) -> bool:
        """Return whether all lanes wait for the phase of a barrier in shared memory, which is not over."""
        pc, mask = self.path() or (NONE, 0)
        waits = pc != NONE and self.operations[pc].modifiers.get("trywait") and mask == self.paths.live
        on = self._guarded(self.operations[pc], mask) if waits else 0
        if not on or self._waits == LONGEST_WAIT or not self._accessing(self.operations[pc], pc, on).asks_in_vain():
            self._waits = 0
            return False
        self._waits += 1
        return True

    def _accessing(self, operation: SassOperation, pc: int, on: int) -> NativeAccess:
        """Return the access of memory by some lanes."""
        if _is_uniform(operation):
            on &= -on  # of what the warp does once, one lane is as good as another
        return NativeAccess(
            self.share.memory, self.registers, self.share.program.instructions[pc], pc, self.index, on, self.issued,  # type: ignore[arg-type]
            operation, self.native, self.registers, cycle=self.clock(),
        )  # fmt: skip

    def _access(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        access = self._accessing(operation, pc, on)
        on = access.on
        parts = access.execute()
        self.gives_way = access.polled_in_vain
        instruction = self.share.program.instructions[pc]
        is_generic = instruction.space == Space.GENERIC
        count_access(self.share.counts[pc], parts, is_generic, is_copy=operation.row.name == "LDGSTS")
        if instruction.op == Op.ATOM and on:
            asked = ideal([], on, instruction.width, self.share.memory.device, "store") if is_generic else 0
            count_atomic(self.share.counts[pc], parts, asked, instruction.mod == AtomOp.CAS)
        self.paths.advance()
        return IssueRecord(pc, mask, on, parts=tuple(parts), paths=((mask, on),))

    def _arrive_at(self, operation: SassOperation, pc: int, mask: int, on: int) -> None:
        """Arrive at a block barrier, where the path waits until the block says otherwise: all of its lanes, also those
        whose guard does not hold (measured on an H100)."""
        instruction = self.share.program.instructions[pc]
        if instruction.op in (Op.BAR_SYNC, Op.BAR_RED):
            self.check_who_arrives(pc, on, mask)
        if "p" in operation.operands and operation.modifiers["mode"] == REDUCING:
            held = {lane: int(self.lane(operation, lane).predicate("p")) for lane in lanes_of(on)}
            arrivals = self.share.arrivals if instruction.op == Op.BAR_RED else self.reducing
            arrivals.append(BarrierArrival(instruction, held, self.registers.result))
        if instruction.op == Op.BAR_NAMED:
            self._check_operands(instruction, pc, on)
        self.paths.block_barrier()

    def _call(self, instruction: Instruction, pc: int, on: int) -> None:
        """Execute a call of printf, whose values lie in local memory, or of a failed assertion, or a trap."""
        if instruction.op == Op.TRAP:
            if on:
                self._trap(pc, on)
            return
        assert instruction.native is not None
        for lane in lanes_of(on):
            low, high = (self.registers.general[SECOND_ARGUMENT + k][lane] for k in range(2))
            thread = self.index * LANES + lane
            local, start = self.share.memory.local[thread], (high << 32 | low) - LOCAL_WINDOW
            values = [number(t, local.read(start + at, t.bytes)) for at, t in instruction.native.printed]
            keep_line(
                self.share.printed, self.share.program, self.share.memory, instruction, thread, values,
                instruction.native.shared_base,
            )  # fmt: skip
            self.registers.general[FIRST_ARGUMENT][lane] = len(values)

    # ---------------------------------------------------------------------------------------- barriers of the warp

    def _meet(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        """Execute a WARPSYNC by the current path, or by several that waited for one another."""
        group = (self.paths.joint(self._meeting(operation, on)) if on else None) or (mask,)
        paths = tuple((m, self._guarded(operation, m)) for m in group)
        late, again = self.paths.take_pick(), self.paths.has_waited or len(group) > 1
        all_on = union = 0
        for m, o in paths:
            self._count(pc, m, o)
            all_on, union = all_on | o, union | m
        if all_on:
            self._check_members(operation, pc, all_on)
            by_lane = {lane: self._members_of(operation, lane) for lane in lanes_of(all_on)}
            for named in dict.fromkeys(by_lane.values()):
                self.note(LogKind.WARP_SYNC, pc, sum(1 << k for k, other in by_lane.items() if other == named))
        if late is not None:
            count_late(self.share.counts[pc], all_on & ~mask, late.ways)
        elif again and on:
            self._count_again(pc, all_on)
        self.paths.advance()
        return IssueRecord(pc, union, all_on, paths=paths)

    def _converge(self, operation: SassOperation, pc: int, mask: int, on: int) -> IssueRecord:
        """Execute a BSYNC at which the current path goes on, with the members that wait there."""
        self.issued += 1
        self._count_bsync(pc, mask, on)
        if not on:
            self.paths.advance()
            return IssueRecord(pc, mask, on, paths=((mask, on),))
        barrier = operation.operands["B"].index
        together = self.paths.members[barrier] & self.paths.live & self.paths.waiting_at(pc) | mask
        self.note(LogKind.WARP_SYNC, pc, together)
        self.paths.converge(barrier)
        return IssueRecord(pc, together, together, paths=((mask, on),))

    def _count_bsync(self, pc: int, mask: int, on: int) -> None:
        """Count an issue of a BSYNC. Of paths that are picked late together the instruction counts one for each way on
        which they came, without the lanes that waited; one that waits is issued again for the multiprocessor alone."""
        pick, row = self.paths.picked(), self.share.counts[pc]
        if pick is None:
            count_issue(row, mask, on)
        elif pick.ways:
            count_issue(row, mask & ~pick.waiting, on & ~pick.waiting)
            count_late(row, pick.waiting, pick.ways)
        elif pick.counts:
            self._count_again(pc, mask)

    def _count_again(self, pc: int, lanes: int) -> None:
        """Count an issue that only the multiprocessor counts."""
        self.share.counts[pc][Raw.REISSUED] += 1
        self.share.counts[pc][Raw.REISSUED_LANES] += lanes.bit_count()

    def _check_members(self, operation: SassOperation, pc: int, on: int) -> None:
        """Report lanes that their own member mask leaves out; that it names lanes which have exited says nothing."""
        if not self.share.memory.options.check:
            return
        for lane in lanes_of(on):
            mask = self._members_of(operation, lane)
            if not mask >> lane & 1:
                thread = self.index * LANES + lane
                self.share.memory.log.report(FindingKind.MEMBER_MASK, pc, self.share.memory.block, thread, mask)

    # ---------------------------------------------------------------------------------------- for the exchanges

    def read_clock(self) -> int:
        return self.clock()

    def report(self, kind: FindingKind, lane: int, address: int, space: int = 0) -> None:
        memory = self.share.memory
        if memory.options.check or space:
            memory.log.report(kind, self._pc, memory.block, self.index * LANES + lane, address, space)

    @property
    def instruction(self) -> tuple[int, Instruction]:
        return self._pc, self.share.program.instructions[self._pc]

    @property
    def block_memory(self) -> BlockMemory:
        return self.share.memory

    def add_to(self, column: int, count: int) -> None:
        self.share.counts[self._pc][column] += count

    def stop(self) -> None:
        self.share.asserted = True


def _is_uniform(operation: SassOperation) -> bool:
    """Return whether an instruction writes a uniform register, once for the warp."""
    first = operation.row.operands[0] if operation.row.operands else ""
    return len(first) > 1 and first.startswith("u")
