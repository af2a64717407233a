"""Rewrite the intermediate representation; each pass keeps the meaning of every thread bit for bit."""

from __future__ import annotations

from warpview.frontend.ir import Function
from warpview.frontend.passes.coalesce_copies import coalesce, coalesce_joins
from warpview.frontend.passes.contract import contract
from warpview.frontend.passes.cse import eliminate_common_subexpressions
from warpview.frontend.passes.dce import remove_dead
from warpview.frontend.passes.fold_offsets import fold_offsets
from warpview.frontend.passes.fuse import fuse
from warpview.frontend.passes.if_convert import if_convert
from warpview.frontend.passes.join_bytes import join_bytes
from warpview.frontend.passes.narrow_doubles import narrow_doubles
from warpview.frontend.passes.propagate_constants import propagate
from warpview.frontend.passes.reuse_loads import remove_overwritten_stores, reuse_loads
from warpview.frontend.passes.rotate_loops import rotate
from warpview.frontend.passes.simplify import reduce_strength
from warpview.frontend.passes.simplify_cfg import clean
from warpview.frontend.passes.unroll_loops import unroll

MOST_ROUNDS = 8  # of propagation or sharing, each of which may make way for another


def optimise(function: Function, predicate: bool) -> None:
    """Improve a function as a plain compiler does, in its order.

    ``predicate`` adds what real compilers do besides and what shows in the counters: short branches become guarded
    instructions, loops of few trips are written out, and a value that was just loaded or stored is not loaded again,
    nor stored only to be overwritten.
    """
    clean(function)
    rotate(function)
    clean(function)
    _settle(function)
    if join_bytes(function):
        _settle(function)
    coalesce(function)
    remove_dead(function)
    while predicate and unroll(function):
        _settle(function)
    coalesce(function)
    remove_dead(function)
    narrow_doubles(function)
    contract(function)
    fuse(function)
    fold_offsets(function)
    for block in function.blocks:
        block.instrs = [reduce_strength(instr) for instr in block.instrs]
    remove_dead(function)
    for _ in range(MOST_ROUNDS):
        if not eliminate_common_subexpressions(function):
            break
        _settle(function)
    if predicate:
        reuse_loads(function)
        _settle(function)
        remove_overwritten_stores(function)
    remove_dead(function)
    coalesce(function)
    coalesce_joins(function)
    clean(function)
    if predicate:
        if_convert(function)
        remove_dead(function)


def _settle(function: Function) -> None:
    """Propagate until nothing more becomes known: again only where branches went, for one walk finds all that holds in
    a graph."""
    for _ in range(MOST_ROUNDS):
        propagate(function)
        if not clean(function):
            break
