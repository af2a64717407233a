"""Fill in the records of a multiprocessor, from Python."""

from __future__ import annotations

import numpy as np

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.history.events import EVENT_COLUMNS, Events, Residency
from warpview.sim.jit.machine import Machine, aligned_records
from warpview.sim.jit.sm_state import (
    ATOMIC,
    CACHE,
    COST,
    L1,
    L2,
    LOAD,
    NO_CACHE,
    READ_ONLY,
    RESIDENT_BLOCK,
    SCHEDULER,
    SM,
    STORE,
    TIMED,
    WAY_BYTES,
)
from warpview.sim.jit.state import EVENT, LANES, MACHINE
from warpview.sim.rules.coalescing import LINE, SECTOR
from warpview.sim.timing.instruction_costs import InstructionCosts, polls_word
from warpview.sim.timing.l2_share import StoresHeld
from warpview.sim.timing.model import CODE_LINE, NEVER, Timing
from warpview.sim.timing.scoreboard import SCOREBOARDS

MOST_MISSED = 4 * LANES * (1 + 4 * 4)  # sectors of an access, in L1, and of L2 those that each brings along
WORDS_AN_EVENT = 128  # of global memory that one instruction can change: 16 bytes a lane


class CacheRecords:
    """Allocate the caches of a multiprocessor, empty. ``cached`` sends global loads through L1 where the run can
    choose; ``shared_bytes`` are in use on the multiprocessor, ``local_bytes`` belong to a thread; ``shares`` and
    ``held`` are what it has of the L2 (sim/timing/l2_share.py)."""

    def __init__(self, device: Device, cached: bool, shared_bytes: int, local_bytes: int, shares: np.ndarray,
                 held: StoresHeld) -> None:  # fmt: skip
        self._shares, self._held, self._together = shares, held, device.dram_sectors
        self._whole_shares = shares[:, 2].copy()
        l1 = device.l1_with(shared_bytes)
        l1 = l1 if l1 and l1.sets else None
        read_only = device.read_only_cache if device.coalescing == "split_sectors" else None
        self._cached = cached and device.l1_caches_global
        self._read_only_path = device.read_only_path
        self._separate = read_only is not None
        self._evict = device.coalescing == "lines"
        self._local_bytes = -(-local_bytes * LANES // LINE) * LINE
        self._geometries = (l1, read_only, device.l2)
        self._sectors = np.zeros(4 * LANES + 1, dtype=np.int64)
        self._halves = np.zeros(4 * LANES + 1, dtype=np.int64)
        self._missed = np.zeros(MOST_MISSED, dtype=np.int64)
        self._ways = [np.zeros(g.sets * g.ways * WAY_BYTES if g else 0, dtype=np.uint8) for g in self._geometries]
        self._records = np.zeros(len(self._geometries), dtype=CACHE)
        for record, geometry, ways in zip(self._records, self._geometries, self._ways, strict=True):
            if geometry:
                parts = geometry.line // geometry.sector
                record["sets"], record["ways"], record["part_mask"] = geometry.sets, geometry.ways, parts - 1
                record["hashed"], record["kept"], record["lines"] = geometry.hashed, geometry.kept, geometry.lines
                record["line_shift"] = (geometry.line // SECTOR).bit_length() - 1
                record["part_shift"] = (geometry.sector // SECTOR).bit_length() - 1
                record["ways_at"] = ways.ctypes.data

    def reduce_shares(self, sm: np.ndarray, part: float) -> None:
        """Leave the blocks of a run a ``part`` of what they had of the L2. What they have brought in beyond that others
        of the launch find there: it counts as hits, so that the counts of the sample stand for all blocks."""
        gone = np.rint((1 - part) * self._whole_shares).astype(np.int64)
        brought = self._shares[:, 7] - np.maximum(self._shares[:, 2], 0)
        beyond = int(np.maximum(brought - np.maximum(self._shares[:, 7] - gone, 1), 0).sum())
        sm["dram_sectors"] -= min(beyond, int(sm["dram_sectors"][0]))
        sm["l2_hits"] += min(beyond, int(sm["l2_sectors"][0] - sm["l2_hits"][0]))
        for left in (self._shares[:, 2], self._shares[:, 4], self._shares[:, 7]):
            left[left > 0] = np.maximum(left - gone, 1)[left > 0]
        for name, room in self._held._asdict().items():
            sm[f"room_{name}"] = round(part * room)

    def first_level(self, instruction: Instruction) -> int:
        """Return the cache that a load of global memory asks first."""
        if instruction.read_only and self._read_only_path and self._separate:
            return READ_ONLY
        through = (instruction.read_only and self._read_only_path) or (self._cached and instruction.cached)
        return L1 if through and self._geometries[L1] else NO_CACHE

    def _lines_of_l1(self) -> int:
        l1 = self._geometries[L1]
        return l1.lines if l1 else 0

    def values(self) -> dict[str, int]:
        """Return the fields of the SM record."""
        return {
            "caches_at": self._records.ctypes.data, "sectors_at": self._sectors.ctypes.data,
            "halves_at": self._halves.ctypes.data,
            "missed_at": self._missed.ctypes.data,
            "l1_lines": self._lines_of_l1(),
            "has_l1": self._geometries[L1] is not None, "has_l2": self._geometries[L2] is not None,
            "shares_at": self._shares.ctypes.data, "n_shares": len(self._shares),
            **{f"room_{name}": room for name, room in self._held._asdict().items()},
            "dram_sectors_together": self._together,
            "stores_evict": self._evict, "l1_caches_global": self._cached, "local_bytes": self._local_bytes,
        }  # fmt: skip


class Partners:
    """Hold the other blocks of the clusters of ``blocks``, each of which is on another multiprocessor: ``numbers``
    int64[blocks, partners], and the ``machine`` that executes them, a MACHINE record. It shares the block slots of the
    machine of the followed blocks, but nothing that counts."""

    def __init__(self, machine: Machine, blocks: np.ndarray) -> None:
        clusters = machine.common.launch.clusters()
        of_block = np.empty(clusters.size, dtype=np.int64)
        of_block[clusters.ravel()] = np.repeat(np.arange(len(clusters)), clusters.shape[1])
        together = clusters[of_block[blocks]]
        others = together[together != np.asarray(blocks)[:, None]]
        self.numbers = np.ascontiguousarray(others.reshape(len(blocks), -1), dtype=np.int64)
        self.machine, self._event = aligned_records(1, MACHINE), aligned_records(1, EVENT)
        self._counts = np.zeros_like(machine.counts)
        self.machine[:] = machine.record
        self.machine["counts_at"], self.machine["event_at"] = self._counts.ctypes.data, self._event.ctypes.data


class SmRecords:
    """Allocate one multiprocessor; ``warps_at`` are the addresses of the functional core's warp records, by slot.

    ``capacity`` events are recorded at most; ``chunk`` is the largest number issued between two calls of
    ``take_changes``.
    """

    def __init__(self, program: Program, timing: Timing, machine_at: int, warps_at: list[int], warps: int,
                 blocks: np.ndarray, capacity: int, chunk: int, caches: CacheRecords,
                 partners: Partners | None = None) -> None:  # fmt: skip
        self.timing = timing
        self.caches = caches
        self.rows = max(SCOREBOARDS, *(1 + int(rows.max(initial=0)) for rows in (timing.costs.uses, timing.costs.sets)))
        self.resident = len(warps_at) // warps
        self.costs = _costs(program, timing, caches)
        self.boards = np.zeros((len(warps_at), max(1, self.rows)), dtype=np.int64)
        self.timed = self._timed(warps_at, warps)
        self.resident_blocks = np.zeros(self.resident, dtype=RESIDENT_BLOCK)
        self.resident_blocks["block"] = -1
        self.schedulers = np.zeros(timing.schedulers, dtype=SCHEDULER)
        self.schedulers["last"] = -1
        self.schedulers["visit"] = NEVER
        self.queue = np.ascontiguousarray(blocks, dtype=np.int64)
        self.started = {name: np.zeros(len(blocks), dtype=np.int64) for name in ("step", "slot", "cycle")}
        self.ended = np.zeros(len(blocks), dtype=np.int64)
        self.events = Events.empty(capacity)
        room = chunk + 1 if capacity else 0  # the second of a pair of instructions may come on top
        self.changes = {name: np.empty(room * WORDS_AN_EVENT, dtype=np.uint32) for name in ("word", "old", "new")}
        self.change_end = np.zeros(room, dtype=np.int64)
        self.code = np.zeros(len(program.instructions) // CODE_LINE + 1, dtype=np.int64)
        self.constants = np.zeros(int(timing.costs.constant_line.max(initial=0)) + 1, dtype=np.int64)
        self.sm = np.zeros(1, dtype=SM)
        self._fill(machine_at, warps)
        self.partners = partners
        if partners is not None:
            self.sm["partners"] = partners.numbers.shape[1]
            self.sm["partners_at"] = partners.numbers.ctypes.data
            self.sm["partners_machine_at"] = partners.machine.ctypes.data

    def _timed(self, warps_at: list[int], warps: int) -> np.ndarray:
        timed = np.zeros(len(warps_at), dtype=TIMED)
        slots = np.arange(len(warps_at))
        timed["warp_at"] = warps_at
        timed["slot"] = slots
        timed["block_slot"] = slots // warps
        timed["scheduler"] = slots % self.timing.schedulers
        timed["pc"] = -1
        timed["board_at"] = [row.ctypes.data for row in self.boards]
        return timed

    def _fill(self, machine_at: int, warps: int) -> None:
        sm, timing = self.sm, self.timing
        for name in set(Timing._fields) & set(SM.names or ()):
            sm[name] = getattr(timing, name)
        sm["block_start"] = timing.block_start + timing.warp_start * warps
        sm["machine_at"] = machine_at
        sm["pause_at"] = NEVER
        sm["resident"], sm["warps"], sm["rows"] = self.resident, warps, self.rows
        sm["n_queue"] = len(self.queue)
        for name, value in self.caches.values().items():
            sm[name] = value
        arrays = {
            "costs": self.costs, "timed": self.timed, "resident_blocks": self.resident_blocks,
            "schedulers": self.schedulers, "code": self.code, "constants": self.constants,
            "queue": self.queue, "ended_cycle": self.ended, "change_end": self.change_end,
            **{f"started_{name}": array for name, array in self.started.items()},
            **{f"change_{name}": array for name, array in self.changes.items()},
            **{name: getattr(self.events, name) for name in EVENT_COLUMNS},
        }  # fmt: skip
        for name, array in arrays.items():
            sm[f"{name}_at"] = array.ctypes.data

    def replace_queue(self, blocks: np.ndarray) -> None:
        """Let fewer blocks follow those that have started, which are the first of ``blocks``."""
        if self.partners is not None:
            kept = np.flatnonzero(np.isin(self.queue, blocks))
            self.partners.numbers[: len(kept)] = self.partners.numbers[kept]
        self.queue[: len(blocks)] = blocks
        self.sm["n_queue"] = len(blocks)

    def kept_events(self) -> Events:
        """Return the events recorded. Room that was not needed is given back, where that is more than half."""
        count = int(self.sm["n_events"][0])
        if 2 * count < len(self.events):
            self.events = Events(**{name: getattr(self.events, name)[:count].copy() for name in EVENT_COLUMNS})
            for name in EVENT_COLUMNS:
                self.sm[f"{name}_at"] = getattr(self.events, name).ctypes.data
        return self.events.first(count)

    def end_recording(self) -> None:
        """Let go of what only a run in time needs: the room for changes, and the caches."""
        del self.changes, self.change_end, self.caches
        for name in ("change_word_at", "change_old_at", "change_new_at", "change_end_at", "caches_at", "sectors_at",
                     "shares_at", "missed_at", "code_at", "constants_at"):  # fmt: skip
            self.sm[name] = 0

    @property
    def address(self) -> int:
        return int(self.sm.ctypes.data)

    def residency(self, warps: int, cycles: int) -> tuple[Residency, ...]:
        """Return when and where all blocks that started ran; those that an abort cut short end with the run."""
        n = int(self.sm["n_started"][0])
        return tuple(
            Residency(int(self.queue[k]), int(self.started["slot"][k]) * warps, int(self.started["cycle"][k]),
                      int(self.ended[k]) or cycles)
            for k in range(n)
        )  # fmt: skip


def _costs(program: Program, timing: Timing, caches: CacheRecords) -> np.ndarray:
    costs = np.zeros(len(program.instructions), dtype=COST)
    for name in set(InstructionCosts._fields) & set(COST.names or ()):
        costs[name] = getattr(timing.costs, name)
    of_memory = "sector_cost", "pass_cost", "pass_part", "pass_again", "pass_apart", "same_line", "l2_cost", "line_cost"
    for name in of_memory:
        costs[name] = getattr(timing, name)
    for name in ("uses", "sets"):
        start, rows = getattr(timing.costs, f"{name}_start"), getattr(timing.costs, name)
        costs[f"{name}_at"] = rows.ctypes.data + rows.itemsize * start[:-1].astype(np.int64)
        costs[f"n_{name}"] = np.diff(start)
    costs["first_cycle"] = NEVER
    costs["constant"] = timing.costs.space == Space.CONST
    for cost, instruction in zip(costs, program.instructions, strict=True):
        cost["barrier"] = instruction.op in BLOCK_BARRIERS
        cost["awaits_cluster"] = instruction.op == Op.CLUSTER_WAIT
        writes = instruction.op == Op.ST or instruction.op in ATOMIC_OPS
        cost["writes_global"] = writes and instruction.space in (Space.GLOBAL, Space.GENERIC)
        cost["access"] = _access_of(instruction.op)
        cost["polls"] = polls_word(instruction)
        cost["first_level"] = caches.first_level(instruction)
    return costs


def _access_of(op: Op) -> int:
    return ATOMIC if op in ATOMIC_OPS else STORE if op == Op.ST else LOAD
