"""Loads by the read-only path reach constants, whose addresses NVIDIA's compiler takes for those of global memory."""

from __future__ import annotations

import numpy as np
import pytest
from agreement.test_multiprocessor_agrees import assert_same_run, both
from support.agreement import findings

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
TEXT = """
__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__global__ void read(const int *in, int *out, int n, int mixed, int step) {
    int i = threadIdx.x;
    const int *from = mixed && (i & 1) ? in : table;
    if (i < n)
        out[i] = __ldg(from + i * step);
}
"""
TABLE, IN = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32), np.arange(100, 132, dtype=np.int32)


def arguments(n: int, mixed: int, step: int = 1) -> list[object]:
    return [IN, np.full(32, -1, np.int32), n, mixed, step]


@pytest.mark.parametrize("mixed", [0, 1])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_constants_are_read(engine: str, mixed: int) -> None:
    program = wv.compile(TEXT, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 32, arguments(8, mixed), engine=engine)
    expected = np.where(np.arange(8) & mixed, IN[:8], TABLE)
    np.testing.assert_array_equal(run.buffers["out"][:8], expected)
    assert run.findings == ()
    assert run.counters["global_ld_requests"] == 1


def test_what_lies_beyond_them_is_found() -> None:
    program = wv.compile(TEXT, compiler="nvrtc", device="h200")
    run = wv.simulate(program, 1, 32, arguments(8, 0, 10))  # all but the first leave the table
    (finding,) = run.findings
    assert (finding.kind, finding.thread, finding.count) == ("out of bounds", (1, 0, 0), 7)
    assert "constant memory at byte 40" in finding.message


@pytest.mark.parametrize(("mixed", "step"), [(0, 1), (1, 1), (0, 10)])
def test_engines_agree(mixed: int, step: int) -> None:
    program, device, options = wv.compile(TEXT, compiler="nvrtc", device="h200"), load_device("h200"), Options()
    a, b, c, d = (bind(program, (1, 1, 1), (32, 1, 1), arguments(8, mixed, step), 0) for _ in range(4))
    one = run_reference(program, device, a.launch, a.memory, options)
    two = run_profile(program, device, b.launch, b.memory, options)
    assert np.array_equal(one.counts, two.counts)
    assert findings(one) == findings(two)
    assert_same_run(program, *both(program, device, (c, d), options, SmOptions()))
