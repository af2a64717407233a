"""``grid.sync()`` brings all blocks together, orders what comes before, and tells what cannot meet."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import ROTATE

import warpview as wv
from warpview.devices import load_device
from warpview.isa.disassembly import disassemble
from warpview.isa.ops import Op
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind, bind_bytes
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.memory import DeviceMemory
from warpview.sim.reference import run_reference

SYNC = "grid.sync();"


def run(text: str, blocks: int = 6, rounds: int = 3, **more: object) -> wv.Run:
    a = np.arange(64 * blocks, dtype=np.int32)
    return wv.simulate(wv.compile(text), blocks, 64, [a, np.zeros_like(a), rounds], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("device", ["p100", "h200"])
def test_blocks_see_what_all_wrote_before_the_barrier(device: str) -> None:
    result = run(ROTATE.replace("BETWEEN", SYNC), device=device)
    wanted = np.arange(64 * 6).reshape(6, 64)
    for _ in range(3):
        wanted = np.roll(wanted, -1, axis=0)[:, ::-1] + 1
    np.testing.assert_array_equal(result.buffers["b"].reshape(6, 64), wanted)
    assert result.findings == ()
    assert result.counters["barriers"] == 6 * 2 * 3 * 2


def test_without_the_barrier_the_blocks_race() -> None:
    kinds = {finding.kind for finding in run(ROTATE.replace("BETWEEN", "__syncthreads();")).findings}
    assert kinds == {"race"}


def test_a_race_between_two_barriers_is_found_with_both_lines() -> None:
    wrong = ROTATE.replace("BETWEEN", SYNC + " if (threadIdx.x == 0) a[0] = blockIdx.x; " + SYNC)
    races = [finding for finding in run(wrong, rounds=2).findings if finding.kind == "race"]
    assert races
    assert {(race.span.line, race.other.span.line) for race in races if race.other} == {(12, 12)}


def test_a_block_that_ended_never_comes_to_the_barrier() -> None:
    result = run(ROTATE.replace("BETWEEN", "if (blockIdx.x == 2) return; " + SYNC))
    assert result.aborted
    assert "barrier cannot complete" in {finding.kind for finding in result.findings}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"blocks": 5000}, "can be resident"), ({"device": "gtx980"}, "needs compute capability 6.0"),
        ({"engine": "sm", "blocks": 100}, "The engine 'profile' runs all of it"),
    ],
)  # fmt: skip
def test_what_cannot_run_is_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(wv.LaunchError, match=words):
        run(ROTATE.replace("BETWEEN", SYNC), **more)  # type: ignore[arg-type]


def test_a_grid_on_one_multiprocessor_is_stepped_through() -> None:
    result = run(ROTATE.replace("BETWEEN", SYNC), engine="sm")
    np.testing.assert_array_equal(result.buffers["b"], run(ROTATE.replace("BETWEEN", SYNC)).buffers["b"])
    assert (result.findings, result.time_us) == ((), None)
    assert result.trace is not None
    trace = result.trace
    barrier = next(pc for pc, i in enumerate(trace.program.instructions) if i.op == Op.BAR_SYNC and i.mod)
    arrivals = [step for step in range(1, trace.steps + 1) if trace.event(step).pc == barrier]
    assert len(arrivals) == 6 * 2 * 3
    assert {trace.event(step).block for step in arrivals} == set(range(6))
    # The sixth block is the last to come: only then do all go on.
    waiting = trace.frame(arrivals[10])
    assert all(warp.at_barrier for warp in waiting.warps if warp.block == trace.event(arrivals[0]).block)


def test_the_barrier_is_shown_as_one_of_the_grid() -> None:
    program = wv.compile(ROTATE.replace("BETWEEN", SYNC))
    assert program.synchronises_grid
    assert any("bar.sync.grid" in line for line in disassemble(program))


@pytest.mark.parametrize("device", ["p100", "h200"])
@pytest.mark.parametrize(
    "between", [SYNC, SYNC + " if (threadIdx.x == 0) a[0] = blockIdx.x; " + SYNC, "return; " + SYNC]
)
def test_the_reference_says_the_same(device: str, between: str) -> None:
    program = wv.compile(ROTATE.replace("BETWEEN", "if (blockIdx.x < 9) { " + between + " }"))
    outcomes = []
    for execute in (run_reference, run_profile):
        memory = DeviceMemory()
        a = np.arange(64 * 3, dtype=np.int32)
        places = [memory.allocate(name, a.nbytes, a.view(np.uint8)) for name in "ab"]
        args = [*(place.base.to_bytes(8, "little") for place in places), (2).to_bytes(4, "little")]
        launch = bind_bytes(program, (3, 1, 1), (64, 1, 1), args, 0, memory).launch
        outcomes.append(execute(program, load_device(device), launch, memory, Options()))
    reference, jitted = outcomes
    np.testing.assert_array_equal(reference.counts, jitted.counts)
    np.testing.assert_array_equal(reference.memory.data, jitted.memory.data)
    assert reference.aborted == jitted.aborted
    kinds = [{(f.kind, f.pc) for f in outcome.findings if f.is_race} for outcome in outcomes]
    assert kinds[0] == kinds[1]


UNDEFINED = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sums(const int *in, int *part, int *out) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t LIMIT) s[t] = in[grid.thread_rank()];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 64; ++k) sum += s[k];
        part[blockIdx.x] = sum;  // line 13
    }
    grid.sync();
    out[grid.thread_rank()] = part[(blockIdx.x + 1) % gridDim.x];
}
"""


@pytest.mark.parametrize(("limit", "lines"), [("< 64", []), ("!= 5", [13])])
def test_undefined_values_are_followed_across_the_barrier(limit: str, lines: list[int]) -> None:
    program = wv.compile(UNDEFINED.replace("LIMIT", limit))
    run = wv.simulate(program, 4, 64, [np.ones(256, np.int32), np.zeros(4, np.int32), np.zeros(256, np.int32)])
    assert [finding.span.line for finding in run.findings if finding.kind == "uninitialised read"] == lines


def test_a_race_beside_a_grid_barrier_is_replayed() -> None:
    racy = UNDEFINED.replace("LIMIT", "< 64").replace("    __syncthreads();\n", "")
    program = wv.compile(racy)
    run = wv.simulate(program, 4, 64, [np.ones(256, np.int32), np.zeros(4, np.int32), np.zeros(256, np.int32)])
    assert "race" in {finding.kind for finding in run.findings}
    other = run.replay()
    assert other is not None
    assert other.element.startswith(("part[", "out["))
    assert (other.buffers["out"].reshape(4, 64) == np.roll(other.buffers["part"], -1)[:, None]).all()


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("device", ["p100", "v100"])
def test_blocks_meet_by_the_barrier_that_ptx_polls(device: str) -> None:
    """CUDA's header adds to a word whose address is in environment registers, and polls it."""
    program = wv.compile(ROTATE.replace("BETWEEN", SYNC), compiler="nvrtc", device=device)
    assert program.synchronises_grid
    wanted = np.arange(64 * 6).reshape(6, 64)
    for _ in range(3):
        wanted = np.roll(wanted, -1, axis=0)[:, ::-1] + 1
    a = np.arange(64 * 6, dtype=np.int32)
    for engine in ("profile", "sm"):
        result = wv.simulate(program, 6, 64, [a, np.zeros_like(a), 3], device=device, engine=engine)
        np.testing.assert_array_equal(result.buffers["b"].reshape(6, 64), wanted)
        assert result.findings == ()
    outcomes = []
    for execute in (run_reference, run_profile):
        bound = bind(program, (6, 1, 1), (64, 1, 1), [a, np.zeros_like(a), 3], 0)
        outcomes.append(execute(program, load_device(device), bound.launch, bound.memory, Options()))
    one, other = outcomes
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.memory.data, other.memory.data)
    assert one.findings == other.findings == []


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_older_devices_have_no_such_barrier() -> None:
    with pytest.raises(wv.WarpviewError, match=r"compute capability 6\.0"):
        compiled_and_run("gtx980")


def compiled_and_run(device: str) -> None:
    program = wv.compile(ROTATE.replace("BETWEEN", SYNC), compiler="nvrtc", device=device)
    wv.simulate(program, 6, 64, [np.zeros(384, np.int32), np.zeros(384, np.int32), 3], device=device)
