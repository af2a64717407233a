"""Analyse the control-flow graph of a function: predecessors, order, immediate post-dominators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from warpview.frontend.ir import BasicBlock, Branch, Function, Jump


def predecessors(function: Function) -> dict[BasicBlock, list[BasicBlock]]:
    """Return for each placed block the blocks that go to it, in layout order."""
    result: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for target in block.successors:
            result[target].append(block)
    return result


def reverse_postorder(function: Function) -> list[BasicBlock]:
    """Return the reachable blocks, each before its successors except along back edges."""
    order: list[BasicBlock] = []
    seen = {function.blocks[0]}
    stack = [(function.blocks[0], iter(function.blocks[0].successors))]
    while stack:
        block, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(target.successors)))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]


def retarget(block: BasicBlock, old: BasicBlock, new: BasicBlock) -> None:
    """Make a block go to ``new`` wherever it went to ``old``."""
    match block.terminator:
        case Jump() as jump if jump.target is old:
            block.terminator = replace(jump, target=new)
        case Branch() as branch:
            then = new if branch.then is old else branch.then
            other = new if branch.other is old else branch.other
            block.terminator = replace(branch, then=then, other=other)


def post_dominators(function: Function) -> dict[BasicBlock, BasicBlock | None]:
    """Return the immediate post-dominator of each block; None where the paths only meet at the end of the kernel.

    An endless loop never reaches the end; its last block in layout order counts as though it could. The
    algorithm is Cooper, Harvey and Kennedy's, on the reversed graph.
    """
    preds = predecessors(function)
    endless = _endless_ends(function, preds)
    ends = [b for b in function.blocks if not b.successors] + [b for b in function.blocks if b in endless]
    order = _reverse_order(ends, preds)  # post-order of the reversed graph; the virtual end (None) is last
    number: dict[BasicBlock | None, int] = {block: i for i, block in enumerate(order)}
    number[None] = len(order)
    last = set(ends)
    result: dict[BasicBlock, BasicBlock | None] = {}
    known: set[BasicBlock | None] = {None}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            targets: list[BasicBlock | None] = [t for t in block.successors if t in known]
            if block in last:
                targets.append(None)
            meet = targets[0]
            for target in targets[1:]:
                meet = _intersect(meet, target, result, number)
            if block not in known or result[block] is not meet:
                result[block] = meet
                known.add(block)
                changed = True
    return result


def dominators(function: Function) -> dict[BasicBlock, BasicBlock | None]:
    """Return the immediate dominator of each reachable block; None for the entry."""
    preds = predecessors(function)
    order = reverse_postorder(function)
    number: dict[BasicBlock | None, int] = {block: len(order) - i for i, block in enumerate(order)}
    number[None] = len(order) + 1
    result: dict[BasicBlock, BasicBlock | None] = {order[0]: None}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            # Those with the deepest dominator first: the way up from each to the next is short, also where many join.
            known = sorted((p for p in preds[block] if p in result), key=lambda p: number[result[p]])
            meet: BasicBlock | None = known[0]
            for source in known[1:]:
                meet = _intersect(meet, source, result, number)
            if block not in result or result[block] is not meet:
                result[block] = meet
                changed = True
    return result


class DominatorTree:
    """Tell of two reachable blocks of a function whether every way to one leads over the other."""

    def __init__(self, function: Function) -> None:
        below: dict[BasicBlock | None, list[BasicBlock]] = {}
        for block, above in dominators(function).items():
            below.setdefault(above, []).append(block)
        self._span: dict[BasicBlock, tuple[int, int]] = {}  # of the numbers, in pre-order, of what a block dominates
        first: dict[BasicBlock, int] = {}
        stack = list(below.get(None, ()))
        while stack:
            block = stack[-1]
            if block not in first:
                first[block] = len(first)
                stack += below.get(block, ())
            else:
                stack.pop()
                self._span[block] = first[block], len(first)

    def dominates(self, first: BasicBlock, second: BasicBlock) -> bool:
        """Return whether every way to ``second`` leads over ``first``; False where one cannot be reached."""
        if first not in self._span or second not in self._span:
            return False
        start, end = self._span[first]
        return start <= self._span[second][0] < end


def _intersect(
    a: BasicBlock | None,
    b: BasicBlock | None,
    idom: Mapping[BasicBlock, BasicBlock | None],
    number: Mapping[BasicBlock | None, int],
) -> BasicBlock | None:
    while a is not b:
        while number[a] < number[b]:
            assert a is not None
            a = idom[a]
        while number[b] < number[a]:
            assert b is not None
            b = idom[b]
    return a


def _reaches(starts: Sequence[BasicBlock], preds: Mapping[BasicBlock, list[BasicBlock]]) -> set[BasicBlock]:
    """Return the blocks from which one of ``starts`` can be reached."""
    seen = set(starts)
    work = list(starts)
    while work:
        for block in preds[work.pop()]:
            if block not in seen:
                seen.add(block)
                work.append(block)
    return seen


def _endless_ends(function: Function, preds: Mapping[BasicBlock, list[BasicBlock]]) -> set[BasicBlock]:
    """Return one block of each endless loop, so that every block has a way to the virtual end."""
    found: set[BasicBlock] = set()
    reached = _reaches([b for b in function.blocks if not b.successors], preds)
    for block in reversed(function.blocks):
        if block not in reached:
            found.add(block)
            reached |= _reaches([block], preds)
    return found


def _reverse_order(ends: Sequence[BasicBlock], preds: Mapping[BasicBlock, list[BasicBlock]]) -> list[BasicBlock]:
    """Return the post-order of the reversed graph from the virtual end, to which ``ends`` go."""
    order: list[BasicBlock] = []
    seen: set[BasicBlock] = set()
    for end in ends:
        if end in seen:
            continue
        seen.add(end)
        stack = [(end, iter(preds[end]))]
        while stack:
            block, sources = stack[-1]
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    stack.append((source, iter(preds[source])))
                    break
            else:
                order.append(block)
                stack.pop()
    return order


def natural_loop(head: BasicBlock, latch: BasicBlock, preds: Mapping[BasicBlock, list[BasicBlock]]) -> set[BasicBlock]:
    """Return the blocks of the loop with a head that a latch jumps back to."""
    blocks = {head, latch}
    work = [latch]
    while work:
        block = work.pop()
        for source in preds[block] if block is not head else ():
            if source not in blocks:
                blocks.add(source)
                work.append(source)
    return blocks
