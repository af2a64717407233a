"""Execute a launch in a chosen order: an ``Order`` gives the next warp and the instruction up to which it runs.

Any order that barriers and ``_sync`` primitives allow is one that a device may take. Blocks and warps are executed by
the jitted core a stretch at a time; a lane is held back by giving it a path of its own, as devices from compute
capability 7.0 on may do at any instruction.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from warpview.sim.jit import machine_code
from warpview.sim.jit.machine import LaunchContext, Machine
from warpview.sim.jit.state import Status, Wait

RESIDENT_BLOCKS = 64
STRETCH = 1 << 14  # instructions that a warp is given at once where nothing else is wanted
PATIENCE = 1 << 18  # instructions that others may execute while a warp is held back
HELD = 3  # of a path: none of ``Wait``
Warp = tuple[int, int]  # block in the grid, warp in the block

assert HELD not in set(Wait)


@dataclass(frozen=True)
class Hold:
    """Name a warp, or one lane of it, that is held back once its warp has issued ``issue`` instructions, until nothing
    else can run."""

    block: int
    warp: int
    issue: int
    lane: int | None = None


class Order:
    """Decide the order of the warps: the first that can run goes on until it waits. ``words`` says so for people."""

    words = "in the order of the blocks and warps"
    hold: Hold | None = None

    def blocks(self, count: int) -> Sequence[int]:
        """Return the order in which blocks become resident."""
        return range(count)

    def pick(self, runnable: Sequence[Warp]) -> tuple[Warp, int]:
        """Return which of the warps that can run goes on, and for how many instructions at most."""
        return min(runnable), STRETCH


class Delayed(Order):
    """Decide as ``Order`` does, except for the warps that are held back."""

    def __init__(self, hold: Hold, words: str) -> None:
        self.hold, self.words = hold, words


class Reversed(Order):
    """The last block and the last warp go first."""

    words = "with the last block and the last warp first"

    def blocks(self, count: int) -> Sequence[int]:
        return range(count - 1, -1, -1)

    def pick(self, runnable: Sequence[Warp]) -> tuple[Warp, int]:
        return max(runnable), STRETCH


class RandomPriorities(Order):
    """Warps have random priorities, and the running one falls to the lowest now and then (Burckhardt et al., "A
    Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010)."""

    def __init__(self, seed: int) -> None:
        self.words = f"with random priorities of the warps (seed {seed})"
        self._random = random.Random(seed)
        self._priority: dict[Warp, float] = {}

    def pick(self, runnable: Sequence[Warp]) -> tuple[Warp, int]:
        for warp in sorted(runnable):
            self._priority.setdefault(warp, self._random.random())
        chosen = max(runnable, key=lambda warp: self._priority[warp])
        if self._random.random() < 0.25:
            self._priority[chosen] = -self._random.random()
        return chosen, self._random.choice((1, 4, 16, 64, 256, STRETCH))


class Interleaving:
    """Execute a launch in one order. ``run`` returns False where the launch ended early or used up ``fuel``,
    the number of instructions that it may issue."""

    def __init__(self, common: LaunchContext, order: Order, fuel: int) -> None:
        self.common, self._order, self._fuel = common, order, fuel
        self._n = common.launch.warps
        n_blocks = common.launch.n_blocks
        self.machine = Machine(common, n_blocks if common.program.synchronises_grid else min(RESIDENT_BLOCKS, n_blocks))
        self._at_grid_barrier: list[int] = []  # blocks that wait for all others
        self._pending = list(order.blocks(common.launch.n_blocks))
        self._slots: dict[int, int] = {}  # of resident blocks
        self._runnable: dict[Warp, None] = {}
        self._is_held, self._released = False, order.hold is None
        self._patience = PATIENCE

    def run(self) -> bool:
        """Execute the launch to its end."""
        while self._admit() or self._runnable or self._is_held:
            warps = [warp for warp in self._runnable if not self._holds(warp)]
            if not warps or self._patience <= 0:
                if not self._is_held and self._released:
                    return False  # threads that wait for ever
                self._release_hold()
                continue
            warp, limit = self._order.pick(warps)
            if not self._issue(warp, min(limit, self._left_before_hold(warp))):
                return False
        return not self._slots

    # ------------------------------------------------------------------------------------ blocks and warps

    def _admit(self) -> bool:
        """Start blocks while there is room; returns whether there is a block at all."""
        taken = set(self._slots.values())
        for slot in range(len(self.machine.blocks)):
            if self._pending and slot not in taken:
                block = self._pending.pop(0)
                self._slots[block] = slot
                machine_code.entry("start_block")(self.machine.address, self._block_address(slot), block)
                self._runnable |= dict.fromkeys((block, warp) for warp in range(self._n))
        return bool(self._runnable)

    def _issue(self, warp: Warp, limit: int) -> bool:
        """Let a warp go on; returns False where that ends the launch."""
        record = self._index(warp)
        before = int(self.machine.warps["issued"][record])
        status = machine_code.entry("issue")(self.machine.address, self.machine.warp_addresses[record], limit)
        count = int(self.machine.warps["issued"][record]) - before
        self._fuel -= count
        if self._is_held:
            self._patience -= count
        if status in (Status.WAITING, Status.DONE):
            del self._runnable[warp]
            if self._unhold_lane(warp):
                return True
            self._settle(warp[0])
        return status != Status.ABORTED and self._fuel > 0

    def _settle(self, block: int) -> None:
        """Once no warp of a block can run: let it end, or release its barriers."""
        if any(warp[0] == block for warp in self._runnable):
            return
        slot = self._slots[block]
        first = slot * self._n
        if not self.machine.warps["live"][first : first + self._n].any():
            del self._slots[block]
        elif machine_code.entry("settle_named")(self.machine.address, self._block_address(slot)):
            self._runnable |= dict.fromkeys((block, warp) for warp in range(self._n))
        elif machine_code.entry("barrier_complete")(self.machine.address, self._block_address(slot)):
            released = [block]
            if machine_code.entry("is_at_grid_barrier")(self.machine.address, self._block_address(slot)):
                self._at_grid_barrier.append(block)
                if len(self._at_grid_barrier) < self.common.launch.n_blocks:
                    return
                released, self._at_grid_barrier = self._at_grid_barrier, []
            for each in released:
                machine_code.entry("release")(self.machine.address, self._block_address(self._slots[each]))
                self._runnable |= dict.fromkeys((each, warp) for warp in range(self._n))

    def _block_address(self, slot: int) -> int:
        return self.machine.block_addresses[slot]

    def _index(self, warp: Warp) -> int:
        return self._slots[warp[0]] * self._n + warp[1]

    # ------------------------------------------------------------------------------------ what is held back

    def _left_before_hold(self, warp: Warp) -> int:
        hold = self._order.hold
        if self._released or hold is None or warp != (hold.block, hold.warp):
            return STRETCH
        left = hold.issue - int(self.machine.warps["issued"][self._index(warp)])
        return left if left > 0 else STRETCH

    def _holds(self, warp: Warp) -> bool:
        """Return whether a warp is held back; a lane of it gets a path of its own."""
        hold = self._order.hold
        if self._released or hold is None or warp != (hold.block, hold.warp):
            return False
        if int(self.machine.warps["issued"][self._index(warp)]) < hold.issue:
            return False
        if hold.lane is None:
            self._is_held = True
        elif not self._is_held:
            self._is_held = True
            self._hold_lane(self._index(warp), 1 << hold.lane)
        return hold.lane is None

    def _hold_lane(self, record: int, bit: int) -> None:
        """Part a lane from its path; the path of its own waits."""
        w = self.machine.warps[record]
        paths = [k for k in range(int(w["n_paths"])) if int(w["path_mask"][k]) & bit]
        if not paths or int(w["path_mask"][paths[0]]) == bit or int(w["path_wait"][paths[0]]) != Wait.NO:
            return
        path = paths[0]
        free = next(k for k in range(int(w["n_paths"]) + 1) if k >= int(w["n_paths"]) or not int(w["path_mask"][k]))
        w["path_mask"][path] &= ~bit
        for name in ("path_pc", "path_rpc", "path_barrier"):
            w[name][free] = w[name][path]
        w["path_mask"][free], w["path_wait"][free], w["path_members"][free] = bit, HELD, int(w["live"])
        w["n_paths"] = max(int(w["n_paths"]), free + 1)

    def _unhold_lane(self, warp: Warp) -> bool:
        """Release a held lane once the rest of its warp waits or has ended; returns whether that makes it run."""
        hold = self._order.hold
        if not self._is_held or hold is None or hold.lane is None or warp != (hold.block, hold.warp):
            return False
        return self._release_hold()

    def _release_hold(self) -> bool:
        hold = self._order.hold
        assert hold is not None
        self._released, self._is_held, self._patience = True, False, PATIENCE
        warp = hold.block, hold.warp
        if hold.lane is None or hold.block not in self._slots:
            return False
        w = self.machine.warps[self._index(warp)]
        held = [k for k in range(int(w["n_paths"])) if int(w["path_mask"][k]) and int(w["path_wait"][k]) == HELD]
        for path in held:
            w["path_wait"][path] = Wait.NO
        if held:
            self._runnable[warp] = None
        return bool(held)
