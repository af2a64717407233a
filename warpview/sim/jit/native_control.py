"""Find the lanes that take a branch of NVIDIA's machine code, and those that leave a convergence barrier."""

from __future__ import annotations

from warpview.isa.native import ANY_LANE
from warpview.sim.jit.access_log import log_warp_sync
from warpview.sim.jit.compile import jit
from warpview.sim.jit.lanes import nonzero
from warpview.sim.jit.raw import load_u32
from warpview.sim.raw_counts import Raw

HALF_GUARDED = 8 * Raw.HALF_GUARDED
BSYNC = 1  # of ``variant``: a barrier whose members are in a row of the warp


@jit
def named_lanes(w, ins):
    """Return the lanes that a branch on convergence asks for; where ``extra`` is 1, those that have not exited."""
    named = load_u32(w.registers_at + ins.meets) ^ ins.meets_flip
    return named & w.live if ins.extra else named


@jit
def going_lanes(w, ins, mask, on):
    """Return the lanes that take a branch with a second condition: another predicate, that some lanes are all here
    (``imm`` is 1), or that not all of them are here with the guard held, which sends all lanes away. All take it, too,
    if one does and ``imm`` is ANY_LANE."""
    if ins.guard2 >= 0:
        on &= nonzero(w.registers_at + ins.guard2) ^ ins.guard2_flip
    if ins.imm == ANY_LANE:
        return mask if on else 0
    if ins.meets >= 0:
        if ins.imm == 1:
            return on if named_lanes(w, ins) & ~mask == 0 else 0
        return mask if named_lanes(w, ins) & ~on else 0
    return on


@jit
def note_convergence(m, w, ins, pc, mask):
    """Note that a branch on convergence orders the lanes that it names, where they are all here: the compiler leaves
    out their WARPSYNC."""
    if ins.meets >= 0:
        named = named_lanes(w, ins)
        if named & ~mask == 0:
            if named == w.live:
                w.segment += 1
            log_warp_sync(m, pc, w, named)
