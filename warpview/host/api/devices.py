"""Implement the queries of the device, its properties and errors."""

from __future__ import annotations

from warpview.devices import Device
from warpview.frontend.preprocess.preludes import HEAP_VARIABLE
from warpview.host.channel import HostOrder, Request
from warpview.host.context import CudaFailure, RuntimeContext, Values, answers
from warpview.host.errors import CudaError

STACK_SIZE, PRINTF_BYTES, HEAP_BYTES, DEPTH_OF_WAITING, PENDING_LAUNCHES = range(5)  # of cudaLimit
# Until the program sets others.
LIMITS = {STACK_SIZE: 1024, PRINTF_BYTES: 1 << 20, HEAP_BYTES: 8 << 20, PENDING_LAUNCHES: 2048}


@answers("last_error")
def last_error(context: RuntimeContext, request: Request) -> None:
    """Answer cudaGetLastError (which clears it, unless nothing works any more) and cudaPeekAtLastError."""
    code = context.sticky or context.last_error
    if request.values[0]:
        context.last_error = CudaError.SUCCESS
    context.unasked = None
    if code:
        raise CudaFailure(code)


@answers("error_told")
def error_told(context: RuntimeContext, request: Request) -> None:
    """Note that the program has an error put into words, by cudaGetErrorString or cudaGetErrorName: it looked at it."""
    if context.unasked is not None and context.unasked.code == request.values[0]:
        context.unasked = None


@answers("refuse")
def refuse(context: RuntimeContext, request: Request) -> None:
    """Report an error that the host part found itself."""
    raise CudaFailure(CudaError(request.values[0]))


@answers("device_count")
def device_count(context: RuntimeContext, request: Request) -> Values:
    return [1]


@answers("get_device")
def get_device(context: RuntimeContext, request: Request) -> Values:
    return [0]


@answers("set_device")
def set_device(context: RuntimeContext, request: Request) -> None:
    if request.values[0] != 0:
        raise CudaFailure(CudaError.INVALID_DEVICE)


answers("check_device")(set_device)


@answers("device_reset")
def device_reset(context: RuntimeContext, request: Request) -> None:
    """Free everything on the device, which is no leak."""
    context.scheduler.complete_all()
    own = list(context.own_variables.values())
    for block in context.arena.blocks:
        if block.kind in ("device", "array", "texture") or block in own:
            context.arena.free(block, context.place)
    context.own_variables.clear()
    context.sticky = context.last_error = CudaError.SUCCESS


@answers("device_only")
def device_only(context: RuntimeContext, request: Request) -> None:
    name = request.texts()[0]
    context.find("device code on the host", f"the host calls '{name}', which is only for the device")


@answers("set_limit")
def set_limit(context: RuntimeContext, request: Request) -> None:
    limit, value = request.values
    if limit == HEAP_BYTES and HEAP_VARIABLE in context.own_variables:  # its kernels run with the heap that there is
        raise CudaFailure(CudaError.INVALID_VALUE)
    context.limits[limit] = max(value, 16) if limit == HEAP_BYTES else value


@answers("get_limit")
def get_limit(context: RuntimeContext, request: Request) -> Values:
    (limit,) = request.values
    if limit == DEPTH_OF_WAITING:  # as CUDA 13 says: kernels cannot wait for kernels that they launch
        raise CudaFailure(CudaError.UNSUPPORTED_LIMIT)
    return [context.limits.get(limit, LIMITS.get(limit, 0))]


@answers("properties")
def properties(context: RuntimeContext, request: Request) -> Values:
    device = context.device
    numbers = device_properties(device, context.arena.capacity)
    context.order(HostOrder.DONE, (*numbers, *device.max_block_dims, *device.max_grid_dims), device.name.encode())
    raise AnsweredError


class AnsweredError(Exception):
    """The answer was sent already, with bytes."""


def device_properties(device: Device, memory_bytes: int) -> list[int]:
    """Return the numbers of cudaDeviceProp in the order of WV_DEVICE_PROPERTIES (include/driver_types.h)."""
    major, minor = device.capability
    values = {
        "totalGlobalMem": memory_bytes,
        "sharedMemPerBlock": device.shared_per_block,
        "regsPerBlock": device.registers_per_block,
        "warpSize": 32,
        "memPitch": (1 << 31) - 1,
        "maxThreadsPerBlock": device.max_threads_per_block,
        "clockRate": round(device.clock_mhz * 1000),
        "totalConstMem": device.constant_bytes,
        "major": major,
        "minor": minor,
        "textureAlignment": 512,
        "deviceOverlap": 1,
        "multiProcessorCount": device.multiprocessors,
        "kernelExecTimeoutEnabled": 0,
        "integrated": 0,
        "canMapHostMemory": 1,
        "computeMode": 0,
        "concurrentKernels": int(major >= 2),
        "ECCEnabled": 0,
        "pciBusID": 1,
        "pciDeviceID": 0,
        "pciDomainID": 0,
        "asyncEngineCount": 2 if major >= 2 else 1,
        "unifiedAddressing": 1,
        "memoryClockRate": round(device.memory_gtps * 1e6 / 2),
        "memoryBusWidth": device.bus_bits,
        "l2CacheSize": device.l2.bytes if device.l2 is not None else 0,
        "persistingL2CacheMaxSize": 0,
        "maxThreadsPerMultiProcessor": device.max_threads,
        "streamPrioritiesSupported": 1,
        "globalL1CacheSupported": int(device.l1_caches_global),
        "localL1CacheSupported": int(device.l1 is not None),
        "sharedMemPerMultiprocessor": device.shared_bytes,
        "regsPerMultiprocessor": device.registers,
        "managedMemory": 1,
        "isMultiGpuBoard": 0,
        "pageableMemoryAccess": 0,
        "concurrentManagedAccess": int(device.managed_access),
        "cooperativeLaunch": int(major >= 6),
        "sharedMemPerBlockOptin": device.shared_per_block_optin,
        "maxBlocksPerMultiProcessor": device.max_blocks,
        "reservedSharedMemPerBlock": device.shared_reserved,
        "memoryPoolsSupported": int(major >= 6),
        "clusterLaunch": int(major >= 9),
    }
    return list(values.values())


@answers("thrust")
def thrust(context: RuntimeContext, request: Request) -> None:
    """Complete pending work before an algorithm of Thrust uses device memory in the host part."""
    context.wait_for(list(context.scheduler.pending.values()))
    block = context.arena.holding(request.values[0])
    if block is not None:
        context.arena.mark_written(block, block.base, block.size)
