"""Unroll loops of a few trips whose number the compiler can tell, as real compilers do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from warpview.frontend.flow import natural_loop, predecessors
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Jump, Reg, Terminator, Value
from warpview.frontend.passes.evaluate import evaluate
from warpview.frontend.passes.liveness import Liveness, liveness
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
    """Write out the innermost loops; True if there was one to write out."""
    trips_of = short_loops(function)
    if trips_of:
        _write_out(function, trips_of)
    return bool(trips_of)


def short_loops(function: Function) -> dict[Loop, int]:
    """Return the innermost loops that nvcc writes out, each with the number of its trips."""
    known = known_at_end(function)
    preds = predecessors(function)
    trips_of: dict[Loop, int] = {}
    for loop in _innermost_loops(function, preds):
        outside = [p for p in preds[loop.head] if p not in loop.blocks]
        if len(outside) != 1 or loop.latch.rolled:
            continue
        start = {r: v for r, v in known[outside[0]].items() if isinstance(v, Const)} if outside[0] in known else {}
        trips = _trips(loop, start)
        if trips and trips * sum(len(block.instrs) for block in loop.blocks) <= MOST_INSTRUCTIONS:
            trips_of[loop] = trips
    return trips_of


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
    heads = {loop.head for loop in loops}
    return [a for a in loops if len(heads & a.blocks) == 1 and _is_simple(a, position)]


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


def _write_out(function: Function, trips_of: Mapping[Loop, int]) -> None:
    """Write each loop out behind its own blocks, as one copy of these for each trip."""
    flow = liveness(function)
    ordered: dict[Loop, list[BasicBlock]] = {loop: [] for loop in trips_of}
    loop_of = {block: loop for loop in trips_of for block in loop.blocks}
    for block in function.blocks:
        if block in loop_of:
            ordered[loop_of[block]].append(block)
    copies = {blocks[-1]: _copies(function, loop, blocks, trips_of[loop], flow) for loop, blocks in ordered.items()}
    function.blocks = [b for block in function.blocks for b in (block, *copies.get(block, ()))]


def _copies(
    function: Function, loop: Loop, ordered: Sequence[BasicBlock], trips: int, flow: Liveness
) -> list[BasicBlock]:
    """Return the blocks of all trips but the first, which keeps those of the loop; the last trip leaves, the others go
    on to the next."""
    private = _private(loop, flow)
    span = loop.latch.terminator.span if loop.latch.terminator else function.span
    originals = {block: (list(block.instrs), block.terminator) for block in ordered}
    maps: list[dict[BasicBlock, BasicBlock]] = [{block: block for block in ordered}]
    maps += [{block: BasicBlock(f"{block.label}.{trip}") for block in ordered} for trip in range(1, trips)]
    for trip, copies in enumerate(maps):
        names: dict[Value, Reg] = {reg: function.reg(reg.type) for reg in private} if trip else {}
        for block, copy in copies.items():
            instrs, terminator = originals[block]
            copy.instrs = [instr.renamed(names) for instr in instrs]
            copy.terminator = _redirected(terminator, copies, names)
        onward = maps[trip + 1][loop.head] if trip + 1 < trips else loop.after
        copies[loop.latch].terminator = Jump(onward, span)
    return [copy for copies in maps[1:] for copy in copies.values()]


def _redirected(
    terminator: Terminator | None, copies: Mapping[BasicBlock, BasicBlock], names: Mapping[Value, Reg]
) -> Terminator | None:
    """Return the end of a block for its copy in one trip."""
    match terminator:
        case Jump(target=target):
            return replace(terminator, target=copies.get(target, target))
        case Branch(condition=condition, then=then, other=other, span=span):
            return Branch(names.get(condition, condition), copies.get(then, then), copies.get(other, other), span)
    return terminator


def _private(loop: Loop, flow: Liveness) -> set[Reg]:
    """Return temporaries that carry nothing from one trip to the next, nor out of the loop."""
    written = {dst for block in loop.blocks for instr in block.instrs for dst in instr.dsts if not dst.name}
    leaving = {target for block in loop.blocks for target in block.successors if target not in loop.blocks}
    carried = flow.at_start[loop.head].union(*(flow.at_start[target] for target in leaving))
    return written - carried
