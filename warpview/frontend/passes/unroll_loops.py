"""Unroll loops of a few trips whose number the compiler can tell, as real compilers do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from warpview.frontend.flow import natural_loop, predecessors
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Jump, Reg, Value
from warpview.frontend.passes.evaluate import evaluate
from warpview.frontend.passes.liveness import liveness
from warpview.frontend.passes.propagate_constants import known_at_end

# nvcc 13 writes out 32 trips of a short body, and gives up at a few thousand instructions.
MOST_TRIPS = 32
MOST_INSTRUCTIONS = 1024


@dataclass(frozen=True)
class Loop:
    """Each trip of a loop begins at ``head`` and ends at ``latch`` with a branch back, or out to ``after``."""

    head: BasicBlock
    latch: BasicBlock
    after: BasicBlock
    blocks: frozenset[BasicBlock]


def unroll(function: Function) -> bool:
    """Write out one innermost loop; True if there was one to write out."""
    known = known_at_end(function)
    preds = predecessors(function)
    for loop in _innermost_loops(function, preds):
        outside = [p for p in preds[loop.head] if p not in loop.blocks]
        if len(outside) != 1 or loop.latch.rolled:
            continue
        start = {r: v for r, v in known[outside[0]].items() if isinstance(v, Const)} if outside[0] in known else {}
        trips = _trips(loop, start)
        if trips and trips * sum(len(block.instrs) for block in loop.blocks) <= MOST_INSTRUCTIONS:
            _write_out(function, loop, trips)
            return True
    return False


def _innermost_loops(function: Function, preds: Mapping[BasicBlock, list[BasicBlock]]) -> list[Loop]:
    """Return the natural loops that test at their end and hold no other loop."""
    position = {block: i for i, block in enumerate(function.blocks)}
    loops = []
    for latch in function.blocks:
        branch = latch.terminator
        if not isinstance(branch, Branch):
            continue
        for head, after in ((branch.then, branch.other), (branch.other, branch.then)):
            if position[head] > position[latch]:
                continue
            blocks = natural_loop(head, latch, preds)
            backs = [p for p in preds[head] if p in blocks]
            if function.blocks[0] not in blocks and after not in blocks and backs == [latch]:
                loops.append(Loop(head, latch, after, frozenset(blocks)))
    return [a for a in loops if not any(b is not a and b.blocks < a.blocks for b in loops) and _is_simple(a, position)]


def _is_simple(loop: Loop, position: Mapping[BasicBlock, int]) -> bool:
    """Return true where no other way leads back within the loop."""
    return not any(
        target in loop.blocks and position[target] <= position[block]
        for block in loop.blocks
        if block is not loop.latch
        for target in block.successors
    )


def _trips(loop: Loop, start: Mapping[Reg, Const]) -> int:
    """Return the number of trips of a loop, by following its latch; 0 where it is unknown or too large."""
    elsewhere = {dst for block in loop.blocks if block is not loop.latch for i in block.instrs for dst in i.dsts}
    values: dict[Value, Const] = {reg: value for reg, value in start.items() if reg not in elsewhere}
    branch = loop.latch.terminator
    assert isinstance(branch, Branch)
    for trip in range(1, MOST_TRIPS + 1):
        for instr in loop.latch.instrs:
            result = None
            if instr.guard is None:
                result = evaluate(replace(instr, srcs=tuple(values.get(v, v) for v in instr.srcs)))
            for dst in instr.dsts:
                values.pop(dst, None)
                if result is not None:
                    values[dst] = result
        condition = values.get(branch.condition)
        if condition is None:
            return 0
        if (branch.then if condition.bits else branch.other) is not loop.head:
            return trip
    return 0


def _write_out(function: Function, loop: Loop, trips: int) -> None:
    """Write one copy of the blocks for each trip; the last leaves, the others go on to the next."""
    ordered = [block for block in function.blocks if block in loop.blocks]
    private = _private(function, loop)
    span = loop.latch.terminator.span if loop.latch.terminator else function.span
    originals = {block: (list(block.instrs), block.terminator) for block in ordered}
    maps: list[dict[BasicBlock, BasicBlock]] = [{block: block for block in ordered}]
    maps += [{block: BasicBlock(f"{block.label}.{trip}") for block in ordered} for trip in range(1, trips)]
    for trip, copies in enumerate(maps):
        names: dict[Value, Reg] = {reg: function.reg(reg.type) for reg in private} if trip else {}
        for block, copy in copies.items():
            instrs, terminator = originals[block]
            copy.instrs = [instr.renamed(names) for instr in instrs]
            match terminator:
                case Jump(target=target):
                    copy.terminator = replace(terminator, target=copies.get(target, target))
                case Branch(condition=condition, then=then, other=other):
                    copy.terminator = Branch(
                        names.get(condition, condition),
                        copies.get(then, then),
                        copies.get(other, other),
                        terminator.span,
                    )
                case _:
                    copy.terminator = terminator
        onward = maps[trip + 1][loop.head] if trip + 1 < trips else loop.after
        copies[loop.latch].terminator = Jump(onward, span)
    last = max(i for i, block in enumerate(function.blocks) if block in loop.blocks)
    function.blocks[last + 1 : last + 1] = [copies[block] for copies in maps[1:] for block in ordered]


def _private(function: Function, loop: Loop) -> set[Reg]:
    """Return temporaries that carry nothing from one trip to the next, nor out of the loop."""
    flow = liveness(function)
    written = {dst for block in loop.blocks for instr in block.instrs for dst in instr.dsts if not dst.name}
    leaving = {target for block in loop.blocks for target in block.successors if target not in loop.blocks}
    carried = flow.at_start[loop.head].union(*(flow.at_start[target] for target in leaving))
    return written - carried
