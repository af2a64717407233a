"""Find the branches of code as written that NVIDIA's compiler does without: each instruction that they pass over
becomes one with a predicate.

The rules are those of NVRTC 13, by its code for each architecture from sm_75 on
(``tests/sass/test_predicated_branches.py``): over how many instructions without loads depends on it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from warpview.isa.ops import OPS, Op, OpKind
from warpview.isa.program import NONE, Program
from warpview.sim.compiler_effects.loop_body import LONGEST_SIDE, UNFIT, branches_within

LONGEST_WITH_STORES = 8  # instructions that a branch may pass over where there are stores among them
_STAY = UNFIT | {Op.BRA}


def predicated_branches(program: Program, free: Container[int], most: int) -> Iterator[int]:
    """Yield the branches whose instructions become predicated, of which they may pass over ``most`` where these load
    nothing; those that are ``free`` do not count."""
    code = program.instructions
    targets = {i.target for i in code if i.op == Op.BRA}
    for n, branch in enumerate(code):
        side = range(n + 1, branch.target)
        if branch.op != Op.BRA or branch.guard == NONE or not side or not targets.isdisjoint(side):
            continue
        ops = {code[k].op for k in side}
        kinds = {OPS[op].kind for op in ops}
        stays = ops & _STAY or OpKind.COLLECTIVE in kinds or any(branches_within(code[k]) for k in side)
        longest = LONGEST_WITH_STORES if Op.ST in ops else LONGEST_SIDE if Op.LD in ops else most
        if not stays and sum(k not in free for k in side) <= longest:
            yield n
