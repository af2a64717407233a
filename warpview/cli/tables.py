"""Counters as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

from warpview.diagnostics import WarpviewError
from warpview.profile.counters import BY_KEY, COUNTERS, Counter, Value
from warpview.profile.export import Names, Row, name_of

# What `run` shows unless asked for more: the numbers a lecture is about.
USUAL = (
    "blocks_launched", "registers_per_thread", "shared_mem_per_block", "theoretical_occupancy_pct", "cycles", "time_us",
    "inst_executed", "active_lanes_average", "branches", "divergent_branches", "barriers",
    "global_ld_requests", "global_ld_sectors", "global_ld_transactions_32", "global_ld_transactions_64",
    "global_ld_transactions_128", "global_ld_efficiency_pct", "global_st_requests", "global_st_sectors",
    "global_st_efficiency_pct", "shared_ld_wavefronts", "shared_ld_bank_conflicts", "shared_st_wavefronts",
    "shared_st_bank_conflicts", "atomics", "atomic_collisions",
)  # fmt: skip


def console() -> Console:
    return Console(highlight=False)


def pretty(value: Value) -> str:
    """A value for people: thousands apart, three decimals at most."""
    if value is None:
        return "–"
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}".replace(",", " ")
    return f"{value:,.3f}".rstrip("0").rstrip(".").replace(",", " ")


def chosen(keys: str | None, everything: bool) -> Sequence[Counter]:
    """The counters that an option names (comma-separated), all of them, or the usual ones."""
    if everything:
        return COUNTERS
    if keys is None:
        return [BY_KEY[key] for key in USUAL]
    picked = [key.strip() for key in keys.split(",") if key.strip()]
    unknown = [key for key in picked if key not in BY_KEY]
    if unknown:
        import difflib

        near = difflib.get_close_matches(unknown[0], BY_KEY, 1)
        hint = f"; did you mean '{near[0]}'?" if near else "; --all shows every one"
        raise WarpviewError(f"--counters: there is no counter '{unknown[0]}'{hint}")
    return [BY_KEY[key] for key in picked]


def _known(counter: Counter, rows: Iterable[Row]) -> bool:
    return any(row.counters.get(counter.key) is not None for row in rows)


def counter_table(
    titles: Sequence[str], rows: Sequence[Row], counters: Sequence[Counter], names: Names = "warpview"
) -> Table:
    """One line a counter, one column a run; counters that no run knows are left out."""
    table = Table(header_style="bold", title_justify="left")
    table.add_column("counter", no_wrap=True)
    for title in titles:
        table.add_column(title, justify="right")
    table.add_column("unit", style="dim")
    for counter in counters:
        if _known(counter, rows):
            values = [pretty(row.counters.get(counter.key)) for row in rows]
            table.add_row(name_of(counter, names), *values, counter.unit)
    return table
