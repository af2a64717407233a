"""Write out the loops that keep local arrays out of registers.

Registers cannot be indexed at run time. An array lives in them if the place of every access is known at compile time,
which may take that loops are written out: those in whose trips the addresses differ, and which constants count. Loops
are written out only where that lets an array live in registers, as nvcc has it; all others stay loops, which is what a
reader steps through.
"""

from __future__ import annotations

from collections.abc import Mapping

from warpview.frontend.ir import Function, Reg, Slot, SlotAddress
from warpview.frontend.passes.local_arrays.address_sources import AddressSources
from warpview.frontend.passes.local_arrays.loop_nest import LoopNest, NestedLoop, loop_nest
from warpview.frontend.passes.local_arrays.parts import Parts
from warpview.frontend.passes.local_arrays.write_out import LoopWriter, WritePlan
from warpview.isa.types import Type

MOST_ROUNDS = 12  # each of which gives up arrays, or learns of what parts they are accessed


def resolve_arrays(function: Function) -> None:
    """Give local arrays registers whose accesses go to places that are known, with loops written out where that takes
    it. Arrays that are indexed at run time stay as they are."""
    slots = {slot for slot in _accessed(function) if slot.types is not None and slot.registers is None}
    nest = loop_nest(function) if slots and not function.calls else None
    if nest is None:
        return
    before = {block: block.instrs for block in function.blocks}
    impossible = {loop for loop in nest.loops if any(latch.rolled or latch.single for latch in loop.latches())}
    layouts: dict[Slot, Mapping[int, Type]] = {}
    for _ in range(MOST_ROUNDS):
        good = _resolved(function, nest, slots, impossible, layouts)
        if good is None:
            return
        slots = good
        for block, instrs in before.items():
            block.instrs = instrs


def _resolved(
    function: Function,
    nest: LoopNest,
    slots: set[Slot],
    impossible: set[NestedLoop],
    layouts: dict[Slot, Mapping[int, Type]],
) -> set[Slot] | None:
    """Give all of the slots registers and return None; or else return those that may have some, with the loops that
    cannot be written out added to the ``impossible`` ones, and what parts the slots have to the ``layouts``."""
    if not slots:
        return None
    parts = Parts(function, slots, layouts)
    for block in function.blocks:
        block.instrs = parts.direct(block.instrs)
    sources = AddressSources(function, nest, parts)
    asked = {slot: sources.loops_to_write_out(slot) for slot in slots}
    good = {slot for slot in slots if not asked[slot][0] & impossible}
    if good != slots:
        return good
    writer = LoopWriter(function, nest, sources.live, _plan(sources, asked), parts)
    unfit = parts.unfit()
    if unfit:
        for slot, types in unfit.items():
            layouts.pop(slot, None)
            if types is not None:
                layouts[slot] = types
        return {slot for slot in slots if slot not in unfit or slot in layouts}
    impossible |= writer.failed
    good = {slot for slot in slots - writer.lost if not asked[slot][0] & impossible}
    if good != slots:
        return good
    for slot in slots:
        slot.registers = parts.registers[slot]
    function.blocks = writer.blocks
    return None


def _plan(sources: AddressSources, asked: dict[Slot, tuple[set[NestedLoop], set[Reg]]]) -> WritePlan:
    points_into: dict[Reg, set[Slot]] = {}
    for slot in asked:
        for reg in sources.pointers_into(slot):
            points_into.setdefault(reg, set()).add(slot)
    loops = set().union(*(loops for loops, _ in asked.values()))
    followed = sources.static_conditions().union(*(decisive for _, decisive in asked.values()))
    return WritePlan(loops, {slot: sources.indexed_in(slot) for slot in asked}, followed, points_into)


def _accessed(function: Function) -> set[Slot]:
    reads = (value for block in function.blocks for instr in block.instrs for value in instr.reads)
    return {value.slot for value in reads if isinstance(value, SlotAddress)}
