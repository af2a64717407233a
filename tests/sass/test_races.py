"""Races in machine code: planted bugs and their twins compiled by NVRTC, fences, atomics of libcu++."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from support.planted import Planted, planted

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.checks.findings import FindingKind
from warpview.sim.checks.race_check import RaceScreen
from warpview.sim.engine import execution_of, run_profile, warm_up
from warpview.sim.jit.machine import LaunchContext
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
NOT_COMPILED = {"next_constant_array"}  # an instruction that is refused
TWINS = [case for case in planted() if case.facts.get("device", "h200") == "h200"]
BETWEEN_WARPS = {"reverse_without_barrier", "tree_without_barrier", "blocks_add_plainly"}


def launch(case: Planted, bug: bool) -> wv.Run:
    defines = {**case.defines, **({"BUG": 1} if bug else {})}
    program = wv.compile(case.path, defines=defines, compiler="nvrtc", device="h200")
    facts = case.facts
    return wv.simulate(
        program, facts.get("grid", 1), facts["block"], case.arguments(), device="h200",
        shared_bytes=facts.get("shared_bytes", 0), step_budget=facts.get("step_budget", 200_000),
    )  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", [c for c in TWINS if c.path.stem not in NOT_COMPILED][::5], ids=str)
def test_a_clean_twin_has_no_finding(case: Planted) -> None:
    assert not [finding.render() for finding in launch(case, bug=False).findings]


@pytest.mark.parametrize("case", [c for c in TWINS if c.path.stem in BETWEEN_WARPS][::3], ids=str)
def test_a_race_between_warps_is_found(case: Planted) -> None:
    found = [finding for finding in launch(case, bug=True).findings if finding.kind in case.kinds]
    assert found
    assert {found[0].span.line} & case.lines


@pytest.mark.parametrize("device", ["h200", "rtx2080"])
@pytest.mark.parametrize("read", ["", "if (t == 63) out[2] = s[0];"])
def test_an_atomic_that_finds_nothing_to_change_reads_as_an_atomic(device: str, read: str) -> None:
    """The smallest and largest of 64 numbers, by loops of the compiler's; a plain read beside them is a race."""
    source = f"""
    __global__ void extremes(const int *in, long long *out) {{
        __shared__ long long s[2];
        int t = threadIdx.x;
        if (t < 2) s[t] = t ? -1000 : 1000;
        __syncthreads();
        atomicMin(&s[0], (long long)in[t]);
        atomicMax(&s[1], (long long)in[t]);
        {read}
        __syncthreads();
        if (t < 2) out[t] = s[t];
    }}"""
    numbers = np.arange(64, dtype=np.int32) * 7 % 50
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 64, [numbers, np.zeros(3, np.int64)], device=device)
    assert run.buffers["out"][:2].tolist() == [0, 49]
    assert [finding.kind for finding in run.findings] == (["race"] if read else [])


@pytest.mark.parametrize("device", ["h200", "rtx2080"])
@pytest.mark.parametrize("write", ["", "if (t == 63) h[1] = 3;"])
def test_a_loop_that_swaps_half_a_word_reads_as_an_atomic(device: str, write: str) -> None:
    """The compiler swaps the word around 16 bits, beside which it first reads the half; a plain write is a race."""
    source = f"""
    __global__ void count(int *out) {{
        __shared__ unsigned short h[10];
        int t = threadIdx.x;
        if (t < 10) h[t] = 0;
        __syncthreads();
        {write}
        unsigned short *p = &h[t % 10], old = *p, assumed;
        do {{
            assumed = old;
            old = atomicCAS(p, assumed, (unsigned short)(assumed + 2));
        }} while (old != assumed);
        __syncthreads();
        if (t < 10) out[t] = h[t];
    }}"""
    program = wv.compile(source, compiler="nvrtc", device=device)
    run = wv.simulate(program, 1, 64, [np.zeros(10, np.int32)], device=device)
    assert write or run.buffers["out"].tolist() == [14] * 4 + [12] * 6
    assert bool(run.findings) == bool(write)


PASSED_ON = """
__global__ void pass_on(int *data, unsigned *flag, int *out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        data[0] = 42;
        SIGNAL
    } else {
        WAIT
        out[0] = data[0];
    }
}
"""
VOLATILE = "*(volatile unsigned *)flag = 1;", "while (*(volatile unsigned *)flag == 0) ;"
READY = "cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);"
RELEASED = f"{READY} ready.store(1, cuda::std::memory_order_release);"
ACQUIRED = f"{READY} while (ready.load(cuda::std::memory_order_acquire) == 0) ;"
CASES = {
    "fence": (f"__threadfence(); {VOLATILE[0]}", f"{VOLATILE[1]} __threadfence();", True),
    "no fence": (*VOLATILE, False),
    "fence of the block": (f"__threadfence_block(); {VOLATILE[0]}", VOLATILE[1], False),
    "fence of the system": (f"__threadfence_system(); {VOLATILE[0]}", VOLATILE[1], True),
    "release and acquire": (RELEASED, ACQUIRED, True),
    "relaxed": (RELEASED.replace("release", "relaxed"), ACQUIRED, False),
    "of the block": (RELEASED.replace("scope_device", "scope_block"), ACQUIRED, False),
}


def raced(program: Program, device: str, engines: Sequence[object]) -> list[bool]:
    """Whether each engine finds a race on the data that is passed on."""
    found = []
    for engine in engines:
        arguments = [np.zeros(1, np.int32), np.zeros(1, np.uint32), np.zeros(1, np.int32)]
        bound = bind(program, (2, 1, 1), (32, 1, 1), arguments, 0)
        outcome = engine(program, load_device(device), bound.launch, bound.memory, Options())  # type: ignore[operator]
        assert bound.buffers[list(bound.buffers)[2]].read(outcome.memory)[0] == 42
        found.append(any(finding.kind == FindingKind.RACE for finding in outcome.findings))
    return found


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
@pytest.mark.parametrize("name", CASES)
def test_what_a_flag_passes_on_is_ordered_by_fences(name: str, compiler: str) -> None:
    signal, wait, is_clean = CASES[name]
    header = "#include <cuda/atomic>" if "cuda::" in signal else ""  # which takes NVRTC a second
    source = header + PASSED_ON.replace("SIGNAL", signal).replace("WAIT", wait)
    program = wv.compile(source, compiler=compiler, device="h200")
    assert raced(program, "h200", (run_profile, run_reference)) == [not is_clean] * 2


COUNTED = """
#include <cuda/atomic>
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> done;
__global__ void count(int *out, float *sum, unsigned *most) {
    __shared__ int here;
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> in_block(here);
    in_block++;
    cuda::atomic_ref<int, cuda::thread_scope_block>{here}.fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) cuda::atomic_ref<int>(out[blockIdx.x]).store(in_block.load());
    cuda::atomic_ref<float>(*sum).fetch_add(0.5f);
    cuda::atomic_ref<unsigned> largest(*most);
    unsigned seen = largest.load(cuda::memory_order_relaxed);
    while (seen < threadIdx.x && !largest.compare_exchange_weak(seen, threadIdx.x)) ;
    done.fetch_add(1);
}
"""


@pytest.mark.parametrize(
    ("compiler", "device"), [("warpview", "h200"), ("warpview", "gtx480"), ("nvrtc", "h200"), ("nvrtc", "v100")]
)
def test_atomics_of_libcupp_compute(compiler: str, device: str) -> None:
    program = wv.compile(COUNTED, compiler=compiler, device=device)
    arguments = [np.zeros(3, np.int32), np.zeros(1, np.float32), np.zeros(1, np.uint32)]
    run = wv.simulate(program, 3, 64, arguments, device=device)
    assert [values.tolist() for values in run.buffers.values()] == [[128] * 3, [96.0], [63]]
    assert not [finding.render() for finding in run.findings]


@pytest.mark.parametrize(
    ("atomic", "blocks", "races"),
    [("atomicAdd_block", 2, True), ("atomicAdd_block", 1, False), ("atomicAdd", 2, False)],
)
def test_an_atomic_is_atomic_among_the_threads_of_its_scope(atomic: str, blocks: int, races: bool) -> None:
    source = (
        f"__global__ void k(int *sum, int *old)\n{{\n    old[blockIdx.x * 64 + threadIdx.x] = {atomic}(sum, 1);\n}}\n"
    )
    program = wv.compile(source, compiler="nvrtc", device="h200")
    run = wv.simulate(program, blocks, 64, [np.zeros(1, np.int32), np.zeros(128, np.int32)], device="h200")
    assert [finding.kind for finding in run.findings][:1] == (["race"] if races else [])


EXCHANGED = """
__global__ void exchange(const int *in, int *out) {
    __shared__ int kept[64];
    int t = threadIdx.x;
    kept[t] = in[t];
    BARRIER
    out[t] = kept[t ^ OTHER];
}
"""


@pytest.mark.parametrize(
    ("barrier", "other", "suspected"), [("__syncwarp();", 1, 0), ("__syncwarp();", 32, 64), ("__syncthreads();", 32, 0)]
)
def test_lanes_of_a_warp_are_not_suspected(barrier: str, other: int, suspected: int) -> None:
    """The code of a barrier of a warp may be none, so what its lanes exchange is not looked into; what warps do is."""
    text = EXCHANGED.replace("BARRIER", barrier).replace("OTHER", str(other))
    program = wv.compile(text, compiler="nvrtc", device="h200")
    bound = bind(program, (1, 1, 1), (64, 1, 1), [np.arange(64, dtype=np.int32), np.zeros(64, np.int32)], 0)
    warm_up()
    common = LaunchContext.of(program, load_device("h200"), bound.launch, bound.memory, Options())
    execution, screen = (
        execution_of(common, np.zeros(1, dtype=np.int64), 1),
        RaceScreen(program, common.memory, bound.launch),
    )
    screen.attach(execution.workers[0].machine)
    execution.execute()
    words = {int(row["address"]) for rows in screen.suspects() for row in rows}
    assert len(words) == suspected


COPIED = """#include <cuda_pipeline.h>
__global__ void k(const unsigned *x, unsigned *out) {
    __shared__ unsigned s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    BEFORE
    __pipeline_memcpy_async(&s[t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    AFTER
}"""


@pytest.mark.parametrize("device", ["a100", "h200", "b200"])
@pytest.mark.parametrize(
    ("before", "after", "verb"),
    [
        ("", "out[t] = s[63 - t];", "writes"),
        ("out[t] = s[63 - t];", "", "reads"),
        ("", "__syncthreads(); out[t] = s[63 - t];", ""),
        ("out[t] = s[63 - t]; __syncthreads();", "", ""),
    ],
)
def test_an_asynchronous_copy_races_like_a_store(device: str, before: str, after: str, verb: str) -> None:
    source = COPIED.replace("BEFORE", before).replace("AFTER", after)
    program = wv.compile(source, compiler="nvrtc", device=device)
    assert any(i.native is not None and i.native.mnemonic.startswith("LDGSTS") for i in program.instructions)
    run = wv.simulate(program, 1, 64, [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)], device=device)
    assert [str(finding.kind) for finding in run.findings] == (["race"] if verb else [])
    if verb:
        assert f"of block (0, 0, 0) {verb}" in run.findings[0].message.partition("shared memory")[2]


@pytest.mark.parametrize(
    ("write", "told"),
    [("atomicOr(&c.bits, sum > 1.f ? 1u << t % 32 : 0u);", False), ("if (t == 63) c.y = 3.f;", True),
     ("if (t == 63) c.z = 3.f;", True)],
)  # fmt: skip
def test_a_word_that_a_widened_load_reads_in_vain_is_no_race(write: str, told: bool) -> None:
    """Three members come by one load of four words, whose last one nothing reads; the third waits for a division."""
    source = f"""
    struct __align__(16) Corner {{ float x, y, z; unsigned bits; }};
    __global__ void mark(const float *in, float *out) {{
        __shared__ Corner c;
        int t = threadIdx.x;
        if (t < 4) (&c.x)[t] = t < 3 ? in[t] : 0.f;
        __syncthreads();
        float sum = c.x / in[t + 1] + c.y - c.z * in[t + 1];
        {write}
        out[t] = sum;
        __syncthreads();
        if (t == 0) out[64] = c.bits;
    }}"""
    program = wv.compile(source, compiler="nvrtc", device="h200")
    (wide,) = (i for i in program.instructions if i.native is not None and i.native.mnemonic.startswith("LDS.128"))
    arguments = [np.arange(65, dtype=np.float32), np.zeros(65, np.float32)]
    found = [finding.kind for finding in wv.simulate(program, 1, 64, arguments, device="h200").findings]
    assert found == (["race"] if told else [])
    bound = bind(program, (1, 1, 1), (64, 1, 1), arguments, 0)
    outcome = run_reference(program, load_device("h200"), bound.launch, bound.memory, Options())
    assert [finding.kind for finding in outcome.findings] == ([FindingKind.RACE] if told else [])
    assert wide.vec == 4
