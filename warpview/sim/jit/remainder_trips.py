"""Count the trips that are left of a loop whose number of trips the compiler does not know.

The rules are those of sim/compiler_effects/remainder_trips.py.
"""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.issue import running_path
from warpview.sim.jit.raw import load_i32, lowest
from warpview.sim.jit.state import ROW32
from warpview.sim.timing.model import SECOND_PART


@jit
def trips_left(m, w, cost):
    """Return how many trips are left of a loop to the lane that has most, at the beginning of one."""
    lanes, most = w.path_mask[running_path(m, w)], 1
    while lanes:
        at = w.registers_at + 4 * lowest(lanes)
        lanes &= lanes - 1
        way = load_i32(at + ROW32 * cost.bound) - load_i32(at + ROW32 * cost.counter)
        step = cost.step
        if step < 0:
            way, step = -way, -step
        most = max(most, (way + cost.inclusive + step - 1) // step)
    return most


@jit
def next_copies(m, w, cost):
    """Return how many trips the code has one after the other that a warp comes to: fewer where fewer are left."""
    copies = cost.copies
    if cost.step:
        left = trips_left(m, w, cost)
        while copies > left:
            copies = copies // 2 if copies > SECOND_PART else 1
    return max(1, copies)
