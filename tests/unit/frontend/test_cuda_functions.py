"""Functions and types of CUDA's headers give what NVIDIA's documents say, with both compilers."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from tests.support.compilers import COMPILERS

T = np.arange(32)
WORDS = np.array([0x01, 0x82, 0x03, 0x84, 0x10, 0x20, 0xF0, 0x40])  # the bytes of the two words, lowest first
BITS = 0x5A0F00F1


def nth_bit(base: int, offset: int) -> int:
    """Return what fns.b32 gives for BITS (PTX ISA)."""
    there = [bit for bit in range(32) if BITS >> bit & 1]
    found = [bit for bit in there if bit >= base] if offset > 0 else [bit for bit in there[::-1] if bit <= base]
    if offset == 0:
        return base if base in there else 0xFFFFFFFF
    return found[abs(offset) - 1] if abs(offset) <= len(found) else 0xFFFFFFFF


# What comes before the kernel, what element t of out becomes, and what it is to be.
FUNCTIONS = {
    "three bits of a selector": (
        "", "__byte_perm(0x84038201, 0x40f02010, 0x1111 * (t & 15) ^ 0x10)",
        [int.from_bytes([int(WORDS[(i ^ d) & 7]) for d in (0, 1, 0, 0)], "little") for i in T % 16]),
    "n-th bit upwards": ("", f"__fns({BITS}u, 4, t)", [nth_bit(4, n) for n in T]),
    "n-th bit downwards": ("", f"__fns({BITS}u, 28, -t)", [nth_bit(28, -n) for n in T]),
    "group of one thread": (
        "#include <cooperative_groups.h>\n",
        "cooperative_groups::this_thread().size() * 10 + cooperative_groups::this_thread().thread_rank() + t", 10 + T),
    "atomics of cuda::std": (
        "#include <cuda/std/atomic>\n__device__ int n; __device__ int add(int t) {"
        " cuda::std::atomic_ref<int> a(n); a.fetch_add(t); __syncthreads(); return a.load(); }\n",
        "add(t)", np.full(32, T.sum())),
    "complex numbers of cuda::std": (
        "#include <cuda/std/complex>\ntypedef cuda::std::complex<double> Z;\n"
        "__device__ double f(int t) { Z z(t, 1); Z w = z * z + 2.0;"
        " return w.real() * 100 + w.imag() + norm(conj(z)); }\n",
        "f(t)", (T**2 + 1) * 100 + 2 * T + T**2 + 1),
    "deleted and defaulted functions": (
        "struct V { int x; V() = default; V(const V &) = default; V &operator=(const V &) = default; ~V() = default;"
        " __device__ void set(double) = delete; __device__ void set(int y) { x = y; }"
        " __device__ operator float() const = delete; };\n"
        "__device__ int f(int t) { V v; v.set(t); V w(v); v = w; return w.x + v.x; }"
        " __device__ int f(double) = delete;\n",
        "f(t)", 2 * T),
}  # fmt: skip


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_gives_what_its_document_says(function: str, compiler: str) -> None:
    before, expression, expected = FUNCTIONS[function]
    source = f"{before}__global__ void k(double *out) {{ int t = threadIdx.x; out[t] = {expression}; }}"
    run = wv.simulate(wv.compile(source, compiler=compiler, device="h200"), 1, 32, [np.zeros(32)], device="h200")
    assert list(run.buffers["out"]) == list(expected)
