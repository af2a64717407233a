"""Random CUDA kernels compute the same as lowered, as simplified, and as compiled."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest
from agreement.random_kernels import RandomKernel, write_kernel

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source, compiler
from warpview.frontend.emit import finish
from warpview.isa.program import Program
from warpview.sim.arguments.binding import bind
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference


def compiled(kernel: RandomKernel, predicate: bool = False) -> Program:
    return compile_source(SourceText("random.cu", kernel.text), predicate=predicate)


def results(kernel: RandomKernel, program: Program, device: str) -> list[np.ndarray]:
    binding = bind(program, (kernel.grid, 1, 1), (kernel.block, 1, 1), kernel.arguments(), 0)
    outcome = run_reference(program, load_device(device), binding.launch, binding.memory, Options(check=False))
    assert not outcome.aborted
    return [binding.buffers[name].read(outcome.memory) for name in ("out_l", "out_d", "counters")]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("device", ["c2050", "h200"])
def test_passes_keep_what_a_kernel_computes(monkeypatch: pytest.MonkeyPatch, seed: int, device: str) -> None:
    kernel = write_kernel(Random(seed), ordered=False)
    simple, predicated = compiled(kernel), compiled(kernel, predicate=True)
    monkeypatch.setattr(compiler, "finish", partial(finish, simplify=False))
    expected = results(kernel, compiled(kernel), device)
    for program in (simple, predicated):
        for wanted, found in zip(expected, results(kernel, program, device), strict=True):
            np.testing.assert_array_equal(wanted, found)
