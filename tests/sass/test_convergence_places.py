"""NVRTC writes convergence barriers where sim/compiler_effects/convergence_places.py finds them, and what they take as
written is what they take in its code."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Options
from warpview.sim.timing.instruction_costs import instruction_costs

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

SOURCE = """
__global__ void kernel(float *out, int ways, int rounds)
{
    int kind = threadIdx.x % ways;
    float x = threadIdx.x, y = 1.0f;
    #pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        BODY
    }
    out[threadIdx.x] = x + y;
}
"""
PRODUCT = "x = x * 1.5f + 0.25f;"
LONG, OTHER = PRODUCT * 24, "x = x * x - 0.5f;" * 24
CASES = {
    "a branch over one product": ("if (kind == 0) { " + PRODUCT + " }", False),
    "a branch that all lanes take or none": ("if (k > ways) { " + LONG + " }", False),
    "a long branch": ("if (kind == 0) { " + LONG + " }", True),
    "two long ways": ("if (kind == 0) { " + LONG + " } else { " + OTHER + " }", True),
    "a loop that lanes leave one by one": ("for (int j = 0; j < kind; j++) { " + LONG + " }", True),
}


def body(name: str) -> str:
    return SOURCE.replace("BODY", CASES[name][0])


@pytest.mark.parametrize("name", CASES)
def test_barriers_are_where_the_compiler_has_them(name: str) -> None:
    native = [i.native for i in wv.compile(body(name), "kernel", compiler="nvrtc", device="h200").instructions]
    written = any(i is not None and i.mnemonic.startswith("BSYNC") for i in native)
    costs = instruction_costs(wv.compile(body(name), "kernel", device="h200"), load_device("h200"))
    assert bool(costs.arrives.any()) == written == CASES[name][1]


def cycles(name: str, compiler: str, ways: int, rounds: int) -> int:
    program = wv.compile(body(name), "kernel", compiler=compiler, device="h200")
    bound = bind(program, (1, 1, 1), (32, 1, 1), [np.zeros(32, np.float32), ways, rounds], 0)
    options = SmOptions(record=False)
    return run_sm(
        program, load_device("h200"), bound.launch, bound.memory, Options(check=False, races=False), options
    ).result.cycles


@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize("name", ["a long branch", "two long ways"])
def test_a_trip_takes_as_long_as_in_machine_code(name: str, ways: int) -> None:
    ours, theirs = (cycles(name, c, ways, 192) - cycles(name, c, ways, 64) for c in ("warpview", "nvrtc"))
    assert ours == pytest.approx(theirs, rel=0.1)  # 0.72 to 0.84 of it without the barriers
