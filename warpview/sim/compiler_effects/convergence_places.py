"""Find where NVIDIA's compiler has lanes wait for one another that have gone different ways through code as written:
a convergence barrier (BSYNC) before the instruction at which they meet.

There is one for each branch that stays one and on which lanes may differ, unless the kernel ends where they meet: read
off NVRTC's code (``tests/sass/test_convergence_places.py``), in which calls of divisions have others.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.sim.compiler_effects.uniform_rows import differing_rows
from warpview.sim.history.events import ConvergingLanes


def arrivals(program: Program, predicated: Container[int]) -> Iterator[int]:
    """Yield for each instruction which of its lanes arrive at a convergence barrier, of ``ConvergingLanes``;
    ``predicated`` branches are none."""
    code, differing = program.instructions, differing_rows(program)
    places = {
        i.reconvergence
        for n, i in enumerate(code)
        if i.op == Op.BRA and n not in predicated and not i.spins and (False, i.guard) in differing[n]
    }
    places = {at for at in places if at != NONE and at < len(code) and code[at].op != Op.EXIT}
    for n, instruction in enumerate(code):
        is_branch = instruction.op == Op.BRA
        goes_on = not is_branch or instruction.guard != NONE
        yield ConvergingLanes.FALLING * (goes_on and n + 1 in places) + ConvergingLanes.JUMPING * (
            is_branch and instruction.target in places
        )
