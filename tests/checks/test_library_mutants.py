"""A mutant of a library kernel that changes a result on a GPU is found: as a fault or as a wrong result.

``library_mutants_h200.json`` was recorded by ``library_mutants.py gpu``, of all 321 mutants.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checks.library_mutants import by_warpview, mutants

RECORDED = json.loads(Path(__file__).with_name("library_mutants_h200.json").read_text(encoding="utf-8"))["mutants"]
WRONG = [mutant for mutant in mutants() if RECORDED.get(mutant.key, {}).get("wrong")]
# Their results differ at the large preset only.
AT_THE_LARGE_PRESET = {
    "reduction/max:8:index swapped:6", "stencil/seven_point_queue:28:index swapped:4",
    "stencil/seven_point_queue:27:index swapped:7",
}  # fmt: skip


def test_the_record_is_of_these_mutants() -> None:
    assert len(WRONG) == sum(bool(result.get("wrong")) for result in RECORDED.values()) > 160


@pytest.mark.parametrize("mutant", WRONG[::5], ids=lambda mutant: mutant.key)
def test_a_mutant_with_another_result_is_found(mutant: object) -> None:
    result = by_warpview(mutant)  # type: ignore[arg-type]
    assert result["found"] or result["wrong"] or mutant.key in AT_THE_LARGE_PRESET  # type: ignore[attr-defined]
