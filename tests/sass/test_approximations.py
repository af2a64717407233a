"""MUFU has the bits of an H200 in the functions that it interpolates, in the reference and in the jitted engine.

``data/mufu_h200.npz`` has 512 operands of each function and what an H200 gives for them, half of them from the whole
range of patterns, for RCP64H and RSQ64H upper words; ``data/half_power_h200.npz`` has what it gives for all 16-bit
operands of EX2. The kernels of ``mufu.cubin`` are one kernel, with the number of the function changed in its MUFU.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.isa import interpolation_tables as tables
from warpview.sass import nvrtc
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

sys.path.insert(0, str(Path(__file__).parent))
from engines import DATA, Case, executed, program
from test_probes import NAMES as PROBE_NAMES
from test_probes import RESULTS, N, operands
from test_probes import program as probe_program

RECORDED = np.load(DATA / "mufu_h200.npz")
FUNCTIONS = ("COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "SQRT")
# Operands with a rule of their own: zeros, subnormal numbers, infinities, none, powers of two and their neighbours.
SPECIAL = (0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0xBF800000, 0x40000000)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("engine", ["reference", "jit"])
def test_an_approximation_gives_the_bits_that_the_hardware_gives(function: str, engine: str) -> None:
    values, results = RECORDED[f"{function}_in"], RECORDED[f"{function}_out"]
    kernel = program("rare_sm90.zip", "mufu.cubin", f"mufu_{function}")
    arguments = [values, np.zeros_like(values), 0]
    blocks = values.size // 256
    if engine == "jit":
        run = wv.simulate(kernel, blocks, 256, arguments, device="h200", check=False)
        found = np.asarray(run.buffers["arg1"])
    else:
        bound, _ = executed(Case(function, kernel, blocks, 256, arguments), run_reference, Options(check=False))
        found = bound.buffers["arg1"].read(bound.memory)
    assert np.array_equal(found, results)


@pytest.mark.parametrize(("function", "column"), [("RCP64H", 0), ("RSQ64H", 2)])
def test_upper_words_of_doubles_are_interpolated_as_floats_are(function: str, column: int) -> None:
    probe, values = probe_program("library_sm90.zip", "probes.cubin", "p_mufu64"), RECORDED[f"{function}_in"]
    none, count = np.zeros_like(values), values.size
    case = Case(function, probe, count // N, N, [np.zeros(4 * count, np.uint32), values, none, none, count])
    bound, _ = executed(case, run_reference, Options(check=False))
    run = wv.simulate(probe, case.grid, case.block, list(case.arguments), device="h200", check=False)
    for found in (bound.buffers["arg0"].read(bound.memory), np.asarray(run.buffers["arg0"])):
        assert np.array_equal(found.reshape(-1, 4)[:, column], RECORDED[f"{function}_out"])


HALVES = """extern "C" __global__ void power(const unsigned short *in, unsigned short *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm("INSTRUCTION %0, %1;" : "=h"(out[i]) : "h"(in[i]));
}
"""


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize(("instruction", "name"), [("ex2.approx.f16", "f16"), ("ex2.approx.ftz.bf16", "bf16")])
def test_powers_of_16_bits_are_cut_off_as_on_the_hardware(instruction: str, name: str) -> None:
    recorded = np.load(DATA / "half_power_h200.npz")[name]
    kernel = wv.compile(HALVES.replace("INSTRUCTION", instruction), compiler="nvrtc", device="h200")
    values = np.arange(1 << 16, dtype=np.uint16)
    run = wv.simulate(kernel, 256, 256, [values, np.zeros_like(values)], device="h200", check=False)
    assert np.array_equal(np.asarray(run.buffers["out"]), recorded)
    chosen = np.unique(np.concatenate([values[::271], [0, 0x8000, 1, 0x8001, 0x4C00, 0x4300, 0x7C00, 0xFC00, 0x7F80]]))[
        :256
    ]
    chosen = np.resize(chosen, 256).astype(np.uint16)
    bound, _ = executed(
        Case(name, kernel, 1, 256, [chosen, np.zeros_like(chosen)]), run_reference, Options(check=False)
    )
    assert np.array_equal(bound.buffers["out"].read(bound.memory), recorded[chosen])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_engines_agree_on_special_operands(function: str) -> None:
    values = np.zeros(256, np.uint32)
    values[: len(SPECIAL)] = SPECIAL
    values[16:64] = np.arange(48, dtype=np.uint32) * 0x00800000 + 0x3B000000
    values[64:112] = values[16:64] | 0x80000000
    values[112:160] = values[16:64] - 1
    case = Case(
        function, program("rare_sm90.zip", "mufu.cubin", f"mufu_{function}"), 1, 256, [values, np.zeros_like(values), 0]
    )
    bound, _ = executed(case, run_reference, Options(check=False))
    run = wv.simulate(case.program, 1, 256, list(case.arguments), device="h200", check=False)
    assert np.array_equal(bound.buffers["arg1"].read(bound.memory), np.asarray(run.buffers["arg1"]))


def test_logarithm_and_waves_of_a_probe_are_exact() -> None:
    probe = probe_program("library_sm90.zip", "probes.cubin", "p_mufu2")
    arguments = [np.zeros(4 * N, np.uint32), *operands(PROBE_NAMES.index("p_mufu2")), N]
    run = wv.simulate(probe, 1, N, arguments, device="h200", check=False)
    found, wanted = (np.asarray(v)[: 4 * N].reshape(N, 4) for v in (run.buffers["arg0"], RESULTS["p_mufu2"]))
    assert np.array_equal(found[:, :3], wanted[:, :3])


def test_a_truncated_square_leaves_out_products_of_low_weight_only() -> None:
    generator = np.random.default_rng(2)
    for h in (0, 1, 1 << 16, (1 << 17) - 1, *generator.integers(0, 1 << 17, 200)):
        exact = int(h) ** 2
        lost = exact - (tables.truncated_square(int(h)) << 19)
        assert 0 <= lost < 1 << 19 + 4
