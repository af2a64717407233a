"""What a run had to say: its findings, then what the kernel printed, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpview.isa.program import NONE
from warpview.trace.frame import Mark
from warpview.ui.views.context import History, RunLike


@dataclass(frozen=True)
class Row:
    """One line. A finding has its place; for printed text ``line`` is 0 and ``pc`` NONE."""

    text: str
    line: int = 0
    pc: int = NONE
    block: int = 0
    warp: int = 0

    @property
    def is_finding(self) -> bool:
        return self.pc != NONE


def _linear(place: Sequence[int], extent: Sequence[int]) -> int:
    return int(place[0] + extent[0] * (place[1] + extent[1] * place[2]))


def rows(run: RunLike) -> tuple[Row, ...]:
    """Findings first: what is wrong matters more than what was printed."""
    found = [
        Row(
            f"line {finding.span.line}: {finding.kind}: {finding.message}"
            + (f" ({finding.count} times)" if finding.count > 1 else ""),
            finding.span.line,
            finding.pc,
            _linear(finding.block, run.launch.grid),
            _linear(finding.thread, run.launch.block) // 32,
        )
        for finding in run.findings
    ]
    printed = [Row(line) for text in run.output for line in text.splitlines()]
    return (*found, *printed)


def summary(shown: Sequence[Row]) -> str:
    """How many of each, for the title line."""
    findings = sum(row.is_finding for row in shown)
    printed = len(shown) - findings
    parts = [f"{findings} finding{'s' if findings != 1 else ''}"] if findings else []
    parts += [f"{printed} line{'s' if printed != 1 else ''}"] if printed else []
    return ", ".join(parts)


def step_of(trace: History, row: Row) -> int | None:
    """The first recorded step that made the finding; None where it happened on another multiprocessor."""
    events = trace.arrays
    here = (np.asarray(events.pc) == row.pc) & (np.asarray(events.marks) & int(Mark.FINDING) != 0)
    return int(np.argmax(here)) + 1 if here.any() else None
