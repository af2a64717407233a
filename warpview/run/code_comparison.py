"""Compare a kernel as written with the same kernel as NVIDIA compiles it: which loops, branches, arrays, loads,
divisions and atomics became something else.

Both programs have been run by the same launch. A change is told only where the executed instructions show it; lines are
those of the source, as the line table has them, so that code which the compiler moved to another line is not found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space, Type
from warpview.sim.raw_counts import Raw

FEWER = 0.75  # share from which on a count is said to be smaller
SPACES = {Space.GLOBAL: "global", Space.SHARED: "shared", Space.GENERIC: "generic", Space.LOCAL: "local"}
_FLOAT_SUM = re.compile(r"[FD](FMA|ADD|MUL)\b")
_SELECT = re.compile(r"(SEL|FSEL|FMNMX|IMNMX|VIMNMX)\b")


class ChangeKind(StrEnum):
    """Name the kinds of changes, as the window heads them."""

    UNROLLED = "loop unrolled"
    PREDICATED = "branch predicated"
    EXIT = "branch to the end"
    ARRAY = "array in registers"
    LOCAL = "array in local memory"
    VECTOR = "loads vectorised"
    REUSED = "loads saved"
    DIVISION = "division replaced"
    ATOMIC = "atomics replaced"


@dataclass(frozen=True)
class CodeChange:
    """Say one thing that the compiler did to the statement of a source line."""

    kind: ChangeKind
    line: int
    words: str


def code_changes(written: RunCode, compiled: RunCode) -> tuple[CodeChange, ...]:
    """Return what became of a kernel, in the order of its lines."""
    found = [
        change
        for look in (_loops, _branches, _arrays, _memory, _divisions, _atomics)
        for change in look(written, compiled)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda change: change.line))


@dataclass(frozen=True)
class CodeLoop:
    """Describe a loop: its first instruction, and the branch back to it."""

    first: int
    back: int

    def holds(self, pc: int) -> bool:
        """Return whether an instruction lies in the loop."""
        return self.first <= pc <= self.back


@dataclass(frozen=True)
class RunCode:
    """Hold a program and its raw counts, ``int64[n_instructions, N_RAW]``, as they are compared."""

    program: Program
    counts: NDArray[np.int64] = field(compare=False)

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        return self.program.instructions

    def executed(self, pc: int) -> int:
        """Return how many times warps issued an instruction."""
        return int(self.counts[pc, Raw.EXECUTED])

    @cached_property
    def of_line(self) -> Mapping[int, list[int]]:
        """Return the executed instructions of each source line."""
        found: dict[int, list[int]] = defaultdict(list)
        for pc, instruction in enumerate(self.instructions):
            if self.executed(pc):
                found[instruction.span.line].append(pc)
        return found

    @cached_property
    def loops(self) -> list[CodeLoop]:
        """Return the loops, executed or not; instructions that branch to themselves end a kernel and are none."""
        return [
            CodeLoop(i.target, pc) for pc, i in enumerate(self.instructions) if _is_branch(i) and NONE < i.target < pc
        ]

    def lines(self, loop: CodeLoop) -> set[int]:
        """Return the source lines of a loop."""
        return {self.instructions[pc].span.line for pc in range(loop.first, loop.back + 1)}

    def mnemonics(self, line: int) -> list[str]:
        """Return the mnemonics of the machine instructions executed for a line."""
        natives = (self.instructions[pc].native for pc in self.of_line.get(line, ()))
        return [native.mnemonic for native in natives if native is not None]

    def select(self, lines: set[int], wanted: Callable[[Instruction], bool]) -> list[int]:
        """Return the executed instructions of some lines that are wanted."""
        return [pc for line in lines for pc in self.of_line.get(line, ()) if wanted(self.instructions[pc])]

    def total(self, pcs: list[int], column: Raw = Raw.EXECUTED) -> int:
        """Return a raw count over instructions."""
        return int(self.counts[pcs, column].sum())


# ---- loops


def _is_branch(instruction: Instruction) -> bool:
    """Return whether an instruction branches to a place that it names; a return does not."""
    return instruction.op == Op.BRA and (instruction.native is None or instruction.native.meaning != "ret")


def _loops(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    known = [loop for loop in written.loops if written.executed(loop.back)]
    all_lines = set().union(*(written.lines(loop) for loop in known))
    assigned: dict[CodeLoop, list[CodeLoop]] = defaultdict(list)
    for other in compiled.loops:
        lines = compiled.lines(other) & all_lines
        around = [loop for loop in known if lines and lines <= written.lines(loop)]
        if around:
            assigned[min(around, key=lambda loop: loop.back - loop.first)].append(other)
    by_line: dict[int, list[CodeLoop]] = defaultdict(list)  # a function that is called twice has its loops twice
    for loop in known:
        by_line[written.instructions[loop.back].span.line].append(loop)
    for line, loops in by_line.items():
        others = [other for loop in loops for other in assigned[loop]]
        change = _loop(written, loops, line, compiled, others)
        if change is not None:
            yield change


def _loop(
    written: RunCode, loops: list[CodeLoop], line: int, compiled: RunCode, others: list[CodeLoop]
) -> CodeChange | None:  # fmt: skip
    if not any(compiled.of_line.get(each) for loop in loops for each in written.lines(loop)):
        return None  # nothing is left of it, or its lines are not told
    back = sum(written.executed(loop.back) for loop in loops)
    left = sum(compiled.executed(other.back) for other in others)
    branches = f"{_number(back)} branches back become {_number(left) if left else 'none'}"
    if not others:
        entries = sum(written.executed(loop.first) - int(written.counts[loop.back, Raw.TAKEN]) for loop in loops)
        count = f"its {back // entries}" if entries > 0 and back % entries == 0 and back > entries else "all its"
        words = (
            f"The loop is unrolled completely: {count} iterations are written out one after the other, and {branches}"
        )
        return CodeChange(ChangeKind.UNROLLED, line, words)
    factor, unrolled = max(
        ((_copies(written, loop, compiled, other), other) for loop in loops for other in others),
        key=lambda pair: pair[0],
    )
    if factor < 2 or left > FEWER * back:
        return None
    words = f"The loop is unrolled by {factor}: one iteration of the machine code does {factor} of the source, and "
    words += f"{branches} in this launch"
    if not compiled.executed(unrolled.back):
        words += ", which has too few iterations for it and runs only the code of those left over"
    return CodeChange(ChangeKind.UNROLLED, line, words)


def _copies(written: RunCode, loop: CodeLoop, compiled: RunCode, other: CodeLoop) -> int:
    """Return how many iterations of a loop one iteration of the compiled loop does: how many times as many barriers,
    accesses or floating-point sums of a line it has."""
    inner = [each for each in written.loops if each != loop and loop.holds(each.first) and loop.holds(each.back)]
    own = [pc for pc in range(loop.first, loop.back + 1) if not any(each.holds(pc) for each in inner)]
    mine = Counter(filter(None, (_anchor(written.instructions[pc]) for pc in own)))
    theirs = Counter(filter(None, (_anchor(i) for i in compiled.instructions[other.first : other.back + 1])))
    return max((theirs[key] // count for key, count in mine.items()), default=1)


def _anchor(instruction: Instruction) -> tuple[int, str] | None:
    """Return the line and the class of an instruction that stays recognisable; None of others."""
    line = instruction.span.line
    if instruction.op in (Op.LD, Op.ST, Op.ATOM, Op.RED) and instruction.space in SPACES:
        is_read = instruction.op == Op.LD
        return line, f"{'ld' if is_read else 'st'} {_space(instruction)}"
    if instruction.op in (Op.BAR_SYNC, Op.BAR_RED):
        return line, "bar"
    native = instruction.native
    is_sum = (
        bool(_FLOAT_SUM.match(native.mnemonic))
        if native is not None
        else instruction.op in (Op.ADD, Op.SUB, Op.MUL, Op.MAD, Op.FMA) and instruction.type in (Type.F32, Type.F64)
    )
    return (line, "float") if is_sum else None


# ---- branches


def _branches(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    told: set[int] = set()
    for pc, branch in enumerate(written.instructions):
        line = branch.span.line
        if branch.op != Op.BRA or branch.guard == NONE or branch.target <= pc or not written.executed(pc):
            continue
        if line in told or any(pc < loop.first and branch.target > loop.back for loop in written.loops):
            continue  # the test before the first iteration of a loop
        if compiled.select({line}, _is_branch) or not compiled.of_line.get(line):
            continue
        change = _branch(written, pc, compiled)
        if change is not None:
            told.add(line)
            yield change


def _branch(written: RunCode, pc: int, compiled: RunCode) -> CodeChange | None:
    branch = written.instructions[pc]
    line = branch.span.line
    body = {written.instructions[k].span.line for k in range(pc + 1, branch.target)}
    body = body - {line} or body
    divergent = int(written.counts[pc, Raw.DIVERGENT])
    count = written.executed(pc)
    gone = f"{_number(count)} branches, {_number(divergent)} of them divergent, become none"
    exits = compiled.select({line}, lambda i: i.op == Op.EXIT and _is_guarded(i))
    if exits:
        native = compiled.instructions[exits[0]].native
        assert native is not None
        words = f"The branch became an exit: `{native.text}` ends the lanes that skip the rest; {gone}"
        return CodeChange(ChangeKind.EXIT, line, words)
    guarded = compiled.select(body, lambda i: _is_guarded(i) and i.op not in (Op.BRA, Op.EXIT))
    if guarded:
        guard = compiled.instructions[guarded[0]].native
        assert guard is not None
        many = _plural(len(guarded), "instruction")
        words = f"The branch became predication: {many} such as `{guard.text}` issue for "
        words += f"the whole warp, and lanes whose predicate does not hold do nothing; {gone}"
        return CodeChange(ChangeKind.PREDICATED, line, words)
    selects = [text for each in sorted(body) for text in compiled.mnemonics(each) if _SELECT.match(text)]
    if selects:
        words = f"The branch became a choice between two values (`{selects[0]}`) that all lanes execute; {gone}"
        return CodeChange(ChangeKind.PREDICATED, line, words)
    return None


def _is_guarded(instruction: Instruction) -> bool:
    return instruction.native is not None and instruction.native.text.startswith("@")


# ---- memory


def _arrays(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    def is_local(instruction: Instruction) -> bool:
        return instruction.space == Space.LOCAL and instruction.op in (Op.LD, Op.ST)

    before = written.select(set(written.of_line), is_local)
    after = compiled.select(set(compiled.of_line), is_local)
    first = min((written.instructions[pc].span.line for pc in before), default=0)
    names = [f"`{v.name}`" for v in written.program.variables if v.space == Space.LOCAL and v.dims]
    which = "Local memory"
    if names:
        which = f"The array{'s' if len(names) > 1 else ''} {', '.join(names)}"
    if before and not after:
        words = f"{which} became registers: {_number(written.total(before))} accesses of local memory become none"
        yield CodeChange(ChangeKind.ARRAY, first, words)
    elif before and after:
        words = f"{which} stayed in local memory (LDL, STL), because an index is known only when the kernel runs: "
        words += f"{_number(written.total(before))} accesses, {_number(compiled.total(after))} as compiled"
        yield CodeChange(ChangeKind.LOCAL, first, words)
    elif after:
        line = min(compiled.instructions[pc].span.line for pc in after)
        words = f"Values are spilled to local memory: {_number(compiled.total(after))} accesses that the source has not"
        yield CodeChange(ChangeKind.LOCAL, line, words)


def _memory(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    for line in sorted(written.of_line):
        for op, space in ((op, space) for op in (Op.LD, Op.ST) for space in ("global", "shared")):
            change = _accesses(written, compiled, line, op, space)
            if change is not None:
                yield change


def _accesses(written: RunCode, compiled: RunCode, line: int, op: Op, space: str) -> CodeChange | None:
    """Return the change of the loads, or the stores, of one line in one space."""
    mine, theirs = (code.select({line}, lambda i: i.op == op and _space(i) == space) for code in (written, compiled))
    if not mine or not theirs:
        return None
    noun = f"{space} {'loads' if op == Op.LD else 'stores'}"
    before, after = written.total(mine), compiled.total(theirs)
    widest = max(theirs, key=lambda pc: compiled.instructions[pc].width)
    width = compiled.instructions[widest].width
    usual = max(written.instructions[pc].width for pc in mine)
    fewer = f"{_number(before)} {noun} become {_number(after)}"
    native = compiled.instructions[widest].native
    if width > usual and after < before and native is not None:
        words = f"One `{native.mnemonic}` moves {width} bytes a lane, where the source moves {usual}: {fewer}"
        return CodeChange(ChangeKind.VECTOR, line, words)
    moved = [
        sum(code.executed(pc) * code.instructions[pc].width for pc in pcs)
        for code, pcs in ((written, mine), (compiled, theirs))
    ]
    if op == Op.LD and moved[1] <= FEWER * moved[0]:
        words = f"Values that were read before stay in registers: {fewer}"
        return CodeChange(ChangeKind.REUSED, line, words)
    return None


def _space(instruction: Instruction) -> str:
    """Return the space of an access; generic addresses of machine code are those of global memory here."""
    return SPACES.get(Space(instruction.space), "").replace("generic", "global")


# ---- divisions


def _divisions(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    for line in sorted(written.of_line):
        found = written.select({line}, lambda i: i.op in (Op.DIV, Op.REM))
        after = compiled.mnemonics(line)
        if not found or not after:
            continue
        is_float = written.instructions[found[0]].type in (Type.F32, Type.F64)
        how = _replacement(after, is_float)
        if how:
            noun = "remainder" if written.instructions[found[0]].op == Op.REM else "division"
            mine = len(written.of_line[line])
            words = f"The {noun} became {how}; the line is {_plural(mine, 'instruction')} as written and {len(after)} "
            words += "as compiled"
            yield CodeChange(ChangeKind.DIVISION, line, words)


def _replacement(mnemonics: list[str], is_float: bool) -> str:
    """Return what stands for a division among the instructions of its line; '' where none of them tells."""
    has = {name: any(m.startswith(name) for m in mnemonics) for name in ("MUFU.RCP", "FCHK", "IMAD.HI", "FMUL")}
    if has["MUFU.RCP"]:
        rest = "FFMA" if is_float else "multiplications"
        return f"an approximate reciprocal (`MUFU.RCP`) that {rest} make exact"
    if has["FCHK"]:
        return "a product with the constant's reciprocal that FFMA make exact; `FCHK` finds operands that need more"
    if is_float:
        return "a multiplication by the reciprocal (`FMUL`)" if has["FMUL"] else ""
    if has["IMAD.HI"]:
        return "a multiplication by the reciprocal (`IMAD.HI`) and a shift, because the divisor is constant"
    return ""


# ---- atomics


def _atomics(written: RunCode, compiled: RunCode) -> Iterator[CodeChange]:
    def is_atomic(instruction: Instruction) -> bool:
        return instruction.op in ATOMIC_OPS

    for line in sorted(written.of_line):
        mine, theirs = (code.select({line}, is_atomic) for code in (written, compiled))
        if not mine or not theirs:
            continue
        native = compiled.instructions[theirs[0]].native
        assert native is not None
        before, after = (code.total(pcs, Raw.LANES_ON) for code, pcs in ((written, mine), (compiled, theirs)))
        if "POPC.INC" in native.mnemonic:
            words = f"The atomic adds of 1 became counts: `{native.mnemonic}` adds to each address the number of lanes "
            yield CodeChange(ChangeKind.ATOMIC, line, words + "that name it")
        elif native.mnemonic.startswith("ATOMS.CAST"):
            words = "Shared memory has no instruction for this atomic: a loop loads the value, computes, and stores it "
            words += f"where it is still the same (`{native.mnemonic}`), until each lane has stored: "
            words += f"{_number(before)} atomics of lanes become {_number(after)} attempts"
            yield CodeChange(ChangeKind.ATOMIC, line, words)
        elif after <= FEWER * before and any("VOTE" in mnemonic for mnemonic in compiled.mnemonics(line)):
            words = f"The lanes combine their values, and one of them does the atomic for all (`{native.text}`): "
            words += f"{_number(before)} atomics of lanes become {_number(after)}"
            yield CodeChange(ChangeKind.ATOMIC, line, words)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f")


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
