"""Expressions have the values that C and the GPU give them."""

from __future__ import annotations

import numpy as np
import pytest
from support.kernels import evaluate

LANES = np.arange(32)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("i / 4", LANES // 4),
        ("(i - 16) / 4", np.trunc((LANES - 16) / 4)),
        ("(i - 16) % 4", np.fmod(LANES - 16, 4)),
        ("(i - 16) / 5", np.trunc((LANES - 16) / 5)),
        ("(i - 16) / 2", np.trunc((LANES - 16) / 2)),
        ("(i - 16) % 7", np.fmod(LANES - 16, 7)),
        ("(i - 16) >> 2", (LANES - 16) >> 2),
        ("-i", -LANES),
        ("~i", ~LANES),
        ("!i", LANES == 0),
        ("!!i", LANES != 0),
        ("i < 5", LANES < 5),
        ("i - 1 < 0u", 0 * LANES),
        ("-1 < (int)sizeof(i)", 1 + 0 * LANES),
        ("-1 > 0u", 1 + 0 * LANES),
        ("i > 3 && i < 9", (LANES > 3) & (LANES < 9)),
        ("i < 3 || i > 9", (LANES < 3) | (LANES > 9)),
        ("i > 3 ? i : -i", np.where(LANES > 3, LANES, -LANES)),
        ("i & 5 | 8 ^ i", LANES & 5 | (8 ^ LANES)),
        ("1 << i", np.array([1], np.int32) << LANES.astype(np.int32)),
        ("(unsigned char)(i + 250)", (LANES + 250) & 255),
        ("(signed char)(i + 110)", (LANES + 110).astype(np.int8)),
        ("(char)(i + 110)", (LANES + 110).astype(np.int8)),
        ("(short)(i + 32760)", (LANES + 32760).astype(np.int16)),
        ("(unsigned short)(i - 5)", (LANES - 5).astype(np.uint16)),
        ("(int)((i - 16) * 0.4f)", np.trunc((LANES - 16) * np.float32(0.4))),
        ("(int)1e20f + zero", np.full(32, 2**31 - 1)),
        ("(bool)(i & 2)", (LANES & 2) != 0),
        ("(i & 1) == true", (LANES & 1) == 1),
        ("i * 1000000 * 1000", (LANES.astype(np.int64) * 1000000000).astype(np.int32)),
        ("(int)((unsigned)i * 2654435761u >> 16)", (LANES * 2654435761 % 2**32) >> 16),
        ("(int)(((long long)i << 33) >> 30)", LANES << 3),
        ("(int)(i * 3LL / 2)", LANES * 3 // 2),
        ("'a' + i", 97 + LANES),
        ("(i, i + 1)", LANES + 1),
        ("sizeof(float4) + sizeof(char) + sizeof(double[3])", np.full(32, 41)),
        ("0x10 + 010 + 0b11", np.full(32, 27)),
        ("(unsigned char)i - (unsigned char)20", LANES - 20),
        ("((unsigned char)(i * 10) + (unsigned char)200) / 2", ((LANES * 10 % 256) + 200) // 2),
        ("i % 8u", LANES % 8),
        ("(int)(-i / 3u)", (-LANES % 2**32) // 3),
        ("(-i) >> 1u", (-LANES) >> 1),
        ("i ? 1.9f : 0", np.where(LANES > 0, 1, 0)),
        ("max(i, 7) + min(i, 3)", np.maximum(LANES, 7) + np.minimum(LANES, 3)),
        ("abs(i - 10)", abs(LANES - 10)),
        ("+(i == 3)", LANES == 3),
        ("(i == 3) + (i < 3)", (LANES == 3) | (LANES < 3)),
        ("(i < 3) & (i > 1)", LANES == 2),
        ("(i < 3) ^ 1", LANES >= 3),
        ("~(i < 3)", ~(LANES < 3).astype(int)),
        ("-(i < 3)", -(LANES < 3).astype(int)),
        ("__popc(i) + __clz(i + 1) + __ffs(i)", None),
    ],
)
def test_integers(expression: str, expected: object) -> None:
    if expected is None:
        expected = [bin(i).count("1") + 32 - (i + 1).bit_length() + (i & -i).bit_length() for i in range(32)]
    np.testing.assert_array_equal(evaluate(expression), np.asarray(expected).astype(np.int64).astype(np.int32))


F = LANES.astype(np.float32)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("i / 3", LANES // 3),
        ("i / 3.0f", F / np.float32(3)),
        ("i / 3.0", (LANES / 3.0).astype(np.float32)),
        ("0.1f + i", np.float32(0.1) + F),
        ("i / 8.0f + i / -0.25f", F / 8 - F * 4),
        ("0.1 + i", (0.1 + LANES).astype(np.float32)),
        ("1.0f / (i + 1)", np.float32(1) / (F + 1)),
        ("sqrtf(i)", np.sqrt(F)),
        ("(float)(unsigned)(i - 1)", (LANES - 1).astype(np.uint32).astype(np.float32)),
        ("(float)(16777217 + i)", (16777217 + LANES).astype(np.float32)),
        ("fabsf(i - 3.5f)", abs(F - np.float32(3.5))),
        ("fmaxf(i, 3)", np.maximum(F, 3)),
        ("i > 4 ? 1 : 2.5f", np.where(LANES > 4, 1, 2.5)),
        ("-(i * 2.0f)", -F * 2),
        ("__int_as_float(0x3f800000 + i)", (0x3F800000 + LANES).astype(np.int32).view(np.float32)),
        ("floorf(i * 0.3f)", np.floor(F * np.float32(0.3))),
        ("expf(i * 0.1f)", np.exp((F * np.float32(0.1)).astype(np.float64)).astype(np.float32)),
        ("(i & 1) ? 0.5f : i", np.where(LANES & 1, 0.5, LANES)),
        ("(char)(i + 120) * 1.0f", (LANES + 120).astype(np.int8)),
        ("1e10f * 1e10f * i", np.float32(1e10) * np.float32(1e10) * F),
        (".5f + 1.e1f + 0x1p-1f", np.full(32, 11)),
    ],
)
def test_floats(expression: str, expected: object) -> None:
    result = evaluate(expression, "float", np.float32)
    np.testing.assert_array_equal(result, np.asarray(expected).astype(np.float32))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("i * 0.1", LANES * 0.1),
        ("i * 0.1f", F * np.float32(0.1)),
        ("sqrt((double)i)", np.sqrt(LANES)),
        ("1 / 2 + i", LANES),
        ("i / 2.0", LANES / 2),
        ("(long long)1 << (i + 20)", 2.0 ** (LANES + 20)),
        ("(unsigned long long)-1", np.full(32, 2.0**64)),
    ],
)
def test_doubles(expression: str, expected: object) -> None:
    np.testing.assert_array_equal(evaluate(expression, "double", np.float64), expected)


def test_fused_multiply_add_is_a_switch() -> None:
    from support.kernels import run

    text = """__global__ void k(const float* a, float* out) {
        int i = threadIdx.x;
        out[i] = a[i] * a[i] - 1.0f;
    }"""
    a = (np.float32(1) + LANES.astype(np.float32) * np.float32(2**-23)).astype(np.float32)
    fused = run(text, [a, np.zeros(32, np.float32)])["out"]
    apart = run(text, [a, np.zeros(32, np.float32)], fma=False)["out"]
    np.testing.assert_array_equal(apart, a * a - np.float32(1))
    np.testing.assert_array_equal(fused, (a.astype(np.float64) ** 2 - 1).astype(np.float32))
    assert (apart != fused).any()


@pytest.mark.parametrize(
    ("setup", "expression", "expected"),
    [
        ("char c = 127; c++;", "c", np.full(32, -128)),
        ("unsigned char c = 0; c--;", "c", np.full(32, 255)),
        ("unsigned char c = 200; c += 100;", "c", np.full(32, 44)),
        ("short s = 30000; s *= 2;", "s", np.full(32, 60000 - 65536)),
        ("int x = 5; x += 2.7f;", "x", np.full(32, 7)),
        ("unsigned u = 3; u -= 5;", "u > 100u", np.ones(32)),
        ("int x = i; int y = x++ + 3;", "x * 100 + y", (LANES + 1) * 100 + LANES + 3),
        ("int x = i; int y = ++x + 3;", "x * 100 + y", (LANES + 1) * 100 + LANES + 4),
        ("int x = i; x <<= 2; x |= 1; x ^= 3; x >>= 1; x &= 0xff; x %= 50;", "x", None),
        ("int a = i, b = 5; int t = a; a = b; b = t;", "a * 100 + b", 500 + LANES),
        ("bool b = i; b = !b; b |= i > 30;", "b", (LANES == 0) | (LANES > 30)),
        ("int a[4] = {}, k = 1; a[k++] = k; a[k] += k++;", "a[1] * 100 + a[2] * 10 + a[3]", np.full(32, 102)),
        ("int x = 1; auto f = [&]() { x = 5; return 2; }; x += f(); ", "x", np.full(32, 7)),
        ("int x; x = zero = i;", "x + zero", 2 * LANES),
        ("float f = i; f /= 4; int n = f;", "n", LANES // 4),
        ("int x = i > 3 && ++zero > 0;", "x * 10 + zero", np.where(LANES > 3, 11, 0)),
        ("int x = i > 3 || ++zero > 0;", "x * 10 + zero", np.where(LANES > 3, 10, 11)),
        ("int x = i > 3 ? (zero = 5) : (zero = 6);", "x * 10 + zero", np.where(LANES > 3, 55, 66)),
        ("int s = 0; for (int k = 0; k < i; ++k) { if (k == 3) continue; if (k == 9) break; s += k; }", "s", None),
        ("int s = 0; while (s * s < i) s++;", "s", np.ceil(np.sqrt(LANES))),
        ("int s = 0; do { s += 3; } while (s < i);", "s", np.maximum(3, (LANES + 2) // 3 * 3)),
        ("int s = 0; switch (i) { case 1: s = 1; case 2: s += 2; break; default: s = 9; case 5: s += 1; }", "s", None),
        ("int s = 0; switch (i & 3) { case 0: case 1: for (;;) { if (++s > 4) break; } break; case 3: s = -1; }",
         "s", None),
        ("int s = 0; for (int a = 0, b = 10; a < b; a++, b--) s += b - a;", "s", np.full(32, 30)),
        ("int s = 0, k = 0; again: s += k; if (++k < i) goto again;", "s", None),
        ("int x = (i, i);", "x", LANES),
    ],
)  # fmt: skip
def test_statements(setup: str, expression: str, expected: object) -> None:
    if expected is None:
        expected = [_model(setup, i) for i in range(32)]
    np.testing.assert_array_equal(evaluate(expression, setup=setup), np.asarray(expected).astype(np.int32))


def _model(setup: str, i: int) -> int:
    """The statements above in Python."""
    if "<<=" in setup:
        return ((((i << 2) | 1) ^ 3) >> 1 & 255) % 50
    if "continue" in setup:
        return sum(k for k in range(min(i, 9)) if k != 3)
    if "i & 3" in setup:
        return {0: 5, 1: 5, 2: 0, 3: -1}[i & 3]
    if "switch" in setup:
        return {1: 3, 2: 2, 5: 1}.get(i, 10)
    return sum(range(max(i, 1)))


@pytest.mark.parametrize(
    ("setup", "expression"),
    [
        ("const bool p = i == 5;", "!p * 10 + p"),
        ("bool p = i == 5, q = !p;", "q * 10 + p"),
        ("const bool &p = i == 5;", "!p ? 10 : (p ? 1 : 2)"),
        ("struct { bool p; } s{i == 5};", "!s.p * 10 + s.p"),
        ("auto f = [p = i == 5] { return !p * 10 + p; };", "f()"),
    ],
)
def test_a_negated_comparison_leaves_the_variable_that_holds_it(setup, expression):
    np.testing.assert_array_equal(evaluate(expression, setup=setup), np.where(LANES == 5, 1, 10))
