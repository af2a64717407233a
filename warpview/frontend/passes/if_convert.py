"""Turn short branches into guarded instructions, as real compilers do (if-conversion).

CUDA Programming Guide 3.2, 5.4.2: the compiler replaces a branch by predicated instructions only if the number
of instructions under it is at most 7 where many warps may diverge, else at most 4.
"""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.flow import predecessors
from warpview.frontend.ir import BasicBlock, Branch, Exit, Function, Instr, Jump, Reg, Value
from warpview.frontend.passes.liveness import Liveness, liveness
from warpview.frontend.passes.simplify_cfg import clean
from warpview.isa.ops import BLOCK_BARRIERS, WARP_COLLECTIVES, Op
from warpview.isa.types import Type

LONGEST_IF = 7
LONGEST_SIDE = 4  # of an if with an else
# The guard takes lanes away from these, which changes what they mean, or they are better left as written.
_UNFIT = BLOCK_BARRIERS | WARP_COLLECTIVES | {Op.ACTIVEMASK, Op.CLOCK, Op.PRINTF, Op.TRAP, Op.EXIT}


def if_convert(function: Function) -> None:
    """Convert the innermost branches, until none is left that qualifies. None of them is in the way of another: what
    was converted has guards, so that no other branch takes it as a side."""
    while True:
        preds, flow = predecessors(function), liveness(function)
        if sum(_convert(block, preds, flow) for block in function.blocks) == 0:
            return
        clean(function)


def _convert(block: BasicBlock, preds: dict[BasicBlock, list[BasicBlock]], flow: Liveness) -> bool:
    branch = block.terminator
    if not isinstance(branch, Branch) or not isinstance(branch.condition, Reg):
        return False
    then, other, condition = branch.then, branch.other, branch.condition
    for side, rest, negated in ((then, other, False), (other, then, True)):
        if preds[side] != [block] or not _short(side, condition, LONGEST_IF):
            continue
        if isinstance(side.terminator, Exit):
            block.instrs += _guarded(side, condition, negated, flow)
            block.instrs.append(
                Instr(Op.EXIT, Type.U32, (), (), side.terminator.span, condition, guard_negated=negated)
            )
        elif isinstance(side.terminator, Jump) and side.terminator.target is rest:
            block.instrs += _guarded(side, condition, negated, flow)
        else:
            continue
        block.terminator = Jump(rest, branch.span)
        return True
    return _convert_both(block, branch, preds, flow)


def _convert_both(block: BasicBlock, branch: Branch, preds: dict[BasicBlock, list[BasicBlock]], flow: Liveness) -> bool:
    then, other, condition = branch.then, branch.other, branch.condition
    meet = then.successors
    if not (isinstance(then.terminator, Jump) and isinstance(other.terminator, Jump) and meet == other.successors):
        return False
    for side in (then, other):
        if preds[side] != [block] or not _short(side, condition, LONGEST_SIDE):
            return False
    block.instrs += _guarded(then, condition, False, flow) + _guarded(other, condition, True, flow)
    block.terminator = Jump(meet[0], branch.span)
    return True


def _short(side: BasicBlock, condition: Value, longest: int) -> bool:
    """Return whether there are few enough instructions, none guarded already, and the condition lasts to the end."""
    return len(side.instrs) <= longest and not any(
        i.op in _UNFIT or i.guard is not None or condition in i.dsts for i in side.instrs
    )


def _guarded(side: BasicBlock, condition: Value, negated: bool, flow: Liveness) -> list[Instr]:
    """Return the instructions of a side under its guard. A result that nobody reads beyond the side ``kills``: it is
    complete although the guard leaves lanes out."""
    return [
        replace(
            instr,
            guard=condition,
            guard_negated=negated,
            kills=not any(dst in flow.at_end[side] for dst in instr.dsts),
        )
        for instr in side.instrs
    ]
