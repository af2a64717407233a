"""Write the report's section on a race that was replayed: both accesses in both orders, and what came of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from warpview.diagnostics import capitalised
from warpview.run.replay import Replay
from warpview.sim.checks.findings import RACES, Finding
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.views.context import RunLike

HEIGHT = 250.0
ROW, GAP = 82.0, 30.0  # pixels of a row of boxes, and between boxes
MARGIN = 12.0


@dataclass(frozen=True)
class _Step:
    """Describe a box of the picture: its lines of text, and the colour of its edge."""

    lines: tuple[str, ...]
    edge: str


def replay_section(
    run: RunLike, replay: Replay | None, draw: Callable[[Callable[[Picture], object], float], str]
) -> str:
    """Return the section, with a picture made by ``draw``; nothing where no order gives another result."""
    if replay is None:
        return ""
    picture = draw(lambda picture: draw_replay(run, replay, picture), HEIGHT)
    words = escape(capitalised(str(replay)))
    return f'<section class="replay"><h2>The race, replayed</h2><p>{words}.</p>{picture}</section>'


def draw_replay(run: RunLike, replay: Replay, picture: Picture) -> None:
    """Fill the picture with two rows: the accesses and the result in the usual order, and in that of the replay."""
    usual, other = _orders(run, replay)
    rows = (("In the usual order", usual), (f"Executed {replay.order}", other))
    for number, (title, steps) in enumerate(rows):
        top = MARGIN + number * (ROW + 2 * picture.unit + MARGIN)
        picture.text(MARGIN, top + 0.5 * picture.unit, title, 0.95 * picture.unit, "dim",
                     room=picture.width - 2 * MARGIN)  # fmt: skip
        _draw_row(picture, steps, top + 1.4 * picture.unit)
    picture.spoken = str(replay)


def _draw_row(picture: Picture, steps: list[_Step], top: float) -> None:
    width = (picture.width - 2 * MARGIN - (len(steps) - 1) * GAP) / len(steps)
    for number, step in enumerate(steps):
        box = Box(MARGIN + number * (width + GAP), top, width, ROW)
        picture.rect(box, "raised", step.edge, 2.0, 6.0)
        for line, text in enumerate(step.lines):
            y = box.y + (line + 0.5) * ROW / len(step.lines)
            picture.text(box.cx, y, text, 0.92 * picture.unit, align=0, bold=line == 0, room=width - 14,
                         least=0.7 * picture.unit)  # fmt: skip
        if number:
            picture.curve(((box.x - GAP + 4, box.cy), (box.x - 4, box.cy)), "dim", arrow=True)


def _orders(run: RunLike, replay: Replay) -> tuple[list[_Step], list[_Step]]:
    expected = "" if replay.expected is None else f"it should be {replay.expected}"
    results = [
        _Step((f"{replay.element} = {value}", *([expected] if expected else [])), edge)
        for value, edge in ((replay.usual, "accent"), (replay.value, "error"))
    ]
    parting = replay.parting
    if parting is None:
        return [results[0]], [results[1]]
    reads = [
        _Step(_words(run, parting.thread, parting.block, parting.span.line, f"reads {parting.element}: {value}"), edge)
        for value, edge in ((parting.usual, "accent"), (parting.value, "error"))
    ]
    race = _race_at(run, parting.pc, parting.element)
    if race is None or race.other is None:
        return [reads[0], results[0]], [reads[1], results[1]]
    first = race.other.pc != parting.pc  # of the two, the access that is not the read came first
    party: Finding = race.other if first else race
    # What the read finds after the write is what was written. Only of the first element is the thread known.
    act = f"writes {parting.element}: {parting.usual if first else parting.value}"
    words = _words(run, party.thread, party.block, party.span.line, act)
    write = _Step(words if race.elements[:1] == (parting.element,) else (words[0], words[2]), "idle")
    earlier, later = ([write, reads[0]], [reads[1], write]) if first else ([reads[0], write], [write, reads[1]])
    return [*earlier, results[0]], [*later, results[1]]


def _words(run: RunLike, thread: object, block: object, line: int, act: str) -> tuple[str, ...]:
    return act, f"thread {thread} of block {block}", f"line {line}: {run.program.source.line(line).strip()}"


def _race_at(run: RunLike, pc: int, element: str) -> Finding | None:
    """Return the race in which a read takes part, preferably one about the element that it reads."""
    races = [f for f in run.findings if f.kind in RACES and f.other is not None and pc in (f.pc, f.other.pc)]
    return next((f for f in races if element in f.elements), races[0] if races else None)
