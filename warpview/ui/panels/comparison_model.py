"""Model a comparison: for each counter worth looking at, one bar a run, and the difference from the first run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isclose

from warpview.devices import Device, device_keys, load_device
from warpview.profile.counters import BY_KEY, COUNTERS, Counter
from warpview.ui.drawing.numbers import duration, short
from warpview.ui.session.backend import Measured

# Shown first, where they have anything to say; of the others those that differ follow.
FIRST = (
    "time_us", "cycles", "inst_executed", "divergent_branches", "shared_ld_bank_conflicts", "shared_st_bank_conflicts",
    "warp_serialize", "global_ld_sectors", "global_st_sectors", "active_lanes_average", "barriers",
    "atomic_collisions", "theoretical_occupancy_pct", "achieved_occupancy_pct",
)  # fmt: skip

RELEVANT, WIDEST, BY_NAME = range(3)
ORDERS = ("most relevant first", "largest difference first", "by name")


@dataclass(frozen=True)
class ComparisonBar:
    title: str
    value: float | None
    share: float  # of the longest bar
    text: str  # the value
    difference: str  # from the first run, e.g. '−38 %'


@dataclass(frozen=True)
class Chart:
    """Hold one counter over all runs."""

    key: str
    title: str
    unit: str
    words: str
    bars: tuple[ComparisonBar, ...]

    @property
    def heading(self) -> str:
        """Return the title, with the unit where the title does not say it."""
        return titled(self.title, self.unit)


def titled(title: str, unit: str) -> str:
    """Return the title of a counter, with its unit where the title does not say it."""
    return f"{title}, {unit}" if unit in ("µs", "%", "bytes") and not title.lower().startswith(unit) else title


def named(counter: Counter, runs: Sequence[Measured]) -> Counter:
    """Return the counter in the words of the devices, where none of them moves sectors."""
    device = _without_sectors(frozenset(run.device for run in runs))
    return counter.named_on(device) if device is not None else counter


@lru_cache(maxsize=8)  # asked for each of many charts
def _without_sectors(keys: frozenset[str]) -> Device | None:
    """Return one of the devices if none of them moves sectors."""
    devices = [load_device(key) for key in keys & set(device_keys())]
    return devices[0] if devices and not any(device.moves_sectors for device in devices) else None


def chart(key: str, runs: Sequence[Measured]) -> Chart:
    counter = named(BY_KEY[key], runs)
    values = [run.counters.get(key) for run in runs]
    top = max((abs(v) for v in values if v is not None), default=0) or 1
    against = ["", *differences(values[0], values[1:])]
    bars = tuple(
        ComparisonBar(run.title, value, abs(value or 0) / top, short(value, top, all_digits=True), words)
        for run, value, words in zip(runs, values, against, strict=True)
    )
    return Chart(key, counter.title, counter.unit, counter.description, bars)


def differences(first: float | None, values: Sequence[float | None]) -> list[str]:
    """Return the difference of each value from ``first``: all in percent, or all as factors where one of them is ten
    times as large or as small."""
    far = first and any(value and not 0.1 <= value / first < 11 for value in values)
    return [factor(first, value) if far else difference(first, value) for value in values]


def difference(first: float | None, value: float | None) -> str:
    """Return the difference of ``value`` from ``first``, in percent or as a factor; '' where neither means anything."""
    if not first or value is None:
        return ""
    percent = 100 * (value - first) / first
    if percent >= 1000 or (percent < -90 and value > 0):
        return factor(first, value)
    if abs(percent) < 0.5:
        return _equal(first, value)
    return f"{'+' if percent > 0 else '−'}{abs(percent):.0f} %"


def factor(first: float | None, value: float | None) -> str:
    """Return how many times as large as ``first``, or as small, a value is; '' where that means nothing."""
    if not first or value is None:
        return ""
    if value == 0:
        return "−100 %"
    larger = value >= first
    times = float(f"{value / first if larger else first / value:.3g}")
    if times < 1.005:
        return _equal(first, value)
    return f"{short(times)}×" if larger else f"÷{short(times)}"


def _equal(first: float, value: float) -> str:
    """Return the sign of two values that differ by less than is worth a number, if they differ."""
    return "=" if isclose(first, value) else "≈"


def matches(counter: Counter, words: str) -> bool:
    """Return whether every word typed occurs in the counter's key, title, group or profiler names."""
    everything = f"{counter.key} {counter.title} {counter.group} {counter.nsight} {counter.visual_profiler}".lower()
    return all(word in everything for word in words.lower().split())


def differs(key: str, runs: Sequence[Measured]) -> bool:
    values = {run.counters.get(key) for run in runs if not run.problem}
    return len(values) > 1


def left_out(runs: Sequence[Measured]) -> str:
    """Return one line on the runs that have no counters, with the reason where that is one; '' where all have."""
    missing = [run for run in runs if run.problem]
    problems = {run.problem for run in missing}
    reason = problems.pop() if len(problems) == 1 else ""
    if reason and len(missing) == len(runs):
        return f"None can run: {reason}"
    titles = " · ".join(run.title for run in missing) + (f" ({reason})" if reason else "")
    return f"Left out, cannot run: {titles}" if missing else ""


def fastest(runs: Sequence[Measured]) -> str:
    """Return which run is the fastest and how much faster than the first one, as a sentence; '' without times."""
    timed = [(float(time), run) for run in runs if not run.problem and (time := run.counters.get("time_us"))]
    if len(timed) < 2:
        return ""
    time, best = min(timed, key=lambda pair: pair[0])
    first = timed[0]
    gain = "" if best is first[1] else f", {first[0] / time:.3g}× the speed of {first[1].title}"
    return f"Fastest: {best.title} at {duration(time)}{gain}."


def spread(made: Chart) -> float:
    """Return the spread of the runs in a counter, from 0 (all the same) to 1 (one has none of it)."""
    shares = [bar.share for bar in made.bars if bar.value is not None]
    return max(shares, default=0.0) - min(shares, default=0.0)


def charts(runs: Sequence[Measured], words: str = "", order: int = RELEVANT) -> list[Chart]:
    """Return the charts to show, in one of ``ORDERS``: of the counters named by ``words``, or of those that differ."""
    shown = [r for r in runs if not r.problem]
    if words.strip():
        keys = [c.key for c in COUNTERS if matches(c, words)]
    else:
        rest = [c.key for c in COUNTERS if c.key not in FIRST and not c.is_of_launch]
        keys = [k for k in FIRST if k in BY_KEY] + [k for k in rest if differs(k, shown)]
        keys = [k for k in keys if differs(k, shown) or k in FIRST[:3]]
    keys = [k for k in keys if any(r.counters.get(k) for r in shown)]
    made = [chart(k, shown) for k in keys]
    if order == WIDEST:
        made.sort(key=spread, reverse=True)
    elif order == BY_NAME:
        made.sort(key=lambda c: c.title.lower())
    return made
