"""Write loops out, trip by trip, with what is known of the registers in each: a walk that evaluates as it copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from warpview.diagnostics import Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import (
    BasicBlock,
    Branch,
    Const,
    Function,
    Instr,
    Jump,
    Reg,
    Slot,
    SlotAddress,
    Value,
)
from warpview.frontend.passes.liveness import Liveness
from warpview.frontend.passes.local_arrays.choices import access, both_places, computed, numbered, places_of
from warpview.frontend.passes.local_arrays.loop_nest import LoopNest, NestedLoop, Region
from warpview.frontend.passes.local_arrays.parts import Parts
from warpview.frontend.passes.local_arrays.places import Choice, HalfDecided, Known, SlotPlace, joined, result
from warpview.isa.ops import Op
from warpview.isa.types import Type

MOST_TRIPS = 128  # of one loop
MOST_INSTRUCTIONS = 1 << 14  # of a nest of loops


@dataclass(frozen=True)
class WritePlan:
    """Say what to write out: the loops, the slots whose accesses are to be found with the loops in which they are
    indexed, the registers to follow on the way, and for each register the slots that it may point into."""

    loops: set[NestedLoop]
    indexed_in: Mapping[Slot, set[NestedLoop]]
    followed: set[Reg]
    points_into: Mapping[Reg, set[Slot]]


@dataclass(eq=False)
class _Copy:
    """Hold one trip of a loop, or the function around all: the copies of its blocks, the names of its own registers
    and, once a way leads there, the block that the next trip begins with."""

    loop: Region = None
    parent: _Copy | None = None
    key: tuple[int, ...] = ()
    names: Mapping[Value, Reg] = field(default_factory=dict)
    blocks: dict[BasicBlock, BasicBlock] = field(default_factory=dict)
    following: BasicBlock | None = None
    is_decided: bool = False  # whether anything could be told of whether a way out of the loop is taken


class LoopWriter:
    """Walk a function once, with its loops written out as planned. ``blocks`` are the new ones; ``lost`` are the slots
    of which an access could not be followed, ``failed`` the loops that cannot be written out: where there are any, the
    blocks are of no use. The function itself stays as it is."""

    def __init__(self, function: Function, nest: LoopNest, live: Liveness, plan: WritePlan, parts: Parts) -> None:
        self.function = function
        self.nest = nest
        self.live = live.at_start
        self.plan = plan
        self.parts = parts
        self.position = {block: i for i, block in enumerate(function.blocks)}
        self.written: list[tuple[tuple[int, ...], BasicBlock]] = []
        self.entering: dict[BasicBlock, dict[Reg, Known]] = {}
        self.ways: dict[BasicBlock, list[BasicBlock]] = {}  # that lead to a new block, as far as they are written
        self.placed: set[BasicBlock] = set()  # the new blocks that are written
        self.chosen: dict[tuple[BasicBlock, Reg], Choice] = {}  # by the way that leads to a block
        self.lost: set[Slot] = set()
        self.failed: set[NestedLoop] = set()
        self.instructions = 0
        root = _Copy()
        self.entering[self._copy_of(function.blocks[0], root)] = {}
        self._region(None, root)
        self.written.sort(key=lambda pair: pair[0])
        self.blocks = [block for _, block in self.written]

    # ----------------------------------------------------------------------------------------------- loops
    def _region(self, region: Region, copy: _Copy) -> None:
        for item in self.nest.order[region]:
            head = item.head if isinstance(item, NestedLoop) else item
            if copy.blocks.get(head) not in self.entering:
                continue  # nothing leads there
            if not isinstance(item, NestedLoop):
                self._block(item, copy)
            elif item not in self.plan.loops or item in self.failed or not self._trips(item, copy):
                self.failed |= self.plan.loops & {item}
                self._forget_changes(item, copy)
                self._region(item, copy)

    def _forget_changes(self, loop: NestedLoop, copy: _Copy) -> None:
        """Forget at the head of a loop that stays one what each of its trips may change."""
        state = self.entering[copy.blocks[loop.head]]
        changed = self._changed_in(loop)
        for slot, loops in self.plan.indexed_in.items():
            if loop in loops:
                changed.update(self.parts.registers[slot].values())
        for reg in changed:
            if state.pop(reg, None) is not None and reg in self.live[loop.head]:
                self.lost |= self.plan.points_into.get(reg, set())

    def _changed_in(self, loop: NestedLoop) -> set[Reg]:
        instrs = (instr for block in loop.blocks for instr in block.instrs)
        return {dst for instr in instrs for dst in instr.dsts if dst in self.plan.followed}

    def _trips(self, loop: NestedLoop, around: _Copy) -> bool:
        """Write a loop out; return whether its trips can be counted and are not too many."""
        own = self._own_registers(loop)
        first = min(self.position[block] for block in loop.blocks)
        if around.loop is None:
            self.instructions = 0
        head: BasicBlock | None = around.blocks[loop.head]
        for number in range(MOST_TRIPS + 1):
            if head is None:
                return True
            names = around.names
            if number:
                names = {**names, **{reg: self.function.reg(reg.type) for reg in own}}
            trip = _Copy(loop, around, (*around.key, first, number), names, {loop.head: head})
            self._region(loop, trip)
            if trip.following is not None and not trip.is_decided:
                break
            if self.instructions > MOST_INSTRUCTIONS:
                break
            head = trip.following
        return False

    def _own_registers(self, loop: NestedLoop) -> set[Reg]:
        """Return temporaries that carry nothing from one trip to the next, nor out of the loop."""
        written = {dst for block in loop.blocks for i in block.instrs for dst in i.dsts if not dst.name}
        outside = {target for block in loop.blocks for target in block.successors if target not in loop.blocks}
        carried = self.live[loop.head].union(*(self.live[target] for target in outside))
        return written - carried - self.parts.everywhere

    # ---------------------------------------------------------------------------------------------- blocks
    def _copy_of(self, block: BasicBlock, copy: _Copy) -> BasicBlock:
        if block not in copy.blocks:
            copy.blocks[block] = BasicBlock(block.label, rolled=block.rolled, single=block.single)
        return copy.blocks[block]

    def _target(self, target: BasicBlock, copy: _Copy) -> BasicBlock:
        """Return the copy of a block that a copy of another one goes to: perhaps in the next trip, or further out."""
        while copy.loop is not None and copy.parent is not None:
            if target is copy.loop.head:
                copy.following = copy.following or BasicBlock(target.label, rolled=target.rolled, single=target.single)
                return copy.following
            if target in copy.loop.blocks:
                break
            copy = copy.parent
        return self._copy_of(target, copy)

    def _block(self, block: BasicBlock, copy: _Copy) -> None:
        checkpoint()
        out = copy.blocks[block]
        state = dict(self.entering[out])
        for instr in block.instrs:
            out.instrs += [kept.renamed(copy.names) for kept in self._instruction(instr, state)]
        self.instructions += len(out.instrs)
        self.written.append(((*copy.key, self.position[block]), out))
        self.placed.add(out)
        out.terminator = block.terminator
        targets = block.successors
        if isinstance(end := block.terminator, Branch):
            targets = self._branch(block, end, copy, state)
        elif isinstance(end, Jump):
            out.terminator = replace(end, target=self._target(end.target, copy))
        for target in targets:
            self._enter(target, self._target(target, copy), state, out)

    def _branch(
        self, block: BasicBlock, end: Branch, copy: _Copy, state: Mapping[Reg, Known]
    ) -> tuple[BasicBlock, ...]:
        """Write a branch, or the jump that it is where its condition is known; return where it may go."""
        condition = self._known(end.condition, state)
        out = copy.blocks[block]
        if isinstance(condition, (Const, HalfDecided)):
            self._note_decided(block, copy)
        if not isinstance(condition, Const):
            name = copy.names.get(end.condition, end.condition)
            then, other = self._target(end.then, copy), self._target(end.other, copy)
            out.terminator = Branch(name, then, other, end.span)
            return block.successors
        target = end.then if condition.bits else end.other
        out.terminator = Jump(self._target(target, copy), end.span)
        return (target,)

    def _note_decided(self, block: BasicBlock, copy: _Copy) -> None:
        """Note for all loops that an end of a block leads out of that their trips can be counted."""
        around: _Copy | None = copy
        while around is not None and around.loop is not None:
            around.is_decided |= any(target not in around.loop.blocks for target in block.successors)
            around = around.parent

    def _enter(self, target: BasicBlock, copy: BasicBlock, state: Mapping[Reg, Known], way: BasicBlock) -> None:
        """Join what is known at the end of a block with what is known on the other ways to its successor."""
        self.ways.setdefault(copy, []).append(way)
        read = self.live[target]
        coming = {reg: value for reg, value in state.items() if reg in read or reg in self.parts.everywhere}
        before = self.entering.get(copy)
        if before is None:
            self.entering[copy] = coming
            return
        for reg in sorted({*before, *coming}, key=lambda reg: reg.id):
            one, other = before.get(reg), coming.get(reg)
            both = joined(one, other) or self._either(reg, copy, one, other)
            if both is None:
                before.pop(reg, None)
                self.lost |= self.plan.points_into.get(reg, set())
            else:
                before[reg] = both

    def _either(self, reg: Reg, copy: BasicBlock, one: Known | None, other: Known | None) -> Choice | None:
        """Return the address that is ``one`` where earlier ways lead to a block and the ``other`` where the last does:
        each way numbers it at its end. None where these are no addresses, or the block is written."""
        places = both_places(one, other)
        if copy in self.placed or not places:
            return None
        *earlier, last = self.ways[copy]
        before = self.chosen.get((copy, reg))
        if before is None or before is not one:
            before = Choice(self.function.reg(Type.U32), places)
            for way in earlier:
                way.instrs.append(numbered(one, 0, before.which, _end_of(way)))
        last.instrs.append(numbered(other, len(places_of(one)), before.which, _end_of(last)))
        found = self.chosen[copy, reg] = Choice(before.which, places)
        return found

    # ---------------------------------------------------------------------------------------- instructions
    def _known(self, value: Value, state: Mapping[Reg, Known]) -> Known | None:
        match value:
            case Const():
                return value
            case Reg():
                return state.get(value)
            case SlotAddress(slot=slot) if slot in self.plan.indexed_in:
                return SlotPlace(slot, 0)
        return None

    def _instruction(self, instr: Instr, state: dict[Reg, Known]) -> Iterable[Instr]:
        """Return what is to be written for an instruction: for an access to a place that is known copies of registers,
        nothing where it only computed an address. What becomes known by it goes into ``state``."""
        place = self._known(instr.srcs[0], state) if instr.op in (Op.LD, Op.ST) else None
        if isinstance(place, (SlotPlace, Choice)) and instr.cached and not instr.relaxed:
            self._lose(instr.srcs[1:], state)  # an address that is kept where nobody follows it
            return [self._computed(copy, state) for copy in self._accesses(instr, place)]
        chosen = self._chosen(instr, state)
        if chosen is not None:
            return chosen
        kept = self._computed(instr, state)
        return [] if isinstance(state.get(kept.dsts[0]) if kept.dsts else None, SlotPlace) else [kept]

    def _accesses(self, instr: Instr, place: SlotPlace | Choice) -> Iterable[Instr]:
        if isinstance(place, SlotPlace):
            return self.parts.access(instr, place.slot, place.offset)
        return access(self.parts, instr, place)

    def _chosen(self, instr: Instr, state: dict[Reg, Known]) -> list[Instr] | None:
        """Return what is to be written for an instruction that chooses an address, or computes something from one that
        was chosen; None where it does not, or that cannot be told."""
        if len(instr.dsts) != 1 or instr.dsts[0] not in self.plan.followed or instr.guard is not None:
            return None
        found = computed(self.function, instr, [self._known(v, state) for v in instr.srcs])
        if found is None:
            return None
        address, instrs = found
        state.pop(instr.dsts[0], None)
        if address is not None:
            state[instr.dsts[0]] = address
        return instrs

    def _computed(self, instr: Instr, state: dict[Reg, Known]) -> Instr:
        """Note what an instruction computes, or of which slots it takes the address; return it without addresses where
        its result is known."""
        found: Known | None = None
        if len(instr.dsts) == 1 and instr.dsts[0] in self.plan.followed and instr.guard is None:
            found = result(instr, [self._known(v, state) for v in instr.srcs])
        if found is None:
            self._lose(instr.reads, state)
        elif any(isinstance(self._known(v, state), SlotPlace) for v in instr.srcs) and isinstance(found, Const):
            instr = Instr(Op.MOV, instr.dsts[0].type, instr.dsts, (found,), instr.span)
        for dst in instr.dsts:
            state.pop(dst, None)
        if found is not None:
            state[instr.dsts[0]] = found
        return instr

    def _lose(self, values: tuple[Value, ...], state: Mapping[Reg, Known]) -> None:
        """Note the slots that values may point into which are read for anything but an access."""
        for value in values:
            known = self._known(value, state)
            if isinstance(known, (SlotPlace, Choice)):
                self.lost |= {place.slot for place in places_of(known) if isinstance(place, SlotPlace)}
            elif isinstance(value, Reg) and not isinstance(known, Const):
                self.lost |= self.plan.points_into.get(value, set())


def _end_of(block: BasicBlock) -> Span:
    assert block.terminator is not None
    return block.terminator.span
