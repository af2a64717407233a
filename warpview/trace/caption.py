"""Describe a step in one sentence: who (block, warp, lanes) does what, with what effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from warpview.devices import Device
from warpview.diagnostics import capitalised
from warpview.isa.modes import NamedBarrier
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, CLUSTER_BARRIERS, WARP_COLLECTIVES, AtomOp, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import FULL, Space
from warpview.sim.rules import distributed_access
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.sim.rules.coalescing import lanes_of
from warpview.trace.frame import Event, Frame, LaneAddresses, Mark, WarpState
from warpview.trace.step_verbs import ATOMICS, collective_verb, condition_words, verb
from warpview.trace.words import array_of, counted, lanes_words, line_words, pattern_words, third_person

FEW_BANKS = 4  # are named one by one


def caption(frame: Frame, program: Program, device: Device | None = None) -> str:
    """Return the sentence of a frame; at step 0 it says what is about to happen."""
    event = frame.event
    if event is None:
        return _before(frame, program)
    instruction = program.instructions[event.pc]
    if instruction.op == Op.BRA:
        sentence = _branch(program, instruction, event, frame)
    elif instruction.op in BLOCK_BARRIERS:
        sentence = _barrier(frame, program, event)
    elif instruction.op == Op.EXIT:
        sentence = _exit(event)
    elif not event.on:
        line = line_words(program, instruction)
        sentence = f"Block {event.block}, warp {event.warp} skips {line}: no lane takes part"
    else:
        sentence = _action(frame, program, instruction, event, device)
    reported = event.marks & Mark.FINDING and frame.suppressed is None
    return sentence + ("; an error is reported here." if reported else ".")


def _before(frame: Frame, program: Program) -> str:
    able = [w for w in frame.warps if w.pc != NONE]
    warp = next((w for w in able if (w.block, w.warp) == frame.coming), able[0] if able else None)
    if warp is None:
        return "Nothing has been executed."
    return f"Block {warp.block}, warp {warp.warp} is about to {verb(program, warp.pc)}. Press → to step."


# ------------------------------------------------------------------------------------------------ who


def _who(event: Event, lanes: int) -> tuple[str, bool]:
    """Return the subject, and whether it is plural."""
    if lanes == FULL:
        return f"Block {event.block}, warp {event.warp}", False
    words = lanes_words(lanes)
    return f"{capitalised(words)} of block {event.block}, warp {event.warp}", lanes & (lanes - 1) != 0


def _says(event: Event, verb: str) -> str:
    subject, plural = _who(event, event.on)
    return f"{subject} {verb if plural else third_person(verb)}"


def _idle(frame: Frame, on: int) -> str:
    """Return "; 16 lanes idle" where others of the warp are still there but do nothing."""
    event = frame.event
    gone = next((w.exited for w in frame.warps if event is not None and w.slot == event.slot), 0)
    idle = (FULL & ~on & ~gone).bit_count()
    return f"; {counted(idle, 'lane')} idle" if idle else ""


# ------------------------------------------------------------------------------------------------ what


def _asked_lane(frame: Frame, instruction: Instruction, event: Event) -> int | None:
    """Return the operand of a shuffle, if the lanes agree about it."""
    registers = frame.registers32
    if instruction.op != Op.SHFL or event.slot >= len(registers):
        return None
    named = {int(registers[event.slot, instruction.srcs[1], lane]) for lane in lanes_of(event.on)}
    return named.pop() if len(named) == 1 else None


def _action(frame: Frame, program: Program, instruction: Instruction, event: Event, device: Device | None) -> str:
    if frame.addresses is not None:
        return _accesses(frame, program, instruction, event, device) + _idle(frame, event.on)
    if instruction.op in WARP_COLLECTIVES:
        what = collective_verb(program, instruction, _asked_lane(frame, instruction, event))
    else:
        what = verb(program, event.pc)
    return _says(event, what) + _idle(frame, event.on)


def _accesses(frame: Frame, program: Program, instruction: Instruction, event: Event, device: Device | None) -> str:
    """Return what the lanes access that are served, with what effect, and which elements the others miss."""
    where, missed = frame.addresses, frame.suppressed
    assert where is not None
    if missed is None:
        return _says(event, _access_verb(frame, program, instruction, where)) + _effect(frame, instruction, device)
    verb = _verb(instruction)
    if frame.access is None:
        return f"{_says(event, verb)} {missed.words}"
    served = replace(event, on=event.on & ~missed.lanes)
    what = _access_verb(frame, program, instruction, replace(where, mask=frame.served))
    wrong = verb if missed.lanes & (missed.lanes - 1) else third_person(verb)
    told = f"{lanes_words(missed.lanes)} {wrong} {missed.words}"
    return f"{_says(served, what)}{_effect(frame, instruction, device)}; {told}"


def _verb(instruction: Instruction) -> str:
    return {Op.LD: "read", Op.ST: "write"}.get(instruction.op) or ATOMICS[AtomOp(instruction.mod)]


def _access_verb(frame: Frame, program: Program, instruction: Instruction, where: LaneAddresses) -> str:
    addresses = [int(where.address[lane]) for lane in lanes_of(where.mask)]
    name = array_words(frame, program, where)
    if where.block is not None:
        name += f" of block {where.block}"
    if where.space == Space.LOCAL:
        pattern = f"{name}, each lane its own"
    else:
        pattern = pattern_words(addresses, where.width, name)
    if where.elsewhere:
        pattern += f" ({counted(where.elsewhere.bit_count(), 'lane')} in that of other blocks)"
    return f"{_verb(instruction)} {pattern}"


def array_words(frame: Frame, program: Program, where: LaneAddresses) -> str:
    """Return the array that an access goes to, in back quotes: a parameter of the kernel, or else the allocation, such
    as that of a texture. Where neither is known, return its memory."""
    event = frame.event
    assert event is not None
    addresses = [int(where.address[lane]) for lane in lanes_of(where.mask)]
    values = frame.registers64[event.slot]
    bases = [(p, int(values[p.row][0])) for p in program.params if p.is_pointer] if len(values) else []
    held = where.allocation
    if held is not None:
        bases = [(p, base) for p, base in bases if held.base <= base < held.end]
    name = array_of(program, where.space, min(addresses), bases) if addresses else ""
    if not name and held is not None:
        return f"`{held.name}`" if held.name.isidentifier() else held.name
    return name or f"{where.space} memory"


# ------------------------------------------------------------------------------------------------ effect


def _effect(frame: Frame, instruction: Instruction, device: Device | None) -> str:
    access = frame.access
    assert access is not None
    where = frame.addresses
    if isinstance(access, SharedAccess) and where is not None and where.block is not None and device is not None:
        words = _distributed_effect(access, where, device)
    elif isinstance(access, SharedAccess):
        words = _shared_effect(access, frame)
    else:
        atomic = instruction.op in ATOMIC_OPS
        words = _updated(access, device) if atomic else _moved(access, device) + _used(access)
    if access.collisions:
        words += f", {access.collisions + 1} lanes on one address"
    return f": {words}"


def _distributed_effect(access: SharedAccess, where: LaneAddresses, device: Device) -> str:
    """Say what an access to the shared memory of another block takes, whose banks are not what it waits for."""
    found = distributed_access(access.kind, where.address.tolist(), access.lanes, access.width, device)
    passes = "one wavefront" if found.wavefronts == 1 else f"{found.wavefronts} wavefronts"
    return f"{counted(found.sectors, 'sector')} between multiprocessors, {passes}"


def _moved(access: GlobalAccess, device: Device | None) -> str:
    """Return "4 sectors", "2 transactions of 64 bytes", "3 transactions (32 + 64 + 128 bytes)" and the like."""
    sizes = sorted(Counter(t.size for t in access.transactions).items())
    by_sector = [size for size, _ in sizes] == [32] if device is None else device.coalescing == "sectors"
    if by_sector:
        return counted(len(access.transactions), "sector")
    count = counted(len(access.transactions), "transaction")
    if len(sizes) == 1:
        return f"{count} of {sizes[0][0]} bytes"
    return f"{count} ({' + '.join(f'{n} × {size}' if n > 1 else str(size) for size, n in sizes)} bytes)"


def _updated(access: GlobalAccess, device: Device | None) -> str:
    """Return what an atomic moves. The L2 takes a sector once for each of the lanes on one address, pass by pass."""
    sectors = len({t.base // 32 for t in access.transactions if t.size == 32})
    if not sectors or len(access.transactions) == sectors:
        return _moved(access, device)
    return f"{counted(sectors, 'sector')}, {counted(access.collisions + 1, 'pass')}"


def _used(access: GlobalAccess) -> str:
    """Return how many of the bytes moved were wanted. One transaction cannot be fewer, however the lanes lie."""
    scattered = not access.coalesced and len(access.transactions) > 1
    used = f", {min(access.bytes_used, access.bytes_moved)} of {access.bytes_moved} bytes used"
    return used + (", not coalesced" if scattered else "")


def _shared_effect(access: SharedAccess, frame: Frame) -> str:
    passes = len(access.wavefronts)
    count = "one wavefront" if passes == 1 else f"{passes} wavefronts"
    if frame.addresses is not None and frame.addresses.space == Space.CONST:
        return f"{'one address' if passes <= access.ideal else 'one address after the other'}, {count}"
    if all(w.broadcast and len(w.words) == 1 for w in access.wavefronts) and not access.conflicts:
        return f"broadcast, {count}"
    verdict = f"{access.degree}-way conflict" if access.conflicts else "no conflict"
    return f"{_banks(access)}{verdict}, {count}"


def _banks(access: SharedAccess) -> str:
    """Return "banks 0, 2, 4, … 14, " where some banks have nothing to do and the others are soon said."""
    used = {bank for wavefront in access.wavefronts for bank, _ in wavefront.words}
    words = lanes_words(sum(1 << bank for bank in used)).replace("lane", "bank")
    told = len(used) <= FEW_BANKS or "…" in words or " to " in words
    return f"{words}, " if told and len(used) < access.banks else ""


# ------------------------------------------------------------------------------------------------ control flow


def _branch(program: Program, instruction: Instruction, event: Event, frame: Frame) -> str:
    """Say for which lanes the condition of a branch holds. The branch over the body of an ``if`` is taken by the
    others: the sentence goes by the condition, which is what the source shows, and leaves the word *taken* to the
    instruction. NVIDIA's compiler turns conditions round, so that of its branches only this word is known."""
    warp = f"Block {event.block}, warp {event.warp}"
    native = instruction.native
    if native is not None and (instruction.target == NONE or not native.mnemonic.startswith("BRA")):
        return _says(event, f"execute `{native.text}`") + _idle(frame, event.on)
    line = program.instructions[instruction.target].span.line
    target = f"line {line}"
    if instruction.guard == NONE:
        within = line == instruction.span.line and instruction.target > event.pc
        return f"{warp} skips the alternative not taken in {target}" if within else f"{warp} jumps to {target}"
    divergent = event.taken not in (0, event.mask)
    if program.is_compiled:
        lanes = "all 32 lanes" if event.taken == FULL else lanes_words(event.taken)
        takes = "take" if event.taken & (event.taken - 1) else "takes"
        outcome = f"{lanes} {takes} the branch to {target}"
        if divergent:
            left = event.mask & ~event.taken
            return f"{warp} diverges: {outcome}, {lanes_words(left)} {'do' if left & (left - 1) else 'does'} not"
        return f"{warp}: {outcome}, no divergence"
    lanes_in = holds(instruction, event)
    condition = condition_words(program, event.pc) or f"the condition of {line_words(program, instruction)}"
    if divergent:
        return f"{warp} diverges: {condition} holds for {_parted(frame, event, lanes_in)}"
    lanes = "all 32 lanes" if event.mask == FULL else lanes_words(event.mask)
    return f"{warp}: {condition} {'holds' if lanes_in else 'fails'} for {lanes}, no divergence"


def _parted(frame: Frame, event: Event, lanes_in: int) -> str:
    """Return for which lanes a condition holds, which lanes go on where they are others, and how many are idle."""
    running = next((w.mask for w in frame.warps if w.slot == event.slot and w.block == event.block), lanes_in)
    if not running & event.mask & ~lanes_in:
        return lanes_words(lanes_in) + _idle(frame, lanes_in)
    few = f"{lanes_in.bit_count()} of {event.mask.bit_count()} active lanes"
    which = lanes_words(lanes_in) if event.mask == FULL else few
    wait = "wait" if lanes_in & (lanes_in - 1) else "waits"
    go = "go" if running & (running - 1) else "goes"
    return f"{which}, which {wait}; {lanes_words(running)} {go} on{_idle(frame, running)}"


def holds(instruction: Instruction, event: Event) -> int:
    """Return the lanes for which the condition of a branch holds, as the source has it."""
    return event.mask & ~event.taken if instruction.guard_negated else event.taken


def waits_for(frame: Frame) -> int:
    """Return how many warps of the event's block have yet to come to the barrier; none when all go on."""
    block = frame.event.block if frame.event is not None else 0
    warps = [w for w in frame.warps if w.block == block]
    waiting = sum(1 for w in warps if w.at_barrier)
    return sum(1 for w in warps if _alive(w)) - waiting if waiting else 0


def barrier_number(frame: Frame, program: Program, slot: int, pc: int, lanes: int) -> int | None:
    """Return the number of the barrier that lanes of a warp arrive at with the instruction ``pc``; None for that of
    ``__syncthreads``."""
    if pc == NONE or program.instructions[pc].op != Op.BAR_NAMED:
        return None
    return int(frame.registers32[slot, program.instructions[pc].srcs[0], (lanes & -lanes).bit_length() - 1])


def waiting_at(frame: Frame, program: Program, block: int, number: int | None) -> list[WarpState]:
    """Return the warps of a block that wait at a barrier: at that of ``__syncthreads`` where it has no number."""
    return [
        warp
        for warp in frame.warps
        if warp.block == block
        and any(
            path.waiting == "barrier" and barrier_number(frame, program, warp.slot, path.pc, path.mask) == number
            for path in warp.paths
        )
    ]


def _named_barrier(frame: Frame, program: Program, event: Event, number: int) -> str:
    """Return what happens where a warp comes to a barrier with a number."""
    instruction = program.instructions[event.pc]
    lane = (event.on & -event.on).bit_length() - 1
    threads = int(frame.registers32[event.slot, instruction.srcs[1], lane])
    barrier = f"barrier {number}" + (f" for {threads} threads" if threads else "")
    waiting = waiting_at(frame, program, event.block, number)
    if instruction.mod == NamedBarrier.ARRIVE:
        return f"{_says(event, 'arrive')} at {barrier} and does not wait"
    if any(warp.slot == event.slot for warp in waiting):
        return f"{_says(event, 'arrive')} at {barrier}: {counted(len(waiting), 'warp')} waiting"
    return f"{_says(event, 'arrive')} at {barrier}, which is complete: all warps that waited there go on"


def waits_for_cluster(program: Program, warp: WarpState) -> bool:
    """Return whether lanes of a warp wait at the barrier of the cluster, and not at one of the block."""
    waiting = (path.pc for path in warp.paths if path.waiting == "barrier" and path.pc != NONE)
    return any(program.instructions[pc].op in CLUSTER_BARRIERS for pc in waiting)


def _cluster_barrier(frame: Frame, program: Program, event: Event) -> str:
    """Return what happens where lanes that have arrived at the barrier of the cluster wait there."""
    subject, plural = _who(event, event.on)
    waiting = [warp for warp in frame.warps if warp.block in frame.cluster and waits_for_cluster(program, warp)]
    if any(warp.slot == event.slot for warp in waiting):
        return f"{subject} {'wait' if plural else 'waits'} for the cluster: {counted(len(waiting), 'warp')} waiting"
    return f"{subject} {'go' if plural else 'goes'} on: all threads of the cluster have arrived at its barrier"


def _barrier(frame: Frame, program: Program, event: Event) -> str:
    if not event.on:
        return f"Block {event.block}, warp {event.warp} passes the barrier: no lane takes part"
    if program.instructions[event.pc].op == Op.CLUSTER_WAIT:
        return _cluster_barrier(frame, program, event)
    if (number := barrier_number(frame, program, event.slot, event.pc, event.on)) is not None:
        return _named_barrier(frame, program, event, number)
    warps = [w for w in frame.warps if w.block == event.block]
    waiting = sum(1 for w in warps if w.at_barrier)
    alive = [w for w in warps if _alive(w)]
    subject, plural = _who(event, event.on)
    arrive = "arrive" if plural else "arrives"
    if parted_at_barrier(warps):
        here, there = (sum(mask.bit_count() for mask in masks) for masks in zip(*map(_threads, alive), strict=True))
        return f"{subject} {arrive} at the barrier: {here} of {there} threads waiting"
    if not waiting:
        others = len(alive) - 1
        rest = f" as the last of {len(alive)} warps: all go on" if others else ": the only warp goes on"
        return f"{subject} {arrive} at the barrier{rest}"
    return f"{subject} {arrive} at the barrier: {waiting} of {len(alive)} warps waiting"


def parted_at_barrier(warps: Sequence[WarpState]) -> bool:
    """Return whether some lanes of a warp wait at the barrier while others of it do not: from CC 7.0 on a barrier
    counts threads."""
    return any(here and here != there for here, there in map(_threads, warps))


def _threads(warp: WarpState) -> tuple[int, int]:
    """Return the lanes of a warp that wait at the barrier, and those that have not ended."""
    return warp.at_barrier, FULL & ~warp.exited


def _alive(warp: WarpState) -> bool:
    return warp.exited != FULL


def _exit(event: Event) -> str:
    if event.on == FULL:
        return f"Block {event.block}, warp {event.warp} ends"
    words = lanes_words(event.on)
    verb = "ends" if event.on & (event.on - 1) == 0 else "end"
    return f"{capitalised(words)} of block {event.block}, warp {event.warp} {verb}"
