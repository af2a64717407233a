"""Choose and format the counters that people are shown who have not asked for others."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.profile.counters import BY_KEY, Counter, Value

# The numbers that a lecture is about.
USUAL = (
    "blocks_launched", "registers_per_thread", "shared_mem_per_block", "theoretical_occupancy_pct", "cycles", "time_us",
    "inst_executed", "active_lanes_average", "branches", "divergent_branches", "barriers",
    "global_ld_requests", "global_ld_sectors", "global_ld_transactions_32", "global_ld_transactions_64",
    "global_ld_transactions_128", "global_ld_efficiency_pct", "global_st_requests", "global_st_sectors",
    "global_st_efficiency_pct", "shared_ld_wavefronts", "shared_ld_bank_conflicts", "shared_st_wavefronts",
    "shared_st_bank_conflicts", "atomics", "atomic_collisions",
)  # fmt: skip


def usual_counters() -> Sequence[Counter]:
    """Return the counters that are shown unless others are asked for."""
    return [BY_KEY[key] for key in USUAL]


def formatted(value: Value) -> str:
    """Return a value for people to read: thousands set apart, at most three decimals."""
    if value is None:
        return "–"
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}".replace(",", " ")
    return f"{value:,.3f}".rstrip("0").rstrip(".").replace(",", " ")
