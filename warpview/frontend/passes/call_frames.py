"""Keep a stack in local memory for functions that call themselves.

A frame has the variables of a call that lie in memory; behind them what the caller puts aside: the registers that it
reads after the call and that the function writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from warpview.diagnostics import CompileError, Diagnostic
from warpview.frontend.ir import (
    BasicBlock,
    Branch,
    CallSite,
    Exit,
    Function,
    Instr,
    Jump,
    Reg,
    StackFrame,
    Value,
    const,
)
from warpview.frontend.passes.liveness import liveness
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import Print
from warpview.isa.types import Space, Type

WORD = 8  # bytes to which frames are aligned
STACK_FULL = "the call stack is full: functions that call themselves need more bytes than cudaLimitStackSize allows"


@dataclass(frozen=True)
class _Kept:
    """Describe what a call puts aside: registers with their places from the stack pointer on, and its step."""

    places: dict[Reg, int]
    step: int


def keep_frames(function: Function) -> None:
    """Put aside at each call what is needed behind it; rewrites a function whose slots have their places."""
    stack = function.stack_pointer
    if stack is None:
        return
    with _calls_left_out(function):
        live = liveness(function).at_start
    kept = {site: _kept(function, site, live[site.after]) for site in function.calls}
    calls = [site for site in function.calls if not _goes_round(function, site, kept[site].places)]
    base = _aligned(function.local_bytes)
    frames = [_aligned(site.within.size) for site in calls] + [kept[site].step for site in calls]
    limit = base + function.stack_bytes - max(frames, default=0)
    function.local_bytes = base + function.stack_bytes if calls else function.local_bytes
    if limit < base:
        raise CompileError([Diagnostic("a frame of this function is larger than the call stack", calls[0].span)])
    start = Instr(Op.MOV, Type.U32, (stack,), (const(Type.U32, base),), function.span)
    function.blocks[0].instrs.insert(0, start)
    for site in calls:
        site.before.instrs += _put_aside(function, site, stack, kept[site], limit)
        site.after.instrs[:0] = _brought_back(function, site, stack, kept[site])


def _aligned(size: int) -> int:
    return -(-size // WORD) * WORD


@contextmanager
def _calls_left_out(function: Function) -> Iterator[None]:
    """Let each call from within be a step from before it to behind it, and no function return there, as one call of
    the function sees it."""
    before = {block: block.terminator for block in function.blocks}
    returns = {site.after for site in function.calls if site.callee is not None}
    for block in function.blocks:
        if isinstance(block.terminator, Branch) and block.terminator.then in returns:
            block.terminator = Jump(block.terminator.other, block.terminator.span)
    for site in function.calls:
        if site.callee is not None:
            site.enter.terminator = Exit(site.span)
            site.before.terminator = Branch(const(Type.PRED, 0), site.enter, site.after, site.span)
    try:
        yield
    finally:
        for block, terminator in before.items():
            block.terminator = terminator


def _kept(function: Function, site: CallSite, live: Iterable[Reg]) -> _Kept:
    """Return what to put aside: the registers read behind a call that the function called writes, but its result."""
    places, end = dict[Reg, int](), _aligned(site.within.size)
    if site.callee is not None:
        written = {dst for block in _blocks(function, site.callee) for instr in block.instrs for dst in instr.dsts}
        written -= {*_results(site.callee), function.stack_pointer}
        for reg in sorted(written.intersection(live), key=lambda reg: reg.id):
            size = max(4, reg.type.bytes)
            places[reg] = end = -(-end // size) * size
            end += size
    return _Kept(places, _aligned(end))


def _results(frame: StackFrame) -> list[Reg]:
    """Return the registers in which a function gives its result back."""
    return [] if frame.result is None or frame.result.registers is None else list(frame.result.registers.values())


def _blocks(function: Function, frame: StackFrame) -> list[BasicBlock]:
    """Return the blocks of a function, with those of other functions within."""
    assert frame.first is not None
    assert frame.end is not None
    return function.blocks[function.blocks.index(frame.first) : function.blocks.index(frame.end)]


def _goes_round(function: Function, site: CallSite, places: Iterable[Reg]) -> bool:
    """Turn a call whose result is that of the function itself into a step back to its beginning, as compilers do where
    no variable of it lies in memory; return whether it is one."""
    frame = site.within
    if site.callee is not frame or frame.size or not set(places) <= {frame.number}:
        return False
    held: dict[Value, Value] = {}
    block, seen = site.after, set[BasicBlock]()
    while block is not frame.done:
        if any(instr.op != Op.MOV or instr.guard is not None for instr in block.instrs) or block in seen:
            return False
        seen.add(block)
        for instr in block.instrs:
            held[instr.dsts[0]] = held.get(instr.srcs[0], instr.srcs[0])
        if not isinstance(block.terminator, Jump):
            return False
        block = block.terminator.target
    if any(held.get(reg, reg) is not reg for reg in _results(frame)):
        return False
    site.enter.instrs = [instr for instr in site.enter.instrs if frame.number not in instr.dsts]
    for block in function.blocks:
        if isinstance(block.terminator, Branch) and block.terminator.then is site.after:
            block.terminator = Jump(block.terminator.other, block.terminator.span)
    return True


def _put_aside(function: Function, site: CallSite, stack: Reg, kept: _Kept, limit: int) -> Iterator[Instr]:
    """Yield the stores of registers and the step of the stack pointer, where the launch stops if there is no room."""
    for reg, place in kept.places.items():
        value: Reg = reg
        if reg.type == Type.PRED:
            value = function.reg(Type.U32)
            yield Instr(Op.SELP, Type.U32, (value,), (const(Type.U32, 1), const(Type.U32, 0), reg), site.span)
        yield Instr(Op.ST, value.type, (), (stack, value), site.span, space=Space.LOCAL, imm=place)
    if kept.step:
        yield Instr(Op.ADD, Type.U32, (stack,), (stack, const(Type.U32, kept.step)), site.span)
        full = function.reg(Type.PRED)
        yield Instr(Op.SETP, Type.U32, (full,), (stack, const(Type.U32, limit)), site.span, mod=Cmp.GT)
        function.asserts.append(Print(STACK_FULL, site.span, is_assertion=False))
        yield Instr(Op.TRAP, Type.U32, (), (), site.span, guard=full, imm=len(function.asserts) - 1)


def _brought_back(function: Function, site: CallSite, stack: Reg, kept: _Kept) -> Iterator[Instr]:
    """Yield what undoes ``_put_aside``."""
    if kept.step:
        yield Instr(Op.SUB, Type.U32, (stack,), (stack, const(Type.U32, kept.step)), site.span)
    for reg, place in kept.places.items():
        is_predicate = reg.type == Type.PRED
        into = function.reg(Type.U32) if is_predicate else reg
        yield Instr(Op.LD, into.type, (into,), (stack,), site.span, space=Space.LOCAL, imm=place)
        if is_predicate:
            yield Instr(Op.SETP, Type.S32, (reg,), (into, const(Type.S32, 0)), site.span, mod=Cmp.NE)
