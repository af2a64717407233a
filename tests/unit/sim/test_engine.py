"""Several host threads do what one does in order; the profile engine can be watched, cancelled and aborted."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import assert_same

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import Execution, run_profile
from warpview.sim.launch import Cancelled, FindingKind, Options
from warpview.sim.raw_counts import Raw

BLOCKS, THREADS = 96, 64

# Two threads, then one again if they met; on a busy machine the second may come too late to meet the first.
MEETING = ([2, 1, 1], [2, 1])  # and once more with a log of the races that are suspected


def launched(text, args, options=None, device="h200", blocks=None, grid=BLOCKS):
    """(program, binding, outcome) of a kernel."""
    program = compile_source(SourceText("kernel.cu", text))
    binding = bind(program, (grid, 1, 1), (THREADS, 1, 1), args, 0)
    outcome = run_profile(
        program, load_device(device), binding.launch, binding.memory, options or Options(threads=2), blocks
    )
    return program, binding, outcome


def same_on_one_thread(text, args):
    program, _, several = launched(text, args, Options(threads=2))
    _, _, one = launched(text, args, Options(threads=1))
    assert_same(program, one, several)
    return several


@pytest.fixture
def runs(monkeypatch):
    """How many host threads each execution of the blocks had."""
    seen = []
    execute = Execution.execute

    def noted(self):
        seen.append(self.threads)
        execute(self)

    monkeypatch.setattr(Execution, "execute", noted)
    return seen


INDEPENDENT = """
__global__ void kernel(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i ^ 1] + blockIdx.x;
}"""

CHAIN = """
__global__ void kernel(int* total) {
  for (volatile int wait = 0; wait < 2000; ++wait) { }  // long enough for both threads to take part
  if (threadIdx.x == 0) total[blockIdx.x + 1] = total[blockIdx.x] + blockIdx.x;
}"""

SCATTERED = """
__global__ void kernel(const int* in, int* out) {
  for (volatile int wait = 0; wait < 2000; ++wait) { }
  out[in[blockIdx.x * blockDim.x + threadIdx.x]] = blockIdx.x;
}"""


def numbers(n=BLOCKS * THREADS):
    return np.arange(n, dtype=np.int32)


def test_independent_blocks_run_side_by_side(runs):
    outcome = same_on_one_thread(INDEPENDENT, [numbers(), np.zeros_like(numbers())])
    assert runs == [2, 1]
    assert outcome.counts[:, Raw.EXECUTED].max() == BLOCKS * THREADS // 32


def test_blocks_that_read_what_others_wrote_run_again_in_order(runs):
    _, binding, outcome = launched(CHAIN, [np.zeros(BLOCKS + 1, dtype=np.int32)], Options(threads=2))
    assert runs in MEETING
    result = binding.buffers["total"].read(outcome.memory)
    assert result.tolist() == np.concatenate([[0], np.cumsum(np.arange(BLOCKS))]).tolist()


def test_blocks_that_write_one_word_run_again_in_order(runs):
    places = np.zeros(BLOCKS * THREADS, dtype=np.int32)
    _, binding, outcome = launched(SCATTERED, [places, np.zeros(4, dtype=np.int32)])
    assert runs in MEETING
    assert binding.buffers["out"].read(outcome.memory)[0] == BLOCKS - 1


def test_neighbouring_words_are_no_meeting(runs):
    stride = numbers() * 3 % (BLOCKS * THREADS)
    same_on_one_thread(SCATTERED, [numbers(), stride])
    assert runs == [2, 1]


def test_global_atomics_run_in_order(runs):
    text = "__global__ void kernel(float* sum) { atomicAdd(sum, 1.0f / (1 + blockIdx.x + threadIdx.x)); }"
    same_on_one_thread(text, [np.zeros(1, dtype=np.float32)])
    assert runs == [1, 1]


def test_few_blocks_take_one_thread(runs):
    launched(INDEPENDENT, [numbers(64), numbers(64)], grid=1)
    assert runs == [1]


def test_findings_are_those_of_the_first_block():
    text = """
__global__ void kernel(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}"""
    outcome = same_on_one_thread(text, [np.zeros(40 * THREADS, dtype=np.int32), 1])
    (finding,) = outcome.findings
    assert finding.kind == FindingKind.OUT_OF_BOUNDS
    assert (finding.block, finding.thread, finding.count) == (40, 0, (BLOCKS - 40) * THREADS)


def test_an_abort_leaves_the_later_blocks_undone():
    text = """
__global__ void kernel(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (blockIdx.x == 50) { if (threadIdx.x < 32) return; while (true) { } }
}"""
    _, binding, outcome = launched(
        text, [np.zeros(BLOCKS * THREADS, dtype=np.int32)], Options(threads=2, step_budget=500)
    )
    assert outcome.aborted
    assert [f.kind for f in outcome.findings] == [FindingKind.ENDLESS]
    assert binding.buffers["out"].read(outcome.memory).sum() == 51 * THREADS


def test_prints_in_the_order_of_blocks():
    text = """
__global__ void kernel() { if (threadIdx.x == 3) printf("%d %f\\n", blockIdx.x, blockIdx.x * 0.5); }"""
    _, _, outcome = launched(text, [])
    assert [row[1:] for row in outcome.printed] == [(b, 3, (b, b * 0.5)) for b in range(BLOCKS)]


def test_some_blocks_only():
    out = np.zeros(BLOCKS * THREADS, dtype=np.int32)
    _, binding, outcome = launched(INDEPENDENT, [numbers(), out], blocks=np.array([3, 7], dtype=np.int64))
    written = np.flatnonzero(binding.buffers["out"].read(outcome.memory)) // THREADS
    assert sorted(set(written.tolist())) == [3, 7]


def test_progress_is_reported_and_can_cancel():
    text = "__global__ void kernel(int* out) { for (int i = 0; i < 1 << 30; ++i) out[threadIdx.x] = i; }"
    calls = []

    def progress(done, total):
        calls.append((done, total))
        return len(calls) < 3

    with pytest.raises(Cancelled):
        launched(text, [np.zeros(THREADS, dtype=np.int32)], Options(progress=progress, step_budget=1 << 40), grid=2)
    assert calls == [(0, 2)] * 3


def test_no_blocks():
    _, _, outcome = launched(INDEPENDENT, [numbers(), numbers()], blocks=np.zeros(0, dtype=np.int64))
    assert not outcome.counts.any()
