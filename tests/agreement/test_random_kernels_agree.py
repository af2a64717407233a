"""Reference and jitted engine agree in everything on random CUDA C, compiled as written and predicated."""

from __future__ import annotations

import pytest
from agreement.random_kernels import RandomKernel, kernels
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support.agreement import assert_same

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference


# Shrinking would take minutes with a simulator in Python; the kernel's text is in the failure.
@pytest.mark.sample(3)
@pytest.mark.parametrize("device", ["8800gtx", "c2050", "h200"])
@given(kernel=kernels(), predicate=st.booleans())
@settings(max_examples=6, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
def test_engines_agree(device: str, kernel: RandomKernel, predicate: bool):
    program = compile_source(SourceText("random.cu", kernel.text), predicate=predicate)
    outcomes = []
    for engine in (run_reference, run_profile):
        binding = bind(program, (1, 1, 1), (kernel.block, 1, 1), kernel.arguments(), 0)
        outcomes.append(engine(program, load_device(device), binding.launch, binding.memory, Options()))
    assert_same(program, *outcomes)
