"""Write the tables of the report: the source with heat, the counters with their definitions, a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from warpview.profile.counters import BY_KEY, Counter, Value, counters_of
from warpview.profile.lines import by_line
from warpview.ui.panels.comparison_model import charts, left_out
from warpview.ui.panels.roofline_model import Point
from warpview.ui.session.backend import Measured
from warpview.ui.views.context import RunLike
from warpview.ui.views.counters.counters_model import number

HOTTEST = 0.62  # opacity of the busiest line's heat
MOST_CHARTS = 12
# Columns beside the source, as far as any line has something to say there.
BY_LINE = ("inst_executed", "divergent_branches", "global_ld_sectors", "global_st_sectors", "shared_ld_bank_conflicts",
           "shared_st_bank_conflicts", "atomic_collisions")  # fmt: skip


def explained(counter: Counter, title: str = "") -> str:
    """Return the title of a counter, with its definition and its names elsewhere for the pointer."""
    names = [f"Nsight Compute: {counter.nsight}"] if counter.nsight else []
    names += [f"Visual Profiler: {counter.visual_profiler}"] if counter.visual_profiler else []
    tip = "\n".join([counter.description, *names])
    return f'<abbr title="{escape(tip)}">{escape(title or counter.title)}</abbr>'


def source(run: RunLike) -> str:
    """Return the source, the busier a line the warmer, with what else is known by line."""
    columns = []
    for key in BY_LINE:
        counter = BY_KEY[key]
        values = by_line(counter, run.program, run.counts) if counter.on(run.device) else {}
        if key == BY_LINE[0] or any(values.values()):
            columns.append((counter, values))
    executed = columns[0][1]
    most = max((value or 0 for value in executed.values()), default=0) or 1
    rows = []
    for line, text in enumerate(run.program.source.text.splitlines(), start=1):
        cells = "".join(f'<td class="n">{_count(values.get(line))}</td>' for _, values in columns)
        share = (executed.get(line) or 0) / most
        heat = f' style="background:rgba(230,159,0,{HOTTEST * share**0.7:.2f})"' if share else ""
        number_cell = f'<tr id="L{line}"><td class="n line">{line}</td>'
        rows.append(f'{number_cell}<td class="code"{heat}>{escape(text) or " "}</td>{cells}</tr>')
    heads = "".join(f'<th class="n">{explained(counter, counter.label)}</th>' for counter, _ in columns)
    return (
        f'<section><h2>Source</h2><p class="dim">The warmer a line, the more warp instructions were issued for it.</p>'
        f'<div class="scroll"><table class="source"><thead><tr><th class="n">line</th><th></th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _count(value: Value) -> str:
    return number(round(value)) if value else ""


def counters(run: RunLike) -> str:
    """Return every counter that has a value, by group."""
    known = [c for c in counters_of(run.device) if run.counters.get(c.key) is not None]
    parts = []
    for group, members in groupby(known, key=lambda counter: counter.group):
        parts.append(f'<tr class="group"><th colspan="3">{escape(group.capitalize())}</th></tr>')
        parts += [
            f'<tr><td>{explained(c)}</td><td class="n">{number(run.counters[c.key], c.unit)}</td>'
            f"<td>{escape(c.unit if c.unit != '%' else '')}</td></tr>"
            for c in members
        ]
    return (
        '<section><h2>Counters of the whole launch</h2><p class="dim">Point at a name for its definition.</p>'
        f"<table><tbody>{''.join(parts)}</tbody></table></section>"
    )


def roofline_words(points: Sequence[Point]) -> str:
    """Return what the numbers of a roofline stand for."""
    rows = "".join(f'<li value="{point.number}">{escape(point.words)}</li>' for point in points)
    return f"<ol>{rows}</ol>"


def comparison(runs: Sequence[Measured], title: str = "") -> str:
    """Return the counters in which runs differ, as bars; '' where there is nothing to compare."""
    if len(runs) < 2:
        return ""
    parts = []
    for chart in charts(runs)[:MOST_CHARTS]:
        parts.append(f'<tr class="group"><th colspan="4">{explained(BY_KEY[chart.key])}</th></tr>')
        for bar in chart.bars:
            width = f"{100 * bar.share:.1f}%"
            parts.append(
                f'<tr><td>{escape(bar.title)}</td><td style="width:45%"><span class="bar" style="width:{width}"></span>'
                f'</td><td class="n">{escape(bar.text)} {escape(chart.unit)}</td>'
                f'<td class="n">{escape(bar.difference)}</td></tr>'
            )
    missing = left_out(runs)
    note = f'<p class="dim">{escape(missing)}</p>' if missing else ""
    heading = f"Comparison: {title}" if title else "Comparison"
    return f"<section><h2>{escape(heading)}</h2>{note}<table><tbody>{''.join(parts)}</tbody></table></section>"
