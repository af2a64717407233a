"""The checks remember over many barriers, and know the words that nobody has written."""

from __future__ import annotations

import numpy as np
import pytest

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import Uninitialised, bind
from warpview.sim.engine import run_profile
from warpview.sim.jit.checks import LAST_EPOCH
from warpview.sim.launch import FindingKind, Options


def findings(text, args, threads=64, check=True):
    """(kind, first thread, count) of each finding."""
    program = compile_source(SourceText("kernel.cu", text))
    binding = bind(program, (1, 1, 1), (threads, 1, 1), args, 0)
    outcome = run_profile(program, load_device("h200"), binding.launch, binding.memory, Options(check=check))
    return [(f.kind, f.thread, f.count) for f in outcome.findings]


MANY_BARRIERS = """
__global__ void kernel(int* out, int barriers, int races) {
  __shared__ int word[64];
  int t = threadIdx.x;
  word[t] = t;
  for (int i = 0; i < barriers; ++i) {
    __syncthreads();
    if (t % 32 < 4) word[t ^ 32] += i;
  }
  if (!races) __syncthreads();
  out[t] = word[t];
}"""


@pytest.mark.parametrize("barriers", [LAST_EPOCH - 1, LAST_EPOCH, LAST_EPOCH + 1])
def test_races_are_told_apart_by_more_barriers_than_there_are_epochs(barriers):
    out = np.zeros(64, dtype=np.int32)
    assert findings(MANY_BARRIERS, [out, barriers, 0]) == []
    # Warp 0 reads before warp 1 writes its words again, which is seen at the write, and warp 1 reads what warp 0 wrote.
    kinds = {kind for kind, _, _ in findings(MANY_BARRIERS, [out, barriers, 1])}
    assert kinds == {FindingKind.RACE}


@pytest.mark.parametrize("barriers", [LAST_EPOCH, LAST_EPOCH + 1])
def test_many_barriers_between_accesses_to_bytes(barriers):
    text = MANY_BARRIERS.replace("int word[64]", "unsigned char word[64]")
    out = np.zeros(64, dtype=np.int32)
    assert findings(text, [out, barriers, 0]) == []
    assert {kind for kind, _, _ in findings(text, [out, barriers, 1])} == {FindingKind.RACE}


def test_no_checks_no_findings():
    assert findings(MANY_BARRIERS, [np.zeros(64, dtype=np.int32), 3, 1], check=False) == []


COPY = "__global__ void kernel(const int* in, int* out, int n) { int t = threadIdx.x; if (t < n) out[t] = in[t]; }"


@pytest.mark.parametrize("n", [64, 50, 7])
def test_reads_of_unwritten_global_words(n):
    out = np.zeros(64, dtype=np.int32)
    assert findings(COPY, [Uninitialised((64,), np.int32), out, n]) == [(FindingKind.UNINITIALISED, 0, n)]


def test_words_written_by_the_kernel_can_be_read():
    text = """
__global__ void kernel(int* buffer, int* out, int n) {
  int t = threadIdx.x;
  if (t < n) buffer[t] = t;
  __syncthreads();
  out[t] = buffer[t];
}"""
    out = np.zeros(64, dtype=np.int32)
    assert findings(text, [Uninitialised((64,), np.int32), out, 64]) == []
    assert findings(text, [Uninitialised((64,), np.int32), out, 40]) == [(FindingKind.UNINITIALISED, 40, 24)]


def test_an_atomic_initialises_the_word_for_the_lanes_after_it():
    text = """
__global__ void kernel(int* out) {
  __shared__ int bins[4];
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 4];
}"""
    assert findings(text, [np.zeros(64, dtype=np.int32)]) == [(FindingKind.UNINITIALISED, 0, 4)]
