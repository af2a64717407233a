"""A race names both threads, what they read and wrote, the elements, and what would have ordered them."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.sim.history.events import Mark

EXCHANGE = """
__global__ void kernel(int *out) {
  __shared__ int sdata[64];
  int t = threadIdx.x;
  sdata[t] = t + 1;

  out[t] = sdata[t ^ 32];
}"""


def only(run: wv.Run, kind: str, line: int) -> wv.Finding:
    (finding,) = (f for f in run.findings if f.kind == kind and f.span.line == line)
    return finding


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_both_parties_of_a_race(engine: str) -> None:
    run = wv.simulate(wv.compile(EXCHANGE), 1, 64, [np.zeros(64, np.int32)], engine=engine)
    race = only(run, "race", 7)
    assert race.other is not None
    assert (race.block, race.thread, race.value) == ((0, 0, 0), (32, 0, 0), 1)
    assert (race.other.thread, race.other.value, race.other.span.line) == ((0, 0, 0), 1, 5)
    assert race.elements[0] == "sdata[0]"
    assert race.n_elements == 32
    assert "a __syncthreads() between line 5 and line 7" in race.remedy
    assert "note:" in race.render()


def test_the_steps_of_both_parties_are_marked() -> None:
    run = wv.simulate(wv.compile(EXCHANGE), 1, 64, [np.zeros(64, np.int32)], engine="sm")
    assert run.trace is not None
    marked = {run.trace.event(int(step)).pc for step in run.trace.steps_of_mark(Mark.FINDING)}
    races = [finding for finding in run.findings if finding.kind == "race"]
    assert {race.pc for race in races} | {race.other.pc for race in races if race.other} <= marked


def test_lanes_of_a_warp_race_from_compute_capability_7_on() -> None:
    program = wv.compile(EXCHANGE.replace("t ^ 32", "t ^ 1"))
    new = only(wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="v100"), "race", 7)
    assert "__syncwarp() between line 5 and line 7" in new.remedy
    old = only(wv.simulate(program, 1, 32, [np.zeros(32, np.int32)], device="p100"), "relies on lockstep", 7)
    assert old.severity == "warning"
    assert "warning:" in old.render()


def test_negative_addresses_are_before_the_buffer() -> None:
    program = wv.compile("__global__ void kernel(int *out, int k) { out[k - 1073741824] = 1; }")
    (finding,) = wv.simulate(program, 1, 1, [np.zeros(4, np.int32), 0]).findings
    assert "bytes before 'out'" in finding.message


def test_misalignment_names_the_space_and_the_element() -> None:
    program = wv.compile("""
        __global__ void kernel(int *out) {
          __shared__ int words[8];
          words[threadIdx.x] = 0;
          out[0] = *(int *)((char *)words + 6);
        }""")
    found = {f.kind: f.message for f in wv.simulate(program, 1, 1, [np.zeros(4, np.int32)]).findings}
    assert "of shared memory (words[1])" in found["misaligned access"]


def test_constant_arrays_are_named() -> None:
    program = wv.compile("""
        __constant__ float table[4];
        __global__ void kernel(float *out, int k) { out[0] = table[k]; }""")
    run = wv.simulate(program, 1, 1, [np.zeros(1, np.float32), 4], constants={"table": np.ones(4, np.float32)})
    (finding,) = run.findings
    assert "beyond the 4 elements of 'table'" in finding.message


@pytest.mark.parametrize("device", ["h200", "p100"])
def test_the_loop_around_an_atomic_compare_and_swap_is_no_race(device: str) -> None:
    program = wv.compile("""
        __global__ void kernel(unsigned *most, unsigned n) {
          unsigned old = *most, assumed;
          do {
            assumed = old;
            old = atomicCAS(most, assumed, max(assumed, n + threadIdx.x + blockIdx.x));
          } while (assumed != old);
        }""")
    assert not wv.simulate(program, 3, 64, [np.zeros(1, np.uint32), 5], device=device).findings


@pytest.mark.parametrize("compiler", ["warpview", "nvrtc"])
def test_the_test_before_an_atomic_compare_and_swap_is_no_race(compiler: str) -> None:
    """Threads that find nothing to change do not swap: at a maximum of floats, and where a vertex has been visited."""
    program = wv.compile(
        """
        __device__ void atomic_max(float *most, float value) {
          int old = *(int *)most;
          while (value > __int_as_float(old)) {
            int assumed = old;
            old = atomicCAS((int *)most, assumed, __float_as_int(value));
            if (old == assumed) break;
          }
        }
        __global__ void kernel(float *most, int *visited) {
          atomic_max(most, (threadIdx.x * 37 + blockIdx.x) % 64);
          if (visited[threadIdx.x % 8] == 0) atomicCAS(&visited[threadIdx.x % 8], 0, 1);
        }""",
        compiler=compiler,
        device="h200",
    )
    run = wv.simulate(program, 3, 64, [np.zeros(1, np.float32), np.zeros(8, np.int32)], device="h200")
    assert not run.findings
    assert run.buffers[run.program.params[0].name][0] == 63


def test_a_word_that_is_only_read_beside_its_compare_and_swap_is_a_race() -> None:
    program = wv.compile("""
        __global__ void kernel(int *lock, int *seen) {
          if (threadIdx.x == 0) atomicCAS(lock, 0, 1);
          if (threadIdx.x == 32) *seen = *lock;
        }""")
    only(wv.simulate(program, 1, 64, [np.zeros(1, np.int32), np.zeros(1, np.int32)], device="h200"), "race", 4)


def test_a_plain_read_beside_atomic_sums_relies_on_lockstep() -> None:
    program = wv.compile("""
        __global__ void kernel(unsigned *sum, unsigned *before) {
          before[threadIdx.x] = *sum;
          atomicAdd(sum, threadIdx.x);
        }""")
    run = wv.simulate(program, 1, 32, [np.zeros(1, np.uint32), np.zeros(32, np.uint32)], device="p100")
    only(run, "relies on lockstep", 4)
