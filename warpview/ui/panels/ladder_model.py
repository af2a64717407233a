"""The optimisation ladder of a family: the time of each variant, and what each step and all steps so far have gained.
Of kernels that are no steps of one optimisation, the times alone.

Qt-free; laid out like the table in M. Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.session.backend import Measured
from warpview.ui.views.elements_model import sign

REQUESTED = ("global_ld_bytes_requested", "global_st_bytes_requested")
HEADS = ("time", "bandwidth", "step", "in all")
_HEAD_TIPS = (
    "Duration on the whole device",
    "Bytes that the kernel asked of global memory, by the time it took",
    "How many times as fast as the variant before",
    "How many times as fast as the first variant",
)
LINE, HIGHEST = 1.75, 2.6  # height of a row in type sizes, and where there is room


@dataclass(frozen=True)
class Rung:
    """One variant by its ``number`` in the family. ``step`` and ``total`` are speed-ups, None for the first, and for
    what is no step; ``findings`` say what went wrong in it."""

    number: int
    title: str
    time_us: float
    share: float  # of the longest time
    gbps: float
    step: float | None
    total: float | None
    findings: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, str, str, str]:
        """Time, bandwidth, step and total as the table prints them."""
        return (duration(self.time_us), bandwidth(self.gbps), times(self.step), times(self.total))


def duration(microseconds: float) -> str:
    """Four figures at most, in the unit that suits."""
    if microseconds >= 1000:
        return f"{microseconds / 1000:.4g} ms"
    return f"{microseconds:.3g} µs"


def bandwidth(gbps: float) -> str:
    return f"{gbps:.3g} GB/s" if gbps < 1000 else f"{gbps / 1000:.3g} TB/s"


def times(factor: float | None) -> str:
    return "" if factor is None else f"{factor:.2f}×"


def ladder(runs: Sequence[Measured], steps: int) -> list[Rung]:
    """The variants that ran, in the order of the family, of which the first ``steps`` are a step each."""
    rungs: list[Rung] = []
    timed = [
        (number, run, float(time))
        for number, run in enumerate(runs, 1)
        if not run.problem and (time := run.counters.get("time_us"))
    ]
    longest = max((time for _, _, time in timed), default=1.0)
    for number, run, time in timed:
        asked = sum(run.counters.get(key) or 0 for key in REQUESTED)
        is_step = bool(rungs) and number <= steps
        before = rungs[-1].time_us / time if is_step else None
        total = timed[0][2] / time if is_step else None
        gbps = asked / time / 1000
        rungs.append(Rung(number, run.title, time, time / longest, gbps, before, total, run.findings))
    return rungs


def height(rungs: Sequence[Rung], unit: float) -> float:
    return (len(rungs) + 2.2) * LINE * unit


def draw(picture: Picture, area: Box, rungs: Sequence[Rung]) -> None:
    """A row a variant: its name, a bar as long as its time, and the figures."""
    u = picture.unit
    line = min(HIGHEST * u, max(LINE * u, area.h / (len(rungs) + 1.5)))
    if not rungs:
        picture.text(area.cx, area.cy, "No variant has a time.", colour="dim", align=0)
        return
    heads = HEADS if any(rung.step is not None for rung in rungs) else HEADS[:2]
    columns = list(zip(*(rung.texts for rung in rungs), strict=True))
    widths = [
        max(picture.size_of(t, bold=True) for t in (head, *texts)) + 1.6 * u
        for head, texts in zip(heads, columns, strict=False)
    ]
    figures = area.right - sum(widths)
    names = min(max(picture.size_of(f"88{r.title}") for r in rungs) + 1.6 * u, 0.65 * (figures - area.x))
    y = area.y + 0.5 * line
    x = figures
    for head, tip, width in zip(heads, _HEAD_TIPS, widths, strict=False):
        x += width
        picture.text(x, y, head, 0.85 * u, "dim", 1)
        picture.hit(Box(x - width, y - line / 2, width, line), tip)
    picture.lines([(area.x, y + 0.5 * line, area.right, y + 0.5 * line)], "faint")
    for rung in rungs:
        y += line
        _row(picture, rung, Box(area.x, y - line / 2, area.w, line), names, widths)
    picture.spoken = "; ".join(": ".join([r.title, ", ".join(filter(None, (*r.texts, *r.findings)))]) for r in rungs)


def _row(picture: Picture, rung: Rung, box: Box, names: float, widths: Sequence[float]) -> None:
    u = picture.unit
    number = picture.size_of("88")
    picture.text(box.x + number, box.cy, str(rung.number), align=1)
    room = names - number - 1.2 * u
    title = picture.text(box.x + number + 0.6 * u, box.cy, rung.title, room=room, least=0.75 * u)
    if rung.findings:
        side = 0.7 * u
        sign(picture, Box(min(title.right + 0.4 * u, box.x + names - side), box.cy, side, 0.4 * u))
    room = box.w - names - sum(widths)
    bar = Box(box.x + names, box.y + 0.2 * box.h, max(2.0, room * rung.share), 0.6 * box.h)
    # A step back is told apart by its hatching, not by its colour alone.
    slower = rung.step is not None and rung.step < 0.995
    colour = "conflict" if slower else "active" if rung.step is not None else "idle"
    picture.rect(bar, colour, alpha=0.9, radius=2, hatch="text" if slower else None)
    x = box.right - sum(widths)
    for column, (text, width) in enumerate(zip(rung.texts, widths, strict=False)):
        x += width
        colour = "conflict_text" if slower and column == 2 else "text"
        picture.text(x, box.cy, text, colour=colour, align=1, bold=column in (0, 3))
    words = f"{rung.title}: {rung.texts[0]}, {rung.texts[1]}"
    if rung.step is not None:
        words += f"\n{rung.texts[2]} the speed of the variant before, {rung.texts[3]} that of the first"
    picture.hit(box, "\n".join([words, *(f"⚠ {finding}" for finding in rung.findings)]))
