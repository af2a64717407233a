"""Make a small run by hand, so that models of views can be tested on frames that are known one by one.

Two variants of a block-wide sum, 2 blocks of 128 threads: 'divergent' (``tid % (2*s) == 0``) and 'strided'
(``2*s*tid``). Written with numpy, a warp at a time; every frame is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.devices import load_device, occupancy
from warpview.diagnostics import SourceText, Span
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import NONE, Instruction, Param, Program, Variable
from warpview.isa.types import Space, Type
from warpview.profile.counters import counter_values
from warpview.profile.export import ExportRow
from warpview.profile.totals import Totals
from warpview.sim.history.events import EVENT_COLUMNS, Events, Residency
from warpview.sim.launch import Launch
from warpview.sim.raw_counts import N_RAW, Raw
from warpview.sim.rules.access import GlobalAccess, SharedAccess, Transaction, Wavefront
from warpview.trace.access_log import AccessLog
from warpview.trace.frame import (
    ControlPath,
    Event,
    Frame,
    LaneAddresses,
    LaneStatus,
    Mark,
    PreviousState,
    SharedView,
    Stall,
    WarpState,
)
from warpview.trace.navigation import Navigator

FULL = 0xFFFFFFFF
THREADS, BLOCKS, WARPS = 128, 2, 4
GLOBAL_BASE = 0x1000_0000
BASES = np.array([GLOBAL_BASE, GLOBAL_BASE + 0x1000], np.uint64)  # of in and out
TID, IDX, S, V, T, REM, P, V2, A = range(16, 25)  # rows of the virtual registers

SOURCE = {
    "divergent": """\
// Interleaved addressing: every second thread of those left adds.
__global__ void reduce0(const float* in, float* out, unsigned n)
{
    __shared__ float sdata[128];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = in[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
""",
    "strided": """\
// Interleaved addressing with a strided index: no divergence, but conflicts.
__global__ void reduce1(const float* in, float* out, unsigned n)
{
    __shared__ float sdata[128];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = in[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (2 * s * tid < blockDim.x)
            sdata[2 * s * tid] += sdata[2 * s * tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
""",
}

# One row an instruction: line, column, length, op, type, dst, srcs, extra fields.
_LISTING: list[tuple[int, int, int, Op, Type, int, tuple[int, ...], dict[str, Any]]] = [
    (5, 20, 11, Op.MOV, Type.U32, TID, (0,), {}),
    (6, 18, 30, Op.MAD, Type.U32, IDX, (5, 8, TID), {}),
    (7, 18, 5, Op.LD, Type.F32, V, (0,), {"space": Space.GLOBAL}),
    (7, 5, 18, Op.ST, Type.F32, NONE, (A, V), {"space": Space.SHARED}),
    (8, 5, 15, Op.BAR_SYNC, Type.U32, NONE, (), {}),
    (9, 19, 5, Op.MOV, Type.U32, S, (15,), {}),
    (9, 26, 14, Op.SETP, Type.U32, P, (S, 8), {"mod": Cmp.GE}),
    (9, 5, 3, Op.BRA, Type.U32, NONE, (), {"guard": P, "target": 19, "reconvergence": 19}),
    (10, 19, 5, Op.SHL, Type.U32, T, (S, 15), {}),
    (10, 13, 13, Op.REM, Type.U32, REM, (TID, T), {}),
    (10, 13, 18, Op.SETP, Type.U32, P, (REM, 14), {"mod": Cmp.NE}),
    (10, 9, 23, Op.BRA, Type.U32, NONE, (), {"guard": P, "target": 16, "reconvergence": 16}),
    (11, 27, 14, Op.LD, Type.F32, V2, (A,), {"space": Space.SHARED}),
    (11, 13, 10, Op.LD, Type.F32, V, (A,), {"space": Space.SHARED}),
    (11, 13, 28, Op.ADD, Type.F32, V, (V, V2), {}),
    (11, 13, 10, Op.ST, Type.F32, NONE, (A, V), {"space": Space.SHARED}),
    (12, 9, 15, Op.BAR_SYNC, Type.U32, NONE, (), {}),
    (9, 42, 6, Op.SHL, Type.U32, S, (S, 15), {}),
    (9, 5, 3, Op.BRA, Type.U32, NONE, (), {"target": 6}),
    (14, 9, 8, Op.SETP, Type.U32, P, (TID, 14), {"mod": Cmp.NE}),
    (14, 5, 13, Op.BRA, Type.U32, NONE, (), {"guard": P, "target": 23, "reconvergence": 23}),
    (14, 39, 8, Op.LD, Type.F32, V, (A,), {"space": Space.SHARED}),
    (14, 19, 15, Op.ST, Type.F32, NONE, (1, V), {"space": Space.GLOBAL}),
    (15, 1, 1, Op.EXIT, Type.U32, NONE, (), {}),
]


def make_program(variant: str = "divergent") -> Program:
    text = SourceText(f"{variant}.cu", SOURCE[variant])
    rows = [
        Instruction(
            op=op, type=type_, stype=type_, mod=extra.get("mod", 0), space=extra.get("space", Space.NONE), dst=dst,
            srcs=srcs, guard=extra.get("guard", NONE), guard_negated=False, imm=0, vec=1,
            target=extra.get("target", NONE), reconvergence=extra.get("reconvergence", NONE),
            span=Span(text, line, column, length),
        )
        for line, column, length, op, type_, dst, srcs, extra in _LISTING
    ]  # fmt: skip
    names = {TID: ("tid", Type.U32), IDX: ("i", Type.U32), S: ("s", Type.U32)}
    variables = [Variable(n, "unsigned", t, row, scope=(5, 15)) for row, (n, t) in names.items()]
    variables.append(Variable("sdata", "float", Type.F32, NONE, Space.SHARED, 0, (128,), 4, (4, 15)))
    return Program(
        kernel="reduce0" if variant == "divergent" else "reduce1", source=text, instructions=tuple(rows),
        params=(
            Param("in", "const float*", Type.U64, 0, True, Type.F32, 4, True),
            Param("out", "float*", Type.U64, 1, True, Type.F32, 4),
            Param("n", "unsigned", Type.U32, 14),
        ),
        constants32={15: 1}, constants64={}, first_virtual32=16, first_virtual64=2, rows32=25, rows64=2,
        row_types32=(Type.U32,) * 19 + (Type.F32, Type.U32, Type.U32, Type.PRED, Type.F32, Type.U32),
        row_types64=(Type.U64, Type.U64), registers_per_thread=9, static_shared_bytes=512,
        uses_dynamic_shared=False, variables=tuple(variables), span=Span(text, 2, 1, 10),
    )  # fmt: skip


def make_device(key: str = "8800gtx") -> Any:
    return load_device(key)


def bits(lanes: NDArray[np.bool_]) -> int:
    return int(np.sum(np.where(lanes, 1 << np.arange(32, dtype=np.int64), 0)))


@dataclass
class _Warp:
    block: int
    warp: int
    regs: NDArray[np.uint32] = field(default_factory=lambda: np.zeros((25, 32), np.uint32))
    mask: int = FULL
    exited: int = 0
    pc: int = 0
    waiting: bool = False
    paths: tuple[ControlPath, ...] = (ControlPath(0, FULL, NONE),)


def _shared_access(kind: str, offsets: NDArray[np.int64], mask: int, device: Any) -> SharedAccess:
    fronts: list[Wavefront] = []
    group, banks = device.shared_group, device.shared_banks
    for start in range(0, 32, group):
        left = [lane for lane in range(start, start + group) if mask >> lane & 1]
        while left:
            taken: dict[int, int] = {}
            served = []
            for lane in left:
                word = int(offsets[lane]) // 4
                if taken.setdefault(word % banks, word) == word:
                    served.append(lane)
            fronts.append(Wavefront(sum(1 << n for n in served), tuple((b, w) for b, w in taken.items()), False))
            left = [lane for lane in left if lane not in served]
    ideal = sum(1 for start in range(0, 32, group) if mask >> start & ((1 << group) - 1))
    return SharedAccess(kind, 4, mask, tuple(fronts), ideal, banks, 4, 4 * mask.bit_count())


def _global_access(kind: str, address: NDArray[np.int64], mask: int, device: Any) -> GlobalAccess:
    size = 64 if device.coalescing == "strict" else 32
    lanes: dict[int, int] = {}
    for lane in range(32):
        if mask >> lane & 1:
            base = int(address[lane]) // size * size
            lanes[base] = lanes.get(base, 0) | 1 << lane
    parts = tuple(Transaction(base, size, m, 0 if m & 0xFFFF else 1) for base, m in lanes.items())
    asked = 4 * mask.bit_count()
    return GlobalAccess(
        kind, 4, mask, parts, len(parts) * size // 32, len(parts), asked, asked, len(parts) * size, mask == FULL
    )


class FakeTrace:
    """The trace interface over frames that were all made beforehand."""

    def __init__(self, variant: str, device: Any) -> None:
        self.program, self.device = make_program(variant), device
        self.variant = variant
        self.launch = Launch((BLOCKS, 1, 1), (THREADS, 1, 1), 0, np.zeros(16, np.uint32), BASES)
        self._warps = [_Warp(b, w) for b in range(BLOCKS) for w in range(WARPS)]
        self._shared = np.zeros((BLOCKS, 512), np.uint8)
        self._written = np.zeros((BLOCKS, 512), np.bool_)
        self._counts = np.zeros((len(_LISTING), N_RAW), np.int64)
        self._events: list[Event] = []
        self._frames = [self._snapshot(0, None, None, None)]
        self._play()
        self.arrays = Events.empty(len(self._events))
        for name in EVENT_COLUMNS:
            getattr(self.arrays, name)[:] = [int(getattr(e, name, 0)) for e in self._events]
        self.marks = self.arrays.marks
        self.navigator = Navigator(self.arrays, self.program)
        self.residency: tuple[Residency, ...] = ()  # of which nothing is known
        self.steps, self.cycles, self.truncated = len(self._events), 4 * len(self._events), False
        self.stall_cycles = np.ones((1, len(Stall)), np.int64)
        self.blocks = [(b, 0, self.cycles) for b in range(BLOCKS)]
        self.memory = {"events": 3_000_000, "states": 5_000_000}
        self.memory_bytes = sum(self.memory.values())

    # ---- making the events

    def _play(self) -> None:
        runs = [self._instructions(w) for w in self._warps]
        done: set[int] = set()
        while len(done) < len(runs):
            for slot, run in enumerate(runs):
                warp = self._warps[slot]
                mates = [w for w in self._warps if w.block == warp.block]
                if slot in done or (warp.waiting and not all(w.waiting or w.exited == FULL for w in mates)):
                    continue
                if warp.waiting:
                    for mate in mates:
                        mate.waiting = False
                if next(run, None) is None:
                    done.add(slot)

    def _issue(
        self, w: _Warp, pc: int, mask: int, next_pc: int, on: int | None = None, taken: int = 0,
        address: NDArray[np.int64] | None = None,
    ) -> bool:  # fmt: skip
        ins = self.program.instructions[pc]
        on = mask if on is None else on
        marks = Mark.NONE
        access: GlobalAccess | SharedAccess | None = None
        row = self._counts[pc]
        row[[Raw.EXECUTED, Raw.LANES, Raw.LANES_ON]] += (1, mask.bit_count(), on.bit_count())
        if ins.op == Op.BAR_SYNC:
            marks |= Mark.BARRIER
            w.waiting = True
        if ins.op == Op.BRA and taken not in (0, mask):
            marks |= Mark.DIVERGENCE
            row[Raw.DIVERGENT] += 1
        addresses = None
        if address is not None:
            kind = "load" if ins.op == Op.LD else "store"
            addresses = LaneAddresses(ins.space, address.astype(np.int64), on, 4)
            row[Raw.REQUESTS] += 1
            if ins.space == Space.SHARED:
                access = _shared_access(kind, address, on, self.device)
                row[[Raw.WAVEFRONTS, Raw.IDEAL_WAVEFRONTS]] += (len(access.wavefronts), access.ideal)
                marks |= Mark.CONFLICT if access.conflicts else Mark.NONE
            else:
                access = _global_access(kind, address, on, self.device)
                row[Raw.SECTORS] += access.sectors
        w.mask, w.pc = mask, next_pc
        if not w.paths or len(w.paths) == 1:
            w.paths = (ControlPath(next_pc, mask, NONE),) if mask & ~w.exited else ()
        step = len(self._events) + 1
        event = Event(step, 4 * step - 4, 0, self._warps.index(w), w.block, w.warp, pc, mask, on, marks, taken)
        self._events.append(event)
        self._frames.append(self._snapshot(step, event, addresses, access))
        return True

    def _instructions(self, w: _Warp) -> Iterator[bool]:
        lanes = np.arange(32)
        tid = lanes + 32 * w.warp
        shared = self._shared[w.block].view(np.float32)
        written = self._written[w.block]
        w.regs[0] = w.regs[TID] = tid
        yield self._issue(w, 0, FULL, 1)
        w.regs[IDX] = tid + THREADS * w.block
        yield self._issue(w, 1, FULL, 2)
        w.regs[V] = (tid % 7).astype(np.float32).view(np.uint32)
        yield self._issue(w, 2, FULL, 3, address=GLOBAL_BASE + 4 * (tid + THREADS * w.block))
        shared[tid] = w.regs[V].view(np.float32)
        written[128 * w.warp : 128 * w.warp + 128] = True
        yield self._issue(w, 3, FULL, 4, address=4 * tid)
        yield self._issue(w, 4, FULL, 5)
        w.regs[S] = 1
        yield self._issue(w, 5, FULL, 6)
        s = 1
        while True:
            yield self._issue(w, 6, FULL, 7)
            end = s >= THREADS
            yield self._issue(w, 7, FULL, 19 if end else 8, on=FULL if end else 0, taken=FULL if end else 0)
            if end:
                break
            yield from self._body(w, tid, s, shared)
            s *= 2
            w.regs[S] = s
            yield self._issue(w, 17, FULL, 18)
            yield self._issue(w, 18, FULL, 6, taken=FULL)
        yield from self._epilogue(w, tid, shared)

    def _body(self, w: _Warp, tid: NDArray[Any], s: int, shared: NDArray[np.float32]) -> Iterator[bool]:
        index = tid if self.variant == "divergent" else 2 * s * tid
        works = tid % (2 * s) == 0 if self.variant == "divergent" else 2 * s * tid < THREADS
        w.regs[T], w.regs[REM], w.regs[P] = 2 * s, tid % (2 * s), ~works
        for pc in (8, 9, 10):
            yield self._issue(w, pc, FULL, pc + 1)
        on = bits(works)
        if 0 < on < FULL:
            w.paths = (ControlPath(16, FULL, NONE), ControlPath(12, on, 16))
        yield self._issue(w, 11, FULL, 12 if on else 16, on=FULL & ~on, taken=FULL & ~on)
        if on:
            at = np.where(works, index, 0)
            w.regs[V2] = np.where(works, shared[np.where(works, index + s, 0)].view(np.uint32), w.regs[V2])
            yield self._issue(w, 12, on, 13, address=4 * (at + s))
            w.regs[V] = np.where(works, shared[at].view(np.uint32), w.regs[V])
            yield self._issue(w, 13, on, 14, address=4 * at)
            total = w.regs[V].view(np.float32) + w.regs[V2].view(np.float32)
            w.regs[V] = np.where(works, total.view(np.uint32), w.regs[V])
            yield self._issue(w, 14, on, 15)
            shared[index[works]] = total[works]
            w.paths = (ControlPath(16, FULL, NONE),)
            yield self._issue(w, 15, on, 16, address=4 * at)
        w.mask = FULL
        yield self._issue(w, 16, FULL, 17)

    def _epilogue(self, w: _Warp, tid: NDArray[Any], shared: NDArray[np.float32]) -> Iterator[bool]:
        yield self._issue(w, 19, FULL, 20)
        on = bits(tid == 0)
        if on:
            w.paths = (ControlPath(23, FULL, NONE), ControlPath(21, on, 23))
        yield self._issue(w, 20, FULL, 21 if on else 23, on=FULL & ~on, taken=FULL & ~on)
        if on:
            yield self._issue(w, 21, on, 22, address=np.zeros(32, np.int64))
            w.paths = (ControlPath(23, FULL, NONE),)
            yield self._issue(w, 22, on, 23, address=np.full(32, GLOBAL_BASE + 0x1000 + 4 * w.block))
        w.exited = FULL
        yield self._issue(w, 23, FULL, NONE)

    def _snapshot(self, step: int, event: Event | None, addresses: Any, access: Any) -> Frame:
        warps = []
        for slot, w in enumerate(self._warps):
            path = w.paths[-1] if w.paths else ControlPath(NONE, 0, NONE)
            mask = event.mask if event and event.slot == slot else path.mask
            status = [LaneStatus.ACTIVE if mask >> n & 1 else LaneStatus.DIVERGED for n in range(32)]
            if w.waiting:
                status = [LaneStatus.BARRIER] * 32
            if w.exited == FULL:
                status = [LaneStatus.EXITED] * 32
            stall = Stall.BARRIER if w.waiting else Stall.EXITED if w.exited == FULL else Stall.NOT_SELECTED
            if event and event.slot == slot:
                stall = Stall.SELECTED
            warps.append(
                WarpState(
                    slot, w.block, w.warp, NONE if w.exited == FULL else w.pc, path.mask, w.exited,
                    FULL if w.waiting else 0, w.paths, stall, tuple(status),
                )
            )  # fmt: skip
        shared = tuple(SharedView(b, self._shared[b].copy(), self._written[b].copy()) for b in range(BLOCKS))
        registers = np.stack([w.regs for w in self._warps])
        return Frame(
            step, 4 * step, event, tuple(warps), self._counts.copy(), addresses, access, shared, registers,
            np.zeros((len(warps), 2, 32), np.uint64), self._before() if step else None,
        )  # fmt: skip

    def _before(self) -> PreviousState:
        last = self._frames[-1]
        return PreviousState(tuple(range(BLOCKS)), last.counts, last.registers32, last.registers64)

    # ---- the interface

    def frame(self, step: int) -> Frame:
        return self._frames[step]

    def global_values(self, step: int, address: int, count: int, dtype: Any) -> np.ndarray:
        return np.zeros(count, dtype)

    def event(self, step: int) -> Event:
        return self._events[step - 1]

    def find(self, step: int, marks: Mark, forward: bool = True, key: tuple[int, int] | None = None) -> int | None:
        steps = range(step + 1, self.steps + 1) if forward else range(step - 1, 0, -1)
        for n in steps:
            event = self.event(n)
            if event.marks & marks and (key is None or key == (event.block, event.warp)):
                return n
        return None

    def steps_of_mark(self, marks: Mark) -> NDArray[np.int64]:
        return np.flatnonzero(self.marks & marks) + 1

    def steps_of_warp(self, block: int, warp: int) -> NDArray[np.int64]:
        return self.navigator.steps_of_warp(block, warp)

    def steps_of_block(self, block: int) -> NDArray[np.int64]:
        return self.navigator.steps_of_block(block)

    def steps_of_lane(self, block: int, warp: int, lane: int) -> NDArray[np.int64]:
        return self.navigator.steps_of_lane(block, warp, lane)

    def gather(self, progress: Callable[[int, int], bool] | None = None) -> AccessLog:
        frames = [frame for frame in self._frames if frame.event is not None and frame.addresses is not None]
        served = [(f.addresses.mask, f.addresses.address) for f in frames]
        rows = [(f.step - 1, f.addresses.mask, f.addresses.space | f.addresses.width << 8) for f in frames]
        words = [int(address[lane]) for mask, address in served for lane in range(32) if mask >> lane & 1]
        return AccessLog.of(self.arrays, np.array(rows, np.uint32), np.array(words, np.uint32))

    def _of_warp(self, block: int, warp: int) -> list[Event]:
        return [e for e in self._events if (e.block, e.warp) == (block, warp)]

    def next_of_warp(self, step: int, block: int, warp: int) -> int | None:
        return next((e.step for e in self._of_warp(block, warp) if e.step > step), None)

    def previous_of_warp(self, step: int, block: int, warp: int) -> int | None:
        return next((e.step for e in reversed(self._of_warp(block, warp)) if e.step < step), None)

    def _line(self, event: Event) -> int:
        return self.program.instructions[event.pc].span.line

    def next_line(self, step: int, block: int, warp: int) -> int | None:
        events = self._of_warp(block, warp)
        before = [e for e in events if e.step <= step]
        line = self._line(before[-1]) if before else None
        return next((e.step for e in events if e.step > step and self._line(e) != line), None)

    def previous_line(self, step: int, block: int, warp: int) -> int | None:
        events = [e for e in self._of_warp(block, warp) if e.step <= step]
        if not events:
            return None
        line = self._line(events[-1])
        return next((e.step for e in reversed(events) if self._line(e) != line), None)


@dataclass
class FakeRun:
    """What ``warpview.run.simulate`` returns, as far as the window looks at it."""

    trace: Any
    findings: list[Any] = field(default_factory=list)
    time_us: float | None = 12.5
    time_error_us: float | None = 0.0
    allocations: tuple[Any, ...] = ()
    output: tuple[str, ...] = ()
    part: Any = None
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    aborted: bool = False
    sample: float = 1.0
    registers_per_thread: int = 9
    rerun: Any = None

    @property
    def counts(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = self.trace.frame(self.trace.steps).counts
        return counts

    @property
    def counters(self) -> dict[str, Any]:
        return counter_values(Totals.of(self.program, self.counts, {"time_us": 12.5}), self.device)

    @property
    def row(self) -> ExportRow:
        launch = {"kernel": self.program.kernel, "code": "written", "device": self.device.key,
                  "compute_capability": "1.0", "engine": "sm", "grid": "2", "block": "128", "dynamic_shared_bytes": 0,
                  "sample_pct": "100"}  # fmt: skip
        return ExportRow(launch, self.counters)

    @property
    def program(self) -> Program:
        program: Program = self.trace.program
        return program

    @property
    def device(self) -> Any:
        return self.trace.device

    @property
    def launch(self) -> Launch:
        launch: Launch = self.trace.launch
        return launch

    @property
    def occupancy(self) -> Any:
        return occupancy(self.device, threads=THREADS, registers=9, shared_bytes=512)

    @property
    def buffers(self) -> dict[str, NDArray[Any]]:
        return {}


@cache
def _trace(variant: str, device: str) -> FakeTrace:
    return FakeTrace(variant, make_device(device))


def make_run(variant: str = "divergent", device: str = "8800gtx") -> FakeRun:
    return FakeRun(copy(_trace(variant, device)))
