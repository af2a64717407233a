"""Emit a ``Program`` from the intermediate representation: passes, rows, layout, branch targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend.flow import post_dominators
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Branch, Exit, Function, Instr, Jump, Reg, Value
from warpview.frontend.passes import optimise
from warpview.frontend.passes.liveness import registers_per_thread
from warpview.frontend.passes.simplify_cfg import clean
from warpview.frontend.passes.spin_loops import spin_exits
from warpview.frontend.passes.vector_registers import form_groups
from warpview.frontend.register_allocation import RegisterRows, allocate_registers
from warpview.frontend.verify import verify
from warpview.isa.modes import Spin
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space, Type


def finish(function: Function, predicate: bool = False, simplify: bool = True) -> Program:
    """Compile a lowered function; it is rewritten in place.

    ``predicate`` turns short branches into guarded instructions, as real compilers do. Without ``simplify``
    the instructions stay as lowered, which is only good for testing the passes.
    """
    verify(function)
    if simplify:
        optimise(function, predicate)
    else:
        clean(function)
    groups = form_groups(function)
    verify(function)
    registers = registers_per_thread(function)
    rows = allocate_registers(function, groups)
    variables = tuple(
        variable if value is None else replace(variable, row=rows.get(_held(function, value)))
        for variable, value in function.variables
    )
    return Program(
        kernel=function.name,
        source=function.source,
        instructions=_layout(function, rows),
        params=tuple(replace(p, row=row) for p, row in zip(function.params, rows.params, strict=True)),
        constants32=rows.file32.constants,
        constants64=rows.file64.constants,
        first_virtual32=rows.file32.first_virtual,
        first_virtual64=rows.file64.first_virtual,
        rows32=len(rows.file32.types),
        rows64=len(rows.file64.types),
        row_types32=tuple(rows.file32.types),
        row_types64=tuple(rows.file64.types),
        registers_per_thread=registers,
        static_shared_bytes=function.static_shared_bytes,
        uses_dynamic_shared=function.uses_dynamic_shared,
        local_bytes=function.local_bytes,
        variables=variables,
        constant_bytes=function.constant_bytes,
        constant_symbols=function.constant_symbols,
        device_bytes=function.device_bytes,
        device_symbols=function.device_symbols,
        device_pointers=function.device_pointers,
        device_row=rows.device_row,
        max_threads=function.max_threads,
        cluster=function.cluster,
        names_blocks=function.names_blocks,
        polls_grid=function.polls_grid,
        prints=tuple(function.prints),
        asserts=tuple(function.asserts),
        minimum_capability=function.minimum_capability,
        capability_reason=function.capability_reason,
        last_capability=function.last_capability,
        last_capability_reason=function.last_capability_reason,
        span=function.span,
        options=function.options,
        warnings=function.warnings,
        children=function.children,
    )


def _held(function: Function, value: Value) -> Value:
    """Return the value that holds a variable after the passes, which may have found it to be constant."""
    return function.folded.get(value, value) if isinstance(value, Reg) else value


def _layout(function: Function, rows: RegisterRows) -> tuple[Instruction, ...]:
    """Return blocks one after the other; a jump to the next block costs nothing."""
    meets = post_dominators(function)
    spins = spin_exits(function)
    out: list[
        tuple[Instruction, BasicBlock | None, BasicBlock | None]
    ] = []  # with target and reconvergence still blocks
    start: dict[BasicBlock, int] = {}
    following: list[BasicBlock | None] = [*function.blocks[1:], None]
    for block, after in zip(function.blocks, following, strict=True):
        checkpoint()
        start[block] = len(out)
        out += [(_instruction(instr, rows), None, None) for instr in block.instrs]
        ending = _ending(block, after, meets, rows)
        if block in spins:
            leaves = ending[0][1] not in spins[block]
            spin = Spin.LEAVES_BY_BRANCH if leaves else Spin.STAYS_BY_BRANCH
            ending[0] = (replace(ending[0][0], spins=spin), *ending[0][1:])
        if block.single:
            ending = [(replace(instruction, rolled=True), target, meet) for instruction, target, meet in ending]
        out += ending
    return tuple(
        instruction
        if target is meet is None
        else replace(instruction, target=_index(target, start), reconvergence=_index(meet, start))
        for instruction, target, meet in out
    )


def _index(block: BasicBlock | None, start: Mapping[BasicBlock, int]) -> int:
    return NONE if block is None else start[block]


def _instruction(instr: Instr, rows: RegisterRows) -> Instruction:
    return Instruction(
        op=instr.op,
        type=instr.type,
        stype=instr.stype,
        mod=instr.mod,
        space=instr.space,
        dst=rows[instr.dsts[0]] if instr.dsts else NONE,
        srcs=tuple(rows[v] for v in instr.srcs),
        guard=NONE if instr.guard is None else rows[instr.guard],
        guard_negated=instr.guard_negated,
        imm=instr.imm,
        vec=instr.vec,
        target=NONE,
        reconvergence=NONE,
        span=instr.span,
        extra=tuple((rows[v], v.type) for v in instr.extra),
        cached=instr.cached,
        read_only=instr.read_only,
        relaxed=instr.relaxed,
        asynchronous=instr.asynchronous,
        scope=instr.scope,
        bounds=None if instr.bounds is None else (instr.bounds.low, instr.bounds.high),
        member="" if instr.bounds is None else instr.bounds.member,
    )


def _ending(
    block: BasicBlock, after: BasicBlock | None, meets: Mapping[BasicBlock, BasicBlock | None], rows: RegisterRows
) -> list[tuple[Instruction, BasicBlock | None, BasicBlock | None]]:
    """Return the control instructions at the end of a block, each with its target and where its paths meet."""
    match block.terminator:
        case Exit(span=span):
            return [(_control(Op.EXIT, span), None, None)]
        case Jump(target=target, span=span):
            return [] if target is after else [(_control(Op.BRA, span), target, None)]
        case Branch(condition=condition, then=then, other=other, span=span):
            guard = rows[condition]
            if then is after:
                return [(_control(Op.BRA, span, guard, negated=True), other, meets[block])]
            taken = (_control(Op.BRA, span, guard), then, meets[block])
            return [taken] if other is after else [taken, (_control(Op.BRA, span), other, None)]
    raise AssertionError("verified blocks end")


def _control(op: Op, span: Span, guard: int = NONE, negated: bool = False) -> Instruction:
    return Instruction(
        op=op, type=Type.U32, stype=Type.U32, mod=0, space=Space.NONE, dst=NONE, srcs=(), guard=guard,
        guard_negated=negated, imm=0, vec=1, target=NONE, reconvergence=NONE, span=span,
    )  # fmt: skip
