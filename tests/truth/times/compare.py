"""Set the model's times beside the measured ones of ``times_<gpu>.csv``.

python tests/truth/times/compare.py [--compiler warpview|nvrtc] [--only TEXT] [--family NAME] [--list]
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

from launches import TimedLaunch, launches  # noqa: E402

import warpview as wv  # noqa: E402
from warpview import library  # noqa: E402
from warpview.devices import load_device  # noqa: E402
from warpview.isa.program import Program  # noqa: E402
from warpview.sim.binding import bind  # noqa: E402
from warpview.sim.engine_sm import run_sm  # noqa: E402
from warpview.sim.events import SmOptions, SmResult  # noqa: E402
from warpview.sim.launch import Options  # noqa: E402

TABLE = HERE.parent / "times_h200.csv"


@dataclass(frozen=True)
class Comparison:
    """The measured and the simulated time of a launch, in µs."""

    launch: TimedLaunch
    measured: float
    simulated: float

    @property
    def ratio(self) -> float:
        return self.simulated / self.measured


def measured() -> dict[str, dict[str, str]]:
    """Return the rows of the recorded table by launch."""
    with TABLE.open(newline="") as file:
        return {row["launch"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}


@lru_cache(maxsize=256)
def program_of(path: Path, kernel: str, compiler: str) -> Program:
    return wv.compile(path, kernel, compiler=compiler, device="h200")


@lru_cache(maxsize=8)
def values_of(spec: str) -> np.ndarray:
    element, kind = spec.split()
    values = library.make_input(kind, np.dtype(element))
    assert isinstance(values, np.ndarray)
    return values


def simulate(launch: TimedLaunch, compiler: str) -> SmResult:
    """Return what the cycle-level engine says of a launch, from the first blocks of one multiprocessor."""
    program = program_of(launch.path, launch.kernel, compiler)
    args = [values_of(a) if isinstance(a, str) else a for a in launch.args]
    grid, block = ((*extents, 1, 1)[:3] for extents in (launch.grid, launch.block))
    bound = bind(program, grid, block, args, launch.shared_bytes)
    options = SmOptions(record=False, estimate=True)
    return run_sm(program, load_device("h200"), bound.launch, bound.memory, Options(check=False), options).result


def ranks(values: Iterable[float]) -> np.ndarray:
    return np.argsort(np.argsort(np.array(list(values)), kind="stable"), kind="stable")


def rank_correlation(rows: Sequence[Comparison]) -> float:
    """Return Spearman's coefficient."""
    return float(np.corrcoef(ranks(r.measured for r in rows), ranks(r.simulated for r in rows))[0, 1])


def summary(name: str, rows: Sequence[Comparison]) -> str:
    errors = np.array([abs(r.ratio - 1) for r in rows])
    rank = f"{rank_correlation(rows):.2f}" if len(rows) > 2 else ""
    return f"| {name} | {len(rows)} | {100 * np.median(errors):.0f} % | {100 * np.mean(errors < 0.25):.0f} % | {rank} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--compiler", default="nvrtc")
    parser.add_argument("--only", default="")
    parser.add_argument("--family", default="")
    parser.add_argument("--most", type=float, default=1e12, help="leave longer launches out, µs")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    table, rows = measured(), []
    for launch in launches():
        if options.only not in launch.key or options.family not in launch.family:
            continue
        truth = table[launch.key]
        if float(truth["kernel_us"]) > options.most:
            continue
        start = time.perf_counter()
        try:
            result = simulate(launch, options.compiler)
        except wv.CompileError as error:
            print(f"{launch.key}: {error.diagnostics[0].message}")
            continue
        rows.append(Comparison(launch, float(truth["kernel_us"]), result.time_us))
        if options.list:
            print(f"{launch.key[:58]:58s} {rows[-1].measured:9.1f} {rows[-1].simulated:9.1f} {rows[-1].ratio:6.2f}"
                  f"  {time.perf_counter() - start:6.2f} s", flush=True)  # fmt: skip
    print("| family | launches | median error | within 25 % | rank correlation |\n|---|---|---|---|---|")
    for names in (lambda r: r.launch.family, lambda r: r.launch.ladder):
        for name in dict.fromkeys(names(r) for r in rows):
            part = [r for r in rows if names(r) == name]
            if name and len(part) > 1:
                print(summary(name, part))
    print(summary("all", rows))


if __name__ == "__main__":
    main()
