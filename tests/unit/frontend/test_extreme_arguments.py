"""Functions of the maths library at arguments whose intermediate results would be too large, too small or inexact. The
machine code of NVRTC 13.0 gives the same to one unit in the last place."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

X = np.array([0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 2.5, -7.0, 0.25, 1e15, 1e300, np.inf])
SINES = [0, 0, 1, 0, 0, -1, 1, 0, np.sqrt(0.5), 0, 0, np.nan]
COSINES = [1, 1, 0, -1, -1, 0, 0, -1, np.sqrt(0.5), 1, 1, np.nan]
LARGE = 3e300, 4e300, 0.0, 5e300
SMALL = 3e-300, 4e-300, 0.0, 5e-300


def computed(expression: str, kind: str, *arrays: np.ndarray) -> np.ndarray:
    """The values of an expression of x, y and z, the elements of arrays."""
    names = ("x", "y", "z")[: len(arrays)]
    parameters = ", ".join(f"const {kind} *{name}s" for name in names)
    values = " ".join(f"{kind} {name} = {name}s[threadIdx.x];" for name in names)
    source = f"__global__ void k({parameters}, {kind} *out) {{ {values} out[threadIdx.x] = {expression}; }}"
    dtype = np.float32 if kind == "float" else np.float64
    out = np.zeros(len(arrays[0]), dtype)
    run = wv.simulate(wv.compile(source), 1, len(out), [*(a.astype(dtype) for a in arrays), out])
    return np.asarray(run.buffers["out"])


@pytest.mark.parametrize(("kind", "suffix", "exact"), [("float", "f", 2e-7), ("double", "", 4e-16)])
def test_half_turns(kind: str, suffix: str, exact: float) -> None:
    x = X[:-2] if kind == "float" else X
    with np.errstate(over="ignore"):
        for name, values in (("sinpi", SINES), ("cospi", COSINES)):
            found = computed(f"{name}{suffix}(x)", kind, x)
            np.testing.assert_allclose(found, np.array(values)[: len(x)], rtol=exact, atol=0)


@pytest.mark.parametrize("name", ["ldexp", "scalbn"])
def test_powers_of_two(name: str) -> None:
    x = np.array([0.0, 1e-300, 3.0, 3.0, 1.5, 5e-324, -1.75, np.inf, 1.0, 1.0])
    n = np.array([2000, 1100, -1074, -1075, -1022, 2097, 1023, -3000, 5000, -5000])
    with np.errstate(over="ignore", under="ignore"):
        np.testing.assert_array_equal(computed(f"{name}(x, (int)y)", "double", x, n), np.ldexp(x, n))
        small = x[:5].astype(np.float32)
        found = computed(f"{name}f(x, (int)y)", "float", small, np.array([2000, 3, -149, -150, -126]))
        np.testing.assert_array_equal(found, np.ldexp(small, [2000, 3, -149, -150, -126]))


def test_lengths_whose_squares_are_out_of_range() -> None:
    a, b, c, length = np.array([LARGE, SMALL]).T
    np.testing.assert_allclose(computed("norm3d(x, y, z)", "double", a, b, c), length, rtol=1e-15)
    np.testing.assert_allclose(computed("norm4d(x, z, y, z)", "double", a, b, c), length, rtol=1e-15)
    np.testing.assert_allclose(computed("rhypot(x, y)", "double", a, b), 1 / length, rtol=1e-15)
    np.testing.assert_allclose(computed("rnorm3d(x, y, z)", "double", a, b, c), 1 / length, rtol=1e-15)
    a, b = np.array([3e30, 3e-30]), np.array([4e30, 4e-30])
    np.testing.assert_allclose(computed("norm3df(x, y, 0)", "float", a, b), [5e30, 5e-30], rtol=3e-7)
    np.testing.assert_allclose(computed("rhypotf(x, y)", "float", a, b), [2e-31, 2e29], rtol=3e-7)
