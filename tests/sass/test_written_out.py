"""Operations that NVRTC writes out take as long as written as the instructions that they become.

A chain of one warp gives the latency, 32 warps on each scheduler what they take of it.
"""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv
from warpview.devices import load_device
from warpview.sass import nvrtc
from warpview.sim.binding import bind
from warpview.sim.engine_sm import run_sm
from warpview.sim.events import SmOptions
from warpview.sim.launch import Options

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

TYPES = {
    "float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32, "long long": np.int64,
    "unsigned long long": np.uint64,
}  # fmt: skip
FAR = "100000000000"
# The type, an expression of x that keeps it in range, and y.
OPERATIONS = {
    "quotient": ("float", "x / y", 1.0001),
    "reciprocal": ("float", "1.0f / x", 1),
    "root": ("float", "sqrtf(x)", 1),
    "reciprocal root": ("float", "rsqrtf(x)", 1),
    "sine": ("float", "sinf(x)", 1),
    "exponential": ("float", "expf(x)", 1),
    "logarithm": ("float", "logf(x) + 2.0f", 1),
    "power": ("float", "powf(x, y)", 0.7),
    "arc tangent": ("float", "atan2f(x, y)", 1.5),
    "double quotient": ("double", "x / y", 1.0001),
    "double reciprocal": ("double", "1.0 / x", 1),
    "double root": ("double", "sqrt(x)", 1),
    "double exponential": ("double", "exp(x)", 1),
    "double power": ("double", "pow(x, y)", 1.5),
    "quotient by a constant": ("int", "x / 7 + 1000000", 1),
    "remainder by a constant": ("int", "x % 1001 + 1000000", 1),
    "unsigned remainder by a constant": ("unsigned", "x % 1001 + 1000000", 1),
    "long quotient": ("long long", f"x / y + {FAR}0000000ll", 3),
    "long remainder": ("unsigned long long", f"x % y + {FAR}ull", 100000000001),
    "long quotient by a constant": ("unsigned long long", f"x / 1003 + {FAR}ull", 1),
    "long remainder by a constant": ("unsigned long long", f"x % 1000003ull + {FAR}ull", 1),
}  # fmt: skip
SOURCE = """
__global__ void kernel(TYPE *data, TYPE y, int rounds)
{
    TYPE x = data[threadIdx.x];
    #pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        x = VALUE; x = VALUE; x = VALUE; x = VALUE;
    }
    data[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
"""


def cycles(kind: str, value: str, y: float, compiler: str, blocks: int, threads: int) -> float:
    """Return the cycles for each time that a value is computed."""
    source = SOURCE.replace("TYPE", kind).replace("VALUE", value)
    program, device = wv.compile(source, "kernel", compiler=compiler, device="h200"), load_device("h200")
    found = []
    for rounds in (4, 20):
        data = np.full(blocks * threads, 7, dtype=TYPES[kind])
        bound = bind(program, (blocks, 1, 1), (threads, 1, 1), [data, TYPES[kind](y), rounds], 0)
        options = SmOptions(record=False, estimate=True)
        found.append(run_sm(program, device, bound.launch, bound.memory, Options(check=False), options).result.cycles)
    return (found[1] - found[0]) / 64


@pytest.mark.parametrize("name", OPERATIONS)
def test_latencies_and_rates_are_those_of_the_machine_code(name: str) -> None:
    for blocks, threads in ((132, 32), (264, 1024)):
        written = cycles(*OPERATIONS[name], "warpview", blocks, threads)
        compiled = cycles(*OPERATIONS[name], "nvrtc", blocks, threads)
        assert written == pytest.approx(compiled, rel=0.2)
