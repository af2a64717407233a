"""Print counters as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from warpview.diagnostics import WarpviewError
from warpview.profile.counter import no_counter
from warpview.profile.counters import BY_KEY, COUNTERS, Counter
from warpview.profile.export import ExportRow, Names, name_of
from warpview.profile.shown import formatted, usual_counters


def console() -> Console:
    """Return a console for the standard output that leaves numbers uncoloured."""
    return Console(highlight=False)


def listed(option: str, text: str) -> list[str]:
    """Return the entries of a comma-separated list. Raises WarpviewError where it has none."""
    entries = [part.strip() for part in text.split(",") if part.strip()]
    if not entries:
        raise WarpviewError(f"{option}: '{text}' names nothing")
    return entries


def selected_counters(keys: str | None, everything: bool) -> Sequence[Counter]:
    """Return the counters that ``--counters`` names (comma-separated), every counter, or the usual ones."""
    if everything:
        return COUNTERS
    if keys is None:
        return usual_counters()
    picked = listed("--counters", keys)
    unknown = [key for key in picked if key not in BY_KEY]
    if unknown:
        raise WarpviewError(f"--counters: {no_counter(unknown[0], BY_KEY)}; --all shows every one")
    return [BY_KEY[key] for key in picked]


def _known(counter: Counter, rows: Iterable[ExportRow]) -> bool:
    return any(row.counters.get(counter.key) is not None for row in rows)


def counter_tables(
    titles: Sequence[str],
    rows: Sequence[ExportRow],
    counters: Sequence[Counter],
    names: Names = "warpview",
    width: int = 80,
) -> list[Table]:
    """Return tables of one line a counter and one column a run, as many side by side as ``width`` characters hold.

    Counters that no run knows are left out.
    """
    shown = [counter for counter in counters if _known(counter, rows)]
    columns = [[formatted(row.counters.get(counter.key)) for counter in shown] for row in rows]
    labels, units = [name_of(counter, names) for counter in shown], [counter.unit for counter in shown]
    room = width - _column_width("counter", labels) - _column_width("unit", units) - 1
    tables = []
    for part in _fitting([_column_width(*pair) for pair in zip(titles, columns, strict=True)], room):
        table = Table(header_style="bold", title_justify="left")
        table.add_column("counter", overflow="fold")
        for index in part:
            table.add_column(titles[index], justify="right", no_wrap=True)
        table.add_column("unit", style="dim", no_wrap=True)
        for line, (label, unit) in enumerate(zip(labels, units, strict=True)):
            table.add_row(label, *(columns[index][line] for index in part), unit)
        tables.append(table)
    return tables


def _column_width(title: str, cells: Sequence[str]) -> int:
    """Return the characters that a column takes, with its padding and one border."""
    return max(map(cell_len, (*title.split("\n"), *cells))) + 3


def _fitting(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the indices of the columns in groups that fit into ``room``, at least one in each."""
    groups: list[list[int]] = []
    left = 0
    for index, width in enumerate(widths):
        if not groups or width > left:
            groups.append([])
            left = room
        groups[-1].append(index)
        left -= width
    return groups
