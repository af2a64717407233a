"""The verdict names what a launch was written to be limited by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warpview as wv
from warpview import library
from warpview.run.library_launch import simulate_preset
from warpview.run.result import Run
from warpview.run.verdict import L1, NETWORK, SHUFFLES, TAIL
from warpview.sim.engine_sm import run_sm
from warpview.sim.estimate.block_work import BlockWork
from warpview.sim.history.events import Inefficiency, SmOptions
from warpview.sim.launch import Cancelled

SOURCE = """
__global__ void copy(const float *in, float *out, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}
__global__ void conflicts(float *out, int stride)
{
    __shared__ float data[1024];
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += data[(threadIdx.x * stride + k) & 1023];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void arithmetic(float *out)
{
    float a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
    for (int k = 0; k < 256; k++) {
        a = a * 1.5f + 0.5f;
        b = b * 1.5f + 0.5f;
        c = c * 1.5f + 0.5f;
        d = d * 1.5f + 0.5f;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}
__global__ void chase(const int *next, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i;
    for (int j = 0; j < 8; j++)
        k = next[k];
    out[i] = k;
}
__global__ void uneven(int *out)
{
    int sum = 0;
    for (int k = 0; k < 8 * (blockIdx.x & 63); k++)
        sum += k ^ threadIdx.x;
    atomicAdd(out + (threadIdx.x & 7), sum);
}
"""
MATRICES = """
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void products(const __half *a, float *c) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> first;
    fragment<matrix_b, 16, 16, 16, __half, row_major> second;
    fragment<accumulator, 16, 16, 16, float> sum;
    load_matrix_sync(first, a, 16);
    load_matrix_sync(second, a, 16);
    fill_fragment(sum, 0.0f);
    for (int k = 0; k < 64; ++k)
        mma_sync(sum, first, second, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}
__global__ void shuffles(int *out) {
    int sum = threadIdx.x, far = 1;
    for (int k = 0; k < 64; ++k)
        sum += __shfl_xor_sync(~0u, sum, far) + __shfl_xor_sync(~0u, sum + k, 2 * far);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""
FROM_OTHERS = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void from_others(float *out, int times, int far) {
    __shared__ float part[256];
    cg::cluster_group cluster = cg::this_cluster();
    part[threadIdx.x] = threadIdx.x;
    cluster.sync();
    float *other = cluster.map_shared_rank(part, cluster.block_rank() ^ far);
    float sum = 0;
    for (int k = 0; k < times; ++k)
        sum += other[threadIdx.x ^ k];
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""
BLOCKS = 528


def run(kernel: str, *args: object, blocks: int = BLOCKS, threads: int = 256, sample: float = 1.0) -> Run:
    program = wv.compile(SOURCE, kernel)
    return wv.simulate(program, blocks, threads, list(args), device="h200", check=False, sample=sample)


def test_products_of_matrices_are_not_told_as_shuffles() -> None:
    arrays = {"products": [np.zeros(256, np.float16), zeros(256)], "shuffles": [np.zeros(256 * BLOCKS, np.int32)]}
    shares = {}
    for kernel, args in arrays.items():
        made = wv.simulate(wv.compile(MATRICES, kernel), BLOCKS, 256, args, device="h200", check=False, sample=0.1)
        shares[kernel] = made.verdict().shares
    assert shares["products"]["the tensor pipe"] > 0.3
    assert shares["products"].get(SHUFFLES, 0.0) < 0.1
    assert shares["shuffles"][SHUFFLES] > 0.3
    assert "the tensor pipe" not in shares["shuffles"]


def test_the_shared_memory_of_other_blocks_is_told_as_the_limit_of_what_reads_it() -> None:
    program, args = wv.compile(FROM_OTHERS, device="h200"), [zeros(BLOCKS * 256), 64]
    far, own = (
        wv.simulate(program, BLOCKS, 256, [*args, rank], device="h200", check=False, cluster=2).verdict()
        for rank in (1, 0)
    )
    assert far.limiter == NETWORK
    assert far.gains[0].inefficiency == Inefficiency.DISTRIBUTED.value
    assert far.time_us > 1.5 * own.time_us
    assert NETWORK not in own.shares


def zeros(count: int) -> np.ndarray:
    return np.zeros(count, dtype=np.float32)


def gain(of: Run, inefficiency: Inefficiency) -> float:
    gains = {each.inefficiency: each.speedup for each in of.verdict().gains}
    return gains.get(inefficiency.value, 1.0)


def test_progress_is_told_and_can_end_it() -> None:
    one = run("arithmetic", zeros(BLOCKS * 256))
    told: list[tuple[int, int]] = []
    one.verdict(lambda done, total: told.append((done, total)))
    assert told == [(n, 1 + len(Inefficiency)) for n in range(1 + len(Inefficiency))]
    with pytest.raises(Cancelled):
        one.verdict(lambda done, total: done < 2)


def test_the_estimates_of_a_verdict_look_at_each_block_of_the_launch_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    of = BlockWork.of
    monkeypatch.setattr(BlockWork, "of", lambda self, block: counted.append(block) or of(self, block))
    one = run("uneven", np.zeros(8, np.int32))
    found = one.verdict()
    assert sorted(counted) == list(range(BLOCKS))
    assert one.rerun is not None
    program, launch = one.rerun.launches[0]
    atomics = SmOptions(record=False, estimate=True, without=frozenset({Inefficiency.ATOMICS}))
    alone = run_sm(program, one.device, launch, one.rerun.memory.copy(), one.rerun.options, atomics).result
    gains = {each.inefficiency: each.speedup for each in found.gains}
    assert gains[Inefficiency.ATOMICS.value] == found.time_us / alone.time_us


def test_a_sample_has_the_verdict_of_the_whole_launch() -> None:
    count = 4 * BLOCKS
    data = zeros(count * 256)
    whole, part = (
        run("copy", data, zeros(count * 256), 1, blocks=count, sample=share).verdict() for share in (1.0, 0.25)
    )
    assert part == whole


def test_conflicts_are_worth_about_their_ways() -> None:
    many = run("conflicts", zeros(BLOCKS * 256), 32)
    found = many.verdict()
    assert found.limiter == "shared memory"
    assert found.is_resource
    assert found.share > 0.9
    assert "data[(threadIdx.x * stride + k) & 1023]" in found.lines[0].text
    assert found.lines[0].share > 0.5
    assert gain(many, Inefficiency.CONFLICTS) > 5
    assert gain(run("conflicts", zeros(BLOCKS * 256), 1), Inefficiency.CONFLICTS) == 1


def test_coalescing_is_worth_more_the_farther_lanes_are_apart() -> None:
    n = BLOCKS * 256
    gains = [gain(run("copy", zeros(n * k), zeros(n), k), Inefficiency.UNCOALESCED) for k in (1, 16)]
    assert gains[0] == 1
    assert gains[1] > 1.5


def test_lines_that_cost_next_to_nothing_are_not_told() -> None:
    """Of a copy with a stride only the line that copies costs anything."""
    n = BLOCKS * 256
    lines = run("copy", zeros(n * 32), zeros(n), 32).verdict().lines
    assert lines[0].text == "out[i] = in[i * stride];"
    assert all(line.share >= 0.005 for line in lines)
    assert "}" not in [line.text for line in lines]


@pytest.mark.parametrize("device", ["8800gtx", "c2050"])
def test_a_line_costs_what_it_keeps_other_warps_from(device: str) -> None:
    """The warps of a new block wait at its first line until older ones let them issue: the remainders that these
    compute cost, not that line."""
    launched = simulate_preset(library.entry("reduction/interleaved"), "full", device, engine="profile", check=False)
    first, *others = launched.launches[0].verdict().lines
    assert first.text == "if (tid % (2 * s) == 0)"
    assert first.share > 0.3
    assert "threadIdx" not in "".join(line.text for line in others)


def test_idle_lanes_are_told_where_branches_diverge() -> None:
    diverging = simulate_preset(library.entry("reduction/interleaved"), "step", "h200").launches[0].verdict()
    assert diverging.active_lanes is not None
    assert 20 < diverging.active_lanes < 26
    assert f"{diverging.active_lanes:.1f} of 32 lanes are active on average, as branches diverge." in diverging.text()
    n = BLOCKS * 256
    assert run("copy", zeros(n), zeros(n), 1).verdict().active_lanes is None


def test_the_start_of_many_small_blocks_is_worth_something() -> None:
    many = run("copy", zeros(32 * 16384), zeros(32 * 16384), 1, blocks=16384, threads=32)
    assert many.verdict().limiter == "the rate of block launches"
    assert gain(many, Inefficiency.STARTS) > 1.3
    assert gain(run("arithmetic", zeros(BLOCKS * 256)), Inefficiency.STARTS) < 1.2


def test_a_busy_resource_is_no_limit_where_nothing_is_gained_without_its_cost() -> None:
    """Blocks start for 65 % of the time of a tree of sums, while those that are there have enough to do."""
    large = simulate_preset(library.entry("reduction/interleaved"), "full", engine="profile", check=False)
    found = large.launches[0].verdict()
    assert found.shares["the rate of block launches"] > 0.6
    assert Inefficiency.STARTS.value not in {each.inefficiency for each in found.gains}
    assert not found.is_resource


def test_shared_memory_that_limits_occupancy_is_worth_what_more_blocks_hide() -> None:
    """100 KB a block let two blocks of 128 threads fit on an H200, where 16 would: a chain of loads is not hidden."""
    n = 132 * 32 * 128
    data = (np.arange(n, dtype=np.int32) * 7919) % n
    program = wv.compile(SOURCE, "chase")
    limited, free = (
        wv.simulate(program, 132 * 32, 128, [data, np.zeros(n, np.int32)], device="h200", shared_bytes=size).verdict()
        for size in (100_000, 0)
    )
    (gain,) = (each for each in limited.gains if each.inefficiency == "the limit that shared memory sets to occupancy")
    assert limited.time_us / gain.speedup == pytest.approx(free.time_us, rel=0.05)  # the L1 is smaller
    assert gain.speedup > 1.15
    assert gain.inefficiency not in {each.inefficiency for each in free.gains}


def test_many_warps_of_arithmetic_are_limited_by_issue_or_their_pipe() -> None:
    found = run("arithmetic", zeros(BLOCKS * 1024), threads=1024).verdict()
    assert found.limiter in ("issue", "the FP32 pipe")
    assert found.share > 0.7


def test_a_launch_that_does_little_is_limited_by_the_launch() -> None:
    found = run("copy", zeros(32), zeros(32), 1, blocks=1, threads=32).verdict()
    assert found.limiter == "the launch itself"
    assert found.overhead_us < found.time_us


def test_the_text_has_a_line_for_each_statement() -> None:
    found = run("conflicts", zeros(BLOCKS * 256), 32).verdict()
    assert len(found.text().splitlines()) == 2 + len(found.roofline) + len(found.lines) + len(found.gains)


def test_without_the_memory_of_the_launch_there_is_no_verdict() -> None:
    from dataclasses import replace

    with pytest.raises(wv.WarpviewError, match="executed again"):
        replace(run("copy", zeros(32), zeros(32), 1, blocks=1, threads=32), rerun=None).verdict()


def test_the_last_wave_is_told_where_it_is_not_full() -> None:
    program = wv.compile(SOURCE, "arithmetic")
    verdicts = {
        blocks: wv.simulate(
            program, blocks, 1024, [zeros(blocks * 1024)], device="h200", check=False, shared_bytes=160 << 10
        ).verdict()
        for blocks in (132, 133, 264)
    }
    assert verdicts[133].limiter == TAIL
    assert verdicts[133].share == pytest.approx(0.46, abs=0.04)  # of two waves of 8.7 µs and 1.4 µs beside them
    assert "The last wave of blocks is not full" in verdicts[133].text()
    assert verdicts[133].gains[0].inefficiency == TAIL
    assert verdicts[133].gains[0].speedup == pytest.approx(1.85, abs=0.15)
    assert all(g.inefficiency != TAIL for blocks in (132, 264) for g in verdicts[blocks].gains)


def test_limits_of_several_things_are_told_in_the_plural() -> None:
    n = BLOCKS * 256
    found = run("copy", zeros(n * 32), zeros(n), 32).verdict()
    assert replace(found, limiter=L1, is_resource=True).sentence.startswith(
        "The tag and data stages of the L1 limit the launch"
    )
    assert replace(found, limiter="issue", is_resource=True).sentence.startswith("Issue limits the launch")


@pytest.mark.parametrize(
    ("device", "words"), [("h200", ", loops timed as unrolled)."), ("8800gtx", "multiprocessor).")]
)
def test_it_says_what_the_time_rests_on(device: str, words: str) -> None:
    source = "__global__ void sum(float *a) { for (int k = 0; k < 4; k++) a[threadIdx.x] += k; }"
    found = wv.simulate(wv.compile(source), 1, 32, [np.zeros(32, np.float32)], device=device).verdict()
    assert found.time_sentence.endswith(words)
    assert found.time_sentence in found.text()
