"""Random CUDA kernels: the passes keep what they compute, and the engines agree on every register and counter."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest
from agreement.random_kernels import RandomKernel, kernels, write_kernel
from hypothesis import given, settings
from support.agreement import assert_same

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source, compiler
from warpview.frontend.emit import finish
from warpview.isa.program import Program
from warpview.sim.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options, Outcome
from warpview.sim.reference import run_reference


def compiled(kernel: RandomKernel, predicate: bool = False) -> Program:
    return compile_source(SourceText("random.cu", kernel.text), predicate=predicate)


def run(kernel: RandomKernel, program: Program, device: str, engine=run_reference) -> Outcome:
    binding = bind(program, (kernel.grid, 1, 1), (kernel.block, 1, 1), kernel.arguments(), 0)
    outcome = engine(program, load_device(device), binding.launch, binding.memory, Options(step_budget=20_000))
    assert not outcome.aborted
    return outcome


def results(kernel: RandomKernel, program: Program, device: str) -> list[np.ndarray]:
    binding = bind(program, (kernel.grid, 1, 1), (kernel.block, 1, 1), kernel.arguments(), 0)
    outcome = run_reference(program, load_device(device), binding.launch, binding.memory, Options(check=False))
    return [binding.buffers[name].read(outcome.memory) for name in ("out_l", "out_d", "counters")]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("device", ["c2050", "h200"])
def test_passes_keep_what_a_kernel_computes(monkeypatch: pytest.MonkeyPatch, seed: int, device: str) -> None:
    kernel = write_kernel(Random(seed), ordered=False)
    simple, predicated = compiled(kernel), compiled(kernel, predicate=True)
    monkeypatch.setattr(compiler, "finish", partial(finish, simplify=False))
    expected = results(kernel, compiled(kernel), device)
    for program in (simple, predicated):
        for wanted, found in zip(expected, results(kernel, program, device), strict=True):
            np.testing.assert_array_equal(wanted, found)


@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
@given(kernel=kernels())
@settings(max_examples=6, deadline=None, derandomize=True)
def test_engines_agree(device: str, kernel: RandomKernel) -> None:
    program = compiled(kernel)
    assert_same(program, run(kernel, program, device), run(kernel, program, device, run_profile))
