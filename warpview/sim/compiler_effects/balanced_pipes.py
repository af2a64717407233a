"""Divide sums, shifts and constants of code as written between two pipes, as NVIDIA's compiler does.

It writes them for the pipe of products (VIADD or IMAD.IADD, IMAD.SHL, IMAD.MOV) or for that of other integers, so that
straight code keeps both busy for as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.ops import Op
from warpview.isa.program import Program
from warpview.isa.types import Type
from warpview.sim.compiler_effects.absorbed_operations import straight_code
from warpview.sim.history.events import Free

_FOR_EITHER = frozenset({Op.ADD, Op.SUB, Op.SHL, Op.MOV})


def balance(program: Program, costs: dict[str, NDArray[Any]], free: NDArray[np.uint8], pipes: tuple[int, int]) -> None:
    """Choose a pipe for each instruction that either of two ``pipes`` can execute; ``free`` marks those that take no
    time. The choice is written into ``costs``."""
    for places in straight_code(program):
        taken = dict.fromkeys(pipes, 0)
        timed = [n for n in places if free[n] == Free.NEVER and costs["pipe"][n] in taken]
        either = {n for n in timed if _is_for_either(program, n)}
        for n in sorted(timed, key=lambda n: (n in either, n)):
            if n in either:
                costs["pipe"][n] = min(taken, key=lambda pipe: taken[pipe])
            taken[int(costs["pipe"][n])] += int(costs["occupancy"][n])


def _is_for_either(program: Program, n: int) -> bool:
    instruction = program.instructions[n]
    if instruction.type not in (Type.U32, Type.S32) or instruction.op not in _FOR_EITHER:
        return False
    return instruction.op != Op.SHL or instruction.srcs[1] in program.constants32
