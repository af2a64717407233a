"""Keep the reconvergence stack of a warp up to CC 6.x, bottom first; its last path is the one that runs.

The reference's ``stack.py`` is the definition; the names are the same.
"""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.compile import jit


@jit
def push(w, pc, rpc, mask):
    n = w.n_paths
    w.path_pc[n], w.path_rpc[n], w.path_mask[n] = pc, rpc, mask
    w.n_paths = n + 1


@jit
def pop_arrived(w):
    """A path that has reached its reconvergence point leaves its lanes to the path below."""
    n = w.n_paths
    while n > 0 and w.path_rpc[n - 1] != NONE and w.path_pc[n - 1] == w.path_rpc[n - 1]:
        n -= 1
    w.n_paths = n


@jit
def diverge(w, taken, target, reconvergence):
    """Some lanes of the top path branch, the others fall through; both kinds exist."""
    top = w.n_paths - 1
    rpc, fall_through, rest = w.path_rpc[top], w.path_pc[top] + 1, w.path_mask[top] & ~taken
    if reconvergence == NONE:
        w.n_paths = top
        push(w, target, rpc, taken)
        push(w, fall_through, rpc, rest)
    else:
        if reconvergence == rpc:
            w.n_paths = top  # the path below waits there already
        else:
            w.path_pc[top] = reconvergence
        if target != reconvergence:
            push(w, target, reconvergence, taken)
        if fall_through != reconvergence:
            push(w, fall_through, reconvergence, rest)
    pop_arrived(w)


@jit
def exit_lanes(w, lanes):
    """Some lanes of the top path end, the others go on."""
    w.path_pc[w.n_paths - 1] += 1
    w.live &= ~lanes
    kept = 0
    for k in range(w.n_paths):
        mask = w.path_mask[k] & ~lanes
        if mask:
            w.path_pc[kept], w.path_rpc[kept], w.path_mask[kept] = w.path_pc[k], w.path_rpc[k], mask
            kept += 1
    w.n_paths = kept
    pop_arrived(w)
