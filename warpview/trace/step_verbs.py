"""Describe an instruction by an infinitive phrase: "compute the address of `a[ty][k]`", "load `x`", "end".

The phrase speaks of the source expression to which the instruction belongs, and of an address or an offset where the
instruction only prepares an access.
"""

from __future__ import annotations

from warpview.cached_by_identity import cached_by_identity
from warpview.frontend.preprocess.operators import COMPARISONS
from warpview.isa.disassembly import OperandNames
from warpview.isa.modes import NamedBarrier
from warpview.isa.ops import BLOCK_BARRIERS, MEMORY_OPS, WARP_COLLECTIVES, AtomOp, Op, ShflMode, VoteMode
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.trace.source_expressions import SourceExpression, expression_at
from warpview.trace.words import is_prologue, line_words, operand_words, quoted, variable_of_row

ATOMICS = {
    AtomOp.ADD: "add atomically to", AtomOp.ADD_F16: "add halves atomically to",
    AtomOp.MIN: "apply an atomic minimum to",
    AtomOp.MAX: "apply an atomic maximum to", AtomOp.EXCH: "exchange atomically", AtomOp.INC: "increment atomically",
    AtomOp.DEC: "decrement atomically", AtomOp.CAS: "compare-and-swap atomically", AtomOp.AND: "apply an atomic AND to",
    AtomOp.OR: "apply an atomic OR to", AtomOp.XOR: "apply an atomic XOR to",
}  # fmt: skip
# What a shuffle reads, where its operand is the same number for all lanes, and where it is not.
_SHUFFLES = {
    ShflMode.IDX: ("read {} of lane {}", "read {} of the lane that each lane selects"),
    ShflMode.UP: ("read {} of the lane {} below", "read {} of a lower lane"),
    ShflMode.DOWN: ("read {} of the lane {} above", "read {} of a higher lane"),
    ShflMode.BFLY: ("exchange {} with lane xor {}", "exchange {} with a partner lane"),
}
_VOTES = {
    VoteMode.ALL: "vote whether all lanes agree",
    VoteMode.ANY: "vote whether any lane agrees",
    VoteMode.UNI: "vote whether all lanes have the same value",
    VoteMode.BALLOT: "collect a vote of every lane",
}
_COLLECTIVES = {
    Op.WARPSYNC: "wait at `__syncwarp`",
    Op.MATCH: "find the lanes with equal values",
    Op.MMA: "compute the product of two matrices plus a third",
    Op.MOVM: "transpose a matrix across the lanes",
}
# What leaves no value behind.
_EFFECTS = {
    Op.MEMBAR: "wait until earlier writes are visible",
    Op.PRINTF: "print a line",
    Op.TRAP: "stop the kernel",
    Op.CLUSTER_ARRIVE: "arrive at the barrier of the cluster",
    Op.CP_ASYNC: "end a group of copies, or wait for groups",
}
_names = cached_by_identity(OperandNames)
_SCALING = frozenset({Op.SHL, Op.MUL, Op.MULWIDE, Op.MADWIDE, Op.CVT})  # what turns an index into an offset
_STEPS = {"++": "increment", "--": "decrement"}


def verb(program: Program, pc: int) -> str:
    """Return what the instruction at ``pc`` does, as an infinitive phrase."""
    instruction = program.instructions[pc]
    if instruction.op in MEMORY_OPS:
        return _memory_verb(program, instruction)
    if instruction.op in BLOCK_BARRIERS:
        if instruction.op == Op.CLUSTER_WAIT:
            return "wait at the barrier of the cluster"
        arrives = instruction.op == Op.BAR_NAMED and instruction.mod == NamedBarrier.ARRIVE
        return "arrive at a barrier" if arrives else "wait at the barrier"
    if instruction.op == Op.BRA and instruction.target != NONE:
        return _branch_verb(program, pc, instruction)
    if instruction.op == Op.EXIT:
        return "end"
    if instruction.op in WARP_COLLECTIVES:
        return collective_verb(program, instruction)
    if instruction.op in _EFFECTS:
        return _EFFECTS[instruction.op]
    if instruction.native is not None:
        return _execution(program, instruction, instruction.native.text)
    if program.is_compiled:
        return _execution(program, instruction, _names(program).text(instruction))
    if instruction.op == Op.TEX:
        return "fetch from a texture"
    return _arithmetic_verb(program, pc, instruction)


def _execution(program: Program, instruction: Instruction, text: str) -> str:
    """Return that compiled code is executed, and for which line, where the line is not that code itself."""
    if is_prologue(program, instruction):
        return f"execute `{text}` before the first line"
    if text in program.source.line(instruction.span.line):
        return f"execute `{text}`"
    if program.source.name.endswith(".ptx"):
        return f"execute {line_words(program, instruction)}"
    return f"execute `{text}` for {line_words(program, instruction)}"


def _branch_verb(program: Program, pc: int, instruction: Instruction) -> str:
    target = f"line {program.instructions[instruction.target].span.line}"
    if instruction.guard == NONE:
        return f"jump to {target}"
    if program.is_compiled:  # which may have turned the condition round, or joined it with others
        return f"decide the branch to {target}"
    return f"decide {condition_words(program, pc) or line_words(program, instruction)}"


def collective_verb(program: Program, instruction: Instruction, operand: int | None = None) -> str:
    """Return what a collective does; ``operand`` is which lane a shuffle asks, where that is one number for all."""
    if instruction.op == Op.SHFL:
        name = operand_words(program, instruction, instruction.srcs[0], instruction.src_types[0]) or "a register"
        same, different = _SHUFFLES[ShflMode(instruction.mod)]
        return different.format(name) if operand is None else same.format(name, operand)
    if instruction.op == Op.VOTE:
        return _VOTES[VoteMode(instruction.mod)]
    return _COLLECTIVES.get(instruction.op, "reduce a register over the lanes")


def condition_words(program: Program, pc: int) -> str:
    """Return the source expression that the guard of a branch holds the truth of, in back quotes; '' if unknown."""
    guard = program.instructions[pc].guard
    for before in reversed(program.instructions[:pc]):
        if before.dst == guard and before.dst_type is not None and not before.dst_type.is_wide:
            expression = expression_at(before.span)
            compares = expression is not None and (before.op == Op.SETP) == (expression.operator in COMPARISONS)
            return quoted(expression.text) if expression is not None and compares else ""
    return ""


def _memory_verb(program: Program, instruction: Instruction) -> str:
    # NVIDIA's line table has the beginning of the statement only.
    expression = None if program.is_compiled else expression_at(instruction.span)
    if instruction.op == Op.LD:
        kind = instruction.dst_type
        name = variable_of_row(program, instruction, instruction.dst, kind) if kind is not None else ""
        if name:
            return f"load `{name}`"
        what = _accessed(expression)
        return f"read {what}" if what else f"read {instruction.space} memory"
    if instruction.op == Op.ST:
        what = _accessed(expression)
        return f"write {what}" if what else f"write {instruction.space} memory"
    return f"{ATOMICS[AtomOp(instruction.mod)]} {instruction.space} memory"


def _accessed(expression: SourceExpression | None) -> str:
    """Return the element that an access is written as: a subscript, or the left side of an assignment."""
    if expression is None:
        return ""
    if expression.is_assignment or expression.is_step:
        return quoted(expression.left or expression.right)
    return quoted(expression.text) if expression.operator == "[" else ""


# ------------------------------------------------------------------------------------------------ arithmetic


def _arithmetic_verb(program: Program, pc: int, instruction: Instruction) -> str:
    expression = expression_at(instruction.span)
    kind = instruction.dst_type
    name = variable_of_row(program, instruction, instruction.dst, kind) if kind is not None else ""
    if name:
        return _named_result(program, instruction, name, expression)
    if expression is None:
        return f"compute {instruction.info.noun} for {line_words(program, instruction)}"
    if _is_address(program, pc):
        return f"compute the address of {quoted(expression.element or expression.text)}"
    if expression.element and (not expression.operator or instruction.op in _SCALING):
        return f"compute the offset of {quoted(expression.row)}"
    return _operation(program, instruction, expression)


def _named_result(program: Program, instruction: Instruction, name: str, expression: SourceExpression | None) -> str:
    if expression is not None and expression.is_step:
        return f"{_STEPS[expression.operator]} `{name}`"
    if instruction.op == Op.MOV:
        source = operand_words(program, instruction, instruction.srcs[0], instruction.src_types[0])
        return f"set `{name}` to {source}" if source else f"set `{name}`"
    if expression is None or not expression.operator:
        return f"compute `{name}`"
    if expression.is_assignment:
        return f"compute {quoted(expression.text)}" if expression.left == name else f"compute `{name}`"
    return f"compute {quoted(f'{name} = {expression.text}')}" if expression.assigned else f"compute `{name}`"


def _operation(program: Program, instruction: Instruction, expression: SourceExpression) -> str:
    """Say what an instruction whose result has no name does for an expression."""
    text = expression.text
    if expression.operator not in ("", "=") and expression.is_assignment:
        text = f"{expression.left} {expression.operator[:-1]} {expression.right}"
    index = f" for an index of {quoted(expression.array)}" if expression.element else ""
    if instruction.op == Op.MOV:
        source = operand_words(program, instruction, instruction.srcs[0], instruction.src_types[0]) or "a value"
        return f"copy {source}" if source.strip("`") == text else f"copy {source} for {quoted(text)}"
    if instruction.op == Op.CVT:
        return f"convert a value for {quoted(text)}{index}"
    if instruction.op == Op.SETP:
        return f"compare {quoted(text)}" if expression.operator in COMPARISONS else f"test {quoted(text)}"
    return f"compute {quoted(text)}{index}"


def _is_address(program: Program, pc: int) -> bool:
    """Return whether the result of an instruction is the address of the access that follows: before it is written
    again."""
    made = program.instructions[pc]
    wide = made.dst_type is not None and made.dst_type.is_wide
    for later in program.instructions[pc + 1 :]:
        if later.op in MEMORY_OPS and later.srcs[0] == made.dst and wide == _has_wide_address(later):
            return True
        kind = later.dst_type
        if later.target >= 0 or (later.dst == made.dst and kind is not None and kind.is_wide == wide):
            return False
    return False


def _has_wide_address(instruction: Instruction) -> bool:
    return instruction.space in GLOBAL_SPACES
