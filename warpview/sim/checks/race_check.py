"""Check a launch of the profile engine for races: screen it while it runs, and log the words that are suspected.

The screen (sim/jit/race_screen.py) notes who accessed each granule of memory. Where it suspects a race the launch is
executed once more, in the order of its blocks, with a log of the accesses to the suspected words, from which sim/checks
tells what is a race and between whom.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.program import Program
from warpview.isa.types import GLOBAL_SPACES, Space
from warpview.sim.checks.access_log import LOG_FIELDS, LoggedAccesses, LogKind, LogRecord
from warpview.sim.jit.access_kinds import ATOMIC, BLOCK_KINDS, READ, WRITE
from warpview.sim.jit.machine import Machine, aligned_records
from warpview.sim.jit.state import LOG, SUSPECT
from warpview.sim.launch import Launch
from warpview.sim.memory import DeviceMemory

MAX_SHADOW_BYTES = 1 << 30  # of global memory; a launch with more has its races in shared memory found only
MAX_SUSPECTS = 4096
MAX_BLOCKS = 64  # suspected, whose accesses are logged
MAX_RECORDS = 1 << 18


class RaceScreen:
    """Screen one execution for races; suspicions are rows (block, space, address, span of another)."""

    def __init__(self, program: Program, memory: DeviceMemory, launch: Launch) -> None:
        self._launch = launch
        self._shift = _granule_shift(program)
        granules = (len(memory.data) >> self._shift) + 64
        self._shadow = np.zeros(granules if granules * 8 <= MAX_SHADOW_BYTES else 0, dtype=np.int64)
        self._spans = np.zeros(launch.n_blocks, dtype=np.int64)
        self._suspects: list[tuple[Machine, NDArray[np.void]]] = []
        self._known: list[NDArray[np.uint32]] = []
        # Of the stretches of a launch before the last barrier of its grid: kinds, suspected blocks, their suspicions
        self._kinds_before = np.zeros(0, dtype=np.uint8)
        self._blocks_before: dict[int, None] = {}
        self._told_before = 0

    def attach(self, machine: Machine) -> None:
        """Have a machine note its accesses. Several may share a screen: words that two of them access are told by the
        engine."""
        rows = aligned_records(MAX_SUSPECTS, SUSPECT)
        self._suspects.append((machine, rows))
        in_global = np.zeros(len(machine.common.memory.data) // 4 + 1, dtype=np.uint32)
        in_shared = np.zeros(machine.shared_bytes // 4 + 4, dtype=np.uint32)
        self._known += [in_global, in_shared]
        values = {
            "suspected_global_at": in_global.ctypes.data, "suspected_shared_at": in_shared.ctypes.data,
            "race_at": self._shadow.ctypes.data if len(self._shadow) else 0, "race_shift": self._shift,
            "suspects_at": rows.ctypes.data, "max_suspects": MAX_SUSPECTS, "block_spans_at": self._spans.ctypes.data,
            "screens_clusters": int(machine.cluster_shadow.size > 0),
        }  # fmt: skip
        for name, value in values.items():
            machine.record[name] = value

    def suspects(self) -> list[NDArray[np.void]]:
        """Return the suspicions of each machine, in order."""
        return [rows[: int(machine.record["n_suspects"][0])] for machine, rows in self._suspects]

    @property
    def granule(self) -> int:
        """Return the bytes of global memory that have one shadow word."""
        return 1 << self._shift

    def kinds(self) -> NDArray[np.uint8]:
        """Return the kinds of access (sim/jit/access_kinds.py) to each granule of global memory since the launch began;
        empty where there is no shadow."""
        kinds = (self._shadow >> BLOCK_KINDS & (READ | WRITE | ATOMIC)).astype(np.uint8)
        return kinds | self._kinds_before if len(self._kinds_before) else kinds

    def pass_grid_barrier(self) -> None:
        """Forget the accesses before a barrier of the whole grid: they come before all that follow."""
        self._kinds_before, self._blocks_before = self.kinds(), dict.fromkeys(self._all_blocks())
        self._told_before = len(self.suspects()[0])
        self._shadow[:] = 0

    @property
    def has_suspects(self) -> bool:
        return any(len(rows) for rows in self.suspects())

    def blocks(self) -> NDArray[np.int64]:
        """Return the first MAX_BLOCKS blocks that are suspected, of an execution by one machine."""
        return np.array(self._all_blocks()[:MAX_BLOCKS], dtype=np.int64)

    def _all_blocks(self) -> list[int]:
        started = np.flatnonzero(self._spans)
        found = dict(self._blocks_before)
        for row in self.suspects()[0][self._told_before :]:
            if row["other_span"]:
                at = np.searchsorted(self._spans[started], row["other_span"], side="right") - 1
                found[int(started[at])] = None
            if row["space"] == Space.SHARED:  # perhaps raced with another block of the cluster
                found.update(dict.fromkeys(self._launch.cluster_of(int(row["block"]))))
            found[int(row["block"])] = None
        return list(found)


def _granule_shift(program: Program) -> int:
    """Return the exponent (of two) of the width of the narrowest access of global memory."""
    widths = [i.width for i in program.instructions if i.op in MEMORY_OPS and i.space in GLOBAL_SPACES]
    return min(widths, default=4).bit_length() - 1


@dataclass(frozen=True)
class Watch:
    """Select what goes into a log: accesses of some blocks to some words of global and of shared memory."""

    global_words: NDArray[np.int64]
    shared_words: NDArray[np.int64]
    blocks: NDArray[np.int64]

    @classmethod
    def suspected(cls, screen: RaceScreen) -> Watch:
        """Return the suspected blocks and words of an execution by one machine."""
        suspects = screen.suspects()[0]
        words = suspects["address"] >> 2
        in_shared = suspects["space"] == Space.SHARED
        return cls(words[~in_shared], words[in_shared], screen.blocks())


class AccessRecorder:
    """Keep the log of a machine: what it accesses of a ``watch``, and, where ``kinds`` has them, fences and all atomics
    of a program that has fences. Where the log holds ``most`` records the later ones are left out."""

    def __init__(
        self, machine: Machine, watch: Watch, kinds: Iterable[LogKind] = tuple(LogKind), most: int = MAX_RECORDS
    ) -> None:
        self._machine = machine
        self._global = _marked(watch.global_words, len(machine.common.memory.data) // 4 + 4)
        self._shared = _marked(watch.shared_words, machine.shared_bytes // 4 + 4)
        self._blocks = _marked(watch.blocks, machine.common.launch.n_blocks)
        self._records = aligned_records(most + 1, LOG)
        synchronises = any(i.op in (Op.MEMBAR, Op.MBARRIER) for i in machine.common.program.instructions)
        values = {
            "log_at": self._records.ctypes.data, "max_log": most, "log_kinds": sum(1 << kind for kind in kinds),
            "log_sync": int(synchronises and LogKind.FENCE in kinds),
            "watch_global_at": self._global.ctypes.data, "watch_shared_at": self._shared.ctypes.data,
            "watch_blocks_at": self._blocks.ctypes.data,
        }  # fmt: skip
        for name, value in values.items():
            machine.record[name] = value

    def log(self) -> LoggedAccesses:
        rows = self._records[: int(self._machine.record["n_log"][0])]
        return LoggedAccesses(_log_records(rows), complete=not self._machine.record["log_full"][0])

    def latest(self) -> LogRecord | None:
        """Return the last record of a recorder that keeps no more (``most`` 0); None where there was none."""
        return _log_records(self._records)[0] if self._machine.record["log_full"][0] else None


def _log_records(rows: NDArray[np.void]) -> list[LogRecord]:
    columns = [rows[name].tolist() for name in LOG_FIELDS]
    columns[LOG_FIELDS.index("value")] = rows["value"].astype(np.uint64).tolist()
    return [LogRecord(*row) for row in zip(*columns, strict=True)]


def _marked(places: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """Return uint8[size]: 1 at the places."""
    marks = np.zeros(size, dtype=np.uint8)
    marks[places] = 1
    return marks
