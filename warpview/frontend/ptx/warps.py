"""Lower the instructions of PTX that concern the threads of a warp or a block together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import SpecialValue, Value, const
from warpview.frontend.ptx import table
from warpview.frontend.ptx.syntax import PtxInstruction, PtxOperand
from warpview.isa.modes import ALL_THREADS, BarRedOp, Cmp, MatchMode, NamedBarrier, ShflMode, VoteMode
from warpview.isa.ops import Op
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_BARRIER_REDUCTIONS = {"popc": BarRedOp.POPC, "and": BarRedOp.AND, "or": BarRedOp.OR}


def barrier(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower bar and barrier in their forms."""
    modifiers = set(ins.modifiers) - {"cta", "aligned"}
    if "warp" in modifiers:
        low.builder.effect(Op.WARPSYNC, Type.U32, low.read(ins.operands[0], Type.U32))
        return
    if "red" in modifiers:
        how = next(m for m in ins.modifiers if m in _BARRIER_REDUCTIONS)
        low.require(features.REDUCING_BARRIERS)
        if ins.operands[1] != PtxOperand("int", "0", 0) or len(ins.operands) != 3:
            low.refuse(f"'{ins.name}' of a numbered barrier")
        result = low.emit(Op.BAR_RED, Type.U32, low.read(ins.operands[-1], Type.PRED), mod=_BARRIER_REDUCTIONS[how])
        if how != "popc":
            result = low.emit(Op.SETP, Type.U32, result, const(Type.U32, 0), mod=Cmp.NE)
        low.write(ins.operands[0], result)
    elif modifiers == {"sync"} and len(ins.operands) == 1 and ins.operands[0].value == 0:
        low.builder.effect(Op.BAR_SYNC)
    elif modifiers in ({"sync"}, {"arrive"}):
        numbers = [low.read(operand, Type.U32) for operand in ins.operands]
        if len(numbers) == 1:
            numbers.append(const(Type.U32, ALL_THREADS))
        mode = NamedBarrier.SYNC if "sync" in modifiers else NamedBarrier.ARRIVE
        low.builder.effect(Op.BAR_NAMED, Type.U32, *numbers, mod=mode)
    else:
        low.refuse(f"'{ins.name}'")


def fence(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower membar and fence; one for the proxy of asynchronous copies waits for nothing, as none goes through it."""
    if "proxy" in ins.modifiers and "async" in ins.modifiers:
        low.require(features.BULK_COPIES)
        return
    scope = next((table.SCOPES[m] for m in ins.modifiers if m in table.SCOPES), None)
    if scope is None:
        low.refuse(f"'{ins.name}'")
    low.builder.effect(Op.MEMBAR, mod=scope)


def shuffle(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower shfl: to one operation where its segment is a constant of the usual form and its predicate is not read."""
    low.require(features.SHUFFLES)
    mode = next((table.SHUFFLES[m] for m in ins.modifiers if m in table.SHUFFLES), None)
    if mode is None:
        low.refuse(f"'{ins.name}'")
    target, value, lane, segment, *mask = ins.operands
    in_range = None
    if target.kind == "pair":
        target, other = target.parts
        in_range = other if other.text != "_" and low.is_read(other.text) else None
    members = low.read(mask[0], Type.U32) if mask else const(Type.U32, 0xFFFFFFFF)
    moved, chosen = low.read(value, Type.U32), low.read(lane, Type.U32)
    clamp = low.constant(segment)
    if in_range is None and clamp is not None and clamp & 31 == (0 if mode == ShflMode.UP else 31):
        width = const(Type.U32, 32 - (clamp >> 8 & 31))
    else:
        chosen, holds = _source_lane(low, mode, chosen, low.read(segment, Type.U32))
        mode, width = ShflMode.IDX, const(Type.U32, 32)
        if in_range is not None:
            low.write(in_range, holds)
    low.write(target, low.emit(Op.SHFL, Type.U32, moved, chosen, width, members, mod=mode))


def _source_lane(low: PtxCall, mode: ShflMode, chosen: Value, segment: Value) -> tuple[Value, Value]:
    """Return the lane that a lane reads, and whether it lies in the segment, as the PTX ISA defines shfl."""
    own, five = SpecialValue(Special.LANEID), const(Type.U32, 31)

    def emit(op: Op, *sources: Value) -> Value:
        return low.emit(op, Type.S32, *sources)

    outer = emit(Op.AND, emit(Op.SHR, segment, const(Type.U32, 8)), five)
    inner = emit(Op.XOR, outer, five)
    first = emit(Op.AND, own, outer)
    last = emit(Op.OR, first, emit(Op.AND, segment, inner))
    operand = emit(Op.AND, chosen, five)
    if mode == ShflMode.UP:
        lane = emit(Op.SUB, own, operand)
    elif mode == ShflMode.DOWN:
        lane = emit(Op.ADD, own, operand)
    elif mode == ShflMode.BFLY:
        lane = emit(Op.XOR, own, operand)
    else:
        lane = emit(Op.OR, first, emit(Op.AND, operand, inner))
    holds = low.emit(Op.SETP, Type.S32, lane, last, mod=Cmp.GE if mode == ShflMode.UP else Cmp.LE)
    return low.emit(Op.SELP, Type.U32, lane, own, holds), holds


def vote(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower vote."""
    mode = next((table.VOTES[m] for m in ins.modifiers if m in table.VOTES), None)
    if mode is None:
        low.refuse(f"'{ins.name}'")
    low.require(features.vote(mode == VoteMode.BALLOT))
    members = low.read(ins.operands[2], Type.U32) if len(ins.operands) > 2 else const(Type.U32, 0xFFFFFFFF)
    result = low.emit(Op.VOTE, Type.U32, low.read(ins.operands[1], Type.PRED), members, mod=mode)
    if mode != VoteMode.BALLOT:
        result = low.emit(Op.SETP, Type.U32, result, const(Type.U32, 0), mod=Cmp.NE)
    low.write(ins.operands[0], result)


def elect(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower elect: the lowest of the members that meet is chosen, as the hardware has it."""
    low.require(features.CLUSTERS)
    target, chosen = ins.operands[0].parts
    is_here = low.emit(Op.SETP, Type.U32, const(Type.U32, 0), const(Type.U32, 0), mod=Cmp.EQ)
    members = low.emit(Op.VOTE, Type.U32, is_here, low.read(ins.operands[1], Type.U32), mod=VoteMode.BALLOT)
    lowest = low.emit(Op.AND, Type.U32, members, low.emit(Op.NEG, Type.U32, members))
    lane = low.emit(Op.SUB, Type.U32, const(Type.U32, 31), low.emit(Op.CLZ, Type.U32, lowest))
    if target.text != "_":
        low.write(target, lane)
    low.write(chosen, low.emit(Op.SETP, Type.U32, SpecialValue(Special.LANEID), lane, mod=Cmp.EQ))


def match(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower match."""
    low.require(features.MATCHES)
    target, *found = ins.operands[0].parts or (ins.operands[0],)
    mode = MatchMode.ALL if "all" in ins.modifiers else MatchMode.ANY
    sources = low.read(ins.operands[1], ins.types[-1]), low.read(ins.operands[2], Type.U32)
    result = low.emit(Op.MATCH, ins.types[-1], *sources, mod=mode)
    low.write(target, result)
    for predicate in found:
        low.write(predicate, low.emit(Op.SETP, Type.U32, result, const(Type.U32, 0), mod=Cmp.NE))


def reduce(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower redux."""
    low.require(features.REDUCTIONS)
    name = next((m for m in ins.modifiers if m in table.REDUCTIONS), "")
    if not name:
        low.refuse(f"'{ins.name}'")
    sources = low.read(ins.operands[1], ins.types[-1]), low.read(ins.operands[2], Type.U32)
    low.write(ins.operands[0], low.emit(Op.REDUX, ins.types[-1], *sources, mod=table.REDUCTIONS[name]))


def active_mask(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower activemask."""
    low.write(ins.operands[0], low.emit(Op.ACTIVEMASK, Type.U32))
