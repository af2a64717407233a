"""The jitted engine finds what the reference finds of bounds of variables and of integer operations."""

from __future__ import annotations

import pytest
from support.agreement import assert_same
from support.planted import Planted, planted

import warpview as wv
from warpview.devices import load_device
from warpview.sim.arguments.binding import bind
from warpview.sim.engine import run_profile
from warpview.sim.launch import FindingKind, Options
from warpview.sim.reference import run_reference

KINDS = {"out of bounds", "integer overflow", "shift out of range", "division by zero", "barrier count"}
CASES = [case for case in planted() if case.kinds <= KINDS]


def test_every_kind_is_among_them() -> None:
    assert len(CASES) >= 40
    assert {kind for case in CASES for kind in case.kinds} == KINDS


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("bug", [True, False], ids=["bug", "twin"])
def test_engines_agree(case: Planted, bug: bool) -> None:
    program = wv.compile(case.path, defines={**case.defines, **({"BUG": 1} if bug else {})})
    options = Options(source_checks=True, races=False, step_budget=100_000)
    outcomes = []
    for engine in (run_reference, run_profile):
        grid, block = int(str(case.facts.get("grid", 1))), int(str(case.facts["block"]))
        shared = int(str(case.facts.get("shared_bytes", 0)))
        binding = bind(program, (grid, 1, 1), (block, 1, 1), case.arguments(), shared)
        device = load_device(str(case.facts.get("device", "h200")))
        outcomes.append(engine(program, device, binding.launch, binding.memory, options))
    assert_same(program, *outcomes)
    if bug:
        words = {finding.kind.words for finding in outcomes[0].findings}
        assert words & case.kinds, [FindingKind(finding.kind).name for finding in outcomes[0].findings]
