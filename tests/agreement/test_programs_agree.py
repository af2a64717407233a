"""The jitted profile engine does what the reference does, on every test program."""

import pytest
from support.agreement import assert_same
from support.programs import cases

from warpview.sim.engine import run_profile
from warpview.sim.reference import run_reference


@pytest.mark.sample(9)
@pytest.mark.parametrize("case", cases(), ids=str)
def test_engines_agree(case):
    _, reference = case.run(run_reference)
    _, other = case.run(run_profile)
    assert_same(case.compile(), reference, other)
