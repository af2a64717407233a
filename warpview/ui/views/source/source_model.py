"""Model the source view: the executed line, the line to come, and the line of every warp."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.program import NONE, Program
from warpview.trace.words import counted
from warpview.ui.views.context import FrameContext


@dataclass(frozen=True)
class Badge:
    """Describe the warps whose next instruction is on ``line``: text as short as 'w0', and the whole list in words."""

    line: int
    text: str
    words: str
    selected: bool
    warp: int | None = None  # the first of the selected block's warps there


@dataclass(frozen=True)
class SourceMarks:
    """Lines count from 1; 0: none. ``span`` is the expression just executed: line, column, length."""

    done: int
    span: tuple[int, int, int]
    coming: int
    selected: int
    badges: tuple[Badge, ...]

    def lines_unlike(self, other: SourceMarks) -> set[int]:
        """Return the lines that look different with these marks and with the others."""
        lines = {badge.line for badge in {*self.badges} ^ {*other.badges}}
        for mine, theirs in ((self.done, other.done), (self.coming, other.coming), (self.selected, other.selected)):
            if mine != theirs:
                lines |= {mine, theirs}
        return lines | {self.done, other.done} if self.span != other.span else lines


def line_of(program: Program, pc: int) -> int:
    return program.instructions[pc].span.line if 0 <= pc < len(program.instructions) else 0


def marks(context: FrameContext) -> SourceMarks:
    """Return the marks in the source at this frame, as the selected warp sees it."""
    program, event, warp = context.program, context.frame.event, context.warp
    done, span = 0, (0, 0, 0)
    if event is not None and context.event_is_selected:
        place = program.instructions[event.pc].span
        done, span = place.line, (place.line, place.column, place.length)
    if context.predicting:
        # Where the warps go next would give the answer away.
        return SourceMarks(done, span, 0, context.selection.line or 0, ())
    coming = line_of(program, warp.pc) if warp is not None and warp.pc != NONE else 0
    return SourceMarks(done, span, coming, context.selection.line or 0, badges(context))


def badges(context: FrameContext) -> tuple[Badge, ...]:
    """Return one badge for each line at which resident warps are; warps of other blocks are only counted."""
    block = context.selection.block
    mine: dict[int, list[int]] = {}
    others: dict[int, int] = {}
    for warp in context.frame.warps:
        line = line_of(context.program, warp.pc)
        if line and warp.block == block:
            mine.setdefault(line, []).append(warp.warp)
        elif line:
            others[line] = others.get(line, 0) + 1
    result = []
    for line in sorted(mine.keys() | others.keys()):
        here, more = sorted(mine.get(line, [])), others.get(line, 0)
        text = f"w{ranges(here)}" if here else f"+{more}"
        of_block = f"warp{'s' * (len(here) > 1)} {ranges(here)} of block {block}"
        of_others = f"{counted(more, 'warp')} of other blocks"
        words = " and ".join([of_block] * bool(here) + [of_others] * bool(more))
        result.append(Badge(line, text, f"About to execute line {line}: {words}", context.selection.warp in here,
                            here[0] if here else None))  # fmt: skip
    return tuple(result)


def ranges(numbers: list[int]) -> str:
    """Write [0, 1, 2, 5] as '0-2,5'."""
    parts: list[list[int]] = []
    for n in numbers:
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
