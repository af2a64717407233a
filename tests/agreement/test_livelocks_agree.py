"""Both engines and the reference find, at the same instruction, that a launch never ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement.test_multiprocessor_agrees import assert_same_run, both
from support.agreement import findings

import warpview as wv
from warpview.devices import load_device
from warpview.isa.program import Program
from warpview.sass import nvrtc
from warpview.sim.arguments.binding import Binding, bind
from warpview.sim.engine import run_profile
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import LONGEST_RUN, FindingKind, Options, Outcome
from warpview.sim.reference import run_reference

needs_nvrtc = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
HEAD = "__global__ void k(volatile int *flag, int *out) { __shared__ volatile int own[64]; int t = threadIdx.x;\n"
ENDLESS = {
    "a word that nobody writes": "while (flag[0] == 0) {}",
    "the others at a barrier": "if (t < 32) while (flag[0] == 0) {} __syncthreads();",
    "a lock that is not released": "if (t % 32 == 0) while (atomicCAS((int *)flag, 0, 1) != 0) {}",
    "a sum of nothing": "while (atomicAdd((float *)flag, 0.0f) == 0.0f) {}",
    "circles of other lengths": "while (flag[0] == 0) { if (t & 1) { if (flag[1] == 3) out[2] = 1; } else if (t & 4) "
    "for (int k = 0; k < 5; k++) out[t] = flag[k]; }".replace("out[t] =", "own[0] + "),
}
ENDING = {
    "another warp at last": "own[t] = 0; __syncthreads(); if (t == 32) { int sum = 0; for (int k = 0; k < 800; k++) "
    "sum += flag[k & 3]; own[0] = sum + 1; } if (t < 32) while (own[0] == 0) {}",
    "a count": "for (int k = 0; k < 800; k++) if (flag[0]) break;",
    "the time": "long long start = clock64(); while (clock64() - start < 6000) if (flag[0]) break;",
}


def compiled(body: str, device: str, compiler: str) -> tuple[Program, tuple[Binding, Binding]]:
    program = wv.compile(f"{HEAD}{body}\nout[t + blockDim.x * blockIdx.x] = 1; }}", compiler=compiler, device=device)
    program = replace(program, polls_grid=True) if "flag[0] == 0" in body else program
    arguments = [np.zeros(4, np.int32), np.zeros(128, np.int32)]
    first, second = (bind(program, (2, 1, 1), (64, 1, 1), arguments, 0) for _ in range(2))
    return program, (first, second)


def profiled(body: str, device: str, compiler: str) -> tuple[Outcome, Outcome]:
    program, pair = compiled(body, device, compiler)
    reference, jitted = (
        execute(program, load_device(device), binding.launch, binding.memory, Options(races=False))
        for execute, binding in zip((run_reference, run_profile), pair, strict=True)
    )
    np.testing.assert_array_equal(reference.counts, jitted.counts)
    assert findings(reference) == findings(jitted)
    return reference, jitted


@pytest.mark.parametrize(
    ("device", "compiler"),
    [
        ("gtx1080", "warpview"),
        ("h200", "warpview"),
        pytest.param("h200", "nvrtc", marks=[needs_nvrtc, pytest.mark.exhaustive]),
    ],
)
@pytest.mark.parametrize("body", ENDLESS)
def test_a_launch_that_never_ends(body: str, device: str, compiler: str) -> None:
    _, jitted = profiled(ENDLESS[body], device, compiler)
    (finding,) = (each for each in jitted.findings if each.kind in (FindingKind.ENDLESS, FindingKind.DEADLOCK))
    assert jitted.aborted
    assert finding.kind == FindingKind.DEADLOCK or finding.value == 1
    assert jitted.counts[:, 0].sum() < 4 * 1.1 * LONGEST_RUN  # four warps


@pytest.mark.parametrize("device", ["gtx1080", "h200"])
@pytest.mark.parametrize("body", ENDING)
def test_one_that_ends_is_left_alone(body: str, device: str) -> None:
    _, jitted = profiled(ENDING[body], device, "warpview")
    assert not jitted.aborted
    assert {finding.kind for finding in jitted.findings} <= {FindingKind.RACE, FindingKind.SAME_VALUE_RACE}


@pytest.mark.parametrize("device", ["gtx1080", "h200"])
def test_cycle_by_cycle(device: str) -> None:
    program, pair = compiled(ENDLESS["the others at a barrier"], device, "warpview")
    a, b = both(program, load_device(device), pair, Options(races=False), SmOptions())
    assert_same_run(program, a, b)
    assert {finding.kind for finding in b.outcome.findings} == {FindingKind.ENDLESS}
