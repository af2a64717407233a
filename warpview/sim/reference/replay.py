"""Execute a recorded run again, step by step: the readable counterpart of the jitted replay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import NONE, Program
from warpview.sim.history.events import Events
from warpview.sim.history.snapshot import WarpView
from warpview.sim.launch import Launch, Options, shared_memory_bytes
from warpview.sim.memory import DeviceMemory
from warpview.sim.raw_counts import N_RAW
from warpview.sim.reference.block import ThreadBlock, blocks_released
from warpview.sim.reference.clusters import Cluster
from warpview.sim.reference.memory import FindingLog, GlobalSegment


class ReferenceReplay:
    """Implement the state part of snapshot.StateReplay. ``memory`` as it was before the launch; going back starts
    again from there.

    A block appears with the first event after it started, so that the end of the one before it can be seen; the first
    blocks are there at step 0.
    """

    def __init__(self, program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options,
                 events: Events, started: Sequence[tuple[int, int, int]], resident: int) -> None:  # fmt: skip
        self._given = program, device, launch, options
        self._initial = memory.copy()
        self._events, self._started, self._resident = events, started, resident
        self._restart()

    def _restart(self) -> None:
        program = self._given[0]
        self.step = 0
        self._memory = self._initial.copy()
        self._segment = GlobalSegment(self._memory)
        self._counts = np.zeros((len(program.instructions), N_RAW), dtype=np.int64)
        self._log = FindingLog()
        self._blocks: list[ThreadBlock | None] = [None] * self._resident
        self._clusters: dict[int, Cluster] = {}
        self._n_started = 0
        self._start_before(0)

    def _start_before(self, event: int) -> None:
        """Start the blocks that started before the event with that index."""
        program, device, launch, options = self._given
        for step, slot, index in self._started[self._n_started :]:
            if step > event:
                return
            cluster = launch.position(index) // launch.cluster_blocks
            self._blocks[slot] = ThreadBlock(
                program, device, launch, options, index, self._segment, self._counts, self._log,
                cluster=self._clusters.setdefault(cluster, Cluster(cluster, launch.cluster_blocks)),
            )  # fmt: skip
            memory = self._block(slot).share.memory
            memory.sets, memory.arrivals = {}, {}
            for warp in self._block(slot).warps:
                warp.path()
            self._n_started += 1

    def _block(self, slot: int) -> ThreadBlock:
        block = self._blocks[slot]
        assert block is not None
        return block

    def seek(self, step: int) -> None:
        if step < self.step:
            self._restart()
        for row in range(self.step, step):
            self._start_before(row)
            block = self._block(int(self._events.slot[row]) // self._given[2].warps)
            warp = block.warps[int(self._events.warp[row])]
            cycle = int(self._events.cycle[row])
            warp.clock = lambda now=cycle: now  # type: ignore[misc]
            warp.issue()
            warp.path()
            if block.in_clusters and block.cluster.settle():
                for other in (warp for each in self._blocks if each is not None for warp in each.warps):
                    other.path()
            if warp.paths.current() is None and block.named.settle():
                for other in block.warps:
                    other.path()
            present = [each for each in self._blocks if each is not None]
            for released in blocks_released(block, present, self._given[2].n_blocks):
                released.release_barrier()
                for other in released.warps:
                    other.path()
        self.step = step

    # ------------------------------------------------------------------------------------ the state

    @property
    def blocks(self) -> NDArray[np.int64]:
        return np.array([NONE if b is None else b.index for b in self._blocks], dtype=np.int64)

    def _registers(self) -> list[tuple[NDArray[np.uint32], NDArray[np.uint64]]]:
        program, _, launch, _ = self._given
        empty = np.zeros((program.rows32, 32), dtype=np.uint32), np.zeros((program.rows64, 32), dtype=np.uint64)
        return [
            empty if block is None else block.warps[w].registers.arrays()
            for block in self._blocks
            for w in range(launch.warps)
        ]

    @property
    def registers32(self) -> NDArray[np.uint32]:
        return np.stack([file32 for file32, _ in self._registers()])

    @property
    def registers64(self) -> NDArray[np.uint64]:
        return np.stack([file64 for _, file64 in self._registers()])

    @property
    def shared(self) -> NDArray[np.uint8]:
        size = shared_memory_bytes(self._given[0], self._given[2])
        empty = np.zeros(size, dtype=np.uint8)
        return np.stack([empty if b is None else b.share.memory.shared.data for b in self._blocks])

    @property
    def shared_written(self) -> NDArray[np.bool_]:
        size, rows = self.shared.shape[1], []
        for block in self._blocks:
            written = None if block is None else block.share.memory.shared.written
            rows.append(np.zeros(size, dtype=np.bool_) if written is None else written)
        return np.stack(rows)

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._counts

    @property
    def memory(self) -> NDArray[np.uint8]:
        return self._memory.data

    def warp(self, slot: int) -> WarpView:
        warps = self._given[2].warps
        warp = self._block(slot // warps).warps[slot % warps]
        path = warp.paths.current() or (NONE, 0)
        views = warp.paths.view()
        return WarpView(*path, warp.paths.live, warp.paths.at_barrier, views)

    def warps(self) -> list[WarpView | None]:
        count = self._given[2].warps
        return [
            None if block is None else self.warp(k * count + w)
            for k, block in enumerate(self._blocks)
            for w in range(count)
        ]

    @property
    def nbytes(self) -> int:
        return int(self.memory.nbytes)
