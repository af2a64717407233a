"""Model the bars of a comparison as rows of a plot. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.ui.drawing.bar_row import BarRow
from warpview.ui.drawing.values import thousands
from warpview.ui.panels.comparison_model import Chart, ComparisonBar

EQUAL = {"=": "the same as", "≈": "nearly the same as"}


def rows(chart: Chart) -> list[BarRow]:
    """Return one row for each run; the first run, to which the others are compared, has the colour of no change."""
    figures, differences = (max(map(len, texts), default=0) for texts in _texts(chart))
    return [
        BarRow(
            bar.title, float(bar.value or 0.0), f"{bar.text:>{figures}}   {bar.difference:>{differences}}".rstrip(),
            "active" if n else "idle", hover=words(chart, bar),
        )
        for n, bar in enumerate(chart.bars)
    ]  # fmt: skip


def _texts(chart: Chart) -> tuple[list[str], list[str]]:
    return [bar.text for bar in chart.bars], [bar.difference for bar in chart.bars]


def spoken(charts: Sequence[Chart]) -> str:
    """Return the charts as one text for screen readers."""
    return "; ".join(f"{c.title}: {', '.join(f'{b.title} {b.text}' for b in c.bars)}" for c in charts)


def words(chart: Chart, bar: ComparisonBar) -> str:
    """Return the hover text of a bar: the number in full, and its difference from the first run's."""
    if bar.value is None:
        return f"{bar.title}: {chart.title} is not known there"
    exact = thousands(bar.value) if isinstance(bar.value, int) else f"{bar.value:.6g}"
    said = f"{bar.title}\n{chart.title}: {exact} {chart.unit}"
    if not bar.difference:
        return f"{said}\n{chart.words}"
    how = EQUAL.get(bar.difference, f"{bar.difference} against")
    return f"{said}\n{how} {chart.bars[0].title}\n{chart.words}"
