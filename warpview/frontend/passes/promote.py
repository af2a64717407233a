"""Promote local variables from memory to registers (scalar replacement, as LLVM's SROA does it).

Lowering gives each variable a ``Slot`` and reads and writes it like memory. A slot whose every access is at an offset
known at compile time becomes one register a part; a slot that is indexed at run time, or whose address is kept
somewhere, gets room in local memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from warpview.diagnostics import CompileError, Diagnostic, Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import (
    BasicBlock,
    Const,
    DynamicShared,
    Function,
    Instr,
    Reg,
    Slot,
    SlotAddress,
    Value,
    const,
)
from warpview.frontend.passes.part_access import register_access
from warpview.frontend.passes.slot_parts import SlotAccess, accesses_of, chosen_parts
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

MAX_LOCAL = 512 << 10  # bytes a thread, from compute capability 2.0 on (CUDA C++ Programming Guide)


def promote(function: Function) -> None:
    """Give every slot of ``function`` that is accessed at known places its registers, and rewrite the accesses."""
    for slot, types in register_parts(function.slots, function.blocks).items():
        if slot.registers is None:
            slot.registers = {offset: function.reg(type, slot.name) for offset, type in types.items()}
    for block in function.blocks:
        checkpoint()
        out: list[Instr] = []
        for instr in block.instrs:
            found = accessed(instr)
            registers = None if found is None else found.registers
            out += [instr] if registers is None else register_access(function, instr, registers)
        block.instrs = out


def place_in_memory(function: Function) -> None:
    """Give every slot that is left its room in local memory, and rewrite all accesses."""
    used = _used(function)
    for slot in function.slots:
        if slot in used:
            _place(function, slot)
    dynamic = -(-function.static_shared_bytes // 16) * 16
    if function.uses_dynamic_shared:
        function.static_shared_bytes = dynamic
    for block in function.blocks:
        checkpoint()
        out: list[Instr] = []
        for instr in block.instrs:
            *before, instr = _with_frames(function, instr)
            out += [*before, *_memory_access(function, _with_addresses(instr, dynamic))]
        block.instrs = out


def _used(function: Function) -> set[Slot]:
    """Return the slots that are accessed or whose address is taken."""
    return {
        value.slot
        for block in function.blocks
        for instr in block.instrs
        for value in instr.reads
        if isinstance(value, SlotAddress)
    }


def accessed(instr: Instr) -> Slot | None:
    """Return the slot that a load or store accesses directly, at an offset known at compile time."""
    if instr.op in (Op.LD, Op.ST) and isinstance(instr.srcs[0], SlotAddress):
        return instr.srcs[0].slot
    return None


def register_parts(slots: Iterable[Slot], blocks: Iterable[BasicBlock]) -> dict[Slot, dict[int, Type]]:
    """Return for each of ``slots`` that can live in registers by what the ``blocks`` do the types of these by byte
    offset."""
    accesses: dict[Slot, set[SlotAccess]] = {slot: set() for slot in slots}
    escaping: set[Slot] = set()
    for block in blocks:
        for instr in block.instrs:
            slot = accessed(instr)
            kept = instr.reads if slot is None else instr.reads[1:]
            escaping.update(v.slot for v in kept if isinstance(v, SlotAddress))
            if slot is not None and slot in accesses:
                accesses[slot].update(accesses_of(instr, 0))
    chosen = {slot: chosen_parts(slot, found) for slot, found in accesses.items() if slot not in escaping}
    return {slot: parts for slot, parts in chosen.items() if parts is not None}


def _place(function: Function, slot: Slot) -> None:
    """Give a slot its offset in local memory."""
    used = function.local_bytes if slot.frame is None else slot.frame.size
    slot.offset = -(-used // slot.align) * slot.align
    if slot.frame is not None:
        slot.frame.size = slot.offset + slot.size
        return
    function.local_bytes = slot.offset + slot.size
    check_local_memory(function.local_bytes, slot.span)


def check_local_memory(size: int, span: Span | None) -> None:
    """Check that a thread may have ``size`` bytes of local memory."""
    if size > MAX_LOCAL:
        raise CompileError([Diagnostic("this needs more local memory than a thread can have", span)])


def _with_frames(function: Function, instr: Instr) -> list[Instr]:
    """Return the instruction behind what computes the addresses of slots on the stack."""
    stack = function.stack_pointer
    slots = {v: v.slot for v in instr.reads if isinstance(v, SlotAddress) and v.slot.frame is not None}
    if stack is None or not slots:
        return [instr]
    before, addresses = [], dict[Value, Reg]()
    for value, slot in slots.items():
        addresses[value] = function.reg(Type.U32)
        sum_ = (stack, const(Type.U32, slot.offset))
        before.append(Instr(Op.ADD, Type.U32, (addresses[value],), sum_, instr.span))
    return [*before, replace(instr.renamed(addresses), bounds=None)]


def _with_addresses(instr: Instr, dynamic: int) -> Instr:
    """Return the instruction with the addresses of slots and of dynamic shared memory as numbers."""
    if instr.bounds is not None:
        instr = replace(instr, bounds=instr.bounds.placed())
    if not any(isinstance(value, (SlotAddress, DynamicShared)) for value in instr.reads):
        return instr

    def number(value: Value) -> Value:
        if isinstance(value, SlotAddress):
            return const(Type.U32, value.slot.offset)
        return const(Type.U32, dynamic) if isinstance(value, DynamicShared) else value

    return replace(instr, srcs=tuple(map(number, instr.srcs)), extra=tuple(map(number, instr.extra)))


def _memory_access(function: Function, instr: Instr) -> Iterable[Instr]:
    """Yield a load or store of a truth value in memory, where it is a byte; other instructions as they are."""
    if instr.type != Type.PRED or instr.op not in (Op.LD, Op.ST):
        return [instr]
    one, zero = const(Type.U32, 1), const(Type.U32, 0)
    if instr.op == Op.LD:
        byte = function.reg(Type.U8)
        test = Instr(Op.SETP, Type.S32, instr.dsts, (byte, const(Type.S32, 0)), instr.span, mod=Cmp.NE)
        return [replace(instr, type=Type.U8, dsts=(byte,)), test]
    value = instr.srcs[1]
    if isinstance(value, Const):
        return [replace(instr, type=Type.U8, srcs=(instr.srcs[0], const(Type.U8, value.bits)))]
    word = function.reg(Type.U32)
    select = Instr(Op.SELP, Type.U32, (word,), (one, zero, value), instr.span)
    return [select, replace(instr, type=Type.U8, srcs=(instr.srcs[0], word))]
