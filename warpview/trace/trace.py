"""Represent the history of one multiprocessor: every event, and the whole state after any of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpview.devices import Device
from warpview.isa.ops import MEMORY_OPS
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.history.events import Events, Residency, SmResult
from warpview.sim.history.snapshot import CountTrack, StateReplay
from warpview.sim.launch import Cancelled, Launch
from warpview.sim.rules import GlobalAccess, SharedAccess
from warpview.trace.access_decoder import AccessDecoder
from warpview.trace.access_log import AccessLog
from warpview.trace.bits import popcount
from warpview.trace.frame import Event, Frame, LaneAddresses, LevelTraffic, Mark, PreviousState, SharedView
from warpview.trace.navigation import Navigator
from warpview.trace.warp_state_builder import WarpStateBuilder

# Frames kept, so that going back and forth, and asking again, costs nothing. Each is a hundred objects: those that stay
# for long make the garbage collector go through everything in memory, which the user sees as a pause of 60 ms.
FRAMES_BYTES = 16 << 20
LEAST_KEPT, MOST_KEPT = 8, 32  # however large or small
Scalar = TypeVar("Scalar", bound=np.generic)


class Trace:
    """Hold the events of the traced multiprocessor and its state at any step; steps are numbered from 1, 0 is the
    start.

    Frames can be asked for from one thread at a time and any other thread may hold on to them.
    """

    def __init__(
        self,
        program: Program,
        device: Device,
        launch: Launch,
        decoder: AccessDecoder,
        events: Events,
        result: SmResult,
        replay: StateReplay,
        track: CountTrack,
    ) -> None:
        self.program = program
        self.device = device
        self.launch = launch
        self.result = result
        self.track = track
        self._events = events
        self._decoder = decoder
        self._replay = replay
        self._frames: OrderedDict[int, Frame] = OrderedDict()
        self._event: Event | None = None  # the one asked for last
        self._lock = Lock()
        self.navigator = Navigator(events, program)
        self.navigator.prepare()
        self._warp_states = WarpStateBuilder(program, launch, events, self.navigator)
        self.find = self.navigator.find
        self.next_of_warp = self.navigator.next_of_warp
        self.previous_of_warp = self.navigator.previous_of_warp
        self.next_line = self.navigator.next_line
        self.previous_line = self.navigator.previous_line
        self.steps_of_mark = self.navigator.steps_of_mark
        self.steps_of_warp = self.navigator.steps_of_warp
        self.steps_of_block = self.navigator.steps_of_block
        self.steps_of_lane = self.navigator.steps_of_lane

    @property
    def replay(self) -> StateReplay:
        """Return the multiprocessor of the run, which can be put to any step; not while frames are asked for."""
        return self._replay

    # ------------------------------------------------------------------------------------ events and totals

    @property
    def steps(self) -> int:
        """Return the number of events recorded."""
        return len(self._events)

    @property
    def cycles(self) -> int:
        """Return the cycles until the last block ended."""
        return self.result.cycles

    @property
    def truncated(self) -> bool:
        """Return whether the run went on after the last event recorded."""
        return self.result.issued > self.steps

    @property
    def arrays(self) -> Events:
        """Return all events as parallel arrays; entry i leads to step i + 1."""
        return self._events

    @property
    def marks(self) -> NDArray[np.uint16]:
        """Return the marks of every event."""
        return self._events.marks

    @property
    def stall_cycles(self) -> NDArray[np.int64]:
        """Return the warp cycles by scheduler and Stall, over the whole run: int64[schedulers, N_STALL]."""
        return self.result.stalls

    @property
    def residency(self) -> Sequence[Residency]:
        """Return when each block was in which warp slots."""
        return self.result.residency

    @property
    def blocks(self) -> list[tuple[int, int, int]]:
        """Return (block, first cycle, cycle after the last) in order of arrival."""
        return [(r.block, r.start, r.end) for r in self.result.residency]

    @property
    def memory(self) -> dict[str, int]:
        """Return the bytes that the history takes, by what they are for."""
        return {**self._recorded, "cached frames": sum(frame.nbytes for frame in list(self._frames.values()))}

    @cached_property
    def _recorded(self) -> dict[str, int]:
        return {
            "events": self._events.nbytes,
            "states and memory to step back to": self._replay.nbytes,
            "index of the steps": self.navigator.nbytes,
            "counters over the run": int(self.track.counts.nbytes),
        }

    @property
    def memory_bytes(self) -> int:
        """Return the bytes that the history takes."""
        return sum(self.memory.values())

    def event(self, step: int) -> Event:
        """Return the event that leads to ``step`` (1 to ``steps``)."""
        if not 1 <= step <= self.steps:
            raise IndexError(f"step {step} is not one of 1 to {self.steps}")
        found = self._event  # another thread may ask meanwhile
        if found is None or found.step != step:
            found = self._event = self._make_event(step)
        return found

    def _make_event(self, step: int) -> Event:
        e, i = self._events, step - 1
        return Event(
            step=step,
            cycle=int(e.cycle[i]),
            scheduler=int(e.scheduler[i]),
            slot=int(e.slot[i]),
            block=int(e.block[i]),
            warp=int(e.warp[i]),
            pc=int(e.pc[i]),
            mask=int(e.mask[i]),
            on=int(e.on[i]),
            marks=Mark(int(e.marks[i])),
            taken=int(e.taken[i]),
            traffic=LevelTraffic(*(int(getattr(e, name)[i]) for name in LevelTraffic._fields)),
        )

    # ------------------------------------------------------------------------------------ state

    def frame(self, step: int) -> Frame:
        """Return the multiprocessor after ``step`` events."""
        if not 0 <= step <= self.steps:
            raise IndexError(f"step {step} is not one of 0 to {self.steps}")
        with self._lock:
            frame = self._frames.get(step)
            if frame is None:
                frame = self._make_frame(step)
                self._keep(frame)
            else:
                self._frames.move_to_end(step)
            return frame

    def _keep(self, frame: Frame) -> None:
        """Keep a frame for when it is asked for again; the frames asked for longest ago make room."""
        self._frames[frame.step] = frame
        most = min(MOST_KEPT, max(LEAST_KEPT, FRAMES_BYTES // max(1, frame.nbytes)))
        while len(self._frames) > most:
            self._frames.popitem(last=False)

    def global_values(self, step: int, base: int, count: int, dtype: DTypeLike) -> NDArray[np.generic]:
        """Return ``count`` values of global memory from address ``base``, as they are after ``step`` events, or fewer
        where the memory ends."""
        kind = np.dtype(dtype)
        with self._lock:
            self._replay.seek(step)
            piece = self._replay.memory[base : base + count * kind.itemsize] if base >= 0 else np.zeros(0, np.uint8)
            return piece[: len(piece) // kind.itemsize * kind.itemsize].view(kind).copy()

    def gather(self, progress: Callable[[int, int], bool] | None = None) -> AccessLog:
        """Return every access of every lane. The whole run is executed again, a stretch at a time, so that another
        thread can ask for frames in between; ``progress(steps done, steps)`` says whether to go on (else Cancelled)."""
        memory = np.array([i.op in MEMORY_OPS for i in self.program.instructions], np.bool_)
        # Room for all that can be; what is never written to takes no memory.
        most = int(np.count_nonzero(memory.take(self._events.pc) & (self._events.on != 0)))
        rows, words = np.empty((most, 3), np.uint32), np.empty(32 * most, np.uint32)
        count = used = 0
        edges = [*self._replay.keyframe_steps, self.steps]
        for first, last in pairwise(edges):
            with self._lock:
                found = self._replay.accesses(first, last, rows[count:], words[used:])
            used += int(popcount(rows[count : count + found, 1]).sum(dtype=np.int64))
            count += found
            if progress is not None and not progress(last, self.steps):
                raise Cancelled
        return AccessLog.of(self._events, rows[:count], words)

    def steps_accessing(self, space: Space, address: int, size: int = 4, block: int | None = None) -> NDArray[np.int64]:
        """Return the steps that read or write any of ``size`` bytes from ``address``, in order.

        Shared and local memory are a block's own: ``block`` says which. For several questions ask ``gather`` once.
        """
        return self.gather().steps_accessing(space, address, address + size, -1 if block is None else block)

    def accesses(self) -> Iterator[tuple[int, LaneAddresses, GlobalAccess | SharedAccess]]:
        """Yield (step, addresses, access) of every memory instruction that had a lane served, in the order of issue.

        Of an access to generic addresses, the part in the first space that it accesses, as in a frame.
        """
        memory = np.array([instruction.op in MEMORY_OPS for instruction in self.program.instructions])
        rows = np.flatnonzero(memory[self._events.pc[: self.steps]] & (self._events.on[: self.steps] != 0))
        for row in rows.tolist():
            pc, on, slot = (int(column[row]) for column in (self._events.pc, self._events.on, self._events.slot))
            with self._lock:
                self._replay.seek(row)
                where = self._decoder.addresses(pc, on, self._replay.registers32[slot], self._replay.registers64[slot])
                access = self._decoder.access(pc, where) if where else None
            if where and access:
                yield row + 1, where, access

    def _make_frame(self, step: int) -> Frame:
        event = self.event(step) if step else None
        replay = self._replay
        where: LaneAddresses | None = None
        before: PreviousState | None = None
        if event is not None:
            # Addresses come from the registers before the instruction, which may overwrite them.
            replay.seek(step - 1)
            before = self._before()
            where = self._decoder.addresses(
                event.pc, event.on, before.registers32[event.slot], before.registers64[event.slot]
            )
        replay.seek(step)
        blocks = replay.blocks.tolist()
        shared, written = _frozen(replay.shared), _frozen(replay.shared_written)
        return Frame(
            step=step,
            cycle=event.cycle if event else 0,
            event=event,
            warps=self._warp_states.states(step, event, replay.warps(), blocks),
            counts=_frozen(replay.counts),
            addresses=where,
            access=self._decoder.access(event.pc, where) if event and where else None,
            shared=tuple(SharedView(block, shared[k], written[k]) for k, block in enumerate(blocks) if block >= 0),
            registers32=_frozen(replay.registers32),
            registers64=_frozen(replay.registers64),
            previous=before,
            suppressed=self._decoder.suppressed(event.pc, where) if event and where else None,
            coming=None if event is not None or not self.steps else self._key_of(1),
            cluster=tuple(self.launch.cluster_of(event.block)) if event else (),
        )

    def _key_of(self, step: int) -> tuple[int, int]:
        """Return the block and the warp of the event that leads to a step."""
        event = self.event(step)
        return event.block, event.warp

    def _before(self) -> PreviousState:
        """Return registers and counts at the replay's step; frames that are kept lend theirs."""
        replay = self._replay
        frame, blocks = self._frames.get(replay.step), tuple(replay.blocks.tolist())
        if frame is not None:
            return PreviousState(blocks, frame.counts, frame.registers32, frame.registers64)
        return PreviousState(blocks, _frozen(replay.counts), _frozen(replay.registers32), _frozen(replay.registers64))


def _frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    copy = array.copy()
    copy.flags.writeable = False
    return copy
