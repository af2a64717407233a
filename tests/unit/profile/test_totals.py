"""Totals add up over instructions, and derived counters bear a figure of zero."""

from types import SimpleNamespace

import numpy as np
from support.totals import totals_of

from warpview.isa.ops import Op
from warpview.isa.program import NONE
from warpview.isa.types import Space
from warpview.isa.work import Work
from warpview.profile.formulas import difference, ratio, times
from warpview.profile.totals import Selector, Totals
from warpview.sim.raw_counts import N_RAW, Raw

NOTHING = totals_of(np.zeros((0, N_RAW), np.int64), [], [])


def test_derived_counters_of_zero_are_zero() -> None:
    assert ratio(lambda _: 0, lambda _: 4)(NOTHING) == 0
    assert ratio(lambda _: 3, lambda _: 4, 100)(NOTHING) == 75
    assert ratio(lambda _: 3, lambda _: 0)(NOTHING) is None
    assert difference(lambda _: 0, lambda _: 0)(NOTHING) == 0
    assert difference(lambda _: 3, lambda _: 0)(NOTHING) == 3
    assert times(lambda _: 0, 32)(NOTHING) == 0


def test_every_branch_of_machine_code_counts_and_only_guarded_ones_of_our_own() -> None:
    """Nsight Compute counts machine code's branches whether or not a predicate guards them."""
    code = SimpleNamespace(
        op=np.array([Op.BRA, Op.BRA, Op.LD], np.int32),
        space=np.array([Space.NONE, Space.NONE, Space.GLOBAL], np.int32),
        guard=np.array([5, NONE, NONE], np.int32),
    )
    counts = np.zeros((3, N_RAW), np.int64)
    counts[:, Raw.EXECUTED] = 1, 10, 100
    work = np.zeros((3, len(Work)), np.int64)
    conditional = Selector(frozenset({Op.BRA, Op.LD}), conditional=True)
    plain = [SimpleNamespace(native=None, op=op) for op in code.op]
    for native, expected in ((None, 1), (object(), 11)):
        totals = Totals.of(SimpleNamespace(code=code, native=native, work=work, instructions=plain), counts)
        assert totals.sum(Raw.EXECUTED, conditional) == expected


def test_a_part_has_the_copies_among_its_instructions() -> None:
    counts = np.zeros((3, N_RAW), np.int64)
    counts[:, Raw.EXECUTED] = 1, 10, 100
    totals = totals_of(counts, Op.LD, Space.GLOBAL, copies=[False, True, True])
    assert totals.copied(Raw.EXECUTED) == 110
    assert totals.restricted([0, 2]).copied(Raw.EXECUTED) == 100
