"""Set the model's breakdown of launches beside Nsight Compute's.

python tests/truth/times/breakdown.py [--part seen|development|sealed|more|fresh|blind|courses] [--only TEXT]
    [--most MICROSECONDS] [--list]

Compared in points: issue slots used, achieved occupancy, hit rates, bytes of DRAM in percent of the measured ones, and
stall reasons as shares of the cycles for which warps were resident. Hit rates of the L2 are compared where it served at
least LEAST_SECTORS, and bytes of DRAM where besides at least as many were moved there or are said to be: of smaller
launches most of it are instructions, constants and the profiler's own. "L2 hits of accesses" is the hit rate of what
multiprocessors ask for, by loads, stores and atomics, without those, where they asked for LEAST_ASKED. Of the sealed
half nothing but aggregates is printed.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from compare import PARTS, measured, simulate

import warpview as wv
from warpview.devices import Device, load_device
from warpview.sim.history.events import MemoryTraffic, SmResult, Stall
from warpview.sim.timing.model import SECTOR_BYTES

STALLS = {
    "long scoreboard": ("long_scoreboard",),
    "short scoreboard": ("short_scoreboard",),
    "barrier": ("barrier",),
    "membar": ("membar",),
    "MIO throttle": ("mio_throttle",),
    "LG throttle": ("lg_throttle", "tex_throttle"),
    "drain": ("drain",),
    "math pipe throttle": ("math_pipe_throttle",),
    "wait": ("wait", "branch_resolving", "dispatch_stall", "sleeping", "misc"),
    "no instruction": ("no_instruction", "imc_miss"),
    "not selected": ("not_selected",),
    "selected": ("selected",),
}
NEAR = 10  # points
LEAST_SECTORS = 100_000
LEAST_ASKED = 10_000


class Row(NamedTuple):
    """Hold a figure of a launch in percent, as measured and as simulated."""

    figure: str
    measured: float
    simulated: float


def memory_rows(truth: dict[str, str], result: SmResult, n_blocks: int, device: Device) -> list[Row]:
    """Return the figures of the caches and of DRAM."""
    rows = []
    l1, l2 = result.traffic.l1_hit_rate, result.traffic.l2_hit_rate(device.l2_parts)
    if l1 is not None:
        rows.append(Row("L1 hit rate", float(truth["l1_hit_pct"]), 100 * l1))
    if float(truth["l2_sectors_read"]) + float(truth["l2_sectors_written"]) < LEAST_SECTORS:
        return rows
    if l2 is not None:
        rows.append(Row("L2 hit rate", float(truth["l2_hit_pct"]), 100 * l2))
    theirs = float(truth["dram_bytes_read"]) + float(truth["dram_bytes_written"])
    ours = SECTOR_BYTES * result.dram_sectors * n_blocks / result.blocks_run
    if max(theirs, ours) < LEAST_SECTORS * SECTOR_BYTES:
        return rows
    return [*rows, Row("DRAM bytes", 100, 100 * ours / theirs)]


def hits_of_accesses(asked: dict[str, str] | None, traffic: MemoryTraffic, device: Device) -> list[Row]:
    """Return the hit rate of what multiprocessors ask the L2 for, each its own half, where that was measured."""
    ours = traffic.l2_access_hit_rate(device.l2_parts)
    if asked is None or float(asked["asked"]) < LEAST_ASKED or ours is None:
        return []
    return [Row("L2 hits of accesses", 100 * float(asked["asked_hit"]) / float(asked["asked"]), 100 * ours)]


def rows_of(truth: dict[str, str], result: SmResult, n_blocks: int, device_key: str = "h200") -> list[Row]:
    """Return the figures of a launch."""
    device = load_device(device_key)
    slots = device.schedulers * result.active_cycles
    rows = [
        Row("issue slots used", float(truth["issue_slot_pct"]), 100 * result.issued / slots),
        Row("achieved occupancy", float(truth["occupancy_pct"]), 100 * result.achieved_occupancy),
        *memory_rows(truth, result, n_blocks, device),
    ]
    theirs = {name: sum(float(truth[f"stall_{part}"] or 0) for part in parts) for name, parts in STALLS.items()}
    ours = {
        name: int(result.stalls[:, Stall[name.upper().replace(" ", "_")]].sum()) for name in STALLS if name != "drain"
    }
    ours["drain"] = result.draining  # of warps that have ended
    ours["barrier"] += int(result.stalls[:, Stall.RECONVERGENCE].sum())
    for name in STALLS:
        rows.append(Row(name, 100 * theirs[name] / sum(theirs.values()), 100 * ours[name] / max(1, sum(ours.values()))))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--part", choices=PARTS, default="seen")
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=float, default=300, help="leave longer launches out, µs")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list and options.part == "sealed":
        parser.error("of the sealed half only aggregates are printed")
    part = PARTS[options.part]
    table, device = measured(part.table), part.device
    asked = measured(part.asked_table) if part.asked_table.exists() else {}
    found: dict[str, list[float]] = defaultdict(list)
    for launch in part.launches():
        truth = table[launch.key]
        if options.only not in launch.key or float(truth["kernel_us"]) > options.most:
            continue
        try:
            result = simulate(launch, "nvrtc", device)
        except wv.CompileError:
            continue
        rows = rows_of(truth, result, int(np.prod(launch.grid)), device)
        rows += hits_of_accesses(asked.get(launch.key), result.traffic, load_device(device))
        for row in rows:
            found[row.figure].append(row.simulated - row.measured)
        if options.list:
            print(launch.key, *(f"{r.figure} {r.measured:.0f}/{r.simulated:.0f}" for r in rows), sep=", ", flush=True)
    print(f"| figure | launches | within {NEAR} points | mean difference |\n|---|---|---|---|")
    for figure, differences in found.items():
        near = 100 * np.mean(np.abs(differences) <= NEAR)
        print(f"| {figure} | {len(differences)} | {near:.0f} % | {np.mean(differences):+.0f} |")


if __name__ == "__main__":
    main()
