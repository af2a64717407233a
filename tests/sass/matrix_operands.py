"""Make operands for probes of matrix instructions: moderate numbers, wide exponents, and bits at random."""

from __future__ import annotations

import zlib

import numpy as np

WARPS = 96  # of each probe
KEPT = (*range(8), *range(32, 40), *range(64, 72))  # those whose results are kept as test data
# Registers of a lane for A, B and C, and the types of the elements of A and B, and of C.
PROBES = {
    "m_16816_f32": (4, 2, 4, "f16", "f32"), "m_16816_bf16": (4, 2, 4, "bf16", "f32"),
    "m_1688_f32": (2, 1, 4, "f16", "f32"), "m_1688_bf16": (2, 1, 4, "bf16", "f32"),
    "m_1684_tf32": (2, 1, 4, "f32", "f32"), "m_1688_tf32": (4, 2, 4, "f32", "f32"),
    "m_16816_f16": (4, 2, 2, "f16", "f16"), "m_1688_f16": (2, 1, 2, "f16", "f16"),
    "m_16816_s8": (2, 1, 4, "int", "int"), "m_16832_s8": (4, 2, 4, "int", "int"),
    "m_16832_u8s8": (4, 2, 4, "int", "int"), "m_16832_sat": (4, 2, 4, "int", "int"),
    "m_884_f64": (1, 1, 2, "f64", "f64"), "m_1688_f64": (4, 2, 4, "f64", "f64"),
}  # fmt: skip


def fragments(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return A, B and C of a probe: uint32 (uint64 for doubles) [WARPS, 32, registers]."""
    n_a, n_b, n_c, kind, c_kind = PROBES[name]
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    a, b = (_values(rng, kind, (WARPS, 32, count)) for count in (n_a, n_b))
    return a, b, _values(rng, c_kind, (WARPS, 32, n_c))


def _values(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    if kind == "f64":
        return rng.standard_normal(shape).view(np.uint64)
    words = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    if kind == "int":
        return words
    third = WARPS // 3
    if kind == "f32":
        words[:third] = rng.standard_normal((third, *shape[1:])).astype(np.float32).view(np.uint32)
        wide = rng.standard_normal((third, *shape[1:])) * 2.0 ** rng.integers(-12, 12, (third, *shape[1:]))
        words[third : 2 * third] = wide.astype(np.float32).view(np.uint32)
        return words
    pair = (*shape, 2)
    numbers = rng.standard_normal(pair)
    numbers[third : 2 * third] *= 2.0 ** rng.integers(-10, 8, numbers[third : 2 * third].shape)
    if kind == "f16":
        halves = numbers.astype(np.float16).view(np.uint16)
    else:
        halves = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    joined = np.ascontiguousarray(halves).view(np.uint32)[..., 0]
    words[: 2 * third] = joined[: 2 * third]
    return words
