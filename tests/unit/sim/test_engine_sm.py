"""The options of the cycle-level engine do what they say, and so does its result."""

from dataclasses import fields, replace

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import LaunchError, SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions, Stall
from warpview.sim.launch import Cancelled, FindingKind, Options

KERNEL = """
__global__ void twice(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    for (int k = 0; k < n; k++)
        tile[threadIdx.x] += k;
    __syncthreads();
    out[i] = 2 * tile[63 - threadIdx.x];
}
"""
BLOCKS = 48
PROGRAM = compile_source(SourceText("twice.cu", KERNEL))
BYTES = 1 << 20
DEVICE = load_device("8800gtx")


def launched(n: int = 3):
    data = np.arange(BLOCKS * 64, dtype=np.int32)
    return bind(PROGRAM, (BLOCKS, 1, 1), (64, 1, 1), [data, np.zeros_like(data), n], 0)


def run(options: Options | None = None, device=DEVICE, n: int = 3, **sm: object):
    bound = launched(n)
    return run_sm(PROGRAM, device, bound.launch, bound.memory, options or Options(), SmOptions(**sm)), bound


def test_the_whole_grid_is_run():
    found, bound = run()
    profiled = launched()
    outcome = run_profile(PROGRAM, DEVICE, profiled.launch, profiled.memory, Options())
    assert np.array_equal(found.outcome.counts, outcome.counts)
    assert np.array_equal(bound.memory.data, profiled.memory.data)


def test_a_multiprocessor_gets_every_sixteenth_block():
    found, _ = run(multiprocessor=3)
    assert [stay.block for stay in found.result.residency] == [3, 19, 35]
    assert found.result.blocks_run == 3
    assert set(found.events.block.tolist()) == {3, 19, 35}


def test_a_multiprocessor_without_a_block_is_refused():
    with pytest.raises(LaunchError, match="gets no block"):
        run(multiprocessor=100)


def test_registers_decide_how_many_blocks_are_resident():
    one = replace(DEVICE, multiprocessors=1)
    many, _ = run(device=one)
    few, _ = run(device=one, registers_per_thread=60)
    assert few.result.resident_blocks < many.result.resident_blocks
    assert few.result.cycles > many.result.cycles
    assert few.result.achieved_occupancy < many.result.achieved_occupancy


def test_a_part_of_the_blocks_stands_for_all():
    one = replace(DEVICE, multiprocessors=1)
    whole, _ = run(device=one, n=50)
    part, bound = run(device=one, n=50, block_limit=16)
    assert part.result.blocks_run == 16
    assert part.result.time_us == pytest.approx(whole.result.time_us, rel=0.15)
    assert np.array_equal(part.outcome.counts, whole.outcome.counts)
    assert bound.buffers["out"].read(bound.memory)[0] == 2 * (63 + sum(range(50)))


def test_time_is_that_of_the_busiest_multiprocessor():
    found, _ = run()
    blocks_us = found.result.cycles / DEVICE.clock_mhz
    assert found.result.time_us == pytest.approx(DEVICE.launch_overhead_us + blocks_us)


def test_two_runs_are_the_same():
    a, b = run()[0], run()[0]
    for field in fields(a.events):
        assert np.array_equal(getattr(a.events, field.name), getattr(b.events, field.name))
    assert np.array_equal(a.result.stalls, b.result.stalls)


def test_what_is_not_recorded_is_counted_all_the_same():
    recorded, _ = run()
    bare, _ = run(record=False)
    assert len(bare.events) == 0
    assert bare.result.cycles == recorded.result.cycles
    assert np.array_equal(bare.result.stalls, recorded.result.stalls)


def test_history_that_takes_too_much_memory_is_cut_short():
    one = replace(DEVICE, multiprocessors=1)
    found, _ = run(device=one, n=2000, history_bytes=BYTES)
    assert 0 < len(found.events) < found.result.issued
    taken = found.events.nbytes + found.replay.nbytes + found.track.counts.nbytes
    assert 0.75 * BYTES < taken <= BYTES


@pytest.mark.parametrize("history_bytes", [1000, 200_000])
def test_a_history_without_room_has_the_start_only(history_bytes):
    found, _ = run(device=replace(DEVICE, multiprocessors=1), n=2000, history_bytes=history_bytes)
    full, _ = run(device=replace(DEVICE, multiprocessors=1), n=2000)
    assert len(found.events) == 0
    assert found.replay.step == 0
    assert np.array_equal(found.outcome.counts, full.outcome.counts)
    assert found.result.cycles == full.result.cycles


def test_progress_goes_from_nothing_to_everything():
    seen: list[tuple[int, int]] = []
    run(Options(progress=lambda done, total: not seen.append((done, total))))
    done = [d for d, total in seen if total == BLOCKS]
    assert done == sorted(done)


@pytest.mark.parametrize("after", [0, 1])
def test_it_can_be_cancelled(after):
    calls = iter(range(100))
    with pytest.raises(Cancelled):
        run(Options(progress=lambda done, total: next(calls) < after))


def test_an_endless_loop_ends_the_launch():
    found, _ = run(Options(step_budget=100), n=1 << 20)
    assert found.outcome.aborted
    assert [f.kind for f in found.outcome.findings] == [FindingKind.ENDLESS]
    assert found.result.residency
    assert found.result.stalls.sum() == found.result.resident_blocks * 2 * found.result.cycles
    assert (found.result.stalls[:, Stall.EMPTY] >= 0).all()


FENCES = """
__global__ void fence(int *out)
{
    out[blockIdx.x] = 1;
    FENCE();
    out[blockIdx.x] = 2;
}
"""


@pytest.mark.parametrize("name", ["__threadfence", "__threadfence_system", "__threadfence_block"])
def test_a_warp_that_fences_waits_for_the_fence(name: str) -> None:
    """Those of a block ask nothing of the L2."""
    program, device = compile_source(SourceText("fence.cu", FENCES.replace("FENCE", name))), load_device("h200")
    bound = bind(program, (1, 1, 1), (32, 1, 1), [np.zeros(1, np.int32)], 0)
    found = run_sm(program, device, bound.launch, bound.memory, Options(), SmOptions())
    waited = found.result.stalls.sum(axis=0)
    if name == "__threadfence_block":
        assert waited[Stall.MEMBAR] == 0
    else:
        assert waited[Stall.MEMBAR] >= device.fence_cycles - 1 > 5 * waited[Stall.WAIT]
    assert waited.sum() == found.result.resident_blocks * found.result.cycles
