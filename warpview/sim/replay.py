"""A recorded run put back to any step: the nearest keyframe before it, and the events in between carried out again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.isa.program import NONE
from warpview.sim.jit import compile as jit
from warpview.sim.jit.machine import Machine
from warpview.sim.jit.replaying import sm_accesses, sm_replay
from warpview.sim.jit.sm_machine import SmRecords
from warpview.sim.jit.state import Wait
from warpview.sim.keyframes import Keyframes
from warpview.sim.snapshot import PathView, WarpView

_WAITING = {int(Wait.NO): "", int(Wait.BLOCK_BARRIER): "barrier", int(Wait.COLLECTIVE): "warpsync"}
_WRITTEN_BIT = 0x80  # of the last byte of a shadow word


class SmState:
    """The arrays that make up a multiprocessor's state, time left aside."""

    def __init__(self, machine: Machine, records: SmRecords) -> None:
        self.machine, self.records = machine, records
        self.arrays: tuple[NDArray[np.generic], ...] = (
            machine.warps, machine.blocks, machine.registers, machine.shared, machine.shadow, machine.local,
            machine.local_written, machine.counts, records.stays,
        )  # fmt: skip

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
    """See snapshot.Replay. Takes over the state and ``memory``, which stand after the last of ``steps`` events."""

    def __init__(self, state: SmState, keyframes: Keyframes, memory: NDArray[np.uint8], steps: int) -> None:
        self._state, self._machine, self._records = state, state.machine, state.records
        self._keyframes, self._memory = keyframes, memory
        self._its = bool(self._machine.record["its"][0])
        # What the run left in the machine is dropped: from here on it belongs to the replay.
        self._machine.findings = np.zeros_like(self._machine.findings)
        values = {
            "global_at": memory.ctypes.data, "written_at": 0, "max_printed": 0, "n_printed": 0,
            "findings_at": self._machine.findings.ctypes.data,
        }  # fmt: skip
        for name, value in values.items():
            self._machine.record[name] = value
        self._valid = False
        self.step = steps
        if keyframes.stretches:
            self.seek(0)

    def seek(self, step: int) -> None:
        if self._valid and step == self.step:
            return
        stretch = self._keyframes.stretches[self._keyframes.at(step)]
        if not self._valid or not stretch.first <= self.step <= step:
            self._keyframes.move_memory(self._memory.view(np.uint32), self.step, stretch.first)
            self._state.restore(stretch.state)
            self._machine.record["stopped"] = 0
            self.step, self._valid = stretch.first, True
        jit.entry(sm_replay)(self._records.address, self.step, step)
        self.step = step

    def accesses(self, first: int, last: int, rows: NDArray[np.uint32], words: NDArray[np.uint32]) -> int:
        """Carry out the events ``first`` to ``last - 1`` and write down what they access; see snapshot.Replay."""
        self.seek(first)
        addresses = rows.ctypes.data, words.ctypes.data
        count = jit.entry(sm_accesses)(self._records.address, first, last, *addresses)
        self.step = last
        return count

    @property
    def stretches(self) -> list[int]:
        """The steps that it can be put back to at once, ascending."""
        return [stretch.first for stretch in self._keyframes.stretches]

    # ------------------------------------------------------------------------------------ the state

    @property
    def blocks(self) -> NDArray[np.int64]:
        return np.asarray(self._records.stays["block"], dtype=np.int64)

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
        written = np.asarray(planes[:, :, 3::4] & _WRITTEN_BIT, dtype=np.bool_).transpose(0, 2, 1)
        by_byte = np.broadcast_to(written, (*written.shape[:2], 4))
        return by_byte.reshape(len(machine.blocks), -1)[:, :size]

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._machine.counts

    @property
    def memory(self) -> NDArray[np.uint8]:
        return self._memory

    @property
    def nbytes(self) -> int:
        return self._keyframes.nbytes + self._memory.nbytes

    def warp(self, slot: int) -> WarpView:
        return self._views(self._machine.warps[slot : slot + 1])[0]

    def warps(self) -> list[WarpView | None]:
        count = len(self._machine.warps) // len(self._machine.blocks)
        there = np.repeat(self.blocks >= 0, count).tolist()
        views = self._views(self._machine.warps)
        return [view if block else None for view, block in zip(views, there, strict=True)]

    def _views(self, warps: NDArray[np.void]) -> list[WarpView]:
        """Each of some warps. Field by field for all of them: a fraction of the time of warp by warp."""
        counts, live, blocked, current = (
            warps[name].tolist() for name in ("n_paths", "live", "at_barrier", "current")
        )  # fmt: skip
        most = max(1, *counts, *(k + 1 for k in current))
        columns = [warps[name][:, :most].tolist() for name in ("path_pc", "path_mask", "path_rpc", "path_wait")]
        views = []
        for k, (pcs, masks, rpcs, states) in enumerate(zip(*columns, strict=True)):
            entries = list(zip(pcs, masks, rpcs, states, strict=True))[: counts[k]]
            if self._its:
                now, paths = current[k], _splits(entries, warps[k])
            else:
                now, paths = -1 if blocked[k] else counts[k] - 1, _stack(entries, blocked[k])
            waiting = 0
            for path in paths:
                waiting |= path.mask if path.waiting == "barrier" else 0
            pc, mask = (pcs[now], masks[now]) if now >= 0 else (NONE, 0)
            views.append(WarpView(pc, mask, live[k], waiting, paths))
        return views


def _stack(entries: list[tuple[int, int, int, int]], blocked: int) -> tuple[PathView, ...]:
    """The entries of a reconvergence stack (pc, mask, where it meets the others, unused), the running one last."""
    if not entries:
        return ()
    pc, mask, rpc, _ = entries[-1]
    below = [PathView(*entry[:3], "reconvergence") for entry in entries[:-1]]
    return (*below, PathView(pc, mask, rpc, "barrier" if blocked else ""))


def _splits(entries: list[tuple[int, int, int, int]], w: np.void) -> tuple[PathView, ...]:
    """The splits by lowest lane, then the lanes that have arrived at convergence barriers."""
    running = [PathView(pc, mask, rpc, _WAITING[state]) for pc, mask, rpc, state in entries if mask]
    running.sort(key=lambda split: split.mask & -split.mask)
    members = w["barrier_members"]
    if not members.any():
        return tuple(running)
    rpcs, arrived = w["barrier_rpc"].tolist(), []
    for k in np.flatnonzero(members).tolist():
        parent, lanes = int(w["barrier_parent"][k]), int(w["barrier_arrived"][k])
        if lanes:
            arrived.append(PathView(rpcs[k], lanes, rpcs[parent] if parent >= 0 else NONE, "reconvergence"))
    return (*running, *arrived)
