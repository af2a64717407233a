"""Hold the state of the simulated CUDA runtime for one program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from warpview.devices import Device
from warpview.host.advice import Advice
from warpview.host.arena import Arena, MemoryBlock
from warpview.host.channel import Channel, HostOrder, Request, SourcePlace
from warpview.host.errors import STICKY, CudaError
from warpview.host.findings import HostFinding, call_start, finding, line_text
from warpview.host.launches import LaunchRecord, Settings, SnapshotKeeper
from warpview.host.stream_races import StreamRaces
from warpview.host.streams import Scheduler, Stream, StreamOperation
from warpview.host.timing import Timeline
from warpview.host.xorwow import Generator
from warpview.sim.launch_check import PORTABLE_CLUSTER

Values = Iterable[int]


class CudaFailure(Exception):
    """A call gives an error code."""

    def __init__(self, code: CudaError) -> None:
        self.code = code
        super().__init__(code.cuda_name)


@dataclass
class Symbol:
    """Describe a device or constant variable: its shadow on the host, and where it lies."""

    name: str
    unit: str
    is_constant: bool
    block: MemoryBlock


@dataclass
class KernelFunction:
    """Describe a kernel of the program: the file that holds it, and its name with template arguments."""

    unit: Path
    name: str
    max_dynamic_shared: int
    largest_cluster: int = PORTABLE_CLUSTER  # in blocks


@dataclass
class CudaEvent:
    """Represent an event; ``operation`` is its last record."""

    timing: bool
    operation: object = None


@dataclass(frozen=True)
class GraphNode:
    """Hold the requests of a node of a graph, its cudaGraphNodeType, and the handles of the nodes ``before`` it."""

    requests: tuple[Request, ...]
    kind: int
    before: frozenset[int] = frozenset()


Graph = Mapping[int, GraphNode]  # by handle, in an order in which the nodes can be carried out


@dataclass
class Capture:
    """Collect what the stream ``origin``, and those that wait for it, are given while they are captured."""

    origin: int
    nodes: dict[int, GraphNode] = field(default_factory=dict)
    last: dict[int, frozenset[int]] = field(default_factory=dict)
    """by stream: the nodes that what the stream is given next comes after"""


@dataclass(frozen=True)
class TexelFormat:
    """Describe the elements of an array or a texture: ``bits`` of each component, and of what ``kind`` they are
    (cudaChannelFormatKind)."""

    bits: tuple[int, int, int, int]
    kind: int

    @property
    def components(self) -> int:
        return sum(bits > 0 for bits in self.bits)

    @property
    def texel_bytes(self) -> int:
        return sum(self.bits) // 8


@dataclass(frozen=True)
class CudaArray:
    """Describe an array: elements from row to row without gaps; ``extent`` is 0 in dimensions that it lacks."""

    block: MemoryBlock
    format: TexelFormat
    extent: tuple[int, int, int]
    flags: int

    @property
    def pitch(self) -> int:
        """Return the bytes of a row."""
        return self.extent[0] * self.format.texel_bytes


@dataclass
class MemoryPool:
    """Count the bytes of a pool: those ``reserved`` for it, and those of its ``blocks`` that are not freed."""

    attributes: dict[int, int] = field(default_factory=dict)  # that the program has set
    blocks: list[MemoryBlock] = field(default_factory=list)
    reserved: int = 0
    reserved_high: int = 0
    used_high: int = 0

    @property
    def used(self) -> int:
        self.blocks = [block for block in self.blocks if block.freed is None]
        return sum(block.size for block in self.blocks)

    def add(self, block: MemoryBlock) -> None:
        """Count a new block."""
        self.blocks.append(block)
        used = self.used
        self.reserved, self.used_high = max(self.reserved, used), max(self.used_high, used)
        self.reserved_high = max(self.reserved_high, self.reserved)


@dataclass
class Failed:
    """Record a call that gave an error which the program has not asked for since."""

    code: CudaError
    call: str
    place: SourcePlace


@dataclass
class RuntimeContext:
    """Keep the runtime's state. ``place`` is that of the call being answered."""

    device: Device
    arena: Arena
    channel: Channel
    settings: Settings
    snapshots: SnapshotKeeper
    scheduler: Scheduler = field(default_factory=Scheduler)
    findings: list[HostFinding] = field(default_factory=list)
    records: list[LaunchRecord] = field(default_factory=list)  # in the order in which they were carried out
    issued: int = 0  # launches of the host so far
    child_launches: int = 0  # by kernels, so far
    symbols: dict[int, Symbol] = field(default_factory=dict)  # by the address of the shadow
    kernels: list[KernelFunction] = field(default_factory=list)
    events: dict[int, CudaEvent] = field(default_factory=dict)
    captures: dict[int, Capture] = field(default_factory=dict)  # by the stream that is captured
    # By the event that was recorded in a capture: that, and the nodes that the event comes after.
    captured_events: dict[int, tuple[Capture, frozenset[int]]] = field(default_factory=dict)
    graphs: dict[int, Graph] = field(default_factory=dict)
    graph_handles: Iterator[int] = field(default_factory=lambda: count(0x10000))  # of graphs and their nodes
    host_memory: dict[int, int] = field(default_factory=dict)  # registered host memory: size by address
    mirrors: dict[int, MemoryBlock] = field(default_factory=dict)  # of registered memory that kernels use, by address
    place: SourcePlace = field(default_factory=SourcePlace)
    last_error: CudaError = CudaError.SUCCESS
    sticky: CudaError = CudaError.SUCCESS
    unasked: Failed | None = None
    host_us: float = 0.0  # the host's clock in the model: it counts calls, not the program's own work
    generators: dict[int, Generator] = field(default_factory=dict)  # of random numbers
    timeline: Timeline = field(init=False)
    # Time and warp instructions of the launches that were timed, by what others have in common with them.
    known_times: dict[object, tuple[float, int]] = field(default_factory=dict)
    own_variables: dict[str, MemoryBlock] = field(default_factory=dict)  # of warpview's headers, once a kernel has them
    began: bool = False  # whether the program called the runtime from ``main``
    pools: dict[int, MemoryPool] = field(default_factory=dict)  # by handle
    pool: int = 0  # the handle of the device's pool; 0: the default one
    arrays: dict[int, CudaArray] = field(default_factory=dict)  # by handle
    advice: dict[int, Advice] = field(default_factory=dict)  # for managed memory, by the base of its block
    mipmaps: dict[int, tuple[int, ...]] = field(default_factory=dict)  # the handles of their levels, by handle
    limits: dict[int, int] = field(default_factory=dict)  # that the program has set (cudaDeviceSetLimit)
    locked: dict[int, int] = field(default_factory=dict)  # mode by base of blocks that the host must leave alone

    @property
    def memory_bytes(self) -> int:
        """Return the bytes of global memory: those of the device, or what can be allocated where they are not known."""
        return self.device.memory_bytes or self.arena.capacity

    def __post_init__(self) -> None:
        self.timeline = Timeline(self.scheduler.operations)
        StreamRaces(self.scheduler, self._find_stream_race)

    def _find_stream_race(self, last: StreamOperation, first: StreamOperation, address: int) -> None:
        block = self.arena.holding(address)
        what = "the same memory" if block is None else f"byte {address - block.base} of '{block.name}'"
        self.find(
            "race between streams",
            f"{last.name} and {first.name} of line {first.place.line} both use {what}, and nothing orders their "
            "streams: let one wait for the other with cudaStreamWaitEvent, or the host with cudaStreamSynchronize",
            last.place,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------ errors
    def note_error(self, code: CudaError, call: str) -> None:
        """Remember an error that a call gives, as the runtime does."""
        self.last_error = code
        if code in STICKY:
            self.sticky = code
        if self.unasked is None:
            self.unasked = Failed(code, call, self.place)

    def find(self, kind: str, message: str, place: SourcePlace | None = None, severity: str = "error") -> None:
        """Add a finding at ``place`` (the present call's), once for each place and kind."""
        made = finding(kind, message, place or self.place, severity)
        if not any((f.kind, f.span) == (made.kind, made.span) for f in self.findings):
            self.findings.append(made)

    # ------------------------------------------------------------------------------------------ streams
    def stream(self, handle: int) -> Stream:
        """Return the stream behind a handle; the legacy and the per-thread stream are the default stream."""
        known = self.scheduler.streams.get(0 if handle in (1, 2) else handle)
        if known is None:
            raise CudaFailure(CudaError.INVALID_RESOURCE_HANDLE)
        return known

    def order(self, order: HostOrder, values: Values = (), data: bytes = b"") -> None:
        self.channel.order(order, values, data)

    def execute(self, order: HostOrder, values: Values) -> None:
        self.channel.execute(order, values)

    def wait_for(self, operations: Iterable[StreamOperation]) -> None:
        """Let the host wait until these are done: what comes before them is carried out, the host's clock goes on, the
        host may use memory again that nothing else pending uses, and an error of a kernel is the call's."""
        awaited = list(operations)
        self.scheduler.complete(awaited)
        self.timeline.update()
        self.host_us = max([self.host_us, *(end for op in awaited if (end := op.completed_us) is not None)])
        self.lock_memory()
        if self.sticky:
            raise CudaFailure(self.sticky)

    def lock_memory(self) -> None:
        """Keep the host from memory that pending operations use: 2 it may not write, 1 it may not read either."""
        wanted: dict[int, int] = {}
        for operation in self.scheduler.pending.values():
            for block in operation.uses:
                assert isinstance(block, MemoryBlock)
                mode = 1 if operation.writes else 2
                wanted[block.base] = min(mode, wanted.get(block.base, 2))
        for block in self.arena.blocks:
            mode = wanted.get(block.base, 0)
            if block.kind in ("managed", "pinned") and mode != self.locked.get(block.base, 0):
                self.order(HostOrder.PROTECT, (block.base, block.span, mode))
                self.locked[block.base] = mode

    # ------------------------------------------------------------------------------------------ names
    def argument_name(self, call: str, fallback: str) -> str:
        """Return the variable that a call such as ``cudaMalloc(&d_a, n)`` fills, as the source names it."""
        cast = r"(?:\([^()]*\)|\w+_cast\s*<[^()]*?>\s*\()"
        pattern = rf"{call}\s*(?:<[^()]*?>)?\s*\(\s*(?:{cast}\s*)?&?\s*([A-Za-z_]\w*(?:(?:\.|->)\w+|\[\w+\])*)"
        text, start = line_text(self.place), call_start(self.place)
        match = re.compile(pattern).search(text, start) or re.search(pattern, text)
        return match[1] if match else fallback


Answer = Callable[[RuntimeContext, Request], Values | None]
_ANSWERS: dict[str, Answer] = {}


def answers(what: str) -> Callable[[Answer], Answer]:
    """Register the function that answers a request; it returns the values of the answer, or raises CudaFailure."""

    def register(function: Answer) -> Answer:
        _ANSWERS[what] = function
        return function

    return register


def all_answers() -> Mapping[str, Answer]:
    return _ANSWERS
