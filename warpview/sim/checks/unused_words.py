"""Find the words that machine code loads in vain: NVIDIA's compiler widens loads beyond what the source reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.native import NativeInstruction
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.sim.checks.access_log import LogKind, LogRecord
from warpview.sim.checks.intervals import successors
from warpview.sim.checks.strong_accesses import is_strong


def without_unused_words(program: Program, records: Iterable[LogRecord]) -> Iterator[LogRecord]:
    """Yield the records of a log but those of words of plain loads whose registers nothing reads."""
    instructions = program.instructions
    for record in records:
        instruction = instructions[record.pc]
        is_wide = record.kind == LogKind.READ and instruction.vec > 1 and instruction.native is not None
        if is_wide and not is_strong(instruction, record.space):
            number = record.address % instruction.width // record.size
            if number in unused_words(program).get(record.pc, ()):
                continue
        yield record


@cached_by_identity
def unused_words(program: Program) -> Mapping[int, Set[int]]:
    """Return, by its place, which words of each load of several no instruction reads before all paths have written
    their registers again; of code as written none."""
    rows = {pc: _loaded_rows(i) for pc, i in enumerate(program.instructions)}
    live = _live_behind(program, {row for loaded in rows.values() for row in loaded})
    return {pc: {k for k, row in enumerate(rows[pc]) if not live[pc] >> row & 1} for pc in rows if rows[pc]}


def _loaded_rows(instruction: Instruction) -> range:
    """Return the rows of a load of several words, which are a lane's own."""
    native = instruction.native
    if native is None or instruction.op != Op.LD or instruction.vec == 1 or native.matrices or native.copy_target:
        return range(0)
    first, span = native.results["d"]
    return range(first, first + span)


def _live_behind(program: Program, rows: Set[int]) -> list[int]:
    """Return which of some rows may be read behind each instruction, a bit each."""
    if not rows:
        return []
    instructions, everything = program.instructions, _bits(rows)
    count = len(instructions)
    following = [[place for place in successors(program, pc) if place < count] for pc in range(count)]
    reads = [_bits(_read_rows(i)) & everything if _names_what_it_reads(i) else everything for i in instructions]
    kept = [everything & ~_bits(_overwritten_rows(i)) for i in instructions]
    before, behind, changed = [0] * count, [0] * count, True
    while changed:
        changed = False
        for pc in range(count - 1, -1, -1):
            for place in following[pc]:
                behind[pc] |= before[place]
            live = reads[pc] | behind[pc] & kept[pc]
            changed |= live != before[pc]
            before[pc] = live
    return behind


def _names_what_it_reads(instruction: Instruction) -> bool:
    """Return whether an instruction reads the rows that it names alone, as calls of the driver do not."""
    return _native(instruction).meaning != "call" and _native(instruction).bulk is None


def _read_rows(instruction: Instruction) -> Set[int]:
    native = _native(instruction)
    meets = () if native.meets is None else (native.meets.row,)
    return {*native.reads, *native.fetched, *meets}


def _overwritten_rows(instruction: Instruction) -> Set[int]:
    """Return the rows that an instruction writes for all of its lanes."""
    native = _native(instruction)
    is_partial = instruction.guard != NONE or instruction.op in ATOMIC_OPS or bool(native.fetched)
    return set() if is_partial else set(native.writes)


def _native(instruction: Instruction) -> NativeInstruction:
    assert instruction.native is not None
    return instruction.native


def _bits(rows: Set[int]) -> int:
    return sum(1 << row for row in rows)
