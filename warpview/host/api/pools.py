"""Implement pools of memory that streams allocate from: cudaMemPoolCreate, cudaMallocFromPoolAsync and their like."""

from __future__ import annotations

from warpview.host.channel import Request
from warpview.host.context import CudaFailure, MemoryPool, RuntimeContext, Values, answers
from warpview.host.errors import CudaError

DEFAULT_POOL = 1  # its handle
# Of cudaMemPoolAttr; the three before them are flags.
RELEASE_THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = range(4, 9)


def pool_of(context: RuntimeContext, handle: int) -> MemoryPool:
    """Return the pool of a handle. Raise CudaFailure where there is none."""
    if handle == DEFAULT_POOL:
        context.pools.setdefault(DEFAULT_POOL, MemoryPool())
    if handle not in context.pools:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return context.pools[handle]


def _check_device(number: int) -> None:
    if number != 0:
        raise CudaFailure(CudaError.INVALID_DEVICE)


@answers("pool_default")
def pool_default(context: RuntimeContext, request: Request) -> Values:
    _check_device(request.values[0])
    return [DEFAULT_POOL]


@answers("pool_of_device")
def pool_of_device(context: RuntimeContext, request: Request) -> Values:
    _check_device(request.values[0])
    return [context.pool or DEFAULT_POOL]


@answers("pool_choose")
def pool_choose(context: RuntimeContext, request: Request) -> None:
    device, handle = request.values
    _check_device(device)
    pool_of(context, handle)
    context.pool = handle


@answers("pool_create")
def pool_create(context: RuntimeContext, request: Request) -> Values:
    _check_device(request.values[0])
    handle = max([DEFAULT_POOL, *context.pools]) + 1
    context.pools[handle] = MemoryPool()
    return [handle]


@answers("pool_destroy")
def pool_destroy(context: RuntimeContext, request: Request) -> None:
    """Destroy a pool that the program made; a device that used it goes back to its default pool."""
    (handle,) = request.values
    pool_of(context, handle)
    if handle == DEFAULT_POOL:
        raise CudaFailure(CudaError.INVALID_VALUE)
    del context.pools[handle]
    if context.pool == handle:
        context.pool = DEFAULT_POOL


@answers("pool_trim")
def pool_trim(context: RuntimeContext, request: Request) -> None:
    handle, kept = request.values
    pool = pool_of(context, handle)
    pool.reserved = max(pool.used, min(pool.reserved, kept))


@answers("pool_set")
def pool_set(context: RuntimeContext, request: Request) -> None:
    """Set an attribute; the highest values can only be set to 0, which starts them anew."""
    handle, attribute, value = request.values
    pool = pool_of(context, handle)
    if attribute in (RESERVED, USED) or (attribute in (RESERVED_HIGH, USED_HIGH) and value):
        raise CudaFailure(CudaError.INVALID_VALUE)
    if attribute == USED_HIGH:
        pool.used_high = pool.used
    elif attribute == RESERVED_HIGH:
        pool.reserved_high = pool.reserved
    else:
        pool.attributes[attribute] = value


@answers("pool_get")
def pool_get(context: RuntimeContext, request: Request) -> Values:
    handle, attribute = request.values
    pool = pool_of(context, handle)
    counted = {RESERVED: pool.reserved, RESERVED_HIGH: pool.reserved_high, USED: pool.used, USED_HIGH: pool.used_high}
    standard = 0 if attribute == RELEASE_THRESHOLD else 1
    return [counted.get(attribute, pool.attributes.get(attribute, standard))]
