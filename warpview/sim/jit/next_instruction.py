"""Find the instruction that a warp will issue next."""

from __future__ import annotations

from warpview.isa.program import NONE
from warpview.sim.jit.barrier import guarded
from warpview.sim.jit.compile import unit
from warpview.sim.jit.issue import INSTRUCTION_BYTES, must_wait, running_path
from warpview.sim.jit.records import instruction_at, machine_at, warp_at


@unit(2)
def next_pc(machine, warp):
    """Return the instruction that the next issue of a warp executes; NONE where no path can run. A path whose
    collective lacks lanes is put to wait here, which counts as nothing."""
    m, w = machine_at(machine), warp_at(warp)
    while True:
        path = running_path(m, w)
        if path == NONE:
            return NONE
        pc = w.path_pc[path]
        ins = instruction_at(m.code_at + pc * INSTRUCTION_BYTES)
        if not must_wait(m, w, ins, path, guarded(w, ins, w.path_mask[path])):
            return pc
