"""Check whether a device can run a launch at all, and say in full what the CUDA runtime would refuse."""

from __future__ import annotations

import math

from warpview.devices import Device, Occupancy, occupancy
from warpview.diagnostics import LaunchError
from warpview.isa.program import Program
from warpview.sim.launch import Dim3

PORTABLE_CLUSTER = 8  # blocks; CUDA C++ Programming Guide, Thread Block Clusters
MOST_BLOCKS = 1 << 26  # a longer list of blocks does not fit into memory, and would take hours


def _check_extents(device: Device, grid: Dim3, block: Dim3) -> None:
    threads = block[0] * block[1] * block[2]
    if threads > device.max_threads_per_block:
        raise LaunchError(
            f"a block of {threads} threads is too large for {device.name}: "
            f"at most {device.max_threads_per_block} threads per block"
        )
    for what, extents, limits in (("block", block, device.max_block_dims), ("grid", grid, device.max_grid_dims)):
        for axis, extent, limit in zip("xyz", extents, limits, strict=True):
            if extent > limit:
                raise LaunchError(f"{what}.{axis} = {extent} is too large for {device.name}: at most {limit}")
    if math.prod(grid) > MOST_BLOCKS:
        raise LaunchError(f"a grid of {math.prod(grid)} blocks is too large to simulate: at most {MOST_BLOCKS}")


def _check_program(program: Program, device: Device, threads: int) -> None:
    if program.minimum_capability > device.capability:
        needed = "{}.{}".format(*program.minimum_capability)
        raise LaunchError(
            f"the kernel {program.kernel} needs compute capability {needed} ({program.capability_reason}); "
            f"{device.name} has {device.version}"
        )
    if program.last_capability < device.capability:
        last = "{}.{}".format(*program.last_capability)
        raise LaunchError(
            f"the kernel {program.kernel} uses {program.last_capability_reason}, which devices of compute capability "
            f"above {last} no longer have; {device.name} has {device.version}"
        )
    if program.max_threads and threads > program.max_threads:
        raise LaunchError(
            f"a block of {threads} threads exceeds __launch_bounds__({program.max_threads}) of {program.kernel}"
        )
    if program.static_shared_bytes > device.shared_per_block:
        raise LaunchError(
            f"the kernel {program.kernel} declares {program.static_shared_bytes} bytes of shared memory; "
            f"{device.name} has at most {device.shared_per_block} for arrays of a fixed size: declare the array "
            "extern __shared__ and give its bytes at the launch (--shared)"
        )
    if program.local_bytes > device.local_bytes_per_thread:
        raise LaunchError(
            f"the kernel {program.kernel} needs {program.local_bytes} bytes of local memory per thread; "
            f"{device.name} has {device.local_bytes_per_thread}"
        )


def check_cluster(device: Device, grid: Dim3, cluster: Dim3) -> None:
    """Raise LaunchError where a device cannot run clusters of so many blocks in each direction."""
    blocks = math.prod(cluster)
    if blocks == 1:
        return
    if not device.largest_cluster:
        raise LaunchError(f"clusters of thread blocks need compute capability 9.0; {device.name} has {device.version}")
    if blocks > device.largest_cluster:
        raise LaunchError(f"a cluster of {blocks} blocks is too large: at most {device.largest_cluster}")
    for axis, extent, size in zip("xyz", grid, cluster, strict=True):
        if extent % size:
            raise LaunchError(f"grid.{axis} = {extent} is no multiple of cluster.{axis} = {size}")


def cluster_of(program: Program, cluster: Dim3 | None) -> Dim3:
    """Return the blocks of a cluster in each direction: what the kernel says (__cluster_dims__), or the launch. Raises
    LaunchError where both do, and differ."""
    if program.cluster is None or cluster is None or cluster == program.cluster:
        return cluster or program.cluster or (1, 1, 1)
    raise LaunchError(f"the kernel {program.kernel} has clusters of {program.cluster} blocks, not {cluster}")


def check_launch(
    program: Program, device: Device, grid: Dim3, block: Dim3, shared_bytes: int, registers: int,
    cluster: Dim3 = (1, 1, 1),
) -> Occupancy:  # fmt: skip
    """Return the occupancy of a launch. Raises LaunchError where the device cannot run it; ``shared_bytes`` is static
    plus dynamic, ``registers`` a thread, ``cluster`` in blocks."""
    threads = block[0] * block[1] * block[2]
    _check_extents(device, grid, block)
    _check_program(program, device, threads)
    check_cluster(device, grid, cluster)
    limit = device.shared_per_block_optin
    if shared_bytes > limit:
        raise LaunchError(
            f"{shared_bytes} bytes of shared memory per block are too much for {device.name}: at most {limit}"
        )
    if registers > device.max_registers_per_thread:
        raise LaunchError(
            f"the kernel {program.kernel} needs {registers} registers per thread; {device.name} has "
            f"{device.max_registers_per_thread}, and NVIDIA's compiler would keep the rest in local memory, which is "
            f"not simulated: set the registers to {device.max_registers_per_thread} to run it without that traffic"
        )
    result = occupancy(
        device, threads=threads, registers=registers, shared_bytes=shared_bytes, barriers=program.barriers
    )
    if result.blocks == 0:
        raise LaunchError(
            f"no block of {threads} threads with {registers} registers per thread and {shared_bytes} bytes of "
            f"shared memory fits on a multiprocessor of {device.name}"
        )
    resident = result.blocks * device.multiprocessors
    if program.synchronises_grid and math.prod(grid) > resident:
        raise LaunchError(
            f"the kernel {program.kernel} synchronises its grid of {math.prod(grid)} blocks, but only {resident} can "
            f"be resident on {device.name} together"
        )
    return result
