"""The race check leaves out loads of buffers that nobody stores to, and loads that barriers order."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.isa.ops import Op
from warpview.isa.types import Space
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.checks.indirect import indirect_targets
from warpview.sim.checks.intervals import ordered_loads
from warpview.sim.checks.stores import stored_allocations

STENCIL = """
__global__ void kernel(const float *in, float *out, float *both, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    out[i] = in[i - 1] + in[i] + in[i + 1];
    both[i] = both[i] * 2;
  }
}"""


BY_NVRTC = pytest.param("nvrtc", marks=pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed"))


@pytest.mark.parametrize("compiler", ["warpview", BY_NVRTC])
def test_buffers_that_are_only_read_are_told(compiler: str) -> None:
    program = wv.compile(STENCIL, compiler=compiler)
    arrays = [np.zeros(64, np.float32) for _ in range(3)]
    binding = bind(program, (1, 1, 1), (64, 1, 1), [*arrays, 64], 0)
    stored = stored_allocations(program, binding.launch, binding.memory)
    named = dict(zip((a.name for a in binding.memory.allocations), stored.tolist(), strict=True))
    assert named == {"in": False, "out": True, "both": True}


@pytest.mark.parametrize("compiler", ["warpview", BY_NVRTC])
def test_a_pointer_from_memory_may_be_any_buffer(compiler: str) -> None:
    source = "__global__ void kernel(int *a, int **where) { *where[threadIdx.x] = a[threadIdx.x]; }"
    program = wv.compile(source, compiler=compiler)
    binding = bind(program, (1, 1, 1), (32, 1, 1), [np.zeros(32, np.int32), np.zeros(32, np.int64)], 0)
    assert stored_allocations(program, binding.launch, binding.memory).all()


TILES = """
__global__ void kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; ++k) {
    s[t] = in[k * 64 + t];
    __syncthreads();
    sum += s[63 - t];
    SECOND
  }
  out[t] = sum;
}"""


def test_loads_between_two_barriers_are_ordered() -> None:
    for second, ordered in (("__syncthreads();", True), ("", False)):
        program = wv.compile(TILES.replace("SECOND", second))
        loads = {k for k, i in enumerate(program.instructions) if i.op == Op.LD and i.space == Space.SHARED}
        assert ordered_loads(program) == (loads if ordered else frozenset())


def test_a_store_in_the_other_arm_of_a_branch_counts() -> None:
    program = wv.compile("""
        __global__ void kernel(int *out) {
          __shared__ int s[64];
          int t = threadIdx.x;
          s[t] = t;
          __syncthreads();
          if (t < 32) out[t] = s[t + 32]; else s[t] = 0;
        }""")
    assert not ordered_loads(program)


DIVIDING = """
__global__ void kernel(const float *in, const int *places, float *out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += s[k] / in[k];
  out[places[threadIdx.x]] = sum;
}"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_a_division_that_is_called_returns_to_its_calls() -> None:
    program = wv.compile(DIVIDING, compiler="nvrtc", device="h200")
    behind = {pc + 1 for pc, i in enumerate(program.instructions) if i.native and i.native.text.startswith("CALL")}
    assert behind
    assert set(map(frozenset, indirect_targets(program).values())) == {frozenset(behind)}
    loads = {k for k, i in enumerate(program.instructions) if i.op == Op.LD and i.space == Space.SHARED}
    assert loads
    assert ordered_loads(program) == loads


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_an_index_from_memory_tells_nothing_of_the_buffer() -> None:
    program = wv.compile(DIVIDING, compiler="nvrtc", device="h200")
    arrays = [np.zeros(64, np.float32), np.zeros(64, np.int32), np.zeros(64, np.float32)]
    binding = bind(program, (1, 1, 1), (64, 1, 1), [*arrays, 8], 0)
    assert stored_allocations(program, binding.launch, binding.memory).tolist() == [False, False, True]


CALLED = """
typedef int (*F)(int *, int);
__device__ int s_at(int *s, int i) { return s[i]; }
__device__ int set(int *s, int i) { return s[i] = i; }
__device__ F table[2] = {s_at, set};
__global__ void kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  F f = FUNCTION;
  out[threadIdx.x] = s[n] + f(s, threadIdx.x);
}"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("function", "is_known"), [("table[n]", False), ("n > 1 ? set : s_at", True)])
def test_a_call_through_a_pointer_leads_to_what_it_may_be(function: str, is_known: bool) -> None:
    """A pointer from memory leads anywhere, one of two that the code names to either of them."""
    program = wv.compile(CALLED.replace("FUNCTION", function), compiler="nvrtc", device="h200")
    targets, calls = indirect_targets(program), [
        pc for pc, i in enumerate(program.instructions) if i.native and i.native.mnemonic.startswith("CALL.REL")
    ]  # fmt: skip
    assert [len(targets[pc]) for pc in calls] == [2 if is_known else len(program.instructions)]
    assert not ordered_loads(program)
