from warpview.isa.program import NONE
from warpview.sim.reference.splits import SplitPaths
from warpview.sim.reference.stack import StackPaths

FULL = 0xFFFFFFFF


def shape(paths):
    """(pc, mask) of every path, for the stack bottom first."""
    return [(p.pc, p.mask) for p in paths.view()]


class TestStack:
    def test_the_fall_through_runs_first_and_all_meet_at_the_reconvergence_point(self):
        paths = StackPaths(0b1111)
        paths.branch(0b0011, target=5, reconvergence=8)
        assert shape(paths) == [(8, 0b1111), (5, 0b0011), (1, 0b1100)]
        for _ in range(4):
            paths.advance()
        paths.branch(0b1100, target=8, reconvergence=NONE)  # jumps over the other side
        assert paths.current() == (5, 0b0011)
        for _ in range(3):
            paths.advance()
        assert shape(paths) == [(8, 0b1111)]

    def test_lanes_that_go_straight_to_the_reconvergence_point_have_no_entry(self):
        paths = StackPaths(0b1111)
        paths.branch(0b0011, target=8, reconvergence=8)
        assert shape(paths) == [(8, 0b1111), (1, 0b1100)]

    def test_break_out_of_a_loop_adds_no_entry_after_the_first(self):
        paths = StackPaths(0b1111)
        paths.branch(0b0001, target=9, reconvergence=9)
        paths.branch(0b0010, target=9, reconvergence=9)
        assert shape(paths) == [(9, 0b1111), (2, 0b1100)]
        paths.branch(0b1000, target=0, reconvergence=9)  # the loop's back edge, where one lane leaves
        assert shape(paths) == [(9, 0b1111), (0, 0b1000), (3, 0b0100)]

    def test_paths_that_meet_only_at_the_end(self):
        paths = StackPaths(0b11)
        paths.branch(0b01, target=5, reconvergence=NONE)
        assert shape(paths) == [(5, 0b01), (1, 0b10)]
        paths.exit(0b10)
        assert paths.current() == (5, 0b01)
        paths.exit(0b01)
        assert paths.current() is None
        assert paths.live == 0

    def test_lanes_that_exit_leave_all_entries(self):
        paths = StackPaths(0b1111)
        paths.branch(0b0011, target=5, reconvergence=8)
        paths.exit(0b1100)
        assert shape(paths) == [(8, 0b0011), (5, 0b0011)]

    def test_a_barrier_waits_for_the_running_path_only(self):
        paths = StackPaths(0b1111)
        paths.branch(0b0011, target=5, reconvergence=8)
        paths.block_barrier()
        assert paths.current() is None
        assert paths.barrier_satisfied
        paths.release()
        assert paths.current() == (2, 0b1100)


class TestSplits:
    def test_sides_meet_again_before_they_go_on(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b0011, target=3, reconvergence=5)
        assert paths.current() == (1, 0b1100)
        paths.advance()
        paths.branch(0b1100, target=5, reconvergence=NONE)
        assert paths.current() == (3, 0b0011)
        paths.advance()
        paths.advance()
        assert shape(paths) == [(5, 0b1111)]

    def test_a_backward_branch_passes_the_turn(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b0011, target=4, reconvergence=9)
        paths.advance()
        paths.branch(0b1100, target=1, reconvergence=NONE)
        assert paths.current() == (4, 0b0011)
        paths.branch(0b0011, target=4, reconvergence=NONE)
        assert paths.current() == (1, 0b1100)

    def test_nested_barriers_are_released_from_the_inside(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b0001, target=9, reconvergence=9)
        paths.branch(0b0010, target=4, reconvergence=5)
        assert [b.members for b in paths.barriers] == [0b1111, 0b1110]
        for _ in range(3):
            paths.advance()  # the fall-through side arrives at 5
        assert paths.current() == (4, 0b0010)
        paths.advance()
        assert paths.current() == (5, 0b1110)
        for _ in range(4):
            paths.advance()
        assert shape(paths) == [(9, 0b1111)]
        assert paths.barriers == []

    def test_an_exit_releases_those_who_waited_for_the_lane(self):
        paths = SplitPaths(0b11)
        paths.branch(0b01, target=5, reconvergence=5)
        assert paths.current() == (1, 0b10)
        paths.exit(0b10)
        assert paths.current() == (5, 0b01)
        assert paths.live == 0b01

    def test_a_block_barrier_needs_every_living_lane(self):
        paths = SplitPaths(0b11)
        paths.branch(0b01, target=5, reconvergence=NONE)
        paths.block_barrier()
        assert not paths.barrier_satisfied
        assert paths.current() == (5, 0b01)
        paths.block_barrier()
        assert paths.barrier_satisfied
        paths.release()
        assert sorted(shape(paths)) == [(2, 0b10), (6, 0b01)]

    def test_collectives_in_both_arms_are_carried_out_jointly_only_at_one_place(self):
        paths = SplitPaths(0b11)
        paths.branch(0b01, target=5, reconvergence=NONE)
        assert paths.joint(0b11) is None
        paths.wait_collective(0b11)
        assert paths.current() == (5, 0b01)
        assert paths.joint(0b11) is None
        paths.wait_collective(0b11)
        assert paths.current() is None

    def test_splits_with_one_barrier_merge_at_a_collective(self):
        paths = SplitPaths(0b11)
        paths.branch(0b01, target=3, reconvergence=NONE)
        paths.branch(0b10, target=3, reconvergence=NONE)  # both at 3 now, apart
        assert paths.joint(0b11) is None
        paths.wait_collective(0b11)
        assert paths.current() == (3, 0b01)
        assert paths.joint(0b11) == [0b01, 0b10]
        paths.advance()
        assert shape(paths) == [(4, 0b11)]

    def test_a_collective_of_lanes_that_are_all_here_does_not_wait(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b0011, target=5, reconvergence=8)
        assert paths.joint(0b1100) == [0b1100]

    def test_exited_lanes_are_not_waited_for(self):
        paths = SplitPaths(0b11)
        paths.branch(0b01, target=5, reconvergence=NONE)
        paths.wait_collective(0b11)
        assert paths.current() == (5, 0b01)
        paths.exit(0b01)
        assert paths.current() == (1, 0b10)
        assert paths.joint(0b11) == [0b10]

    def test_lanes_that_leave_a_spin_loop_do_not_wait_for_the_others(self):
        paths = SplitPaths(0b11)
        paths.branch(0b10, target=0, reconvergence=1, spins=True)
        assert sorted(shape(paths)) == [(0, 0b10), (1, 0b01)]
        assert paths.barriers == []

    def test_of_a_stuck_warp_parked_lanes_go_on_and_nobody_waits_there_any_more(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b1100, target=5, reconvergence=5)
        paths.block_barrier()
        assert paths.current() == (5, 0b1100)
        paths.exit(0b1100)
        assert paths.current() is None
        assert paths.barrier_satisfied
        paths.release()
        assert paths.current() == (2, 0b0011)
        paths.branch(0b0010, target=5, reconvergence=5)
        assert sorted(shape(paths)) == [(3, 0b0001), (5, 0b0010)]

    def test_parked_lanes_go_on_from_the_inside_as_far_as_they_can(self):
        paths = SplitPaths(0b1111)
        paths.branch(0b1000, target=9, reconvergence=9)
        paths.branch(0b0100, target=7, reconvergence=7)
        paths.block_barrier()
        assert paths.current() == (7, 0b0100)
        paths.advance()
        paths.advance()
        assert paths.current() == (9, 0b1100)
        paths.block_barrier()
        assert paths.current() is None
        assert paths.barrier_satisfied
