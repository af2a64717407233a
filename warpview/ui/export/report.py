"""A run as one self-contained HTML page: what was launched, where it stood out, its source with heat, its counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

from warpview.profile.counters import counters_of
from warpview.sim.layout import Raw
from warpview.trace import caption
from warpview.trace.frame import Mark
from warpview.ui import palette
from warpview.ui.export.svg import to_svg
from warpview.ui.picture import Picture
from warpview.ui.snapshot import Snapshot
from warpview.ui.theme import LIGHT, Theme
from warpview.ui.values import thousands
from warpview.ui.views import (
    divergence_model,
    global_memory_model,
    lanes_model,
    occupancy_model,
    shared_memory_model,
    timeline_model,
    timeline_states,
)
from warpview.ui.views.context import FrameContext

Drawer = Callable[[FrameContext, Picture], object]

UNIT = 14.0
WIDTH = 760.0
# What to look for in the history, and which picture shows it.
MOMENTS: tuple[tuple[Mark, str, float, Drawer], ...] = (
    (Mark.DIVERGENCE, "The first divergence", 300, divergence_model.draw),
    (Mark.CONFLICT, "The first bank conflict", 330,
     shared_memory_model.draw),
    (Mark.UNCOALESCED, "The first access that wastes bytes", 300, global_memory_model.draw),
    (Mark.COLLISION, "The first collision of atomics", 300, global_memory_model.draw),
    (Mark.FINDING, "The first finding", 300, global_memory_model.draw),
)  # fmt: skip
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #12161c; background: #fff; max-width: 60rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .4rem; }
p.about { color: #4a5361; margin-top: .2rem; }
svg { width: 100%; height: auto; border: 1px solid #cbd2db; border-radius: 6px; margin: .3rem 0; }
svg text { font-family: system-ui, sans-serif; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .15rem .6rem; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr:nth-child(even) td { background: #f4f6f8; } td small { color: #4a5361; }
pre.source { font: 14px/1.45 ui-monospace, monospace; border: 1px solid #cbd2db; border-radius: 6px; padding: .4rem 0;
             overflow-x: auto; }
pre.source span { display: block; padding-right: 1rem; } pre.source i { display: inline-block; width: 3.2em;
             text-align: right; margin-right: 1em; color: #5e6875; font-style: normal; }
pre.source b { display: inline-block; width: 6em; text-align: right; margin-right: 1em; font-weight: normal; }
ul.findings li { color: #a03a00; }
"""


def write_report(path: Path, run: Any, steps: Iterable[int] = (), theme: Theme = LIGHT, title: str = "") -> None:
    """Write the page. ``steps`` are shown besides the remarkable moments that every report has."""
    path.write_text(report(run, steps, theme, title), encoding="utf-8")


def report(run: Any, steps: Iterable[int] = (), theme: Theme = LIGHT, title: str = "") -> str:
    """The page as text."""
    name = title or run.program.kernel
    parts = [
        f"<h1>{escape(name)}</h1>",
        f'<p class="about">{escape(_launch_words(run))}</p>',
        _findings(run),
        *_moments(run, theme, steps),
        _whole(run, theme),
        _source(run),
        _counters(run),
    ]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )


def _launch_words(run: Any) -> str:
    grid, block = ("×".join(str(n) for n in dims) for dims in (_short(run.launch.grid), _short(run.launch.block)))
    words = f"{run.program.source.name} on {run.device.name}: grid {grid}, block {block}"
    if run.launch.dynamic_shared_bytes:
        words += f", {run.launch.dynamic_shared_bytes} bytes of dynamic shared memory"
    if run.time_us is not None:
        words += f"; about {run.time_us:.3g} µs"
    return words


def _short(dims: tuple[int, int, int]) -> tuple[int, ...]:
    return dims if dims[2] > 1 else dims[:2] if dims[1] > 1 else dims[:1]


def _findings(run: Any) -> str:
    if not run.findings:
        return ""
    items = "".join(f"<li>{escape(str(f.message))}</li>" for f in run.findings)
    return f'<h2>Findings</h2><ul class="findings">{items}</ul>'


def _draw(theme: Theme, height: float, draw: Callable[[Picture], object]) -> str:
    picture = Picture(WIDTH, height, UNIT)
    draw(picture)
    return to_svg(picture, lambda token: palette.colour(theme, token).name())


def _context(run: Any, step: int) -> FrameContext:
    frame = run.trace.frame(step)
    event = frame.event
    block, warp = (event.block, event.warp) if event is not None else (0, 0)
    return FrameContext(run, frame, Snapshot(step=step, block=block, warp=warp))


def _moments(run: Any, theme: Theme, steps: Iterable[int]) -> list[str]:
    """The steps that stand out, each with its sentence, the lanes and the picture that shows why."""
    if run.trace is None:
        return []
    found = []
    for mark, words, height, draw in MOMENTS:
        step = run.trace.find(0, mark)
        if step is not None:
            found.append(_moment(run, theme, step, words, height, draw))
    for step in steps:
        found.append(_moment(run, theme, step, "A step chosen", 300, divergence_model.draw))
    return found


def _moment(run: Any, theme: Theme, step: int, words: str, height: float, draw: Drawer) -> str:
    context = _context(run, step)
    says = caption(context.frame, run.program, run.device)
    rows = len(context.frame.warps)
    lanes_height = min(420.0, (3.0 + 1.2 * rows) * UNIT + 90)
    return (
        f"<h2>{escape(words)}: step {step}</h2><p>{escape(says)}</p>"
        + _draw(theme, lanes_height, lambda p: lanes_model.draw(context, p, None))
        + _draw(theme, height, lambda p: draw(context, p))
    )


def _whole(run: Any, theme: Theme) -> str:
    if run.trace is None or not run.trace.steps:
        return ""
    context = _context(run, 0)
    window = timeline_states.Window(0.0, float(run.trace.cycles)).clamped(float(run.trace.cycles))
    kept = timeline_states.Columns(timeline_states.Stays(run.trace)) if hasattr(run.trace, "residency") else None
    timeline = _draw(theme, 330, lambda p: timeline_model.draw(context, p, window, kept))
    occupancy = _draw(theme, 300, lambda p: occupancy_model.draw(context, p, None))
    return f"<h2>Where the time went</h2>{timeline}{_stall_legend(theme)}<h2>Occupancy</h2>{occupancy}"


def _stall_legend(theme: Theme) -> str:
    items = "".join(
        f'<span style="margin-right:1.2em"><span style="color:{palette.colour(theme, token).name()}">■</span> '
        f"{escape(words)}</span>"
        for token, words in timeline_model.legend_of()
    )
    return f"<p><small>{items}</small></p>"


def _source(run: Any) -> str:
    """The source with the warp instructions of each line, the busier the warmer."""
    executed: dict[int, int] = {}
    for pc, instruction in enumerate(run.program.instructions):
        line = instruction.span.line
        executed[line] = executed.get(line, 0) + int(run.counts[pc, Raw.EXECUTED])
    most = max(executed.values(), default=0) or 1
    rows = []
    for number, text in enumerate(run.program.source.text.splitlines(), start=1):
        count = executed.get(number, 0)
        heat = f' style="background:rgba(230,159,0,{0.55 * count / most:.2f})"' if count else ""
        shown = thousands(count) if count else ""
        rows.append(f"<span{heat}><i>{number}</i><b>{shown}</b>{escape(text) or ' '}</span>")
    return f'<h2>Source: warp instructions by line</h2><pre class="source">{"".join(rows)}</pre>'


def _counters(run: Any) -> str:
    rows = []
    for counter in counters_of(run.device):
        value = run.counters.get(counter.key)
        if value is None:
            continue
        shown = f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
        rows.append(
            f"<tr><td>{escape(counter.title)}<br><small>{escape(counter.description)}</small></td>"
            f'<td class="n">{shown.replace(",", " ")}</td><td>{escape(counter.unit)}</td></tr>'
        )
    head = '<tr><th>counter</th><th class="n">value</th><th>unit</th></tr>'
    return f"<h2>Counters of the whole launch</h2><table>{head}{''.join(rows)}</table>"
