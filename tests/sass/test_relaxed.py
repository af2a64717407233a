"""Loads and stores of cuda::atomic: counted and checked as such, in shared memory, too, and ordered as atomics."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import findings
from support.compilers import COMPILERS

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

# One warp hands data to another by a flag that an atomic store has set up; BEGIN is left out where nobody sets it up.
SOURCE = """
#include <cuda/atomic>
__global__ void pass(int *out, const int *in)
{
    __shared__ cuda::atomic<TYPE, cuda::thread_scope_SCOPE> flag;
    __shared__ int data[32];
    BEGIN
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = in[lane];
        __syncwarp();
        if (lane == 0) flag.store(5, cuda::memory_order_RELEASE);
    } else {
        while (flag.load(cuda::memory_order_acquire) != 5) ;
        out[lane] = data[31 - lane];
    }
}
"""
BEGIN = "if (threadIdx.x == 40) flag.store(1, cuda::memory_order_relaxed);"
DEVICES = ["h200", "p100"]  # by NVRTC machine code and PTX


def source(begin: str = BEGIN, release: str = "release", scope: str = "block", type_: str = "int") -> str:
    words = {"BEGIN": begin, "RELEASE": release, "SCOPE": scope, "TYPE": type_}
    text = SOURCE
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def launched(text: str, compiler: str, device: str) -> wv.Run:
    program = wv.compile(text, compiler=compiler, device=device)
    return wv.simulate(
        program, 1, 64, [np.zeros(32, np.int32), np.arange(32, dtype=np.int32)], device=device, step_budget=1 << 16
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(("scope", "type_"), [("block", "int"), ("device", "unsigned long long"), ("system", "float")])
def test_a_flag_in_shared_memory_passes_data_on(compiler: str, device: str, scope: str, type_: str) -> None:
    if scope == "system" and (compiler, device) == ("nvrtc", "h200"):
        pytest.skip("machine code has the same instruction for a volatile access, which orders nothing there")
    run = launched(source(scope=scope, type_=type_), compiler, device)
    assert run.buffers["out"].tolist() == list(range(31, -1, -1))
    assert not [finding.render() for finding in run.findings]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_engines_agree_on_it(compiler: str) -> None:
    program = wv.compile(source(), compiler=compiler, device="h200")
    outcomes = []
    for engine in (run_reference, run_profile):
        bound = bind(program, (1, 1, 1), (64, 1, 1), [np.zeros(32, np.int32), np.arange(32, dtype=np.int32)], 0)
        outcomes.append(engine(program, load_device("h200"), bound.launch, bound.memory, Options()))
    one, other = outcomes
    assert np.array_equal(one.counts, other.counts)
    assert np.array_equal(one.memory.data, other.memory.data)
    assert findings(one) == findings(other)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_relaxed_store_passes_nothing_on(compiler: str, device: str) -> None:
    run = launched(source(release="relaxed"), compiler, device)
    assert {finding.kind for finding in run.findings} == {"race"}
    assert "data" in run.findings[0].message


def test_a_load_of_what_nobody_has_stored_is_found() -> None:
    text = """
    #include <cuda/atomic>
    __global__ void k(int *out)
    {
        __shared__ cuda::atomic<int, cuda::thread_scope_block> word;
        out[threadIdx.x] = word.load(cuda::memory_order_relaxed);
    }
    """
    run = wv.simulate(wv.compile(text, device="h200"), 1, 32, [np.zeros(32, np.int32)], device="h200")
    assert [finding.kind for finding in run.findings] == ["uninitialised read"]


def test_stores_and_loads_are_counted_as_such() -> None:
    """Each is a request with one wavefront, none of them an atomic: NVRTC makes ST.STRONG and LD.STRONG."""
    text = """
    #include <cuda/atomic>
    __global__ void count(int *out)
    {
        __shared__ cuda::atomic<int, cuda::thread_scope_block> words[64];
        words[threadIdx.x].store(threadIdx.x, cuda::memory_order_relaxed);
        __syncthreads();
        out[threadIdx.x] = words[threadIdx.x ^ 1].load(cuda::memory_order_relaxed);
    }
    """
    counted = {}
    for compiler in ("warpview", *(["nvrtc"] if len(COMPILERS) > 1 else [])):
        counters = wv.simulate(
            wv.compile(text, compiler=compiler, device="h200"), 1, 64, [np.zeros(64, np.int32)], device="h200"
        ).counters
        counted[compiler] = [counters[f"shared_{kind}_wavefronts"] for kind in ("ld", "st", "atom")]
    assert set(map(tuple, counted.values())) == {(2, 2, 0)}


def test_an_atomic_of_the_block_in_global_memory_races_with_other_blocks() -> None:
    text = """
    #include <cuda/atomic>
    __global__ void k(int *word) { cuda::atomic_ref<int, cuda::thread_scope_block>(*word).store(blockIdx.x); }
    """
    run = wv.simulate(wv.compile(text, device="h200"), 2, 1, [np.zeros(1, np.int32)], device="h200")
    assert [finding.kind for finding in run.findings] == ["race"]
