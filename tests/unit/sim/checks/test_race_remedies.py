"""A race is told once for a pair of lines, with the barrier that the flow of the kernel lacks, or with an atomic."""

from __future__ import annotations

import numpy as np

import warpview as wv


def races(run: wv.Run) -> list[wv.Finding]:
    return [finding for finding in run.findings if finding.kind == "race"]


REVERSE = """
__global__ void reverse(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];

  out[t] = s[255 - t];
}"""


def test_two_lines_without_a_loop_are_one_race_with_the_barrier_between_them() -> None:
    (race,) = races(wv.simulate(wv.compile(REVERSE), 1, 256, [np.arange(256, dtype=np.int32), np.zeros(256, np.int32)]))
    assert race.remedy == "a __syncthreads() between line 5 and line 7 would order them"
    assert race.count == 256


PRODUCT = """
#define T 16
__global__ void matmul(const float *A, const float *B, float *C, int n) {
  __shared__ float a[T][T], b[T][T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0;
  for (int m = 0; m < n / T; m++) {
    a[y][x] = A[row * n + m * T + x];
    b[y][x] = B[(m * T + y) * n + col];
    FIRST
    for (int k = 0; k < T; k++)
      sum += a[y][k] * b[k][x];
    SECOND
  }
  C[row * n + col] = sum;
}"""


def product(first: str, second: str) -> set[str]:
    source = PRODUCT.replace("FIRST", first).replace("SECOND", second)
    ones = np.ones((64, 64), np.float32)
    return {r.remedy for r in races(wv.simulate(wv.compile(source), (4, 4), (16, 16), [ones, ones, ones * 0, 64]))}


def test_the_barrier_at_the_end_of_an_iteration_is_told_with_one_remedy() -> None:
    assert product("__syncthreads();", "") == {
        f"a __syncthreads() between line 12 and line {line} of the next iteration would order them" for line in (8, 9)
    }


def test_the_barrier_within_an_iteration_is_told_with_one_remedy() -> None:
    assert product("", "__syncthreads();") == {
        f"a __syncthreads() between line {line} and line 12 would order them" for line in (8, 9)
    }
    assert product("__syncthreads();", "__syncthreads();") == set()


HISTOGRAM = """
__global__ void histogram(const int *data, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) STATEMENT
}"""


def test_lost_updates_need_an_atomic() -> None:
    data, bins = np.arange(1000, dtype=np.int32), np.zeros(16, np.int32)
    for statement, atomic in {
        "bins[data[i] % 16]++;": "atomicAdd",
        "bins[i % 16] = bins[i % 16] | i;": "atomicOr",
        "bins[0] = bins[0] * 3;": "an atomic",
    }.items():
        source = HISTOGRAM.replace("STATEMENT", statement)
        (race,) = races(wv.simulate(wv.compile(source), 4, 256, [data, bins, 1000]))
        assert race.remedy.endswith(f"use {atomic}"), race.remedy


def test_a_statement_that_reads_another_element_needs_a_barrier() -> None:
    source = """
__global__ void sum(int *out) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  for (int d = 64; d > 0; d /= 2) { __syncwarp();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) *out = s[0];
}"""
    found = races(wv.simulate(wv.compile(source), 1, 128, [np.zeros(1, np.int32)]))
    of_loop = [race.remedy for race in found if race.other is not None and race.span.line == race.other.span.line == 6]
    assert of_loop == ["a __syncthreads() after line 6 in each iteration would order them"]
