"""Representatives are chosen by the lines that only they run, and the list of them names tests that exist."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support import tiers

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def recorder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("recorder", TESTS / "record_representatives.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["recorder"] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def sets_of(recorder: ModuleType, test: str, *sets: tuple[float, str]) -> list[object]:
    """Describe the sets of a test by their seconds and the lines of one file that each runs, a letter each."""
    lines = [frozenset(("file.py", ord(letter)) for letter in letters) for _, letters in sets]
    return [recorder.Recorded(test, n, len(sets), sets[n][0], lines[n]) for n in range(len(sets))]


def test_sets_stay_that_run_what_nothing_else_runs(recorder: ModuleType) -> None:
    costly = sets_of(recorder, "a.py::test", (0.4, "abc"), (0.5, "abcdefgh"), (0.3, "ab"), (0.9, "abcde"), (0.01, "x"))
    assert recorder.choose(costly) == {"a.py::test": (5, [1, 4])}  # a cheap one, and one for c to h
    beside = sets_of(recorder, "b.py::test", (3.0, "cdefgh"))  # what is no table always runs
    assert recorder.choose([*costly, *beside]) == {"a.py::test": (5, [2, 4])}  # a and b in the least time


def test_tests_that_are_cheap_or_have_a_feature_in_each_set_keep_all(recorder: ModuleType) -> None:
    assert recorder.choose(sets_of(recorder, "a.py::test", (0.1, "a"), (0.1, "a"))) == {}
    assert recorder.choose(sets_of(recorder, "ui/test_actions.py::test", (1.0, "a"), (1.0, "a"))) == {}


def test_a_table_that_has_changed_runs_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "listed", lambda: {"a.py::test": (3, frozenset({1}))})
    assert tiers.without_repetitions("a.py::test", "abc") == ["b"]
    assert tiers.without_repetitions("a.py::test", "abcd") == list("abcd")
    assert tiers.without_repetitions("b.py::test", "abc") == list("abc")


def test_the_list_names_tests_that_exist() -> None:
    assert len(tiers.listed()) > 100
    for test, (count, numbers) in tiers.listed().items():
        path, *_, name = test.split("::")
        assert re.search(rf"def {name}\(", (TESTS / path).read_text(encoding="utf-8")), test
        assert 0 < len(numbers) < count
        assert max(numbers) < count
