"""Bessel functions as written come as near to NVIDIA's as those do to the exact results."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import warpview as wv
from warpview.sass import nvrtc

N = 2048
FUNCTIONS = ("j0", "j1", "y0", "y1", "cyl_bessel_i0", "cyl_bessel_i1")
CALLS = (*(f"{name}{{f}}(x)" for name in FUNCTIONS), "jn{f}(2, x)", "jn{f}(9, x)", "yn{f}(3, x)", "jn{f}(-1, x)",
         "yn{f}(-1, x)", "jn{f}(1, x)", "yn{f}(0, x)")  # fmt: skip
# Tables 9.1 and 9.8 of Abramowitz and Stegun, Handbook of Mathematical Functions.
TABLE = {
    "j0(1.0)": 0.765197686557967, "j0(10.0)": -0.245935764451348, "j1(1.0)": 0.4400505857, "y0(1.0)": 0.0882569642157,
    "y1(10.0)": 0.2490154242, "jn(2, 3.0)": 0.4860912605, "jn(9, 2.0)": 2.492343435e-6, "yn(3, 2.0)": -1.1277837769,
    "cyl_bessel_i0(5.0)": 27.2398718236, "cyl_bessel_i1(5.0)": 24.3356421424, "j0(2.404825557695773)": 0.0,
    "cyl_bessel_i0(20.0)": 0.0897803119 * np.exp(20.0),
}  # fmt: skip


def inputs() -> NDArray[np.float64]:
    rng = np.random.default_rng(7)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 8.0, 100.0, 700.0, 1e-4, 1e6]
    return np.concatenate([special, rng.uniform(-8, 8, N // 2), rng.uniform(8, 60, N // 2 - len(special))])


def computed(calls: list[str], x: NDArray[np.floating], compiler: str = "warpview") -> NDArray[np.floating]:
    real = "float" if x.dtype == np.float32 else "double"
    rows = "\n".join(f"out[{row} * {x.size} + t] = {call};" for row, call in enumerate(calls))
    text = f"__global__ void k(const {real} *p, {real} *out) {{\n"
    text += f"int t = blockIdx.x * blockDim.x + threadIdx.x; {real} x = p[t];\n{rows}\n}}"
    program = wv.compile(text, compiler=compiler, device="h200")
    out = np.zeros(len(calls) * x.size, x.dtype)
    run = wv.simulate(program, x.size // 32, 32, [x, out], device="h200", check=False)
    return np.asarray(run.buffers["out"]).reshape(len(calls), x.size)


def test_printed_tables() -> None:
    found = computed(list(TABLE), np.zeros(32))[:, 0]
    np.testing.assert_allclose(found, list(TABLE.values()), rtol=2e-8, atol=1e-16)


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("real", "beyond"), [(np.float64, 1e-12), (np.float32, 3e-6)])
def test_as_machine_code(real: type, beyond: float) -> None:
    """Orders 0 and 1 up to 8 within 8 units, or 16 of numbers near 1 where a function has a zero; beyond, and where a
    recurrence gives the result, as near as NVIDIA's are."""
    x, unit = inputs().astype(real), np.finfo(real).eps
    calls = [call.replace("{f}", "f" if real is np.float32 else "") for call in CALLS]
    found, expected = computed(calls, x), computed(calls, x, "nvrtc")
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    finite = np.isfinite(expected)
    assert np.array_equal(found[~finite], expected[~finite], equal_nan=True)
    with np.errstate(invalid="ignore"):
        apart, size = np.abs(found - expected), np.abs(expected)
    by_recurrence = np.array([call[:2] in ("jn", "yn") for call in calls])
    near = finite & (np.abs(x) <= 8) & ~by_recurrence[:, None]
    assert (apart[near] <= 8 * unit * size[near] + 16 * unit).all()
    far = ~near & finite
    assert (apart[far] <= 8 * unit * size[far] + beyond).all()
