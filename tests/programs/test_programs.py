"""Each test program, compiled and executed by the reference, gives what its launch file says."""

import pytest
from support.programs import cases, same

from warpview.sim.reference import run_reference


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", cases(), ids=str)
def test_program(case):
    binding, outcome = case.run(run_reference)
    buffers, findings = case.expected()
    assert sorted({f.kind.name for f in outcome.findings}) == findings
    for name, expected in buffers.items():
        found = binding.buffers[name].read(outcome.memory)
        assert same(found, expected), f"{name} is {found.tolist()}, not {expected.tolist()}"
