import pytest

from warpview.isa.ops import BarRedOp, MatchMode, ReduxOp, ShflMode, VoteMode
from warpview.isa.shuffles import shuffle_source
from warpview.isa.types import Type
from warpview.sim.reference.collective import barrier_reduction, match, redux, vote


@pytest.mark.parametrize(
    ("mode", "lane", "operand", "width", "source"),
    [
        (ShflMode.IDX, 5, 35, 32, 3),
        (ShflMode.IDX, 13, 2, 8, 10),
        (ShflMode.UP, 9, 1, 8, 8),
        (ShflMode.UP, 8, 1, 8, None),
        (ShflMode.DOWN, 15, 1, 8, None),
        (ShflMode.DOWN, 30, 1, 32, 31),
        (ShflMode.BFLY, 5, 16, 32, 21),
        (ShflMode.BFLY, 5, 8, 8, None),
        (ShflMode.BFLY, 13, 8, 8, 5),
        (ShflMode.UP, 3, 0xFFFFFFFF, 32, None),
    ],
)
def test_shuffle_source(mode, lane, operand, width, source):
    assert shuffle_source(mode, lane, operand, width) == source


def test_votes_look_only_at_the_lanes_of_the_mask():
    predicates = [1, 1, 0, 1] + [0] * 28
    assert vote(VoteMode.BALLOT, predicates, 0b1110) == 0b1010
    assert vote(VoteMode.ALL, predicates, 0b1011) == 1
    assert vote(VoteMode.ANY, predicates, 0b0100) == 0
    assert [vote(VoteMode.UNI, predicates, m) for m in (0b1011, 0b0100, 0b1111)] == [1, 1, 0]


def test_match():
    values = [7, 8, 7, 8] + [7] * 28
    assert match(MatchMode.ANY, values, 0, 0b1111) == 0b0101
    assert match(MatchMode.ALL, values, 0, 0b1111) == 0
    assert match(MatchMode.ALL, values, 0, 0b0101) == 0b0101


def test_redux_goes_by_signedness():
    values = [3, 0xFFFFFFFF, 5] + [0] * 29
    assert redux(ReduxOp.MIN, Type.S32, values, 0b111) == 0xFFFFFFFF
    assert redux(ReduxOp.MIN, Type.U32, values, 0b111) == 3
    assert redux(ReduxOp.ADD, Type.U32, values, 0b111) == 7
    assert redux(ReduxOp.XOR, Type.U32, values, 0b101) == 6


def test_barrier_reductions():
    assert [barrier_reduction(op, [1, 0, 1]) for op in BarRedOp] == [2, 0, 1]
    assert barrier_reduction(BarRedOp.AND, [1, 1]) == 1
