"""Find the loops that NVIDIA's compiler unrolls, and what of their code as written takes no time of its own then.

The compiler writes several trips one after the other, mixes their instructions and lets the loads of all of them go
first: a warp waits once for them all. A trip waits for what an earlier one has computed; for what it computes itself
the warp waits in the last of the trips. The counter, the test and what only computes addresses from them become
constants in the other instructions, and what is the same in all trips is computed before the loop.

The rules are those of NVRTC 13, by its code for sm_90 of some hundred small loops
(``tests/sass/test_unrolled_loops.py`` has a part of them): it unrolls innermost loops whose counter grows by a constant
and is compared with a value that stays the same, or follows from constants alone, and loops around those that it has
written out; not those with another way out, with barriers or atomics, nor lets loads pass stores that may be to the
same place.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Program
from warpview.sim.compiler_effects.loop_body import MOST_WRITTEN_OUT, UNFIT, LoopBody, UnrolledLoop


def unrolled_loops(program: Program, repeated: Container[int]) -> Iterator[UnrolledLoop]:
    """Yield the loops of code as written that the compiler would unroll, without the ``repeated`` instructions."""
    if program.native is not None:
        return
    backs = [(i.target, n) for n, i in enumerate(program.instructions) if i.op == Op.BRA and NONE < i.target <= n]
    for first, last in backs:
        if sum(first <= other <= last for _, other in backs) == 1:
            found = LoopBody(program, repeated, first, last).unrolled()
            if found is not None:
                around = sorted(back for back in backs if back[0] <= first and last < back[1])
                yield _with_those_around(program, repeated, found, reversed(around))


def _with_those_around(
    program: Program, repeated: Container[int], loop: UnrolledLoop, around: Iterable[tuple[int, int]]
) -> UnrolledLoop:
    """Return a loop with those around it, from the innermost on, whose trips are all written out, too, or the first one
    around these of which some are."""
    for first, last in around:
        body = LoopBody(program, repeated, first, last)
        others = {*range(first, last + 1)} - {*range(loop.first, loop.last + 1)}
        counter, size = body.counter(), loop.size + len(others)
        trips = body.trips(counter) if counter is not None and loop.is_whole else 0
        if loop.is_whole and not trips:
            return LoopBody(program, repeated, first, last, loop).unrolled() or loop
        ops = [program.instructions[n].op for n in others - {last}]
        if not trips or trips * size > MOST_WRITTEN_OUT or UNFIT.union({Op.LD, Op.ST, Op.BRA}).intersection(ops):
            break
        copies = trips * loop.copies
        together = min(copies, loop.most_together)
        loop = replace(loop, first=first, last=last, copies=copies, together=together, size=trips * size,
                       folded=loop.folded | others)  # fmt: skip
    return loop
