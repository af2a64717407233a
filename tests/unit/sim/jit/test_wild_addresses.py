"""An address of any value does no harm: the engine reports what the reference reports, whatever the space."""

from __future__ import annotations

import numpy as np
import pytest
from support.agreement import assert_same

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.memory import CONST_WINDOW, FIRST_ADDRESS, LOCAL_WINDOW, SHARED_WINDOW
from warpview.sim.reference import run_reference

THREADS = 96

KERNEL = """
__global__ void kernel(const unsigned long long* addresses, TYPE* out) {
  __shared__ TYPE shared[64];
  TYPE mine[3];
  int t = threadIdx.x;
  mine[t % 3] = (TYPE)t;
  shared[t % 64] = mine[0];
  TYPE* p = (TYPE*)addresses[t];
  TYPE value = *p;
  *p = value + (TYPE)1;
  out[t] = *p;
}"""

ATOMIC = """
__global__ void kernel(const unsigned long long* addresses, TYPE* out) {
  out[threadIdx.x] = atomicAdd((TYPE*)addresses[threadIdx.x], (TYPE)3);
}"""


def wild(seed: int) -> np.ndarray:
    """Draw addresses near every border there is, and anywhere."""
    rng = np.random.default_rng(seed)
    windows = [SHARED_WINDOW, SHARED_WINDOW + 512, LOCAL_WINDOW, LOCAL_WINDOW + 12, CONST_WINDOW, 2 * CONST_WINDOW]
    borders = np.array([0, FIRST_ADDRESS, FIRST_ADDRESS + 4096, 1 << 32, 1 << 63, *windows], dtype=np.uint64)
    near = rng.choice(borders, THREADS) + (rng.integers(-3, 4, THREADS) * rng.choice([1, 4, 8], THREADS)).astype(
        np.uint64
    )
    anywhere = rng.integers(0, 1 << 64, THREADS, dtype=np.uint64)
    kind = rng.integers(4, size=THREADS)
    return np.where(kind == 0, anywhere, np.where(kind == 1, rng.choice(borders, THREADS), near))


def compare(text: str, addresses: np.ndarray, dtype: str, device: str) -> None:
    program = compile_source(SourceText("kernel.cu", text))
    outcomes = []
    for engine in (run_reference, run_profile):
        arguments = [addresses, np.zeros(THREADS, dtype=dtype)]
        binding = bind(program, (1, 1, 1), (THREADS, 1, 1), arguments, 0)
        outcomes.append(engine(program, load_device(device), binding.launch, binding.memory, Options()))
    assert_same(program, *outcomes)
    assert outcomes[0].findings


@pytest.mark.parametrize("device", ["c2050", "h200"])
@pytest.mark.parametrize(
    ("name", "dtype"), [("char", "i1"), ("short", "i2"), ("int", "i4"), ("double", "f8"), ("long long", "i8")]
)
def test_loads_and_stores(name, dtype, device):
    for seed in range(3):
        compare(KERNEL.replace("TYPE", name), wild(seed), dtype, device)


@pytest.mark.parametrize(("name", "dtype"), [("int", "i4"), ("float", "f4"), ("unsigned long long", "u8")])
def test_atomics(name, dtype):
    for seed in range(3):
        compare(ATOMIC.replace("TYPE", name), wild(10 + seed), dtype, "h200")
