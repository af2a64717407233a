"""Set the model's times beside the measured ones.

python tests/truth/times/compare.py [--part seen|development|sealed|held-out|more|fresh|blind|courses|suites|clusters|
    kinds] [--compiler warpview|nvrtc|nvcc] [--first-look] [--only TEXT] [--family NAME] [--list]

"Pairs in order" are those pairs of launches whose times differ by more than the hardware's own spread (the ranges of
seven runs do not meet) and that the model puts in the same order. "With ties" is the rank correlation in which the
other pairs, which the hardware does not order, are ties on both sides.

``seen`` are the launches of launches.py, the others those of held_out.py and its halves; of the sealed half nothing but
aggregates is printed. ``--first-look`` takes the times that were predicted before the launches were measured.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

from blind import blind  # noqa: E402
from clusters import clusters  # noqa: E402
from courses import courses  # noqa: E402
from fresh import fresh  # noqa: E402
from held_out import held_out, sealed  # noqa: E402
from kinds import kinds  # noqa: E402
from launches import TimedLaunch, launches  # noqa: E402
from measured_code import program_by_nvcc  # noqa: E402
from more import more  # noqa: E402
from staged import staged  # noqa: E402
from suites import suites  # noqa: E402

import warpview as wv  # noqa: E402
from warpview import library  # noqa: E402
from warpview.devices import load_device  # noqa: E402
from warpview.isa.program import Program  # noqa: E402
from warpview.sim.arguments.binding import bind  # noqa: E402
from warpview.sim.engine_sm import run_sm  # noqa: E402
from warpview.sim.history.events import SmOptions, SmResult  # noqa: E402
from warpview.sim.launch import Options  # noqa: E402
from warpview.sim.launch_check import cluster_of  # noqa: E402


@dataclass(frozen=True)
class Part:
    """Say where the launches of a part of the tables are listed, and on which device they were measured."""

    launches: Callable[[], list[TimedLaunch]]
    name: str  # of its recorded tables: times<name>_<device>.csv
    device: str = "h200"
    spread: str | None = None  # the name of the table of its spread, where that is another one

    @property
    def table(self) -> Path:
        return TRUTH / f"times{self.name}_{self.device}.csv"

    @property
    def spread_table(self) -> Path:
        return TRUTH / f"times{self.name if self.spread is None else self.spread}_spread_{self.device}.csv"

    @property
    def asked_table(self) -> Path:
        return TRUTH / f"times{self.name}_asked_{self.device}.csv"

    @property
    def first_look(self) -> Path:
        """Return the table of what was predicted before anything was measured."""
        return TRUTH / f"times{self.name}_first_look.csv"


def half_held_out(hidden: bool) -> list[TimedLaunch]:
    """Return the sealed half of the launches of held_out.py, or the other."""
    keys = sealed()
    return [launch for launch in held_out() if (launch.key in keys) == hidden]


TRUTH = HERE.parent
PARTS = {
    "seen": Part(launches, "", spread="_seen"),
    "development": Part(lambda: half_held_out(hidden=False), "_held_out", spread=""),
    "sealed": Part(lambda: half_held_out(hidden=True), "_held_out", spread=""),
    "held-out": Part(held_out, "_held_out", spread=""),
    "more": Part(more, "_more"),
    "fresh": Part(fresh, "_fresh"),
    "blind": Part(blind, "_blind"),
    "courses": Part(courses, "_courses", "h100"),
    "suites": Part(suites, "_suites", "h100"),
    "clusters": Part(clusters, "_clusters"),
    "kinds": Part(kinds, "_kinds"),
    "staged": Part(staged, "_staged"),
}


@dataclass(frozen=True)
class Comparison:
    """Hold the measured and the simulated time of a launch, in µs."""

    launch: TimedLaunch
    measured: float
    simulated: float

    @property
    def ratio(self) -> float:
        return self.simulated / self.measured


def measured(table: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a recorded table by launch."""
    with table.open(newline="") as file:
        return {row["launch"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}


@lru_cache(maxsize=256)
def program_of(path: Path, kernel: str, compiler: str) -> Program:
    if compiler == "nvcc":
        return program_by_nvcc(path, kernel)
    return wv.compile(path, kernel, compiler=compiler, device="h200")


@lru_cache(maxsize=8)
def values_of(spec: str) -> np.ndarray:
    element, kind = spec.split()
    values = library.make_input(kind, np.dtype(element))
    assert isinstance(values, np.ndarray)
    return values


@lru_cache(maxsize=1)
def registers() -> dict[str, int]:
    """Return the registers a thread of each launch as it was measured: nvcc's, which is not in all kernels NVRTC's."""
    rows = [row for part in PARTS.values() for row in measured(part.table).values()]
    return {row["launch"]: int(float(row["registers"])) for row in rows}


def simulate(launch: TimedLaunch, compiler: str, device: str = "h200") -> SmResult:
    """Return what the cycle-level engine says of a launch, from the first blocks of one multiprocessor."""
    program = program_of(launch.path, launch.kernel, compiler)
    # A view each: what is one array is one buffer.
    args = [values_of(a).view() if isinstance(a, str) else a for a in launch.args]
    grid, block = ((*extents, 1, 1)[:3] for extents in (launch.grid, launch.block))
    bound = bind(program, grid, block, args, launch.shared_bytes, cluster=cluster_of(program, None))
    known = None if compiler == "warpview" else registers()[launch.key]
    options = SmOptions(record=False, estimate=True, registers_per_thread=known)
    return run_sm(program, load_device(device), bound.launch, bound.memory, Options(check=False), options).result


def ranks(values: Iterable[float]) -> np.ndarray:
    return np.argsort(np.argsort(np.array(list(values)), kind="stable"), kind="stable")


def rank_correlation(rows: Sequence[Comparison]) -> float:
    """Return Spearman's coefficient."""
    return float(np.corrcoef(ranks(r.measured for r in rows), ranks(r.simulated for r in rows))[0, 1])


@lru_cache(maxsize=1)
def spreads() -> dict[str, tuple[float, float]]:
    """Return the shortest and the longest of seven runs of each launch that was measured so often, in µs."""
    return {
        key: (float(row["least_us"]), float(row["most_us"]))
        for part in PARTS.values()
        for key, row in measured(part.spread_table).items()
    }


def separated(rows: Sequence[Comparison]) -> np.ndarray:
    """Return which pairs of launches the hardware orders, bool[n, n]: the ranges of their runs do not meet."""
    least, most = (np.array([spreads()[row.launch.key][side] for row in rows]) for side in (0, 1))
    return (most[:, None] < least) | (most < least[:, None])


def pairs_in_order(rows: Sequence[Comparison]) -> tuple[int, int]:
    """Return how many pairs the model orders as the hardware does, and how many the hardware orders at all."""
    known = [row for row in rows if row.launch.key in spreads()]
    truth, ours = (np.array(times) for times in ([r.measured for r in known], [r.simulated for r in known]))
    in_order = (truth[:, None] < truth) == (ours[:, None] < ours)
    ordered = np.triu(separated(known), 1)
    return int((in_order & ordered).sum()), int(ordered.sum())


def rank_correlation_with_ties(rows: Sequence[Comparison]) -> float:
    """Return Spearman's coefficient where a launch that the hardware does not order beside another is half before it,
    as measured and as simulated; nan where all are ties."""
    ordered = separated(rows)
    places = []
    for times in (np.array([r.measured for r in rows]), np.array([r.simulated for r in rows])):
        places.append((ordered & (times < times[:, None])).sum(axis=1) + (~ordered).sum(axis=1) / 2)
    return float(np.corrcoef(*places)[0, 1]) if ordered.any() else math.nan


def summary(name: str, rows: Sequence[Comparison]) -> str:
    errors = np.array([abs(r.ratio - 1) for r in rows])
    rank = f"{rank_correlation(rows):.2f}" if len(rows) > 2 else ""
    ties = f"{rank_correlation_with_ties(rows):.2f}" if len(rows) > 2 else ""
    near = 100 * np.mean(errors < 0.25)
    right, ordered = pairs_in_order(rows)
    pairs = f"{100 * right / ordered:.0f} % of {ordered}" if ordered else ""
    return f"| {name} | {len(rows)} | {100 * np.median(errors):.0f} % | {near:.0f} % | {rank} | {ties} | {pairs} |"


def print_summaries(rows: Sequence[Comparison]) -> None:
    """Print a row for each family, each ladder, and all."""
    print("| family | launches | median error | within 25 % | rank correlation | with ties | pairs in order |")
    print("|---|---|---|---|---|---|---|")
    for names in (lambda r: r.launch.family, lambda r: r.launch.ladder):
        for name in dict.fromkeys(names(r) for r in rows):
            part = [r for r in rows if names(r) == name]
            if name and len(part) > 1:
                print(summary(name, part))
    print(summary("all", rows))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--part",
        choices=PARTS,
        default="seen",
    )
    parser.add_argument("--compiler", default="nvrtc")
    parser.add_argument("--first-look", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--family", default="")
    parser.add_argument("--most", type=float, default=1e12, help="leave longer launches out, µs")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list and options.part in ("sealed", "held-out"):
        parser.error("of the sealed half only aggregates are printed")
    return options


def main() -> None:
    options = parse()
    part = PARTS[options.part]
    table, rows = measured(part.table), []
    first = measured(part.first_look) if options.first_look else {}
    for launch in part.launches():
        if options.only not in launch.key or options.family not in launch.family:
            continue
        truth, start = float(table[launch.key]["kernel_us"]), time.perf_counter()
        if truth > options.most:
            continue
        try:
            looked = first[launch.key][options.compiler] if first else None
            simulated = simulate(launch, options.compiler, part.device).time_us if looked is None else looked or "nan"
            time_us = float(simulated)
        except wv.CompileError as error:
            time_us = math.nan
            if options.list:
                print(f"{launch.key}: {error.diagnostics[0].message}")
        if math.isnan(time_us):
            continue
        rows.append(Comparison(launch, truth, time_us))
        if options.list:
            print(f"{launch.key[:58]:58s} {truth:9.1f} {time_us:9.1f} {rows[-1].ratio:6.2f}"
                  f"  {time.perf_counter() - start:6.2f} s", flush=True)  # fmt: skip
    print_summaries(rows)


if __name__ == "__main__":
    main()
