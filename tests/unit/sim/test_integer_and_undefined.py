"""Findings about undefined values, integer operations and waiting threads have the right words and parties."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv


def found(text: str, *args: object, **options: object) -> dict[str, wv.Finding]:
    run = wv.simulate(wv.compile(text), 1, 32, args, **options)  # type: ignore[arg-type]
    return {finding.kind: finding for finding in run.findings}


@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_an_undefined_variable_is_named_where_it_matters(engine: str) -> None:
    text = """__global__ void k(float *out, float f) {
      float sum;
      sum += f;
      out[threadIdx.x] = sum;
    }"""
    finding = found(text, np.zeros(32, np.float32), 2.0, engine=engine)["uninitialised read"]
    assert finding.message == (
        "thread (0, 0, 0) of block (0, 0, 0) writes a value that comes from 'sum', which has no value yet"
    )
    assert (finding.span.line, finding.count) == (4, 32)


def test_both_places_of_an_undefined_value_are_told() -> None:
    text = """__global__ void k(int *out) {
      __shared__ int s[32];
      int v = s[threadIdx.x] + 1;
      if (v == 3)
        out[0] = 1;
    }"""
    finding = found(text, np.zeros(32, np.int32))["uninitialised read"]
    assert "branches on 's[0]' in shared memory, which no thread had written" in finding.message
    assert finding.other is not None
    assert (finding.span.line, finding.other.span.line) == (4, 3)


def test_a_value_that_does_not_matter_is_no_finding() -> None:
    assert not found(
        "__global__ void k(int *o) { __shared__ int s[32]; int v = s[threadIdx.x]; if (!o) *o = v; }",
        np.zeros(1, np.int32),
    )


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("__shared__ float4 t[32]; float4 v; v.x = f; v.y = 2; t[i] = v; __syncthreads(); float r = t[31 - i].y;", ""),
        ("__shared__ float4 t[32]; float4 v; v.x = f; v.y = 2; t[i] = v; float r = t[i].z;", "t[0].z"),
        ("V v; v.a = f; V l[2]; l[i & 1] = v; l[1 - (i & 1)] = v; V w = l[f > i]; float r = w.a;", ""),
        ("V v; v.a = f; V l[2]; l[i & 1] = v; l[1 - (i & 1)] = v; V w = l[f > i]; float r = w.b;", "l[1].b"),
        ("__shared__ float s[128]; s[4 * i] = f; float4 v = ((float4 *)s)[i]; float r = v.x;", ""),
        ("__shared__ float s[128]; s[4 * i] = f; float4 v = ((float4 *)s)[i]; float r = v.w;", "s[3]"),
    ],
)
def test_parts_of_a_vector_are_undefined_each_by_itself(body: str, wrong: str) -> None:
    text = """struct __align__(16) V { float a, b, c, d; };
    __global__ void k(float *out, float f) { int i = threadIdx.x; BODY out[i] = r; }"""
    findings = found(text.replace("BODY", body), np.zeros(32, np.float32), 2.0)
    assert set(findings) == ({"uninitialised read"} if wrong else set())
    assert not wrong or f"comes from '{wrong}'" in findings["uninitialised read"].message


@pytest.mark.parametrize(
    ("declaration", "wrong"),
    [
        ("F q; q.a = i;", False),
        ("__shared__ F t[32]; F &q = t[i]; q.a = i;", False),
        ("F w[4]; for (int k = 0; k < 4; k++) w[k].a = i + k; F q = w[i & 3];", False),
        ("int v; F q; q.a = v;", True),
    ],
)
def test_bits_beside_a_bit_field_may_be_undefined(declaration: str, wrong: bool) -> None:
    text = """struct F { unsigned a : 5; int b : 9; };
    __global__ void k(int *o) { int i = threadIdx.x; %s o[i] = q.a; }"""
    assert ("uninitialised read" in found(text % declaration, np.zeros(32, np.int32))) == wrong


@pytest.mark.parametrize(
    ("expression", "n", "kind", "says"),
    [
        ("1 << (n + (int)threadIdx.x)", 20, "shift out of range", "by 32: the count must be from 0 to 31"),
        ("1ll << (n + (int)threadIdx.x)", 40, "shift out of range", "by 64: the count must be from 0 to 63"),
        ("7 / (n - (int)threadIdx.x)", 3, "division by zero", "thread (3, 0, 0) of block (0, 0, 0) divides 7 by zero"),
        ("out[(n + (int)threadIdx.x) < 0 ? 0 : 1]", 2**31 - 2, "", ""),
        ("out[n * (int)threadIdx.x - n * (int)threadIdx.x]", 2**30, "integer overflow", "computes 1073741824 * 2"),
    ],
)
def test_integer_operations(expression: str, n: int, kind: str, says: str) -> None:
    text = f"__global__ void k(int *out, int n) {{ out[threadIdx.x] = {expression}; }}"
    findings = found(text, np.zeros(64, np.int32), n)
    findings.pop("race", None)
    assert list(findings) == ([kind] if kind else [])
    assert not kind or says in findings[kind].message


def test_an_overflow_that_a_hash_means_is_none() -> None:
    text = "__global__ void k(int *out, int n) { int h = threadIdx.x * n + 12345; out[h & 31] = 1; }"
    assert "integer overflow" not in found(text, np.zeros(32, np.int32), 1103515245)


def test_no_check_leaves_them_out() -> None:
    text = "__global__ void k(int *out, int n) { int s; out[threadIdx.x] = s / n; }"
    assert not found(text, np.zeros(32, np.int32), 0, check=False)


def test_a_deadlock_names_who_waits_for_whom() -> None:
    text = """__global__ void k(int *out) {
      if (threadIdx.x < 16)
        __syncwarp();
      else
        __shfl_sync(0xffffffff, threadIdx.x, 0);
      out[threadIdx.x] = 1;
    }"""
    finding = found(text, np.zeros(32, np.int32))["deadlock"]
    assert finding.other is not None
    assert {finding.span.line, finding.other.span.line} == {3, 5}
    assert "waits in line" in finding.message


def test_a_lock_on_lockstep_names_the_lane_that_holds_it() -> None:
    text = """__global__ void k(int *lock) {
      while (atomicCAS(lock, 0, 1) != 0)
        ;
      atomicExch(lock, 0);
    }"""
    finding = found(text, np.zeros(1, np.int32), device="gtx480", step_budget=5000)["deadlock"]
    assert finding.thread == (1, 0, 0)
    assert finding.other is not None
    assert finding.other.thread == (0, 0, 0)
    assert "until it leaves the loop" in finding.message


def test_an_array_of_the_source_bounds_its_accesses() -> None:
    text = """__global__ void k(int *out, int n) {
      __shared__ int a[32], b[32];
      a[threadIdx.x] = b[threadIdx.x] = 1;
      __syncthreads();
      out[threadIdx.x] = a[threadIdx.x + n];
    }"""
    finding = found(text, np.zeros(32, np.int32), 4)["out of bounds"]
    assert finding.count == 4
    assert finding.thread == (28, 0, 0)
    assert finding.message == (
        "thread (28, 0, 0) of block (0, 0, 0) reads 4 bytes, shared memory at byte 128, that is 'b[0]'"
    )
