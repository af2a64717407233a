"""Model the instruction listing: the disassembly with counts, the line's own or the whole program's."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.disassembly import disassemble, labels
from warpview.isa.program import NONE, Program
from warpview.sim.raw_counts import Raw
from warpview.ui.views.context import FrameContext
from warpview.ui.views.instructions.words import sentence


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
    selected: tuple[int, ...] = ()  # first and last row of the selected line, or that of the instruction clicked

    def look_of(self, number: int) -> tuple[int, int, int, bool, bool]:
        """Return the look of the row ``number``: the instruction, its count, and how it is marked."""
        pc = self.shown[number]
        return pc, self.executed[number], self.line, pc == self.done, pc == self.coming


def state(context: FrameContext, listing_: Listing, whole: bool) -> State:
    """Return the instructions to list: all with ``whole``, else those of the selected line, or of the present one."""
    event, warp = context.frame.event, context.warp
    done = event.pc if event is not None and context.event_is_selected else NONE
    coming = warp.pc if warp is not None else NONE
    at = done if done != NONE else coming
    line = context.selection.line or (listing_.rows[at].line if at != NONE else 0)
    shown = tuple(range(len(listing_.rows))) if whole else listing_.of_line.get(line, ())
    counts = context.frame.counts[:, Raw.EXECUTED]
    # Where the warp goes next would give the answer away.
    coming = NONE if context.predicting else coming
    clicked = context.selection.pc
    wanted = listing_.of_line.get(context.selection.line or 0, ()) if clicked is None else (clicked,)
    selected = tuple(shown.index(pc) for pc in (*wanted[:1], *wanted[-1:]) if pc in shown)
    return State(shown, line, done, coming, tuple(int(counts[pc]) for pc in shown), selected)


def rows_in_sight(before: State, now: State) -> tuple[int, ...]:
    """Return the rows to scroll to after a change, the most important last: the first and the last instruction of
    what has just been selected, else the instruction just executed, or else the next one."""
    if now.selected and now.selected != before.selected:
        return now.selected[-1], now.selected[0]
    at = next((pc for pc in (now.done, now.coming) if pc in now.shown), NONE)
    return (now.shown.index(at),) if at != NONE else ()
