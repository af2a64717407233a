"""Implement the queries of the device, its properties and errors."""

from __future__ import annotations

from warpview.frontend.preprocess.preludes import HEAP_VARIABLE
from warpview.host.api.device_properties import most_persisting_bytes, property_values
from warpview.host.channel import HostOrder, Request
from warpview.host.context import CudaFailure, RuntimeContext, Values, answers
from warpview.host.errors import CudaError

# Of cudaLimit.
STACK_SIZE, PRINTF_BYTES, HEAP_BYTES, DEPTH_OF_WAITING, PENDING_LAUNCHES, L2_FETCH_BYTES, L2_PERSISTING_BYTES = range(7)
# Until the program sets others.
LIMITS = {STACK_SIZE: 1024, PRINTF_BYTES: 1 << 20, HEAP_BYTES: 8 << 20, PENDING_LAUNCHES: 2048, L2_FETCH_BYTES: 64}


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
    if limit == L2_PERSISTING_BYTES:
        value = _persisting_bytes(context, value)
    context.limits[limit] = max(value, 16) if limit == HEAP_BYTES else value


def _persisting_bytes(context: RuntimeContext, wanted: int) -> int:
    """Return the part of the L2 that is set aside for persisting accesses where so many bytes are asked for: whole
    sixteenths, as an H200 does."""
    device = context.device
    if device.l2 is None or wanted > most_persisting_bytes(device):
        raise CudaFailure(CudaError.INVALID_VALUE)
    part = device.l2.bytes // 16
    return -(-wanted // part) * part


@answers("get_limit")
def get_limit(context: RuntimeContext, request: Request) -> Values:
    (limit,) = request.values
    if limit == DEPTH_OF_WAITING:  # as CUDA 13 says: kernels cannot wait for kernels that they launch
        raise CudaFailure(CudaError.UNSUPPORTED_LIMIT)
    return [context.limits.get(limit, LIMITS.get(limit, 0))]


@answers("properties")
def properties(context: RuntimeContext, request: Request) -> None:
    device = context.device
    context.order(HostOrder.DONE, property_values(device, context.memory_bytes), device.name.encode())
    raise AnsweredError


class AnsweredError(Exception):
    """The answer was sent already, with bytes."""


@answers("thrust")
def thrust(context: RuntimeContext, request: Request) -> None:
    """Complete pending work before an algorithm of Thrust uses device memory in the host part."""
    context.wait_for(list(context.scheduler.pending.values()))
    block = context.arena.holding(request.values[0])
    if block is not None:
        context.arena.mark_written(block, block.base, block.size)
