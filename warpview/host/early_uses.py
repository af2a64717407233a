"""Let the host part use memory that pending operations use: tell of it, and carry these out where the host polls."""

from __future__ import annotations

from contextlib import suppress

from warpview.host.arena import ON_HOST, MemoryBlock
from warpview.host.channel import HostOrder, SourcePlace
from warpview.host.context import CudaFailure, RuntimeContext
from warpview.host.streams import StreamOperation

POLLED_SECONDS = 0.4  # after which a host that used memory early, and has called nothing since, waits for the device


class EarlyUses:
    """Answer accesses of the host to memory that is kept from it while operations are pending."""

    def __init__(self, context: RuntimeContext) -> None:
        self._context = context
        self._idle: float | None = None  # seconds since the last early use; None: there was none since the last call

    def allow(self, block: MemoryBlock | None, place: SourcePlace) -> bool:
        """Return whether the host may go on after an access to a block that stopped it."""
        context = self._context
        if block is None or block.kind not in ON_HOST:
            return False
        has_come = context.channel.release(HostOrder.PROTECT) > 0  # what kept it from the block is over
        if context.locked.get(block.base):
            self._tell(block, place)
            context.order(HostOrder.PROTECT, (block.base, block.span, 0))
            context.locked[block.base] = 0
            self._idle = 0.0
            return True
        return has_come

    def called(self) -> None:
        """Note that the host has called the runtime, and give it what was kept for it."""
        self._idle = None
        self._context.channel.release()

    def wait(self, seconds: float) -> None:
        """Note that the host has computed for so long by itself. A device carries out what is pending meanwhile, and a
        host that reads its memory in a loop may be waiting for that."""
        if self._idle is None:
            return
        self._idle += seconds
        if self._idle >= POLLED_SECONDS:
            self._idle = None
            with self._context.channel.holding(), suppress(CudaFailure):  # which the next call tells
                self._context.wait_for(self._without_host())

    def _without_host(self) -> list[StreamOperation]:
        """Return the pending operations that can be carried out while the host computes, in their order."""
        if self._context.mirrors:  # registered memory, which the host part copies for each kernel
            return []
        found: list[StreamOperation] = []
        later: set[StreamOperation] = set()
        for operation in self._context.scheduler.pending.values():
            if operation.takes_host or any(before in later for before in operation.after):
                later.add(operation)
            else:
                found.append(operation)
        return found

    def _tell(self, block: MemoryBlock, place: SourcePlace) -> None:
        pending = self._context.scheduler.pending.values()
        users = [op for op in pending if block in op.uses and self._may_use(op, block)]
        if users and not all(op.meets_host() for op in users):
            self._context.find(
                "missing synchronisation",
                f"the host uses '{block.name}' while {users[0].name} of line {users[0].place.line} may still be using "
                "it: synchronise first, with cudaDeviceSynchronize for example",
                place,
            )

    def _may_use(self, operation: StreamOperation, block: MemoryBlock) -> bool:
        """Return whether an operation may access a block: from compute capability 6.0 on the host may use managed
        memory that a running kernel does not access."""
        concurrent = self._context.device.managed_access and block.kind == "managed"
        if not concurrent or operation.kind != "kernel" or operation.accesses is None or operation.meets_host():
            return True
        ranges = operation.accesses()
        return ranges is None or ranges.includes(block.base, block.end)
