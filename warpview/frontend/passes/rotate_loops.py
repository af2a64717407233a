"""Move the test of loops to the bottom: one test before the loop, then one branch a turn instead of two."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend.flow import predecessors, retarget
from warpview.frontend.ir import BasicBlock, Branch, Function, Instr, Jump, Reg, Value
from warpview.frontend.passes.liveness import Liveness, liveness
from warpview.isa.ops import SIDE_EFFECTS

LONGEST_TEST = 12  # instructions of a test that is worth writing twice


def rotate(function: Function) -> None:
    """Give each loop that tests at its top a copy of the test at its end."""
    position: dict[BasicBlock, float] = {block: i for i, block in enumerate(function.blocks)}
    preds = predecessors(function)
    live: Liveness | None = None  # a copy of a test reads what the test does: that of the blocks stays as it was
    bottoms: dict[BasicBlock, BasicBlock] = {}  # by the block that each is to follow
    for head in function.blocks:
        if not _is_test(head):
            continue
        latches = [p for p in preds[head] if position[p] >= position[head]]
        # Where a trip ends with a test already, another at its start is a way out like any other.
        if not latches or not all(isinstance(latch.terminator, Jump) for latch in latches):
            continue
        last = max(latches, key=position.__getitem__)
        # One way out of the test leaves the loop: it lies beyond the last block that comes back.
        if sum(position[target] > position[last] for target in head.successors) != 1:
            continue
        live = live or liveness(function)
        bottoms[last] = bottom = _copy(function, head, live)
        for latch in latches:
            retarget(latch, head, bottom)
        position[bottom] = position[last] + 0.5
        for target in bottom.successors:
            preds[target].append(bottom)
    function.blocks = [b for block in function.blocks for b in (block, bottoms.get(block)) if b is not None]


def _is_test(block: BasicBlock) -> bool:
    if not isinstance(block.terminator, Branch) or len(block.successors) != 2:
        return False
    return len(block.instrs) <= LONGEST_TEST and not any(i.op in SIDE_EFFECTS for i in block.instrs)


def _copy(function: Function, head: BasicBlock, live: Liveness) -> BasicBlock:
    """Return the block again, with temporaries of its own."""
    names: dict[Value, Reg] = {}
    for instr in head.instrs:
        for dst in instr.dsts:
            if not dst.name and dst not in live.at_end[head] and dst not in live.at_start[head]:
                names.setdefault(dst, function.reg(dst.type))
    terminator = head.terminator
    assert isinstance(terminator, Branch)
    condition = names.get(terminator.condition, terminator.condition)
    return BasicBlock(
        f"{head.label}.again",
        [_renamed(instr, names) for instr in head.instrs],
        replace(terminator, condition=condition),
    )


def _renamed(instr: Instr, names: dict[Value, Reg]) -> Instr:
    return replace(
        instr,
        dsts=tuple(names.get(d, d) for d in instr.dsts),
        srcs=tuple(names.get(v, v) for v in instr.srcs),
        guard=None if instr.guard is None else names.get(instr.guard, instr.guard),
    )
