"""Guard the end of a kernel: no thread continues behind its last instruction, as it would in code that was cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warpview.diagnostics import WarpviewError
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction

INDIRECT = "ret"  # meaning of what goes where a register says


def with_checked_ends(instructions: Sequence[Instruction], name: str) -> tuple[Instruction, ...]:
    """Return the instructions of a kernel, of which those that go where a register says know how far they may go: in
    ``imm`` the number of the first instruction from which threads would go on behind the end.

    Raise WarpviewError where threads may do so by other ways, and where a damaged table could lead to such a one.
    """
    ends = [place for place, instruction in enumerate(instructions) if _ends(instruction)]
    limit = ends[-1] + 1 if ends else 0
    indirect = {place for place, i in enumerate(instructions) if i.native is not None and i.native.meaning == INDIRECT}
    roots = range(limit) if indirect else [0]
    if _goes_on_behind(instructions, roots):
        raise WarpviewError(f"the cubin is damaged: the code of its kernel {name} goes on behind its end")
    return tuple(
        replace(i, native=replace(i.native, imm=limit)) if place in indirect and i.native is not None else i
        for place, i in enumerate(instructions)
    )


def _goes_on_behind(instructions: Sequence[Instruction], roots: Sequence[int]) -> bool:
    """Return whether threads that begin at any of some places may go on behind the last instruction."""
    reached, waiting = set(), [*roots] or [0]
    while waiting:
        place = waiting.pop()
        if place in reached:
            continue
        if place >= len(instructions):
            return True
        reached.add(place)
        instruction = instructions[place]
        if instruction.op == Op.BRA and instruction.target >= 0:
            waiting.append(instruction.target)
        if not _ends(instruction):
            waiting.append(place + 1)
    return False


def _ends(instruction: Instruction) -> bool:
    """Return whether no thread goes from an instruction to the next one."""
    native = instruction.native
    assert native is not None
    leaves = instruction.op in (Op.EXIT, Op.BRA) or native.meaning == INDIRECT
    always = instruction.guard == NONE and native.meets is None and native.second_guard is None
    return leaves and always and not native.mnemonic.startswith("CALL")
