"""Find where the indirect branches of machine code may go, such as the return from a function that divides."""

from __future__ import annotations

from collections.abc import Mapping, Set

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.native import NativeInstruction
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program

INDIRECT = "ret"  # meaning of machine code that goes where a register says
INSTRUCTION_BYTES = 16


def direct_successors(program: Program, pc: int) -> list[int]:
    """Return the instructions that may come after one that is no indirect branch."""
    instruction = program.instructions[pc]
    native = instruction.native
    if instruction.op == Op.BRA:
        always = instruction.guard == NONE and (native is None or native.meets is None)
        return [instruction.target] if always else [pc + 1, instruction.target]
    if instruction.op == Op.EXIT and instruction.guard == NONE:
        return []
    return [pc + 1]


@cached_by_identity
def indirect_targets(program: Program) -> Mapping[int, Set[int]]:
    """Return the places that each indirect branch may go to: those that the program moves to its register, or all
    where the register may hold anything else.

    A place that is found may lead to others: the search is repeated until it finds no more.
    """
    count = len(program.instructions)
    natives = [i.native for i in program.instructions]
    found: dict[int, set[int]] = {
        pc: set() for pc, native in enumerate(natives) if native is not None and native.meaning == INDIRECT
    }
    is_new = bool(found)
    while is_new:
        before: list[list[int]] = [[] for _ in range(count + 1)]
        for pc in range(count):
            following = found[pc] | {pc + 1} if pc in found else direct_successors(program, pc)
            for place in following:
                before[place].append(pc)
        grown = {pc: places | _targets(program, before, pc) for pc, places in found.items()}
        is_new, found = grown != found, grown
    return found


def _targets(program: Program, before: list[list[int]], pc: int) -> set[int]:
    """Return the places that an indirect branch goes to by the numbers that its register is given."""
    branch, everywhere = program.instructions[pc], set(range(len(program.instructions)))
    assert branch.native is not None
    start = branch.native.sources["a"].row
    found, seen, waiting = set[int](), set[tuple[int, int]](), [(pc, start)]
    while waiting:
        at, row = waiting.pop()
        if row < program.first_virtual32:
            if row not in program.constants32:
                return everywhere
            found.add(branch.target + program.constants32[row] // INSTRUCTION_BYTES)
            continue
        for earlier in before[at]:
            if (earlier, row) in seen:
                continue
            seen.add((earlier, row))
            i = program.instructions[earlier]
            assert i.native is not None
            if row not in i.native.writes or i.guard != NONE:
                waiting.append((earlier, row))
            if row in i.native.writes:
                moved = _moved(program, i.native, row)
                if moved is None:
                    return everywhere
                waiting.append((earlier, moved))
    return found & everywhere


def _moved(program: Program, native: NativeInstruction, row: int) -> int | None:
    """Return the row that an instruction moves to another; None where it does something else."""
    sources = native.sources
    if native.meaning in ("mov", "mov2"):
        return sources["b"].row + row - native.results["d"][0]
    is_zero = [program.constants32.get(sources[k].row) == 0 for k in "ab" if k in sources]
    if native.meaning == "imad" and any(is_zero) and not (native.extra or native.variant[0] or sources["c"].flip):
        return sources["c"].row
    return None
