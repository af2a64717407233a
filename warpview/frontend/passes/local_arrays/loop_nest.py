"""Find the loops of a function and how they lie within one another."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.frontend.flow import DominatorTree, natural_loop, predecessors, reverse_postorder
from warpview.frontend.ir import BasicBlock, Function


@dataclass(eq=False)
class NestedLoop:
    """Describe a natural loop with all of its ways back to ``head``; ``parent`` is the smallest loop around it."""

    head: BasicBlock
    blocks: set[BasicBlock]
    parent: NestedLoop | None = None

    def latches(self) -> list[BasicBlock]:
        return [block for block in self.blocks if self.head in block.successors]

    def exits(self) -> list[BasicBlock]:
        """Return the blocks from which a way leads out of the loop."""
        return [block for block in self.blocks if any(target not in self.blocks for target in block.successors)]


Item = BasicBlock | NestedLoop
Region = NestedLoop | None  # None is the whole function


@dataclass
class LoopNest:
    """Hold the loops of a function: for each block the ``innermost`` around it, and for each region what lies directly
    in it, blocks and whole loops, each behind all that leads to it."""

    loops: list[NestedLoop] = field(default_factory=list)
    innermost: dict[BasicBlock, NestedLoop] = field(default_factory=dict)
    order: dict[Region, list[Item]] = field(default_factory=dict)

    def around(self, block: BasicBlock) -> list[NestedLoop]:
        """Return the loops around a block, the innermost first."""
        found = []
        loop = self.innermost.get(block)
        while loop is not None:
            found.append(loop)
            loop = loop.parent
        return found


def loop_nest(function: Function) -> LoopNest | None:
    """Return the loops of the reachable blocks; None where a jump leads into the middle of one."""
    order = reverse_postorder(function)
    number = {block: i for i, block in enumerate(order)}
    tree = DominatorTree(function)
    preds = predecessors(function)
    by_head: dict[BasicBlock, NestedLoop] = {}
    for block in order:
        for head in block.successors:
            if number[head] > number[block]:
                continue
            if not tree.dominates(head, block):
                return None
            loop = by_head.setdefault(head, NestedLoop(head, {head}))
            loop.blocks |= {b for b in natural_loop(head, block, preds) if b in number}
    nest = LoopNest(sorted(by_head.values(), key=lambda loop: -len(loop.blocks)))
    for loop in nest.loops:
        loop.parent = nest.innermost.get(loop.head)
        nest.innermost.update(dict.fromkeys(loop.blocks, loop))
    _order_regions(nest, order)
    return nest


def _order_regions(nest: LoopNest, order: list[BasicBlock]) -> None:
    """Order what lies in each region so that each item stands behind all that leads to it without a way back."""
    members: dict[Region, dict[Item, set[Item]]] = {None: {}}
    for loop in nest.loops:
        members[loop] = {}
    for block in order:
        chain: list[Region] = [*nest.around(block), None]
        item: Item = block
        for region in chain:
            members[region].setdefault(item, set())
            if region is not None:
                item = region
    for block in order:
        for target in block.successors:
            _note_edge(nest, members, block, target)
    for region, followers in members.items():
        nest.order[region] = _topological(followers)


def _note_edge(
    nest: LoopNest, members: dict[Region, dict[Item, set[Item]]],
    block: BasicBlock, target: BasicBlock,
) -> None:  # fmt: skip
    """Note an edge between the items of the smallest region that holds both of its ends."""
    regions: list[Region] = [*nest.around(target), None]
    items: list[Item] = [target, *(r for r in regions if r is not None)]
    places = dict(zip(regions, items, strict=True))
    item: Item = block
    for region in (*nest.around(block), None):
        if region in places:
            if not (region is not None and target is region.head):
                members[region][item].add(places[region])
            return
        assert region is not None
        item = region


def _topological(
    followers: dict[Item, set[Item]],
) -> list[Item]:
    waiting = dict.fromkeys(followers, 0)
    for item, targets in followers.items():
        for target in targets:
            waiting[target] += target is not item
    ready = [item for item, count in waiting.items() if count == 0]
    out: list[Item] = []
    while ready:
        item = ready.pop()
        out.append(item)
        for target in followers[item]:
            waiting[target] -= target is not item
            if waiting[target] == 0 and target is not item:
                ready.append(target)
    return out
