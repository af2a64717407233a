"""Model when the operations of a program take place on the device, by its bus and its engines.

The clock of the host counts calls, not what the program computes between them: a gap on the timeline is one that
calls and waiting make.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.devices import Device
from warpview.host.streams import StreamOperation

# Measured on an H200 (PCI Express 5.0, driver 580.159): microseconds of the host for a launch and for other calls that
# reach the device, of an empty kernel, until a copy begins to move bytes; and the share of the bus's rate that copies
# of 16 MiB reach from page-locked and from pageable memory.
LAUNCH_CALL_US, CALL_US = 4.5, 1.0
KERNEL_US = 2.2
COPY_US = 2.3
PINNED, PAGEABLE = 0.88, 0.19

_LANES = ("copy to device", "copy from device")


def copy_us(device: Device, kind: str, size: int, pinned: bool) -> float:
    """Return the time that a copy or a fill of ``size`` bytes takes."""
    if kind in _LANES:
        return COPY_US + size / (1000 * device.bus_gbps * (PINNED if pinned else PAGEABLE))
    passes = 1 if kind == "memset" else 2
    return COPY_US + passes * size / (1000 * device.dram_gbps)


class Timeline:
    """Give operations their start and end: after all that they wait for, and when their engine is free.

    There is one engine for copies in each direction; kernels run together as far as they fit on the device.
    """

    def __init__(self, operations: Sequence[StreamOperation]) -> None:
        self._operations = operations
        self._seen = 0
        self._waiting: list[StreamOperation] = []  # handed over, but not carried out yet
        self._free = dict.fromkeys(_LANES, 0.0)
        self._running: list[tuple[float, float]] = []  # end and share of the device of each kernel

    def update(self) -> None:
        """Place the operations that were carried out since the last call, in the order in which they were issued."""
        self._waiting += self._operations[self._seen :]
        self._seen = len(self._operations)
        for operation in self._waiting:
            if operation.done:
                for each in operation.with_children():
                    self._place(each)
        self._waiting = [operation for operation in self._waiting if not operation.done]

    def _place(self, operation: StreamOperation) -> None:
        begin = max([operation.issued_us, *(end for b in operation.after if (end := b.completed_us) is not None)])
        if operation.kind in self._free:
            begin = max(begin, self._free[operation.kind])
        elif operation.kind == "kernel":
            begin = _room(self._running, begin, operation.share)
        operation.start_us, operation.end_us = begin, begin + operation.duration_us
        if operation.kind in self._free:
            self._free[operation.kind] = operation.end_us
        elif operation.kind == "kernel":
            self._running = [(end, share) for end, share in self._running if end > begin]
            self._running.append((operation.end_us, operation.share))


def _room(running: Sequence[tuple[float, float]], begin: float, share: float) -> float:
    """Return the first time from ``begin`` on at which ``share`` of the device is free."""
    for moment in sorted({begin, *(end for end, _ in running if end > begin)}):
        if sum(part for end, part in running if end > moment) + share <= 1.0 + 1e-9:
            return moment
    return begin
