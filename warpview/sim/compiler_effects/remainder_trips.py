"""Find the loops of code as written whose number of trips NVIDIA's compiler does not know: it counts them before the
loop, and what does not fill the trips that it has written one after the other is carried out by others.

A loop that is written four times has one of single trips behind it, and so has one that is written twice. One that is
written sixteen times is four times four: behind it eight trips are written once, then four in a loop, then one. Each of
these waits for its own loads. (NVRTC 13's code, ``tests/sass/test_unrolled_loops.py``.)
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.isa.modes import Cmp
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.sim.compiler_effects.loop_body import UnrolledLoop
from warpview.sim.compiler_effects.register_rows import rows_read, rows_written


class Countdown(NamedTuple):
    """Say what counts the trips that are left: 32-bit rows of the counter and of what it is compared with, and by how
    much the counter grows; ``inclusive`` where there is a trip for the bound itself."""

    counter: int
    bound: int
    step: int
    inclusive: bool


def countdown(program: Program, loop: UnrolledLoop) -> Countdown | None:
    """Return what counts the trips of a loop as it runs; None where their number is known, or counted otherwise."""
    code, places = program.instructions, range(loop.first, loop.last + 1)
    guard = (False, code[loop.last].guard)
    test = next((code[n] for n in reversed(places) if guard in rows_written(code[n])), None)
    if test is None or test.op != Op.SETP or loop.is_whole or not loop.step:
        return None
    others = [row for row in rows_read(test)[:2] if row != loop.counter]
    changed = {row for n in places for row in rows_written(code[n])}
    if len(others) != 1 or others[0] in changed or others[0][0] or test.guard != NONE:
        return None
    bound = others[0][1]
    if loop.start is not None and bound in program.constants32:
        return None
    negated = code[loop.last].guard_negated
    passes = {Cmp.LE, Cmp.GE} if not negated else {Cmp.LT, Cmp.GT}
    return Countdown(loop.counter[1], bound, loop.step, Cmp(test.mod) in passes)
