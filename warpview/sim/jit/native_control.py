"""Branches and convergence barriers of NVIDIA's machine code, as far as they are more than those of our own set."""

from __future__ import annotations

from warpview.sim.jit import splits
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import nonzero
from warpview.sim.jit.raw import load_u32, store_32
from warpview.sim.jit.records import instruction_at
from warpview.sim.jit.state import INSTRUCTION, LANES

INSTRUCTION_BYTES = INSTRUCTION.itemsize
BSYNC = 1  # of ``variant``: a barrier whose members are in a row of the warp


@jit
def going_lanes(w, ins, mask, on):
    """Return the lanes that take a branch with a second condition: another predicate, or that not all of some lanes are
    here; that they are, where ``imm`` is 1."""
    if ins.guard2 >= 0:
        on &= nonzero(w.registers_at + ins.guard2) ^ ins.guard2_flip
    if ins.meets >= 0:
        missing = (load_u32(w.registers_at + ins.meets) ^ ins.meets_flip) & ~mask
        if (missing == 0) != (ins.imm == 1):
            on = 0
    return on


@jit
def release_others(m, w, mask):
    """Execute YIELD: lanes that wait at a convergence barrier for those of ``mask`` go on without them, as an H200's
    do: the lane that took a lock leaves the loop and releases it."""
    for path in range(w.n_paths):
        if w.path_wait[path] == splits.COLLECTIVE and w.path_members[path] & mask:
            waiting = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
            if waiting.native and waiting.variant == BSYNC:
                released = w.path_mask[path]
                for lane in range(LANES):
                    place = w.registers_at + waiting.members + 4 * lane
                    keep = mask if released >> lane & 1 else released
                    store_32(place, load_u32(place) & ~keep)
                w.path_members[path] &= ~mask
                leave_others(m, w, path, waiting.members, released)


@jit
def leave_others(m, w, released_path, row, released):
    """Have the paths that wait at the convergence barrier of a row wait for released lanes no longer."""
    for path in range(w.n_paths):
        if path != released_path and w.path_wait[path] == splits.COLLECTIVE:
            waiting = instruction_at(m.code_at + w.path_pc[path] * INSTRUCTION_BYTES)
            if waiting.native and waiting.variant == BSYNC and waiting.members == row:
                w.path_members[path] &= ~released
