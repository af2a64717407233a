"""Estimate how much slower memory is when accesses are spread unevenly over its units.

G80 and GT200 stripe memory over partitions: a wave, the blocks that are on the device at once, runs in step, more or
less, and takes as long as its busiest partition takes to move its share ("partition camping": G. Ruetsch, P.
Micikevicius, "Optimizing Matrix Transpose in CUDA"). Later devices hash the address, and traffic is even.

Stores reach a partition through its raster operation units, which write four pixels of 32 bits in a cycle of the core
clock (NVIDIA, "GeForce 8800 GPU Architecture Overview", TB-02787-001; E. Lindholm et al., "NVIDIA Tesla: A Unified
Graphics and Computing Architecture"): half of what its memory could take up, which shows where one partition has all.

Atomics are carried out in the slices of the L2, one pass after the other in each. On an H200 1 KiB lies in two slices,
of which each has every other 256 bytes, and 4 KiB in eight: measured as the rate of additions at few words at different
distances (tests/truth/adds_h200.csv). An addition of floats makes the next one to its line wait, if that comes at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.sim.rules.coalescing import LINE

PARTITION_STRIPE = 256  # bytes
LINES_OF_SLICE = 16  # told apart, by a hash
MIXING = 40503  # 2 ** 16 over the golden ratio
WAVES_LOOKED_AT = 3


def partition_of(address: int, device: Device) -> int | None:
    """Return the partition that holds an address; None where the device hashes addresses (CC 2.0 and later)."""
    return address // PARTITION_STRIPE % device.memory_partitions if device.memory_partitions else None


def line_of_slice(address: int, slices: int) -> int:
    """Return the slice of the L2, of so many, that carries out atomics on an address, times LINES_OF_SLICE, plus a hash
    of the line. The hash that says the slice is ours, as NVIDIA's is not published: of some hundred of its kind it
    agrees best with the times of additions (adds_h200.csv)."""
    kib, line = address >> 10, address // LINE
    pair, half = kib ^ kib >> 4 ^ kib >> 5 ^ kib >> 10, (address >> 8 ^ kib >> 7) & 1
    return (2 * pair + half) % slices * LINES_OF_SLICE + (line * MIXING >> 12) % LINES_OF_SLICE


def sampled_waves(n_blocks: int, at_once: int) -> list[range]:
    """Return some of the waves of ``at_once`` blocks in which a launch runs: blocks are handed out by their number."""
    starts = range(0, n_blocks, at_once)
    chosen = sorted({round(k) for k in np.linspace(0, len(starts) - 1, min(WAVES_LOOKED_AT, len(starts)))})
    return [range(starts[k], min(n_blocks, starts[k] + at_once)) for k in chosen]


class PartitionImbalance(NamedTuple):
    """Partition imbalance is the time that accesses take over the time they would take if spread evenly: of each
    instruction, float64[instructions], and of all together by what the units themselves have to do; None where there
    are none."""

    by_instruction: NDArray[np.float64]
    mean: float | None


def partition_imbalance(
    waves: Sequence[NDArray[np.int64]], busy: Sequence[float], port: NDArray[np.float64] | None = None
) -> PartitionImbalance:
    """Return by how much the accesses of some waves are slowed down by units with more work than others.

    ``waves`` are int64[instructions, units], what each wave has for each unit, ``busy`` the part (0 to 1) of the
    device's multiprocessors that has a block of the wave: where few ask, each has a larger share of a unit's time.
    ``port`` is the time of the way into a unit, in times of that of the unit itself, by instruction.
    """
    ways = np.zeros(len(waves[0])) if port is None else port
    time = np.zeros(len(waves[0]))
    work = np.zeros(len(waves[0]), dtype=np.int64)
    for traffic, part in zip(waves, busy, strict=True):
        time += traffic.sum(axis=1) + _delays(traffic, part, ways)
        work += traffic.sum(axis=1)
    by_instruction = np.divide(time, work, out=np.ones(len(time)), where=work > 0)
    crowded = sum(_delay(traffic.sum(axis=0), part) for traffic, part in zip(waves, busy, strict=True))
    return PartitionImbalance(by_instruction, float(1 + crowded / work.sum()) if work.any() else None)


def same_line(waves: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return how often an atomic comes to a slice right behind one at the same line, float64[instructions], where those
    of all multiprocessors come in any order. ``waves`` are int64[instructions, slices, LINES_OF_SLICE]."""
    met, work = np.zeros(len(waves[0])), np.zeros(len(waves[0]))
    for wave in waves:
        lines, of_slice = wave.sum(axis=0), wave.sum(axis=2)
        share = lines / np.maximum(1, lines.sum(axis=1, keepdims=True))
        chance = (np.square(share).sum(axis=1) - 1 / LINES_OF_SLICE) / (1 - 1 / LINES_OF_SLICE)
        met += of_slice @ np.maximum(0.0, chance)
        work += of_slice.sum(axis=1)
    return np.divide(met, work, out=np.zeros(len(met)), where=work > 0)


def _delays(traffic: NDArray[np.int64], busy: float, port: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the busiest unit adds to a wave, by instruction: to each in proportion to what it would be alone.
    (Several that crowd on different units get in nobody's way.)"""
    sent = traffic * port[:, None]
    alone = _delay(traffic, busy, sent)
    together = _delay(traffic.sum(axis=0), busy, sent.sum(axis=0))
    return alone * (together / alone.sum()) if together else np.zeros(len(traffic))


def _delay(traffic: NDArray[np.int64], busy: float, sent: NDArray[np.float64] | int = 0) -> NDArray[np.float64]:
    """Return by how much the busiest unit, or the way into it, is later than one that has as much as all others."""
    late = np.maximum(traffic, sent).max(axis=-1) * traffic.shape[-1] * busy - traffic.sum(axis=-1)
    return np.asarray(np.maximum(0.0, late))
