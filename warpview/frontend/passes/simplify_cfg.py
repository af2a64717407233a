"""Remove detours of control flow: constant branches, empty blocks, unreachable blocks, chains of blocks."""

from __future__ import annotations

from warpview.frontend.flow import predecessors, retarget, reverse_postorder
from warpview.frontend.ir import BasicBlock, Branch, Const, Function, Jump


def clean(function: Function) -> bool:
    """Bring the graph to its simplest form; True if anything changed."""
    changed = False
    while _fold_branches(function) | _skip_empty(function) | _drop_unreachable(function) | _merge_chains(function):
        changed = True
    return changed


def _fold_branches(function: Function) -> bool:
    """Turn branches on constants, and those whose two ways are the same, into jumps; True if there was one."""
    changed = False
    for block in function.blocks:
        match block.terminator:
            case Branch(then=then, other=other, span=span) if then is other:
                block.terminator = Jump(then, span)
                changed = True
            case Branch(condition=Const(bits=bits), then=then, other=other, span=span):
                block.terminator = Jump(then if bits else other, span)
                changed = True
    return changed


def _skip_empty(function: Function) -> bool:
    """Let branches to an empty block that only jumps go to its target."""
    changed = False
    onward: dict[BasicBlock, BasicBlock] = {}
    for block in function.blocks[1:]:
        if not block.instrs and isinstance(block.terminator, Jump) and block.terminator.target is not block:
            onward[block] = block.terminator.target
    for block in function.blocks:
        for target in block.successors:
            final, seen = target, {target}
            while final in onward and onward[final] not in seen:
                final = onward[final]
                seen.add(final)
            if final is not target:
                retarget(block, target, final)
                changed = True
    return changed


def _drop_unreachable(function: Function) -> bool:
    reached = set(reverse_postorder(function))
    before = len(function.blocks)
    function.blocks[:] = [block for block in function.blocks if block in reached]
    return len(function.blocks) != before


def _merge_chains(function: Function) -> bool:
    """Append a block that only one jump leads to to the block of that jump; True if there was one."""
    changed = False
    preds = predecessors(function)
    gone: set[BasicBlock] = set()
    for block in function.blocks:
        if block in gone:
            continue
        while isinstance(block.terminator, Jump):
            follower = block.terminator.target
            if follower is block or follower is function.blocks[0] or len(preds[follower]) != 1:
                break
            block.instrs += follower.instrs
            block.rolled |= follower.rolled
            block.single |= follower.single
            block.terminator = follower.terminator
            for target in block.successors:
                preds[target] = [block if p is follower else p for p in preds[target]]
            gone.add(follower)
            changed = True
    function.blocks[:] = [block for block in function.blocks if block not in gone]
    return changed
