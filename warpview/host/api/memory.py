"""Allocate and free memory: cudaMalloc and its like."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from warpview.host.api.pools import DEFAULT_POOL, pool_of
from warpview.host.arena import ALIGNMENT, MemoryBlock
from warpview.host.channel import HostOrder, Request
from warpview.host.context import CudaFailure, RuntimeContext, Values, answers
from warpview.host.errors import CudaError

# The cudaMemoryType of pointers into each kind of memory.
_ON_DEVICE = ("device", "symbol", "constants", "array", "texture", "registered")
POINTER_KINDS = {"pinned": 1, **dict.fromkeys(_ON_DEVICE, 2), "managed": 3}


def _allocate(context: RuntimeContext, size: int, call: str, kind: str = "device") -> MemoryBlock:
    name = context.argument_name(call, f"memory of line {context.place.line}")
    block = context.arena.allocate(size, name, context.place, kind)
    if block is None:
        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
    if kind in ("managed", "pinned"):
        context.order(HostOrder.MAP, (block.base, block.span))
        context.arena.mark_written(block, block.base, block.size)
    return block


@answers("malloc")
def malloc(context: RuntimeContext, request: Request) -> Values:
    size = request.values[0]
    return [_allocate(context, size, "cudaMalloc").base if size else 0]


@answers("malloc_async")
def malloc_async(context: RuntimeContext, request: Request) -> Values:
    """Allocate from a pool, that of the device where none is given."""
    size, handle, pool = request.values
    context.stream(handle)
    chosen = pool_of(context, pool or context.pool or DEFAULT_POOL)
    block = _allocate(context, size, r"cudaMalloc(?:FromPool)?Async")
    chosen.add(block)
    return [block.base]


@answers("malloc_managed")
def malloc_managed(context: RuntimeContext, request: Request) -> Values:
    if not request.values[0]:
        raise CudaFailure(CudaError.INVALID_VALUE)
    return [_allocate(context, request.values[0], "cudaMallocManaged", "managed").base]


@answers("malloc_host")
def malloc_host(context: RuntimeContext, request: Request) -> Values:
    return [_allocate(context, request.values[0], r"cuda(?:MallocHost|HostAlloc)", "pinned").base]


@answers("malloc_pitch")
def malloc_pitch(context: RuntimeContext, request: Request) -> Values:
    width, height = request.values
    pitch = -(-width // ALIGNMENT) * ALIGNMENT
    return [_allocate(context, pitch * height, "cudaMallocPitch").base, pitch]


@answers("host_pointer")
def host_pointer(context: RuntimeContext, request: Request) -> Values:
    pointer = request.values[0]
    block = context.arena.holding(pointer)
    if block is not None and block.kind == "pinned":
        return [pointer]
    for base, size in context.host_memory.items():
        if base <= pointer < base + size:
            return [_mirror(context, base, size).base + pointer - base]
    raise CudaFailure(CudaError.INVALID_VALUE)


def _mirror(context: RuntimeContext, pointer: int, size: int) -> MemoryBlock:
    """Return the device memory that stands for registered memory of the host, which the device cannot address."""
    if pointer not in context.mirrors:
        block = _allocate(context, size, "cudaHostGetDevicePointer", "registered")
        context.arena.mark_written(block, block.base, size)
        context.mirrors[pointer] = block
    return context.mirrors[pointer]


@contextmanager
def registered_memory(context: RuntimeContext) -> Iterator[None]:
    """Let what is executed within see the present contents of registered memory, and the host what it leaves there."""
    for pointer, block in context.mirrors.items():
        context.execute(HostOrder.TO_DEVICE, (block.base, block.size, pointer, block.size, block.size, 1))
    yield
    for pointer, block in context.mirrors.items():
        context.execute(HostOrder.FROM_DEVICE, (pointer, block.size, block.base, block.size, block.size, 1))


def _freed(context: RuntimeContext, pointer: int, kinds: tuple[str, ...], call: str) -> MemoryBlock:
    """Return the allocation that begins at ``pointer``; a finding and an error where none does."""
    block = context.arena.holding(pointer)
    if block is not None and block.base == pointer and block.kind in kinds:
        return block
    once = context.arena.once_held(pointer)
    if once is not None and once.freed is not None:
        where = f"'{once.name}' (line {once.place.line}) was freed in line {once.freed.line} already"
        context.find("double free", f"{call} is given a pointer whose memory {where}")
    elif block is not None and block.kind in kinds:
        context.find("invalid free", f"{call} is given a pointer into '{block.name}', not the one to its start")
    elif block is not None:
        context.find("invalid free", f"{call} cannot free '{block.name}', which is {block.kind} memory")
    else:
        context.find("invalid free", f"{call} is given {pointer:#x}, which no allocation of device memory has given")
    raise CudaFailure(CudaError.INVALID_VALUE)


@answers("free")
def free(context: RuntimeContext, request: Request) -> None:
    """cudaFree waits for the device, as the runtime's does."""
    pointer = request.values[0]
    if not pointer:
        return
    block = _freed(context, pointer, ("device", "managed"), "cudaFree")
    waiting = list(context.scheduler.pending.values())
    context.scheduler.complete(waiting)
    _release(context, block)
    context.wait_for(waiting)


@answers("free_async")
def free_async(context: RuntimeContext, request: Request) -> None:
    pointer, handle = request.values
    stream, block = context.stream(handle), _freed(context, pointer, ("device",), "cudaFreeAsync")
    place = context.place
    context.scheduler.enqueue(stream, "event", "cudaFreeAsync", place, lambda: context.arena.free(block, place))


@answers("free_host")
def free_host(context: RuntimeContext, request: Request) -> None:
    pointer = request.values[0]
    if not pointer:
        return
    block = _freed(context, pointer, ("pinned",), "cudaFreeHost")
    waiting = list(context.scheduler.pending.values())
    context.scheduler.complete(waiting)
    _release(context, block)
    context.wait_for(waiting)


def _release(context: RuntimeContext, block: MemoryBlock) -> None:
    if block.kind in ("managed", "pinned"):
        context.order(HostOrder.UNMAP, (block.base, block.span))
        context.locked.pop(block.base, None)
        context.advice.pop(block.base, None)
    context.arena.free(block, context.place)


@answers("host_register")
def host_register(context: RuntimeContext, request: Request) -> None:
    pointer, size = request.values
    if pointer in context.host_memory:
        raise CudaFailure(CudaError.HOST_MEMORY_ALREADY_REGISTERED)
    context.host_memory[pointer] = size


@answers("host_unregister")
def host_unregister(context: RuntimeContext, request: Request) -> None:
    pointer = request.values[0]
    if pointer not in context.host_memory:
        raise CudaFailure(CudaError.HOST_MEMORY_NOT_REGISTERED)
    waiting = list(context.scheduler.pending.values())
    context.wait_for(waiting)
    del context.host_memory[pointer]
    if (block := context.mirrors.pop(pointer, None)) is not None:
        context.arena.free(block, context.place)


@answers("pointer_attributes")
def pointer_attributes(context: RuntimeContext, request: Request) -> Values:
    (pointer,) = request.values
    if any(begin <= pointer < begin + size for begin, size in context.host_memory.items()):
        return [POINTER_KINDS["pinned"]]
    block = context.arena.holding(pointer)
    return [0 if block is None else POINTER_KINDS[block.kind]]


@answers("mem_info")
def mem_info(context: RuntimeContext, request: Request) -> Values:
    return [context.arena.capacity - context.arena.used, context.memory_bytes]


@answers("symbol")
def symbol(context: RuntimeContext, request: Request) -> None:
    """Register a variable of the device, before ``main``."""
    from warpview.host.context import Symbol

    shadow, size, kind = request.values
    unit, name = request.texts()[:2]
    if kind == 2 and (managed := context.arena.holding(shadow)) is not None:
        managed.name, managed.kept = name, True
        context.symbols[shadow] = Symbol(name, unit, False, managed)
        return
    block = context.arena.allocate(size, name, context.place, "symbol")
    if block is None:
        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
    context.arena.mark_written(block, block.base, size)
    context.execute(HostOrder.TO_DEVICE, (block.base, size, shadow, size, size, 1))
    context.symbols[shadow] = Symbol(name, unit, kind == 1, block)


@answers("symbol_address")
def symbol_address(context: RuntimeContext, request: Request) -> Values:
    known = context.symbols.get(request.values[0])
    if known is None:
        raise CudaFailure(CudaError.INVALID_SYMBOL)
    return [known.block.base, known.block.size]
