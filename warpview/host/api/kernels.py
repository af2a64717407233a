"""Implement launches, and queries of the attributes and the occupancy of kernels."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import partial

from warpview.devices import clusters_at_once, occupancy
from warpview.diagnostics import LaunchError
from warpview.host.arena import ON_HOST
from warpview.host.channel import Request
from warpview.host.context import CudaFailure, KernelFunction, RuntimeContext, Values, answers
from warpview.host.errors import CudaError
from warpview.host.launching import PendingLaunch, kernel_program, used_blocks
from warpview.isa.ops import MemoryScope, Op
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES
from warpview.sim.launch import Dim3
from warpview.sim.launch_check import PORTABLE_CLUSTER, check_cluster

MAX_DYNAMIC_SHARED = 8  # cudaFuncAttributeMaxDynamicSharedMemorySize
NON_PORTABLE_CLUSTERS = 14  # cudaFuncAttributeNonPortableClusterSizeAllowed


@answers("kernel")
def kernel(context: RuntimeContext, request: Request) -> Values:
    """Register a kernel, at its first launch."""
    from pathlib import Path

    unit, name, signature, *arguments = request.texts()
    full = (f"{name}<{', '.join(arguments)}>" if arguments else name) + signature
    known = next((k for k, other in enumerate(context.kernels) if (str(other.unit), other.name) == (unit, full)), None)
    if known is not None:
        return [known]
    context.kernels.append(KernelFunction(Path(unit), full, context.device.shared_per_block))
    return [len(context.kernels) - 1]


def _function(context: RuntimeContext, number: int) -> KernelFunction:
    if number >= len(context.kernels):
        raise CudaFailure(CudaError.INVALID_DEVICE_FUNCTION)
    return context.kernels[number]


@answers("launch")
def launch(context: RuntimeContext, request: Request) -> None:
    number, *extents, shared, handle, cooperative = request.values[:10]
    function = _function(context, number)
    stream = context.stream(handle)
    grid: Dim3 = (extents[0], extents[1], extents[2])
    block: Dim3 = (extents[3], extents[4], extents[5])
    _check_configuration(context, function, grid, block)
    program = kernel_program(context, function)
    _check_resources(context, function, program.static_shared_bytes, shared)
    cluster = _cluster(context, function, program, grid, request.values[10:])
    used = occupancy(
        context.device, threads=block[0] * block[1] * block[2], registers=program.registers_per_thread,
        shared_bytes=program.static_shared_bytes + shared, barriers=program.barriers,
    )  # fmt: skip
    if not used.blocks or (program.max_threads and block[0] * block[1] * block[2] > program.max_threads):
        raise CudaFailure(CudaError.LAUNCH_OUT_OF_RESOURCES)
    n_blocks, resident = grid[0] * grid[1] * grid[2], used.blocks * context.device.multiprocessors
    if program.synchronises_grid and not cooperative:
        context.find(
            "cooperative launch",
            f"{function.name} calls grid.sync(): launch it with cudaLaunchCooperativeKernel, not with <<<...>>>",
        )
        raise CudaFailure(CudaError.LAUNCH_FAILURE)
    if cooperative and n_blocks > resident:
        context.find("cooperative launch", f"{n_blocks} blocks cannot be resident together: at most {resident}")
        raise CudaFailure(CudaError.COOPERATIVE_LAUNCH_TOO_LARGE)
    arguments = _arguments(request.data)
    work = PendingLaunch(
        function, program, grid, block, shared, arguments, stream.number, context.place, (context.issued,), cluster
    )
    context.issued += 1
    blocks = [b for b in used_blocks(context, program, arguments) if b.kind in ON_HOST]
    blocks += [b for b in context.arena.blocks if b.kind == "managed" and b not in blocks]
    operation = context.scheduler.enqueue(
        stream, "kernel", function.name, context.place, lambda: None, issued_us=context.host_us,
        share=min(1.0, n_blocks / resident), uses=tuple(blocks), writes=True, meets_host=partial(_meets_host, program),
    )  # fmt: skip
    operation.run = partial(work.execute, context, operation)
    operation.accesses = partial(work.accesses, context)
    context.lock_memory()


def _meets_host(program: Program) -> bool:
    """Return whether a kernel has what orders its accesses with those of the host: fences, atomics and relaxed
    accesses with the scope of the system, volatile loads of global memory."""
    return any(
        MemoryScope.SYSTEM in (instruction.scope, instruction.mod if instruction.op == Op.MEMBAR else None)
        or (instruction.op == Op.LD and not instruction.cached and instruction.space in GLOBAL_SPACES)
        for instruction in program.instructions
    )


def _arguments(data: bytes) -> tuple[bytes, ...]:
    parts, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        if size:  # an object of an empty class is no parameter of the program
            parts.append(data[at + 8 : at + 8 + size])
        at += 8 + size
    return tuple(parts)


def _check_configuration(context: RuntimeContext, function: KernelFunction, grid: Dim3, block: Dim3) -> None:
    """Refuse a launch configuration that the runtime refuses for every kernel."""
    device = context.device
    threads = block[0] * block[1] * block[2]
    reason = ""
    if not all(grid) or not all(block):
        reason = f"a launch needs at least one block and one thread, not grid {_dims(grid)}, block {_dims(block)}"
    elif threads > device.max_threads_per_block:
        reason = f"a block of {threads} threads is too large: at most {device.max_threads_per_block} on {device.name}"
    for what, extents, limits in (("grid", grid, device.max_grid_dims), ("block", block, device.max_block_dims)):
        for axis, extent, limit in zip("xyz", extents, limits, strict=True):
            if not reason and extent > limit:
                reason = f"{what}.{axis} = {extent} is too large: at most {limit} on {device.name}"
    if reason:
        context.find("invalid configuration", f"{function.name} does not start: {reason}")
        raise CudaFailure(CudaError.INVALID_VALUE)  # as CUDA 13 says (tests/host/h200_outputs.json)


def _dims(extents: Dim3) -> str:
    return "x".join(map(str, extents))


def _cluster(
    context: RuntimeContext, function: KernelFunction, program: Program, grid: Dim3, given: Sequence[int]
) -> Dim3 | None:
    """Return the clusters that a launch asks for, None where it does not. Refuses those that cannot be."""
    asked: Dim3 | None = (given[0], given[1], given[2]) if all(given) else None
    reason, chosen = "", asked or program.cluster or (1, 1, 1)
    if program.cluster is not None and asked not in (None, program.cluster):
        reason = f"the kernel has clusters of {_dims(program.cluster)} blocks, not {_dims(chosen)}"
    elif math.prod(chosen) > function.largest_cluster:
        allowed = (
            "; up to 16 with cudaFuncAttributeNonPortableClusterSizeAllowed" if function.largest_cluster < 16 else ""
        )
        reason = f"{math.prod(chosen)} blocks are too many for a cluster: at most {function.largest_cluster}{allowed}"
    else:
        try:
            check_cluster(context.device, grid, chosen)
        except LaunchError as error:
            reason = str(error)
    if reason:
        context.find("invalid cluster", f"{function.name} does not start: {reason}")
        raise CudaFailure(CudaError.INVALID_CLUSTER_SIZE)
    return asked


def _check_resources(context: RuntimeContext, function: KernelFunction, static: int, shared: int) -> None:
    if static + shared <= max(function.max_dynamic_shared, context.device.shared_per_block):
        return
    most = context.device.shared_per_block
    hint = " (cudaFuncSetAttribute allows more)" if context.device.shared_per_block_optin >= static + shared else ""
    context.find(
        "too much shared memory",
        f"{function.name} does not start: {static + shared} bytes a block, at most {most}{hint}",
    )
    raise CudaFailure(CudaError.INVALID_VALUE)


# ------------------------------------------------------------------------------------------------ what is asked of one
@answers("function_attribute")
def function_attribute(context: RuntimeContext, request: Request) -> None:
    number, attribute, value = request.values
    function = _function(context, number)
    if attribute == MAX_DYNAMIC_SHARED:
        if value > context.device.shared_per_block_optin:
            raise CudaFailure(CudaError.INVALID_VALUE)
        function.max_dynamic_shared = max(context.device.shared_per_block, value)
    elif attribute == NON_PORTABLE_CLUSTERS:
        function.largest_cluster = max(PORTABLE_CLUSTER, context.device.largest_cluster if value else 0)


@answers("function_attributes")
def function_attributes(context: RuntimeContext, request: Request) -> Values:
    function = _function(context, request.values[0])
    program = kernel_program(context, function)
    limit = program.max_threads or _largest_block(context, program)
    major, minor = context.device.capability
    return [
        program.static_shared_bytes, len(program.constant_bytes), program.local_bytes, limit,
        program.registers_per_thread, 10 * major + minor, function.max_dynamic_shared - program.static_shared_bytes,
    ]  # fmt: skip


def _largest_block(context: RuntimeContext, program: Program) -> int:
    """Return the threads of the largest block whose registers a multiprocessor has."""
    sizes = range(context.device.max_threads_per_block, 0, -32)
    fitting = (t for t in sizes if occupancy(context.device, threads=t, registers=program.registers_per_thread).blocks)
    return next(fitting, 0)


@answers("occupancy")
def resident_blocks(context: RuntimeContext, request: Request) -> Values:
    number, threads, shared = request.values
    return [_resident(context, _function(context, number), threads, shared)]


def _resident(context: RuntimeContext, function: KernelFunction, threads: int, shared: int) -> int:
    if not 0 < threads <= context.device.max_threads_per_block:
        raise CudaFailure(CudaError.INVALID_VALUE)
    program = kernel_program(context, function)
    found = occupancy(
        context.device, threads=threads, registers=program.registers_per_thread,
        shared_bytes=program.static_shared_bytes + shared, barriers=program.barriers,
    )  # fmt: skip
    return found.blocks


@answers("active_clusters")
def active_clusters(context: RuntimeContext, request: Request) -> Values:
    number, threads, shared, *given = request.values
    function = _function(context, number)
    asked: Dim3 | None = (given[0], given[1], given[2]) if all(given) else None
    cluster = asked or kernel_program(context, function).cluster or (1, 1, 1)
    size = math.prod(cluster)
    try:
        check_cluster(context.device, cluster, cluster)
    except LaunchError:
        raise CudaFailure(CudaError.INVALID_CLUSTER_SIZE) from None
    if size > function.largest_cluster:
        raise CudaFailure(CudaError.INVALID_CLUSTER_SIZE)
    return [clusters_at_once(context.device, _resident(context, function, threads, shared), size)]


@answers("largest_cluster")
def largest_cluster(context: RuntimeContext, request: Request) -> Values:
    """Return the blocks of the largest cluster of which one fits on the device."""
    number, threads, shared = request.values
    function = _function(context, number)
    resident, sizes = _resident(context, function, threads, shared), (16, 8, 4, 2, 1)
    fitting = (size for size in sizes if size <= function.largest_cluster)
    return [next(size for size in fitting if clusters_at_once(context.device, resident, size) or size == 1)]


@answers("best_block_size")
def best_block_size(context: RuntimeContext, request: Request) -> Values:
    """Return the largest block size that gives the highest occupancy, and the blocks that fill the device with it."""
    number, shared, limit = request.values
    function = _function(context, number)
    most = kernel_program(context, function).max_threads or context.device.max_threads_per_block
    sizes = range(32, min(most, limit or most) + 1, 32)
    best = max(reversed(sizes), key=lambda threads: threads * _resident(context, function, threads, shared))
    return [_resident(context, function, best, shared) * context.device.multiprocessors, best]
