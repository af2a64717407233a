"""Model the instruction listing: the disassembly with counts, the line's own or the whole program's."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.disassembly import disassemble, labels
from warpview.isa.program import NONE, Program
from warpview.sim.raw_counts import Raw
from warpview.ui.views.context import FrameContext
from warpview.ui.views.instruction_words import sentence


@dataclass(frozen=True)
class InstructionRow:
    """Describe one instruction. ``label`` is the name of a branch target ('L3') if it is one."""

    pc: int
    line: int
    label: str
    text: str
    words: str  # hover: what the operation means


@dataclass(frozen=True)
class Listing:
    """Hold the ``rows`` of a program, and for each source line the indices of its instructions."""

    rows: tuple[InstructionRow, ...]
    of_line: dict[int, tuple[int, ...]]


def listing(program: Program) -> Listing:
    names = labels(program)
    rows = []
    of_line: dict[int, list[int]] = {}
    for pc, (instruction, text) in enumerate(zip(program.instructions, disassemble(program), strict=True)):
        line = instruction.span.line
        of_line.setdefault(line, []).append(pc)
        words = f"{sentence(instruction, text)}.\nLine {line} of the source"
        rows.append(InstructionRow(pc, line, names.get(pc, ""), text, words))
    return Listing(tuple(rows), {line: tuple(pcs) for line, pcs in of_line.items()})


@dataclass(frozen=True)
class State:
    """List ``shown`` instruction indices; ``done`` the one just executed, ``coming`` the selected warp's next (or
    NONE)."""

    shown: tuple[int, ...]
    line: int
    done: int
    coming: int
    executed: tuple[int, ...]  # of each shown instruction: times issued so far
    in_sight: tuple[int, ...] = ()  # rows to scroll to, the most important last

    def look_of(self, number: int) -> tuple[int, int, int, bool, bool]:
        """Return the look of the row ``number``: the instruction, its count, and how it is marked."""
        pc = self.shown[number]
        return pc, self.executed[number], self.line, pc == self.done, pc == self.coming


def state(context: FrameContext, listing_: Listing, whole: bool) -> State:
    """Without ``whole`` the instructions of the selected line, or else of the line just executed or to come."""
    event, warp = context.frame.event, context.warp
    done = event.pc if event is not None and context.event_is_selected else NONE
    coming = warp.pc if warp is not None else NONE
    at = done if done != NONE else coming
    line = context.selection.line or (listing_.rows[at].line if at != NONE else 0)
    shown = tuple(range(len(listing_.rows))) if whole else listing_.of_line.get(line, ())
    counts = context.frame.counts[:, Raw.EXECUTED]
    # Where the warp goes next would give the answer away.
    coming = NONE if context.predicting else coming
    in_sight = _rows_in_sight(listing_.of_line.get(context.selection.line or 0, ()), shown, (done, coming))
    return State(shown, line, done, coming, tuple(int(counts[pc]) for pc in shown), in_sight)


def _rows_in_sight(selected: tuple[int, ...], shown: tuple[int, ...], steps: tuple[int, int]) -> tuple[int, ...]:
    """Return the row of the first of ``steps`` that is shown; where a line is selected, which none of them belongs to,
    the last and the first row of its ``selected`` instructions."""
    at = next((pc for pc in steps if pc in shown), NONE)
    if selected and at not in selected:
        return (shown.index(selected[-1]), shown.index(selected[0])) if selected[0] in shown else ()
    return (shown.index(at),) if at != NONE else ()
