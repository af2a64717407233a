import numpy as np
import pytest
from support import workshop

from warpview.frontend.ir import SpecialValue, const
from warpview.isa.ops import AtomOp, BarRedOp, Cmp, Op, ShflMode
from warpview.isa.program import Print, Special
from warpview.isa.types import Space, Type
from warpview.sim.launch import Cancelled
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW
from warpview.sim.raw_counts import Raw

U32 = Type.U32


def test_each_thread_stores_its_number():
    out = np.zeros(96, dtype=np.uint32)
    result = workshop.run(lambda b, k: k.store(0, workshop.TID), [out], block=(96, 1, 1))
    assert result.arrays[0].tolist() == list(range(96))
    store = result.counts(Op.ST)
    assert store[Raw.REQUESTS] == 3
    assert store[Raw.SECTORS] == 12
    assert result.findings == []


def test_if_else_meets_again():
    def kernel(b, k):
        low, high, end = (b.new_block() for _ in range(3))
        p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 8), mod=Cmp.LT)
        x = b.reg(U32, "x")
        b.branch(p, low, high)
        b.place(low)
        b.mov(x, const(U32, 1))
        b.jump(end)
        b.place(high)
        b.mov(x, const(U32, 2))
        b.place(end)
        k.store(0, x)

    for device in ("8800gtx", "h200"):
        result = workshop.run(kernel, [np.zeros(32, dtype=np.uint32)], device=device)
        assert result.arrays[0].tolist() == [1] * 8 + [2] * 24
        assert result.counts(Op.ST)[[Raw.EXECUTED, Raw.LANES]].tolist() == [1, 32]
        assert result.counts(Op.BRA)[Raw.DIVERGENT] == 1


def address(b, offset):
    """A register that holds one number in all lanes."""
    return b.emit(Op.MOV, Type.U64, const(Type.U64, offset))


class TestFaults:
    def test_wild_addresses_are_found_and_do_nothing(self):
        def kernel(b, k):
            for wild in (0, 8, 1 << 39, (1 << 64) - 4, 1 << 62):
                x = b.emit(Op.LD, U32, address(b, wild), space=Space.GLOBAL)
                k.store(0, x)

        result = workshop.run(kernel, [np.ones(32, dtype=np.uint32)])
        assert result.findings == ["NULL_POINTER"] * 2 + ["OUT_OF_BOUNDS"] * 3
        assert all(f.count == 32 and f.thread == 0 for f in result.outcome.findings)
        assert result.counts(Op.LD)[[Raw.EXECUTED, Raw.LANES_ON, Raw.REQUESTS, Raw.SECTORS]].tolist() == [5, 160, 0, 0]
        assert not result.arrays[0].any()

    def test_lanes_beyond_the_buffer_are_left_out_of_the_request(self):
        result = workshop.run(lambda b, k: k.store(0, workshop.TID), [np.zeros(8, dtype=np.uint32)])
        (finding,) = result.outcome.findings
        assert (finding.kind.name, finding.thread, finding.count) == ("OUT_OF_BOUNDS", 8, 24)
        store = result.counts(Op.ST)
        assert store[[Raw.REQUESTS, Raw.SECTORS, Raw.BYTES_REQUESTED]].tolist() == [1, 1, 32]

    def test_a_misaligned_vector_is_found(self):
        def kernel(b, k):
            base = b.emit(Op.ADD, Type.U64, k.pointer(0), const(Type.U64, 4))
            x, y = b.load_vector(U32, 2, Space.GLOBAL, base)
            k.store(0, b.emit(Op.ADD, U32, x, y))

        result = workshop.run(kernel, [np.ones(32, dtype=np.uint32)])
        assert result.findings == ["MISALIGNED"]
        assert not result.arrays[0].any()

    def test_shared_offsets_wrap_at_32_bits(self):
        def kernel(b, k):
            b.effect(Op.ST, U32, const(U32, 0xFFFFFFFC), workshop.TID, space=Space.SHARED, imm=8)
            b.effect(Op.ST, U32, const(U32, 0), workshop.TID, space=Space.SHARED, imm=-4)
            k.store(0, b.emit(Op.LD, U32, const(U32, 4), space=Space.SHARED))

        result = workshop.run(workshop.Kernel(kernel, shared=8), [np.zeros(32, dtype=np.uint32)])
        assert result.arrays[0].tolist() == [31] * 32  # the highest lane's store stays
        *races, finding = result.outcome.findings
        assert {(race.kind.name, race.address) for race in races} == {("RACE", 4)}  # of the lanes that store there
        assert (finding.kind.name, finding.address, finding.space) == ("OUT_OF_BOUNDS", 0xFFFFFFFC, Space.SHARED)

    def test_words_that_nobody_wrote(self):
        result = workshop.run(lambda b, k: k.store(1, k.load(0, U32)), [128, np.zeros(32, dtype=np.uint32)])
        (finding,) = result.outcome.findings
        assert (finding.kind.name, finding.count) == ("UNINITIALISED", 32)
        unchecked = workshop.run(
            lambda b, k: k.store(1, k.load(0, U32)), [128, np.zeros(32, dtype=np.uint32)], check=False
        )
        assert unchecked.findings == []

    def test_a_generic_access_is_carried_out_space_by_space(self):
        def kernel(b, k):
            b.effect(Op.ST, U32, const(U32, 0), const(U32, 7), space=Space.SHARED)
            b.effect(Op.ST, U32, const(U32, 0), const(U32, 8), space=Space.LOCAL)
            b.effect(Op.WARPSYNC, U32, const(U32, 0xFFFFFFFF))
            third = b.emit(Op.REM, U32, workshop.TID, const(U32, 4))
            where = b.emit(Op.MOV, Type.U64, k.pointer(0))
            for n, window in enumerate((SHARED_WINDOW, LOCAL_WINDOW, CONST_WINDOW), start=1):
                p = b.emit(Op.SETP, U32, third, const(U32, n), mod=Cmp.EQ)
                b.emit(Op.SELP, Type.U64, address(b, window), where, p, dst=where)
            k.store(1, b.emit(Op.LD, U32, where, space=Space.GENERIC))

        made = workshop.Kernel(kernel, pointers=2, shared=4, local=4, constants=bytes([9, 0, 0, 0]))
        result = workshop.run(made, [np.full(1, 6, dtype=np.uint32), np.zeros(32, dtype=np.uint32)])
        assert result.arrays[1].tolist() == [6, 7, 8, 9] * 8
        load = result.counts(Op.LD)  # constants are global memory to it
        assert load[[Raw.EXECUTED, Raw.REQUESTS, Raw.WAVEFRONTS, Raw.SECTORS]].tolist() == [1, 3, 1, 6]
        assert result.findings == []


class TestBlocks:
    def test_a_race_is_a_word_that_two_warps_share_without_a_barrier(self):
        def kernel(barrier):
            def body(b, k):
                own = b.emit(Op.SHL, U32, workshop.TID, const(U32, 2))
                b.effect(Op.ST, U32, own, workshop.TID, space=Space.SHARED)
                if barrier:
                    b.effect(Op.BAR_SYNC)
                other = b.emit(Op.XOR, U32, own, const(U32, 128))
                k.store(0, b.emit(Op.LD, U32, other, space=Space.SHARED))

            return workshop.Kernel(body, shared=256)

        out = np.zeros(64, dtype=np.uint32)
        fine = workshop.run(kernel(True), [out], block=(64, 1, 1))
        assert fine.findings == []
        assert fine.arrays[0].tolist() == [t ^ 32 for t in range(64)]
        raced = workshop.run(kernel(False), [out], block=(64, 1, 1))
        assert raced.findings == ["RACE", "RACE", "UNINITIALISED"]  # warp 0 reads too early; warp 1 writes, then reads

    def test_atomics_do_not_race_with_one_another(self):
        def kernel(b, k):
            b.effect(Op.RED, U32, const(U32, 0), const(U32, 1), space=Space.SHARED, mod=AtomOp.ADD)
            b.effect(Op.BAR_SYNC)
            k.store(0, b.emit(Op.LD, U32, const(U32, 0), space=Space.SHARED))

        result = workshop.run(workshop.Kernel(kernel, shared=4), [np.zeros(64, dtype=np.uint32)], block=(64, 1, 1))
        assert result.arrays[0].tolist() == [64] * 64
        assert result.findings == ["UNINITIALISED"]
        assert result.counts(Op.RED)[Raw.COLLISIONS] == 62

    def test_a_barrier_counts_the_predicates_of_all_threads(self):
        def kernel(b, k):
            odd = b.emit(Op.AND, U32, workshop.TID, const(U32, 1))
            p = b.emit(Op.SETP, U32, odd, const(U32, 1), mod=Cmp.EQ)
            k.store(0, b.emit(Op.BAR_RED, U32, p, mod=BarRedOp.POPC))

        result = workshop.run(kernel, [np.zeros(72, dtype=np.uint32)], block=(72, 1, 1))
        assert result.arrays[0].tolist() == [36] * 72
        assert result.counts(Op.BAR_RED)[Raw.EXECUTED] == 3

    def barrier_in_one_arm(self, limit):
        def kernel(b, k):
            inside, end = b.new_block(), b.new_block()
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, limit), mod=Cmp.LT)
            b.branch(p, inside, end)
            b.place(inside)
            b.effect(Op.BAR_SYNC)
            b.place(end)
            k.store(0, workshop.TID)
            b.effect(Op.BAR_SYNC)

        return kernel

    @pytest.mark.parametrize("device", ["8800gtx", "h200"])
    def test_a_barrier_in_divergent_code_completes(self, device):
        out = np.zeros(64, dtype=np.uint32)
        passed = workshop.run(self.barrier_in_one_arm(40), [out], block=(64, 1, 1), device=device)
        assert "DIVERGENT_BARRIER" in passed.findings
        assert passed.arrays[0].tolist() == list(range(64))

    def test_lanes_that_wait_for_one_another_hold_a_barrier_back(self):
        def kernel(b, k):
            inside, other, end = b.new_block(), b.new_block(), b.new_block()
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 16), mod=Cmp.LT)
            b.branch(p, inside, other)
            b.place(other)
            b.effect(Op.WARPSYNC, U32, const(U32, 0xFFFFFFFF))
            b.jump(end)
            b.place(inside)
            b.effect(Op.BAR_SYNC)
            b.place(end)
            k.store(0, workshop.TID)

        hung = workshop.run(kernel, [np.zeros(32, dtype=np.uint32)], device="h200")
        assert hung.findings == ["BARRIER"]
        assert hung.outcome.aborted

    def test_threads_that_ended_are_not_waited_for(self):
        def kernel(b, k):
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 40), mod=Cmp.GE)
            b.effect(Op.EXIT, guard=p)
            b.effect(Op.BAR_SYNC)
            k.store(0, workshop.TID)

        for device in ("8800gtx", "h200"):
            result = workshop.run(kernel, [np.zeros(64, dtype=np.uint32)], block=(64, 1, 1), device=device)
            assert result.arrays[0].tolist() == [*range(40), *[0] * 24]
            assert result.findings == ["EXITED_BEFORE_BARRIER"]

    def test_an_endless_loop_uses_up_its_budget(self):
        def kernel(b, k):
            loop = b.place(b.new_block())
            b.emit(Op.ADD, U32, workshop.TID, const(U32, 1))
            b.jump(loop)

        result = workshop.run(kernel, [np.zeros(1, dtype=np.uint32)], step_budget=101)
        assert result.findings == ["ENDLESS"]
        assert result.outcome.aborted
        assert result.outcome.counts[:, Raw.EXECUTED].sum() == 101

    def test_shuffle_of_a_lane_that_does_not_take_part(self):
        def kernel(b, k):
            inside, end = b.new_block(), b.new_block()
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 16), mod=Cmp.LT)
            b.branch(p, inside, end)
            b.place(inside)
            x = b.emit(
                Op.SHFL, U32, workshop.TID, const(U32, 16), const(U32, 32), const(U32, 0xFFFF), mod=ShflMode.BFLY
            )
            k.store(0, x)
            b.place(end)

        result = workshop.run(kernel, [np.zeros(32, dtype=np.uint32)])
        (finding,) = result.outcome.findings
        assert (finding.kind.name, finding.count, finding.address) == ("INACTIVE_LANE", 16, 16)
        assert result.arrays[0].tolist() == [*range(16, 32), *[0] * 16]

    def full_mask(self, both_arms):
        """A warp barrier in one arm, or one in each."""

        def kernel(b, k):
            inside, other, end = b.new_block(), b.new_block(), b.new_block()
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 16), mod=Cmp.LT)
            b.branch(p, inside, other)
            b.place(other)
            if both_arms:
                b.effect(Op.WARPSYNC, U32, const(U32, 0xFFFFFFFF))
            b.jump(end)
            b.place(inside)
            b.effect(Op.WARPSYNC, U32, const(U32, 0xFFFFFFFF))
            b.place(end)
            k.store(0, workshop.TID)

        return kernel

    def test_lanes_that_never_come_to_a_collective(self):
        out = np.zeros(32, dtype=np.uint32)
        stuck = workshop.run(self.full_mask(both_arms=True), [out])
        assert stuck.findings == ["DEADLOCK"]
        assert stuck.outcome.aborted
        assert stuck.counts(Op.WARPSYNC)[Raw.EXECUTED] == 0
        passed = workshop.run(self.full_mask(both_arms=True), [out], device="c2050")
        assert passed.findings == ["MEMBER_MASK", "MEMBER_MASK"]  # in lockstep all lanes named must be there

    def test_lanes_that_end_are_not_waited_for_at_a_collective(self):
        passed = workshop.run(self.full_mask(both_arms=False), [np.zeros(32, dtype=np.uint32)])
        assert passed.findings == ["MEMBER_MASK"]
        assert passed.arrays[0].tolist() == list(range(32))

    def test_print_and_assertion(self):
        def kernel(b, k):
            p = b.emit(Op.SETP, U32, workshop.TID, const(U32, 30), mod=Cmp.GE)
            b.function.prints.append(Print("%u %f", b.span))
            b.effect(Op.PRINTF, guard=p, extra=(workshop.TID, const(Type.F32, 0.5)))
            b.effect(Op.TRAP, guard=p)
            k.store(0, workshop.TID)

        result = workshop.run(kernel, [np.zeros(32, dtype=np.uint32)], grid=(2, 1, 1))
        assert result.outcome.printed == [(0, 0, 30, (30, 0.5)), (0, 0, 31, (31, 0.5))]
        (finding,) = result.outcome.findings
        assert (finding.kind.name, finding.thread, finding.count) == ("ASSERTION", 30, 2)
        assert not result.arrays[0].any()

    def test_coordinates_of_blocks_and_threads(self):
        def kernel(b, k):
            def special(s):
                return SpecialValue(s)

            def mad(x, n, y):
                return b.emit(Op.MAD, U32, x, n, y)

            thread = mad(mad(special(Special.TID_Z), special(Special.NTID_Y), special(Special.TID_Y)),
                         special(Special.NTID_X), special(Special.TID_X))  # fmt: skip
            block = mad(mad(special(Special.CTAID_Z), special(Special.NCTAID_Y), special(Special.CTAID_Y)),
                        special(Special.NCTAID_X), special(Special.CTAID_X))  # fmt: skip
            k.store(0, block, mad(block, const(U32, 24), thread))

        result = workshop.run(kernel, [np.zeros(24 * 12, dtype=np.uint32)], grid=(3, 2, 2), block=(2, 3, 4))
        assert result.arrays[0].tolist() == [b for b in range(12) for _ in range(24)]

    def test_the_caller_can_cancel(self):
        with pytest.raises(Cancelled):
            workshop.run(
                lambda b, k: k.store(0, workshop.TID),
                [np.zeros(32, dtype=np.uint32)],
                grid=(3, 1, 1),
                progress=lambda done, total: done < 2,
            )
