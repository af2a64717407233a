"""List the messages of a run, one row each: findings, warnings of the compiler, and what the kernel printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.diagnostics import Diagnostic
from warpview.sim.checks.findings import Finding
from warpview.ui.drawing.values import thousands
from warpview.ui.views.context import RunLike


@dataclass(frozen=True)
class ConsoleRow:
    """Hold one line. A ``finding`` and a warning have a ``line``, printed text has none (0)."""

    text: str
    line: int = 0
    finding: Finding | None = None
    is_warning: bool = False

    @property
    def kind(self) -> str:
        """Return "finding", "warning" or "printed"."""
        return "finding" if self.finding is not None else "warning" if self.is_warning else "printed"


def rows(run: RunLike) -> tuple[ConsoleRow, ...]:
    """Return the rows of a run, findings first: what is wrong matters more than what was printed."""
    found = [
        ConsoleRow(
            f"line {finding.span.line}: {finding.kind}: {finding.message}"
            + (f" ({finding.count} times)" if finding.count > 1 else ""),
            finding.span.line,
            finding,
        )
        for finding in run.findings
    ]
    warnings = [ConsoleRow(_warning_text(each), each.span.line if each.span else 0, is_warning=True)
                for each in run.program.remarks]  # fmt: skip
    printed = [ConsoleRow(line) for text in run.output for line in text.splitlines()]
    if run.output_dropped:
        kept, dropped = thousands(len(run.output)), thousands(run.output_dropped)
        printed.append(
            ConsoleRow(f"({dropped} more printf calls are not shown: the first {kept} of a launch are kept)")
        )
    return (*found, *warnings, *printed)


def _warning_text(warning: Diagnostic) -> str:
    place = f"line {warning.span.line}: " if warning.span else ""
    return f"{place}warning: {warning.message}" + (f" ({warning.hint})" if warning.hint else "")


def summary(shown: Sequence[ConsoleRow]) -> str:
    """Return how many rows there are of each kind, for the title line."""
    findings = sum(row.finding is not None for row in shown)
    warnings = sum(row.is_warning for row in shown)
    counted = ((findings, "finding"), (warnings, "warning"), (len(shown) - findings - warnings, "line"))
    return ", ".join(f"{count} {word}{'s' if count != 1 else ''}" for count, word in counted if count)
