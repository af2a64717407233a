"""Schedule the operations of streams: keep their order, and decide when each is executed.

Whatever a program hands to a stream is put off until something waits for it, and then only what must come before is
carried out; of several streams that do not wait for one another, the one that was used last goes first. That is an
order that CUDA allows, and the one in which a missing synchronisation shows. The same program always gives the same
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from warpview.host.channel import SourcePlace
from warpview.sim.access_ranges import AccessRanges

DEFAULT = 0  # the legacy default stream
MOST_PENDING = 4096


@dataclass(eq=False)
class StreamOperation:
    """Describe something that a stream does: ``kind`` is one of ``KINDS``; ``run`` executes it."""

    number: int
    kind: str
    name: str
    stream: int
    place: SourcePlace
    run: Callable[[], None]
    after: tuple[StreamOperation, ...]
    size: int = 0  # bytes moved
    issued_us: float = 0.0  # model time at which the host handed it over
    duration_us: float = 0.0  # known once it is done
    share: float = 1.0  # of the device that a kernel fills
    start_us: float | None = None
    end_us: float | None = None
    done: bool = False
    launch: int | None = None  # index of the launch record of a kernel
    order: tuple[int, ...] = ()  # of that launch among all
    children: list[StreamOperation] = field(default_factory=list)  # kernels that this one launched, carried out
    uses: tuple[object, ...] = ()  # blocks of memory that the host must leave alone until this is done
    writes: bool = False  # whether it changes those blocks
    takes_host: bool = False  # whether the host part carries out some of it
    meets_host: Callable[[], bool] = lambda: False  # whether it orders its accesses with the host's while both run
    ancestors: frozenset[int] = frozenset()  # numbers of all operations that come before, among those then pending
    unordered: frozenset[int] = frozenset()  # numbers of the others then pending
    accesses: Callable[[], AccessRanges | None] | None = None  # what it accesses of device memory, where it does

    @property
    def completed_us(self) -> float | None:
        """Return the time at which the operation and the kernels that it launched have ended; None where it has no
        time yet."""
        return max((op.end_us for op in self.with_children() if op.end_us is not None), default=None)

    def with_children(self) -> Iterator[StreamOperation]:
        """Yield the operation and all kernels that it launched, those of these included."""
        waiting = [self]
        while waiting:
            operation = waiting.pop()
            yield operation
            waiting += reversed(operation.children)

    def with_child(self, kernel: str, share: float) -> StreamOperation:
        """Return a kernel that this one launches, which is carried out at once; it follows the one launched before."""
        before = self.children[-1] if self.children else self
        child = StreamOperation(
            self.number, "kernel", kernel, self.stream, self.place, self.run, (before,), share=share, done=True
        )
        self.children.append(child)
        return child

    def is_unordered(self, other: StreamOperation) -> bool:
        """Return whether nothing says which of two operations comes first."""
        return self.number in other.unordered or other.number in self.unordered


KINDS = (
    "copy to device",
    "copy from device",
    "copy on device",
    "copy on host",
    "memset",
    "kernel",
    "event",
    "host function",
)


@dataclass
class Stream:
    """``blocking`` streams and the default stream wait for one another."""

    number: int
    blocking: bool
    last: StreamOperation | None = None
    waits: list[StreamOperation] = field(default_factory=list)  # events that what comes next waits for


class Scheduler:
    """Schedule all streams of a program."""

    def __init__(self) -> None:
        self.streams = {DEFAULT: Stream(DEFAULT, True)}
        self.operations: list[StreamOperation] = []
        self.pending: dict[int, StreamOperation] = {}
        self.before_execution: Callable[[StreamOperation], None] | None = None

    def create(self, blocking: bool) -> int:
        number = max(self.streams) + 1 if len(self.streams) > 1 else 0x100
        self.streams[number] = Stream(number, blocking)
        return number

    def enqueue(
        self, stream: Stream, kind: str, name: str, place: SourcePlace, run: Callable[[], None], **facts: object
    ) -> StreamOperation:
        """Add an operation at the end of a stream. ``facts`` are further fields of the operation."""
        before = [*stream.waits, *self._before(stream)]
        unfinished = tuple(dict.fromkeys(op for op in before if not op.done))
        ancestors = frozenset(op.number for op in unfinished).union(*(op.ancestors for op in unfinished))
        operation = StreamOperation(
            len(self.operations), kind, name, stream.number, place, run, tuple(dict.fromkeys(before)),
            ancestors=ancestors, unordered=frozenset(self.pending) - ancestors, **facts,  # type: ignore[arg-type]
        )  # fmt: skip
        stream.waits = []
        stream.last = operation
        self.operations.append(operation)
        self.pending[operation.number] = operation
        return operation

    def _before(self, stream: Stream) -> Iterable[StreamOperation]:
        """Yield the operations that come right before what ``stream`` is given next."""
        if stream.last is not None:
            yield stream.last
        if not stream.blocking:
            return
        if stream.number == DEFAULT:
            yield from (s.last for s in self.streams.values() if s.blocking and s.last is not None)
        elif (last := self.streams[DEFAULT].last) is not None:
            yield last

    def complete(self, targets: Iterable[StreamOperation]) -> None:
        """Execute ``targets`` and all that comes before them."""
        needed = self._needed(targets)
        while needed:
            ready = [op for op in needed.values() if not any(b.number in needed for b in op.after)]
            chosen = max(ready, key=lambda op: op.number)
            del needed[chosen.number]
            self._execute(chosen)

    def _needed(self, targets: Iterable[StreamOperation]) -> dict[int, StreamOperation]:
        needed: dict[int, StreamOperation] = {}
        stack = [op for op in targets if not op.done]
        while stack:
            operation = stack.pop()
            if operation.number not in needed:
                needed[operation.number] = operation
                stack += [b for b in operation.after if not b.done]
        return needed

    def _execute(self, operation: StreamOperation) -> None:
        self.pending.pop(operation.number, None)
        if self.before_execution is not None:
            self.before_execution(operation)
        operation.done = True
        operation.run()

    def given(self, stream: Stream) -> list[StreamOperation]:
        """Return the operations to wait for until all work of a stream is done; the default stream waits for all
        blocking ones."""
        if stream.number == DEFAULT:
            return [*stream.waits, *self._before(stream)]
        return [*stream.waits, *([stream.last] if stream.last is not None else [])]

    def complete_all(self) -> None:
        self.complete(list(self.pending.values()))
