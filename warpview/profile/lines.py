"""Attribute counters to source lines and to instructions.

Only counters that belong to instructions appear: what is the launch's alone (occupancy, time) has no line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from io import StringIO

import numpy as np
from numpy.typing import NDArray

from warpview.isa.disassembly import disassemble
from warpview.isa.program import Program
from warpview.profile.counters import Counter, Value
from warpview.profile.export import Names, as_number, as_text, name_of
from warpview.profile.totals import Totals

COLUMNS = ("line", "instruction", "text")


@dataclass(frozen=True)
class AttributedCounters:
    """A source line (``pc`` None) or one of its instructions has a value for each counter."""

    line: int
    pc: int | None
    text: str
    values: tuple[Value, ...]


def attributed_counters(
    program: Program, counts: NDArray[np.int64], counters: Iterable[Counter]
) -> list[AttributedCounters]:
    """Return every line that has instructions, each followed by its instructions."""
    totals, wanted = Totals.of(program, counts), tuple(counters)
    listing = disassemble(program)
    of_line: dict[int, list[int]] = {}
    for pc, instruction in enumerate(program.instructions):
        of_line.setdefault(instruction.span.line, []).append(pc)

    def place(line: int, pc: int | None, text: str, pcs: list[int]) -> AttributedCounters:
        part = totals.restricted(pcs)
        return AttributedCounters(line, pc, text, tuple(counter.compute(part) for counter in wanted))

    places: list[AttributedCounters] = []
    for line, pcs in sorted(of_line.items()):
        places.append(place(line, None, program.source.line(line).strip(), pcs))
        places += [place(line, pc, listing[pc], [pc]) for pc in pcs]
    return places


def attributable(counters: Iterable[Counter]) -> list[Counter]:
    """Return the counters that belong to instructions."""
    return [counter for counter in counters if not counter.is_of_launch]


def lines_csv(
    program: Program, counts: NDArray[np.int64], counters: Iterable[Counter], names: Names = "warpview"
) -> str:
    """Return the table as CSV: a row a line with ``instruction`` empty, then a row for each of its instructions."""
    wanted = attributable(counters)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, *(name_of(counter, names) for counter in wanted)])
    for place in attributed_counters(program, counts, wanted):
        number = "" if place.pc is None else place.pc
        writer.writerow([place.line, number, as_text(place.text), *map(as_number, place.values)])
    return out.getvalue()


def by_line(counter: Counter, program: Program, counts: NDArray[np.int64]) -> dict[int, Value]:
    """Return a counter attributed to source lines: line number -> value, for lines that have instructions."""
    totals = Totals.of(program, counts)
    pcs: dict[int, list[int]] = {}
    for pc, instruction in enumerate(program.instructions):
        pcs.setdefault(instruction.span.line, []).append(pc)
    return {line: counter.compute(totals.restricted(rows)) for line, rows in sorted(pcs.items())}
