"""Make a device file from the measurements of ``assets/calibration/microbenchmarks.cu``."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import NamedTuple

import numpy as np

from warpview.devices.device import DeviceError
from warpview.devices.loader import capability_versions

Figures = dict[tuple[str, float], float]
Facts = dict[str, object]  # the entries of a section by key, which are written as they print
SECTOR = 32  # bytes
QUEUE_WAIT = 16  # cycles, more than from one store to the next that finds room
BARRIER_LOOP = 3  # cycles from the end of a barrier to the arrival at the next one of the loop
GAPS = (64, 128, 256, 2048)  # bytes between pieces in DRAM

# Unit -> the instruction that was measured for it.
PIPES = {"alu": "lop3", "fma": "ffma", "imul": "imad", "fp64": "dfma", "sfu": "mufu", "warp": "shfl"}


@dataclass(frozen=True)
class Measurements:
    """Hold the figures of one run: ``figures`` by name and parameter; cycles, MHz, GB/s, µs or bytes, as printed
    there."""

    name: str
    cc: str  # compute capability
    figures: Figures

    def __call__(self, name: str, parameter: float = 0) -> float:
        """Return a figure. Raises DeviceError where it was not measured."""
        try:
            return self.figures[name, parameter]
        except KeyError:
            raise DeviceError(f"the measurements lack '{name}' for {parameter:g}") from None

    def largest(self, name: str) -> float:
        """Return the largest of the figures of a name. Raises DeviceError where there is none."""
        found = [value for (known, _), value in self.figures.items() if known == name]
        if not found:
            raise DeviceError(f"the measurements lack '{name}'")
        return max(found)


def read_measurements(text: str) -> Measurements:
    """Read the output of the microbenchmarks. Raises DeviceError where it is something else."""
    lines = text.splitlines()
    facts = dict(line[1:].strip().split(": ", 1) for line in lines if line.startswith("#") and ": " in line)
    rows = csv.DictReader(StringIO("\n".join(line for line in lines if not line.startswith("#"))))
    try:
        figures = {(row["figure"], float(row["parameter"])): float(row["value"]) for row in rows}
        measured = Measurements(facts["name"], facts["capability"], figures)
    except (KeyError, TypeError, ValueError):
        raise DeviceError("these are no measurements of the microbenchmarks of warpview") from None
    if measured.cc not in capability_versions():
        known = ", ".join(capability_versions())
        raise DeviceError(f"compute capability {measured.cc} is not described; there are {known}")
    return measured


def device_file(m: Measurements) -> str:
    """Return the text of a device file. What was not measured is that of the compute capability."""
    clock, count = m("clock"), int(m("multiprocessors"))
    sections: dict[str, Facts] = {
        "board": _board(m),
        "execution": {
            "block_launch_cycles": f"{_block_launch(m, clock, count):.3f}",
            "cold_line_cycles": _whole((m("cold_line", 32768) - m("cold_line", 1024)) / 248),
        },
        "issue_cycles": {key: _whole(m(f"pipe_{instruction}")) for key, instruction in PIPES.items()},
        "latency": {key: _whole(m(f"latency_{instruction}")) for key, instruction in PIPES.items()},
        "memory_latency": {**_latencies(m), **_l2_facts(m, clock, count), **_dram_facts(m, clock, count)},
        "caches": {"l2": f"{{ bytes = {int(m('l2')) // 2048 * 2048}, line = 128, sector = {SECTOR}, ways = 16 }}"},
    }
    head = f"""\
# Written by `warpview calibrate` from measurements on this device. What is not here is that of its compute capability.
name = "{m.name}"
chip = "of compute capability {m.cc}"
capability = "{m.cc}"
unverified = ["board.cluster_multiprocessors", "caches.l2"]
"""
    return head + "".join(
        f"\n[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in facts.items())
        for section, facts in sections.items()
    )


def _board(m: Measurements) -> Facts:
    return {
        "multiprocessors": int(m("multiprocessors")),
        "cluster_multiprocessors": 2,
        "clock_mhz": f"{m('clock'):g}",
        "memory_gtps": f"{m('memory_clock') * 2 / 1000:g}",
        "bus_bits": f"{m('bus'):g}",
        "memory_bytes": int(m.figures.get(("memory", 0), 0)) << 20,
    }


def _block_launch(m: Measurements, clock: float, count: int) -> float:
    """Return the cycles in which a multiprocessor launches a block, from empty kernels of 100 and of 1000 blocks."""
    return (m("empty_256", 1000 * count) - m("empty_256", 100 * count)) * clock / (900 * count)


def _latencies(m: Measurements) -> Facts:
    """Return the latencies of memories and barriers, and the cycles for which an access occupies a unit."""
    address = m("latency_imad")  # part of every step of a chase through memory
    per_warp = (m("barrier", 32) - m("barrier", 1)) / 31
    return {
        "shared": _whole(m("latency_shared") - address),
        "l1": _whole(m("latency_l1") - address),
        "l2": _whole(m("latency_l2", 4) - address),
        "dram": _whole(m("latency_dram", 2048) - address),
        "constant": _whole(m("latency_constant") - address),
        "barrier": _whole(m("barrier", 1) - per_warp - BARRIER_LOOP),
        "barrier_cycles_per_warp": _whole(per_warp),
        "shared_wavefront_busy": _whole(m("shared_store", 32) / 32),
        "l1_pass_cycles": _whole(m("l1_lines", 32) / 32),
    }


def _l2_facts(m: Measurements, clock: float, count: int) -> Facts:
    """Return the cycles that accesses take in the L2, at its ports and in the queue before it."""
    l2, store_port = _l2_costs(m, clock, count), m("store_lines", 4) / 4
    return {
        "l2_line_cycles": f"{l2.line:.3f}",
        "l2_sector_cycles": f"{l2.sector:.3f}",
        "l2_store_line_cycles": f"{l2.store_line:.3f}",
        "l2_store_cycles": f"{l2.stored:.3f}",
        "l2_partial_store_cycles": f"{l2.partial:.3f}",
        "l2_port_cycles": f"{_sector_cycles(m('l2_read_blocks', 1), clock, 1):.3f}",
        "l2_store_port_cycles": f"{store_port:.3f}",
        "l2_partial_port_cycles": f"{max(0.0, m('store_lines', 32) / 32 - store_port):.3f}",
        "l2_met_store_cycles": f"{max(0.0, m('store_after_load_one', 32)) * clock / 1000:.3f}",
        "memory_queue": _queue(m),
        "l2_spread": _spread(m, "l2_load"),
        "atomic_pass_cycles": f"{8 * clock / 1000 / m('atomic_rate', 32):.3f}",  # a sector of eight words
        "atomic_repeat_cycles": f"{clock / 1000 / m('atomic_rate', 1):.3f}",
        "atomic_float_cycles": f"{clock / 1000 / m('atomic_rate_float', 1):.3f}",
    }


def _dram_facts(m: Measurements, clock: float, count: int) -> Facts:
    """Return how much of its peak DRAM reaches, in a row and scattered, and by how much it is later under load."""
    peak = m("bus") / 8 * m("memory_clock") * 2 / 1000  # GB/s
    read, copy = min(1.0, m("dram_read", 2048) / peak), min(1.0, m("dram_copy", 2048) / peak)
    # A copy moves as much one way as the other: its time is that of its reads and that of its writes.
    write = min(1.0, 1 / max(1.0, 2 / copy - 1 / read))
    in_a_row = peak * write / SECTOR  # thousand millions of sectors a second
    return {
        "dram_queue_cycles": _whole(_dram_queue(m, clock, count, peak * read)),
        "dram_spread": _spread(m, "dram_load"),
        "dram_scattered_reads": _percents([m("read_stride", 64) / m("read_stride", gap) for gap in GAPS]),
        "dram_partial_stores": _percents([in_a_row / m("write_stride", gap) for gap in (SECTOR, *GAPS)]),
        "dram_read_efficiency": f"{read:.3f}",
        "dram_write_efficiency": f"{write:.3f}",
    }


def _spread(m: Measurements, name: str) -> list[int]:
    """Return by how many cycles eighths of the single loads differ from their mean, in order; between the percentiles
    that were measured."""
    percents = sorted(parameter for known, parameter in m.figures if known == name)
    middles = [100 * (k + 0.5) / 8 for k in range(8)]
    cycles = np.interp(middles, percents, [m(name, percent) for percent in percents])
    return [round(float(each)) for each in cycles - cycles.mean()]


def _queue(m: Measurements) -> int:
    """Return how many stores issue before one has to wait until the pipe has served another, and that one."""
    waits = [m("queue_global", k) for k in range(2, 25)]  # the first one comes from a barrier
    return 2 + next((k for k, wait in enumerate(waits) if wait > QUEUE_WAIT), len(waits))


def _dram_queue(m: Measurements, clock: float, count: int, most: float) -> float:
    """Return by how many cycles DRAM is later when it is busy half of the time: by Little's law, from the rate that a
    number of warps reach and the latency that one has alone. ``most`` is the rate that DRAM reaches, in GB/s."""

    def later(name: str, warps: int, size: int) -> float:
        alone, loaded = (size * count * n / m(name, n) * clock / 1000 for n in (1, warps))
        load = min(0.99, m(name, warps) / most)
        return (loaded - alone) * (1 - load) / load

    return (later("dram_read_warps", 64, 128) + later("dram_sectors_warps", 16, 1024)) / 2


class _L2Costs(NamedTuple):
    """Hold the cycles of the L2's bandwidth that a line and each of its sectors take, read and written."""

    line: float
    sector: float
    store_line: float
    stored: float
    partial: float


def _l2_costs(m: Measurements, clock: float, count: int) -> _L2Costs:
    """Separate the cost of a line from that of its sectors, by accesses to one sector of a line and to all four."""
    alone, together = (
        _cycles_each(m("read_random", 8), clock, count),
        _sector_cycles(m.largest("l2_read"), clock, count),
    )
    sector = max(0.0, (4 * together - alone) / 3)
    part = _cycles_each(m("write_random", 8), clock, count)
    parts = _sector_cycles(m.largest("l2_write_sectors"), clock, count)
    partial = max(0.0, (4 * parts - part) / 3)
    store_line = max(0.0, part - partial)
    stored = max(0.0, _sector_cycles(m.largest("l2_write"), clock, count) - store_line / 4)
    return _L2Costs(max(0.0, alone - sector), sector, store_line, stored, partial)


def _whole(cycles: float) -> int:
    return max(1, round(cycles))


def _percents(ratios: list[float]) -> list[int]:
    return [round(100 * max(1.0, ratio)) for ratio in ratios]


def _cycles_each(thousand_millions: float, clock_mhz: float, multiprocessors: int) -> float:
    """Return the cycles that an operation takes on one multiprocessor, from how many all do in a nanosecond."""
    return multiprocessors * clock_mhz / 1000 / thousand_millions


def _sector_cycles(gbps: float, clock_mhz: float, multiprocessors: int) -> float:
    """Return the cycles in which each multiprocessor moves a sector where all together move ``gbps``."""
    return SECTOR * multiprocessors * clock_mhz / 1000 / gbps
