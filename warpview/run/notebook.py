"""Show results in a notebook, as HTML: what was launched where, the usual counters, the findings, the output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from warpview.profile.shown import formatted, usual_counters
from warpview.run.verdict import time_words
from warpview.trace.words import and_more

if TYPE_CHECKING:
    from warpview.run.result import Run, Series
    from warpview.sim.checks.findings import Finding

MOST_OUTPUT = 10_000  # characters; of a longer output the beginning


def run_page(run: Run) -> str:
    """Return a launch with its counters, its findings and its output."""
    return _launches([run], run, run.findings)


def series_page(series: Series) -> str:
    """Return several launches with their counters in total, their findings and their output."""
    return _launches(series.launches, series, series.findings)


def program_page(title: str, launches: Iterable[str], told: Iterable[str], output: str) -> str:
    """Return a whole program: how it ended, a line for each launch, the findings, the output."""
    return _heading(title) + _text("\n".join(launches)) + _text("\n".join(told)) + _text(output)


def _launches(runs: Sequence[Run], shown: Run | Series, findings: Sequence[Finding]) -> str:
    """Return what launches have done, with the counters of ``shown``."""
    first = runs[0]
    row = first.row.launch
    what = f"{first.program.kernel}{and_more(len(runs), 'launch')}"
    words = f"{what} on {first.device.name}, grid {row['grid']}, block {row['block']}"
    if shown.time_us is not None:
        words += f": {time_words(shown.time_us, shown.time_error_us)}"
    told = "\n".join(finding.render() for finding in findings)
    return _heading(words) + _counters(shown) + _text(told) + _text("".join("".join(run.output) for run in runs))


def _heading(words: str) -> str:
    return f"<p><b>{escape(words)}</b></p>"


def _counters(shown: Run | Series) -> str:
    """Return the usual counters that are known, each with its definition for the pointer."""
    rows = [
        f'<tr title="{escape(counter.description)}"><td style="text-align:left">{escape(counter.title)}</td>'
        f"<td>{formatted(value)}</td><td>{escape(counter.unit)}</td></tr>"
        for counter in usual_counters()
        if (value := shown.counters.get(counter.key)) is not None
    ]
    return f"<table>{''.join(rows)}</table>"


def _text(text: str) -> str:
    """Return lines in a face of equal widths; nothing where there are none."""
    left = f"\n({len(text) - MOST_OUTPUT:,} more characters)" if len(text) > MOST_OUTPUT else ""
    return f"<pre>{escape(text[:MOST_OUTPUT])}{left}</pre>" if text else ""
