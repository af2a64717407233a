"""Write a run as one self-contained HTML page: a walk through its steps, its source with heat, findings, its counters.

Writing needs neither a window nor a screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import cast

from warpview.profile.counters import BY_KEY
from warpview.run import Run, sample_words
from warpview.run.replay import Replay
from warpview.run.roofline import Operations
from warpview.run.verdict import time_basis, time_words
from warpview.sim.checks.findings import Finding
from warpview.trace import caption
from warpview.trace.frame import Mark
from warpview.trace.presentation import MARKS
from warpview.ui.export.report_replay import replay_section
from warpview.ui.export.report_style import style
from warpview.ui.export.report_tables import comparison, counters, roofline_words, source
from warpview.ui.export.report_views import ReportViews
from warpview.ui.export.report_walk import SCRIPT, walk, walk_steps
from warpview.ui.export.report_walk import STYLE as WALK_STYLE
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.panels import roofline_model
from warpview.ui.panels.launch_model import shown
from warpview.ui.panels.roofline import RooflineArea
from warpview.ui.session.backend import Measured
from warpview.ui.views.context import FrameContext, RunLike, stage_view
from warpview.ui.views.counters.counters_model import number
from warpview.ui.views.counters.key_counters_model import keys_of
from warpview.ui.views.timeline.timeline import TimelineView

MOST_SENTENCES = 120
HEIGHT, TALL = 340.0, 400.0  # pixels of a view
# What to look for in the history.
MOMENTS = (Mark.FINDING, Mark.DIVERGENCE, Mark.CONFLICT, Mark.UNCOALESCED, Mark.COLLISION)


@dataclass(frozen=True)
class ReportExtras:
    """Hold what a page shows besides the run: a title, steps to show besides the remarkable ones, runs compared with
    it, the text of its verdict, another order of its races."""

    title: str = ""
    about: str = ""
    steps: tuple[int, ...] = ()
    compared: Sequence[Measured] = ()
    comparison: str = ""  # its heading
    why: str = ""
    replay: Replay | None = None  # of its races


def report(run: Run, extras: ReportExtras) -> str:
    """Return the page as text."""
    made = Report(run, extras)
    return made.html(list(made.parts()))


# ---- words


def _why(text: str) -> str:
    """Return the verdict as a section; nothing where there is none."""
    if not text:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in text.splitlines())
    return f'<section class="why"><h2>Why is it slow?</h2><ul>{items}</ul></section>'


def _head(run: RunLike, name: str, about: str) -> str:
    """Write the title, what was launched where, and the headline numbers."""
    facts = [("device", run.device.name, _machine(run)), ("launch", _launch(run), _memory(run))]
    if run.program.is_compiled:
        facts.append(("code", "as compiled by NVIDIA", _registers(run)))
    if run.time_us is not None:
        facts.append(("time", time_words(run.time_us, run.time_error_us), time_basis(run.program, run.device)))
    facts += [
        (counter.title.lower(), number(run.counters[counter.key], counter.unit), "")
        for counter in (BY_KEY[key].named_on(run.device) for key in keys_of(run))
    ]
    cells = "".join(
        f"<div><dt>{escape(words)}</dt><dd>{escape(value)}{f'<small>{escape(note)}</small>' if note else ''}</dd></div>"
        for words, value, note in facts
    )
    line = " · ".join(part for part in (about, f"{run.program.kernel}, {run.program.source.name}") if part)
    return f'<header><h1>{escape(name)}</h1><p>{escape(line)}</p><dl class="facts">{cells}</dl></header>'


def _machine(run: RunLike) -> str:
    major, minor = run.device.capability
    return f"compute capability {major}.{minor}, {run.device.multiprocessors} multiprocessors"


def _registers(run: RunLike) -> str:
    return f"{len(run.program.instructions)} instructions, {run.counters['registers_per_thread']} registers per thread"


def _launch(run: RunLike) -> str:
    grid, block, cluster = map(shown, (run.launch.grid, run.launch.block, run.launch.cluster))
    shape = f"grid {grid}, block {block}" + (f", clusters of {cluster}" if run.launch.cluster_blocks > 1 else "")
    return shape if run.sample == 1 else f"{shape}; {sample_words(run)}"


def _memory(run: RunLike) -> str:
    dynamic = run.launch.dynamic_shared_bytes
    return f"{dynamic} bytes of dynamic shared memory" if dynamic else ""


def _findings(run: RunLike) -> str:
    """Return the section that lists the findings, with their lines."""
    items = [_finding(finding) for finding in run.findings]
    if not items:
        return ""
    return (
        f'<section class="findings"><h2>Findings</h2><ul>{"".join(f"<li>{item}</li>" for item in items)}</ul></section>'
    )


def _finding(finding: Finding) -> str:
    times = f", {finding.count} times" if finding.count > 1 else ""
    return f"<b>{escape(finding.kind.capitalize())}</b>: {escape(finding.message)} (line {finding.span.line}{times})"


def _marked_up(sentence: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(sentence))


class Report:
    """Make a page piece by piece, so that a window can go on meanwhile: ``html(list(parts()))``."""

    def __init__(self, run: Run, extras: ReportExtras) -> None:
        # Of a run without history the parts that need one are left out.
        self._run, self._extras = cast(RunLike, run), extras
        self._name = extras.title or run.program.kernel
        self._trace = run.trace if run.trace is not None and run.trace.steps else None
        self._views = ReportViews(self._run)
        self._captions: dict[int, str] = {}  # by the step

    def close(self) -> None:
        """Let the views go, at the end or before it."""
        self._views.close()

    def parts(self) -> Iterator[str]:
        """Yield the body of the page, none of it taking long."""
        run, extras = self._run, self._extras
        yield _head(run, self._name, extras.about)
        yield _findings(run)
        yield replay_section(run, extras.replay, self._views.picture)
        yield _why(extras.why)
        if self._trace is not None:
            yield from walk(walk_steps(run.trace, extras.steps), self._walk_frame)
            yield source(run)
            yield from self._moments()
            yield from self._whole("Where the time went", "timeline")
            yield from self._whole("Occupancy", "occupancy")
            yield from self._sentences()
        else:
            yield source(run)
        yield comparison(extras.compared, extras.comparison)
        yield from self._rooflines()
        yield counters(run)
        self.close()

    def _rooflines(self) -> Iterator[str]:
        """Yield a section for each reading that any run has operations of: of those compared, or of this one alone."""
        own = Measured(self._name, self._run.program.kernel, self._run.device.key, self._run.counters)
        compared = self._extras.compared
        head = f"Roofline of {self._extras.comparison}" if compared else "Roofline"
        for reading in Operations:
            points = roofline_model.points(compared or [own], reading)
            if points:
                area = RooflineArea(self._views.look)
                self._views.seat(area, TALL)
                yield ""
                area.show_points(points, reading)
                yield from self._views.settle(area)
                plot = self._views.drawn(area)
                yield f"<section><h2>{escape(f'{head}: {reading}')}</h2>{plot}{roofline_words(points)}</section>"

    def html(self, parts: Iterable[str]) -> str:
        """Return the page of these parts."""
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(self._name)}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>{style()}{WALK_STYLE}</style></head><body>{''.join(parts)}"
            "<footer>Written by warpview. This page is self-contained.</footer>"
            f"<script>{SCRIPT}</script></body></html>\n"
        )

    def _context(self, step: int) -> FrameContext:
        frame = self._run.trace.frame(step)
        event = frame.event
        block, warp = (event.block, event.warp) if event is not None else (0, 0)
        return FrameContext(self._run, frame, Snapshot(step=step, block=block, warp=warp))

    def _sentence(self, step: int) -> str:
        """Return the caption of a step, made once: the walk has the first of those that are listed."""
        if step not in self._captions:
            frame = self._run.trace.frame(step)
            self._captions[step] = _marked_up(caption(frame, self._run.program, self._run.device))
        return self._captions[step]

    def _told(self, step: int) -> tuple[int, str, str]:
        """Return the source line of a step, its text, and its sentence, lanes and the view that it concerns."""
        context = self._context(step)
        event = context.frame.event
        line = self._run.program.instructions[event.pc].span.line if event is not None else 0
        code = f"<code>{escape(self._run.program.source.line(line).strip())}</code>"
        rows = len(context.frame.warps)
        lanes = self._views.view("lanes", context, min(TALL, 130.0 + 18.0 * rows))
        staged = self._views.view(stage_view(context), context, HEIGHT)
        return line, code, f"<blockquote>{self._sentence(step)}</blockquote>{lanes}{staged}"

    def _walk_frame(self, step: int) -> tuple[int, str]:
        line, code, content = self._told(step)
        return line, f"<p>{code}</p>{content}"

    def _moments(self) -> Iterator[str]:
        """Yield the steps asked for, and those that stand out."""
        for step in self._extras.steps:
            if 0 < step <= self._run.trace.steps:
                yield self._moment(step, "The selected step")
        for mark in MOMENTS:
            found = self._run.trace.find(0, mark)
            if found is not None:
                yield self._moment(found, f"The first {MARKS[mark].name}")

    def _moment(self, step: int, words: str) -> str:
        line, code, content = self._told(step)
        where = f"step {step} of {self._run.trace.steps}, line {line}: {code}"
        return f'<section><h2>{escape(words)}</h2><p class="dim">{where}</p>{content}</section>'

    def _whole(self, heading: str, key: str) -> Iterator[str]:
        """Yield the section of a view that shows the whole run; nothing while that is prepared, piece by piece."""
        view = self._views.make(key, TALL)
        yield ""
        scene = self._views.show(key, self._context(0), TALL)
        if isinstance(view, TimelineView):
            view.show_all()
            view.flush()
        yield ""
        yield from self._views.settle(scene)
        yield f"<section><h2>{heading}</h2>"
        yield f"{self._views.drawn(scene)}</section>"

    def _sentences(self) -> Iterator[str]:
        """Yield the captions of the first warp, step by step."""
        trace = self._run.trace
        first = trace.event(1)
        own = [int(step) for step in trace.navigator.steps_of_warp(first.block, first.warp)]
        more = f" ({MOST_SENTENCES} steps of {len(own)})" if len(own) > MOST_SENTENCES else ""
        who = f"Block {first.block}, warp {first.warp}, step by step{more}"
        yield f'<section><details><summary>{who}</summary><ol class="steps">'
        for step in own[:MOST_SENTENCES]:
            yield f'<li value="{step}">{self._sentence(step)}</li>'
        yield "</ol></details></section>"
