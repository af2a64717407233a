"""Kernels run through NVRTC's PTX on devices older than NVIDIA's compiler knows, as they do through our own front end.

``python tests/unit/run/test_ptx_program.py`` runs the whole library on the three devices.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "agreement"))

from random_kernels import write_kernel

import warpview as wv
from warpview import library
from warpview.devices import load_device
from warpview.run.library_launch import Changes, simulate_preset
from warpview.sass import nvrtc

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

DEVICES = ("gtx480", "gtx680", "v100")
SAMPLE = (
    "reduction/interleaved", "transpose/padded_32", "stencil/box_blur", "histogram/shared", "matmul/tiled_bounds",
    "scan/blelloch", "patterns/local_array", "patterns/constant_uniform", "control_flow/collatz",
)  # fmt: skip
CPP = """
struct Sum {
    float total = 0;
    template <typename... T> __device__ Sum &add(float first, T... rest) {
        total += first;
        if constexpr (sizeof...(rest) > 0) add(rest...);
        return *this;
    }
};
template <typename F> __device__ float apply(F f, float x) { return f(x); }
__global__ void k(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    auto scaled = [factor = 3.0f](float x) { return factor * x; };
    out[i] = Sum().add(in[i], apply(scaled, in[i]), 1.0f).total;
}
"""


def problems(key: str, device: str) -> str:
    """What goes wrong in the small launch of a library kernel, whose results are compared with numpy's."""
    entry, chosen = library.entry(key), load_device(device)
    try:
        found = simulate_preset(entry, "step", chosen, Changes(), engine="profile", compiler="nvrtc").findings
    except wv.LaunchError as error:
        return f"refused: {error}"
    return "; ".join(f"{finding.kind}: {finding.message}" for finding in found)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("key", SAMPLE)
def test_the_library_equals_numpy(key: str, device: str) -> None:
    assert problems(key, device) == ""


@pytest.mark.parametrize("number", [4, 31])
def test_random_kernels_equal_those_of_our_front_end(number: int) -> None:
    kernel = write_kernel(Random(1000 + number), ordered=False, defined=True)
    results = []
    for compiler in ("warpview", "nvrtc"):
        program = wv.compile(kernel.text, compiler=compiler, device="v100")
        arguments = list(kernel.arguments().values())
        run = wv.simulate(program, kernel.grid, kernel.block, arguments, device="v100", check=False)
        results.append([np.asarray(values).tobytes() for values in run.buffers.values()])
    assert results[0] == results[1]


def test_c_plus_plus_that_our_front_end_does_not_know_runs_on_an_old_device() -> None:
    values = np.arange(100, dtype=np.float32)
    program = wv.compile(CPP, compiler="nvrtc", device="gtx480")
    run = wv.simulate(program, 1, 128, {"in": values, "out": np.zeros_like(values), "n": 100}, device="gtx480")
    assert np.array_equal(run.buffers["out"], 4 * values + 1)
    lines = {instruction.span.line for instruction in program.instructions}
    assert {1 + CPP[: CPP.index("if (i >= n)")].count("\n")} <= lines
    assert program.source.text == CPP


def test_what_a_device_lacks_is_refused() -> None:
    refused = problems("reduction/shuffle", "gtx480")
    assert "needs compute capability 3.0 (warp shuffles: 'shfl.sync.down.b32' in line 5)" in refused
    assert problems("reduction/shuffle", "gtx680") == ""


def main() -> int:
    """Run the library, without its mistakes, on each device; print what goes wrong."""
    keys = [entry.key for entry in library.kernels() if not entry.key.startswith("mistakes/")]
    for device in DEVICES:
        found = {key: words for key in keys if (words := problems(key, device))}
        print(f"{device}: {len(keys) - len(found)} of {len(keys)} equal numpy without findings")
        for key, words in found.items():
            print(f"  {key}: {words[:140]}")
    return 0


BLOCKS = r"""
__global__ void blocks(const int *in, int *out) {
    int v = in[threadIdx.x], moved, count;
    float whole;
    asm("{ .reg .s32 t; .reg .pred p; shfl.sync.up.b32 t|p, %1, 1, 0, -1; @p add.s32 t, t, %1; mov.s32 %0, t; }"
        : "=r"(moved) : "r"(v));
    asm("{ .reg .f32 t; add.f32 t, %1, 0f3F800000; mov.f32 %0, t; }" : "=f"(whole) : "f"((float)v));
    out[threadIdx.x] = moved + (int)whole;
    asm volatile("{ .reg .pred p; .reg .u32 t; mov.u32 t, 0; AGAIN: add.u32 t, t, 1; setp.lt.u32 p, t, %1;"
                 " @p bra AGAIN; mov.u32 %0, t; }" : "=r"(count) : "r"(v));
    out[32 + threadIdx.x] = count;
    asm volatile("{ .reg .pred p; .reg .u32 t; mov.u32 t, 0; AGAIN: add.u32 t, t, 2; setp.lt.u32 p, t, %1;"
                 " @p bra AGAIN; mov.u32 %0, t; }" : "=r"(count) : "r"(v));
    out[64 + threadIdx.x] = count;
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(count) : "r"(v), "r"(v / 3));
    out[96 + threadIdx.x] = count;
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(count) : "r"(v + 30), "r"(v + 33));
    out[128 + threadIdx.x] = count;
}
"""


def test_registers_and_labels_of_a_block_are_its_own() -> None:
    v = np.arange(32)
    out = wv.simulate(
        wv.compile(BLOCKS, compiler="nvrtc", device="v100"), 1, 32,
        [v.astype(np.int32), np.zeros(160, np.int32)], device="v100",
    ).buffers["out"].astype(np.uint32)  # fmt: skip
    assert np.array_equal(out[:32], np.where(v > 0, 2 * v - 1, v) + v + 1)
    assert np.array_equal(out[32:64], np.maximum(v, 1))
    assert np.array_equal(out[64:96], np.maximum(v + v % 2, 2))
    assert out[96:128].tolist() == [((1 << k // 3) - 1 << k) & 0xFFFFFFFF for k in range(32)]
    assert out[128:].tolist() == [((1 << (k + 33) % 32) - 1 << (k + 30) % 32) & 0xFFFFFFFF for k in range(32)]


if __name__ == "__main__":
    raise SystemExit(main())
