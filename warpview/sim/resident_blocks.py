"""Compute how many blocks are on a multiprocessor at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device, clusters_at_once, occupancy
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Launch, waits_for_blocks


def resident_blocks(program: Program, device: Device, launch: Launch, sm: SmOptions) -> int:
    """Return the resident blocks of a launch: whole clusters of them, but for an estimate, which follows one block of
    each. Raises LaunchError if none fits."""
    blocks = occupancy(
        device,
        threads=launch.threads,
        registers=sm.registers_per_thread or program.registers_per_thread,
        shared_bytes=shared_of_block(program, launch, sm),
        barriers=program.barriers,
    ).blocks
    if blocks == 0:
        raise LaunchError(f"not one block of this launch fits on a multiprocessor of {device.name}")
    size = 1 if sm.estimate else launch.cluster_blocks
    if blocks < size:
        raise LaunchError(
            f"a cluster of {program.kernel} has {size} blocks. It is stepped through where they fit on one "
            f"multiprocessor together: {blocks} do on {device.name}. The engine 'profile' runs the launch"
        )
    return blocks - blocks % size


def shared_of_block(program: Program, launch: Launch, sm: SmOptions) -> int:
    """Return the bytes of shared memory of a block, as the kernel is launched or as the options have it."""
    asked = program.static_shared_bytes + launch.dynamic_shared_bytes
    return asked if sm.shared_bytes is None else sm.shared_bytes


def spread_over(device: Device, launch: Launch, resident: int) -> int:
    """Return over how many multiprocessors the clusters of a launch are spread: a cluster has a multiprocessor for each
    of its blocks, and none has one more block before the device holds no further cluster with as many as there are;
    without clusters over all."""
    size = launch.cluster_blocks
    if size == 1:
        return device.multiprocessors
    clusters = launch.n_blocks // size
    full = [each for each in range(1, resident + 1) if 0 < clusters_at_once(device, each, size) <= clusters] or [1]
    return max(1, min(device.multiprocessors, clusters_at_once(device, full[-1], size) * size // full[-1]))


def evenly(launch: Launch, spread: int) -> tuple[int, float]:
    """Return on how many multiprocessors the blocks of a launch would be if each had as many as the one with most of
    the ``spread`` that have them: of what all share, the caches and the bandwidth of memory, that one has as large a
    part as if there were no more. And how many have one block less, for each with as many."""
    most = -(-launch.n_blocks // spread)
    fewer = most * spread - launch.n_blocks
    return max(1, round(launch.n_blocks / most)), fewer / (spread - fewer) if most > 1 else 0.0


class FollowedBlocks(NamedTuple):
    """Hold the blocks that the cycle-level engine follows, those of one multiprocessor, int64[blocks]. An estimate
    follows the one with most blocks: ``n_own`` of them, where it is known beforehand; ``n_busy`` multiprocessors with
    as many would hold the launch; ``one_less`` have one block less, for each with as many."""

    blocks: NDArray[np.int64]
    n_own: int | None
    n_busy: int
    one_less: float = 0.0


def blocks_followed(
    program: Program, device: Device, launch: Launch, sm: SmOptions, resident: int, slowest: Callable[[int], list[int]]
) -> FollowedBlocks:
    """Return the blocks that the cycle-level engine follows; ``slowest`` tells those of the multiprocessor that ends
    last, of so many ``resident`` blocks."""
    if sm.estimate and waits_for_blocks(program, launch):
        spread = spread_over(device, launch, resident)
        own = launch.clusters().ravel()[::spread]
        return FollowedBlocks(own, len(own), *evenly(launch, spread))
    if sm.estimate and (blocks := slowest(resident)):
        return FollowedBlocks(np.array(blocks, dtype=np.int64), len(blocks), launch.n_blocks)
    blocks = blocks_of(program, device, launch, sm, resident)
    return FollowedBlocks(np.array(blocks, dtype=np.int64), None, launch.n_blocks)


def blocks_of(program: Program, device: Device, launch: Launch, sm: SmOptions, resident: int) -> list[int]:
    """Return the blocks of the multiprocessor that the options name, on which the blocks of a cluster are together.

    Of a launch that synchronises its grid they are all blocks, taken to be on one multiprocessor together. Raises
    LaunchError where they do not fit on it.
    """
    if not program.synchronises_grid:
        own: list[int] = launch.clusters()[sm.multiprocessor :: device.multiprocessors].ravel().tolist()
        limit = sm.block_limit
        return own if limit is None else own[: max(1, limit // launch.cluster_blocks) * launch.cluster_blocks]
    if launch.n_blocks > resident:
        raise LaunchError(
            f"the kernel {program.kernel} synchronises its grid of {launch.n_blocks} blocks. It is stepped through "
            f"where all fit on one multiprocessor: {resident} blocks on {device.name}. The engine 'profile' "
            "runs all of it"
        )
    together: list[int] = launch.clusters().ravel().tolist()
    return together
