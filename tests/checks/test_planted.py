"""Every planted bug is found at its lines, and its clean twin has no finding."""

from __future__ import annotations

import pytest
from support.planted import Planted, planted

CASES = planted()


def test_there_are_enough() -> None:
    assert len(CASES) >= 220


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_bug_is_found(case: Planted) -> None:
    found = [finding for finding in case.run(bug=True).findings if finding.kind in case.kinds]
    assert found, case.kinds
    for finding in found:
        places = {finding.span.line} | ({finding.other.span.line} if finding.other else set())
        assert places & case.lines, finding.render()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_clean_twin_has_no_finding(case: Planted) -> None:
    assert not [finding.render() for finding in case.run(bug=False).findings]
