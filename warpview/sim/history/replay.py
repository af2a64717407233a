"""Put a recorded run back to any step: restore the nearest keyframe before it and execute the events from there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import NONE
from warpview.sim.history.keyframes import KeyframeHistory
from warpview.sim.history.snapshot import PathView, WarpView
from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import Machine
from warpview.sim.jit.sm_machine import SmRecords
from warpview.sim.jit.state import Wait
from warpview.sim.memory import DeviceMemory

_WAITING = {int(Wait.NO): "", int(Wait.BLOCK_BARRIER): "barrier", int(Wait.COLLECTIVE): "warpsync"}
_WRITTEN_BIT = 0x80  # of the last byte of a shadow word
VIEWS_KEPT = 4096


class SmState:
    """Hold the arrays that make up a multiprocessor's state, time left aside."""

    def __init__(self, machine: Machine, records: SmRecords) -> None:
        self.machine, self.records = machine, records
        self.arrays: tuple[NDArray[np.generic], ...] = (
            machine.warps, machine.blocks, machine.registers, machine.shared, machine.shadow, machine.local,
            machine.local_written, machine.counts, records.resident_blocks,
        )  # fmt: skip

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for array in self.arrays)

    def copy(self) -> tuple[NDArray[np.generic], ...]:
        started = self.records.sm["n_started"].copy()
        return (started, *(array.copy() for array in self.arrays))

    def restore(self, saved: tuple[NDArray[np.generic], ...]) -> None:
        started, *arrays = saved
        self.records.sm["n_started"] = started
        for array, old in zip(self.arrays, arrays, strict=True):
            array[...] = old

    @staticmethod
    def counts_of(saved: tuple[NDArray[np.generic], ...]) -> NDArray[np.generic]:
        return saved[8]


class JitReplay:
    """Replay a run on the jitted machine; see snapshot.StateReplay. It takes over ``state`` and ``memory``, which stand
    after the last of ``steps`` events."""

    def __init__(self, state: SmState, keyframes: KeyframeHistory, memory: NDArray[np.uint8], steps: int) -> None:
        self._state, self._machine, self._records = state, state.machine, state.records
        self._keyframes, self._memory = keyframes, memory
        self._machine.record["looks"] = 0  # a livelock that ended the run has been told
        self._address = self._records.address
        self._table = WarpTable(self._machine)
        # What the run left in the machine is dropped: from here on it belongs to the replay.
        self._machine.findings = np.zeros_like(self._machine.findings)
        values = {
            "global_at": memory.ctypes.data, "written_at": 0, "max_printed": 0, "n_printed": 0,
            "findings_at": self._machine.findings.ctypes.data,
        }  # fmt: skip
        for name, value in values.items():
            self._machine.record[name] = value
        self._machine.common = replace(self._machine.common, memory=DeviceMemory())
        self._records.end_recording()
        self._valid = False
        self.step = steps
        if keyframes.keyframes:
            self.seek(0)

    def seek(self, step: int) -> None:
        if self._valid and step == self.step:
            return
        keyframe = self._keyframes.keyframes[self._keyframes.at(step)]
        if not self._valid or not keyframe.first <= self.step <= step:
            self._keyframes.move_memory(self._memory.view(np.uint32), self.step, keyframe.first)
            self._state.restore(keyframe.state)
            self._machine.record["stopped"] = 0
            self.step, self._valid = keyframe.first, True
        machine_code.entry("sm_replay")(self._address, self.step, step)
        self.step = step

    def accesses(self, first: int, last: int, rows: NDArray[np.uint32], words: NDArray[np.uint32]) -> int:
        """Execute the events ``first`` to ``last - 1`` and write down what they access; see snapshot.StateReplay."""
        self.seek(first)
        addresses = rows.ctypes.data, words.ctypes.data
        count = machine_code.entry("sm_accesses")(self._address, first, last, *addresses)
        self.step = last
        return count

    @property
    def keyframe_steps(self) -> list[int]:
        """Return the steps to which the replay can be put back at once, ascending."""
        return [keyframe.first for keyframe in self._keyframes.keyframes]

    # ------------------------------------------------------------------------------------ the state

    @property
    def blocks(self) -> NDArray[np.int64]:
        return np.asarray(self._records.resident_blocks["block"], dtype=np.int64)

    @property
    def registers32(self) -> NDArray[np.uint32]:
        return self._machine.registers32()

    @property
    def registers64(self) -> NDArray[np.uint64]:
        return self._machine.registers64()

    @property
    def shared(self) -> NDArray[np.uint8]:
        return self._machine.shared[:, : self._machine.shared_bytes]

    @property
    def shared_written(self) -> NDArray[np.bool_]:
        machine, size = self._machine, self._machine.shared_bytes
        if not machine.record["check"][0]:
            return np.ones((len(machine.blocks), size), dtype=np.bool_)
        # One plane stands for all four bytes of its words; of four, each has one byte of every word.
        planes = machine.shadow.reshape(len(machine.blocks), machine.shadow_planes, -1)
        written = planes[:, :, 3::4] >= _WRITTEN_BIT
        by_byte = np.repeat(written, 4 // machine.shadow_planes, axis=1).transpose(0, 2, 1)
        return by_byte.reshape(len(machine.blocks), -1)[:, :size]

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._machine.counts

    @property
    def memory(self) -> NDArray[np.uint8]:
        return self._memory

    @property
    def nbytes(self) -> int:
        return self._keyframes.nbytes + self._memory.nbytes + self._state.nbytes

    def warps(self) -> list[WarpView | None]:
        count = len(self._machine.warps) // len(self._machine.blocks)
        there = np.repeat(self.blocks >= 0, count).tolist()
        return [view if block else None for view, block in zip(self._table.views(), there, strict=True)]


class WarpTable:
    """Present the warp records of a machine as rows of numbers, and as the views that these make.

    A warp mostly stands as it, or another, stood before: what its numbers mean is worked out once.
    """

    def __init__(self, machine: Machine) -> None:
        self._warps = machine.warps
        self._its = bool(machine.record["its"][0])
        self._rows = machine.warps.view(np.int64).reshape(len(machine.warps), -1)
        self._first = {name: place[1] // 8 for name, place in (machine.warps.dtype.fields or {}).items()}
        self._columns: dict[int, NDArray[np.intp]] = {}

    def views(self) -> list[WarpView]:
        """Return every warp slot as it is now."""
        rows, at = self._rows, self._first
        deepest = int(np.maximum(rows[:, at["n_paths"]], rows[:, at["current"]] + 1).max(initial=1))
        found = rows[:, self._columns_of(deepest)].tolist()
        if not self._its:
            return [_stack_view(tuple(row)) for row in found]
        some = np.any(self._warps["barrier_members"], axis=1).tolist()
        return [
            _splits_view(tuple(row), _arrived(w) if any_ else ())
            for row, w, any_ in zip(found, self._warps, some, strict=True)
        ]

    def _columns_of(self, deepest: int) -> NDArray[np.intp]:
        """Return which columns a view is made of: four numbers of the warp, then four of each of ``deepest`` paths."""
        if deepest not in self._columns:
            at, paths = self._first, ("path_pc", "path_mask", "path_rpc", "path_wait")
            scalars = [at[name] for name in ("live", "at_barrier", "n_paths", "current")]
            self._columns[deepest] = np.array(scalars + [at[name] + k for k in range(deepest) for name in paths])
        return self._columns[deepest]


def _entries(row: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the paths of a row: (pc, mask, where it meets the others, what it waits for)."""
    return [row[k : k + 4] for k in range(4, 4 + 4 * row[2], 4)]


@lru_cache(maxsize=VIEWS_KEPT)
def _stack_view(row: tuple[int, ...]) -> WarpView:
    live, blocked = row[:2]
    paths = _stack(_entries(row), blocked)
    pc, mask = (paths[-1].pc, paths[-1].mask) if paths and not blocked else (NONE, 0)
    return WarpView(pc, mask, live, _at_barrier(paths), paths)


@lru_cache(maxsize=VIEWS_KEPT)
def _splits_view(row: tuple[int, ...], arrived: tuple[PathView, ...]) -> WarpView:
    live, current = row[0], row[3]
    paths = (*_splits(_entries(row)), *arrived)
    pc, mask = row[4 + 4 * current : 6 + 4 * current] if current >= 0 else (NONE, 0)
    return WarpView(pc, mask, live, _at_barrier(paths), paths)


def _at_barrier(paths: tuple[PathView, ...]) -> int:
    """Return the lanes of the paths that wait at the block barrier."""
    waiting = 0
    for path in paths:
        waiting |= path.mask if path.waiting == "barrier" else 0
    return waiting


def _stack(entries: list[tuple[int, ...]], blocked: int) -> tuple[PathView, ...]:
    """Return the entries of a reconvergence stack (pc, mask, where it meets the others, unused), the running one
    last."""
    if not entries:
        return ()
    pc, mask, rpc, _ = entries[-1]
    below = [PathView(pc, mask, rpc, "reconvergence") for pc, mask, rpc, _ in entries[:-1]]
    return (*below, PathView(pc, mask, rpc, "barrier" if blocked else ""))


def _splits(entries: list[tuple[int, ...]]) -> list[PathView]:
    """Return the splits by lowest lane."""
    running = [PathView(pc, mask, rpc, _WAITING[state]) for pc, mask, rpc, state in entries if mask]
    return sorted(running, key=lambda split: split.mask & -split.mask)


def _arrived(w: np.void) -> tuple[PathView, ...]:
    """Return the lanes that have arrived at the convergence barriers of a warp."""
    rpcs, arrived = w["barrier_rpc"].tolist(), []
    for k in np.flatnonzero(w["barrier_members"]).tolist():
        parent, lanes = int(w["barrier_parent"][k]), int(w["barrier_arrived"][k])
        if lanes:
            arrived.append(PathView(rpcs[k], lanes, rpcs[parent] if parent >= 0 else NONE, "reconvergence"))
    return tuple(arrived)
