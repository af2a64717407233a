"""Find out whether a load finds a word changed that its warp has loaded before: then the copy is gone that the near
half of the L2 had of it."""

from __future__ import annotations

from warpview.sim.jit.compile import jit
from warpview.sim.jit.raw import load_i64, load_u32, lowest
from warpview.sim.jit.records import addresses_at, event_at


@jit
def finds_change(m, w):
    """Return whether the load that a warp has issued last finds another value than its last one from the L2 at the same
    word, that of its first lane."""
    lanes = event_at(m.event_at).global_served
    if lanes == 0:
        return 0
    word = load_i64(addresses_at(m) + 8 * lowest(lanes)) & ~3
    value, is_same = load_u32(m.global_at + word), w.polled == word + 1
    has_changed = 1 if is_same and w.polled_value != value else 0
    w.polled, w.polled_value = word + 1, value
    return has_changed
