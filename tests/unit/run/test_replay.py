"""A launch with races is replayed in an order in which it ends with another result, and told where the orders part."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.run import simulate_preset

EXCHANGE = """
__global__ void exchange(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t + 1;
  BARRIER
  out[t] = s[t ^ DISTANCE];
}"""
LOST = """
__global__ void lost(int *sum, int n) {
  if (threadIdx.x == 0)
    sum[0] = sum[0] + n;
}"""


def exchange(distance: int, barrier: str = "", **options: object) -> wv.Run:
    program = wv.compile(EXCHANGE, defines={"DISTANCE": distance, "BARRIER": barrier})
    return wv.simulate(program, 1, 64, [np.zeros(64, np.int32)], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_warps_of_a_block_the_other_way_round(engine: str) -> None:
    run = exchange(32, engine=engine)
    found = run.replay()
    assert found is not None
    assert (found.element, found.usual, found.value, found.expected) == ("out[0]", 0, 33, None)
    assert "held back" in found.order
    parting = found.parting
    assert parting is not None
    assert (parting.element, parting.thread, parting.span.line) == ("s[32]", (0, 0, 0), 7)
    assert (parting.value, parting.usual) == (33, 0)
    if run.trace is not None:
        assert parting.step is not None
        event = run.trace.event(parting.step)
        assert (event.pc, event.block, event.warp) == (parting.pc, 0, 0)


def test_lanes_of_a_warp_lose_their_lockstep() -> None:
    found = exchange(1).replay()
    assert found is not None
    assert (found.value, found.usual) == (0, 2)
    assert found.order.startswith("with thread (1, 0, 0)")
    assert np.count_nonzero(found.buffers["out"] != np.arange(64) ^ 1) >= 1


def test_a_barrier_leaves_only_one_result() -> None:
    assert exchange(32, "__syncthreads();").replay() is None
    assert exchange(1, "__syncwarp();").replay() is None


def test_old_devices_keep_their_lockstep() -> None:
    assert exchange(1, device="c2050").replay() is None


def test_updates_of_blocks_are_lost() -> None:
    run = wv.simulate(wv.compile(LOST), 4, 32, [np.zeros(1, np.int32), 5], expect={"sum": [20]})
    found = run.replay()
    assert found is not None
    assert (found.element, found.usual, found.expected) == ("sum[0]", 20, 20)
    assert found.value < 20
    assert "and should be 20" in str(found)


def test_a_replay_changes_nothing_of_the_run() -> None:
    run = exchange(32)
    before = run.buffers["out"].copy()
    first, again = str(run.replay()), str(run.replay())
    assert first == again
    np.testing.assert_array_equal(run.buffers["out"], before)


@pytest.mark.parametrize("key", ["reduction/unroll_last_warp", "mistakes/lost_updates", "mistakes/not_volatile"])
def test_library_kernels_with_races(key: str) -> None:
    found = simulate_preset(library.entry(key), "step").launches[-1].replay()
    assert found is not None
    assert found.expected is not None
    assert found.parting is not None


def test_random_orders_give_the_right_result_of_clean_kernels() -> None:
    """Every order that synchronisation allows leaves the same result: blocks, warps and barriers are kept apart."""
    from warpview.sim.checks.interleaving import Interleaving, RandomPriorities, Reversed
    from warpview.sim.engine import warm_up
    from warpview.sim.jit.machine import LaunchContext
    from warpview.sim.launch import Options

    warm_up()
    for key in (
        "reduction/sequential",
        "reduction/syncwarp",
        "transpose/padded_32",
        "matmul/tiled",
        "histogram/shared",
    ):
        run = simulate_preset(library.entry(key), "step").launches[0]
        assert run.rerun is not None
        program, launch = run.rerun.launches[0]
        for order in (Reversed(), *map(RandomPriorities, range(4))):
            memory = run.rerun.memory.copy()
            common = LaunchContext.of(program, run.device, launch, memory, Options(check=False))
            assert Interleaving(common, order, 1 << 24).run()
            for name, bound in run.rerun.buffers.items():
                if name in run.buffers:
                    np.testing.assert_allclose(bound.read(memory), run.buffers[name], rtol=1e-5, err_msg=key)
