"""The tests of ``--full`` are chosen by the lines that only they run, and what chooses tests names some that exist."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from dataclasses import replace
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
    module.COSTLY, module.CHEAP, module.LEAST_LINES = 0.05, 0.02, 10.0  # what these tests reckon with
    return module


def sets_of(recorder: ModuleType, test: str, *sets: tuple[float, str]) -> list[object]:
    """Describe the sets of a test by their seconds and the lines of one file that each runs, a letter each."""
    lines = [frozenset(("file.py", ord(letter)) for letter in letters) for _, letters in sets]
    return [recorder.Recorded(test, n, len(sets), sets[n][0], lines[n]) for n in range(len(sets))]


def test_tests_stay_that_run_what_nothing_else_runs(recorder: ModuleType) -> None:
    first = sets_of(recorder, "a.py::first", (0.01, "x"))  # of each file one stays
    table = sets_of(recorder, "a.py::table", (0.2, "abc"), (0.25, "abcdefgh"), (0.15, "ab"), (0.2, "ij"), (0.01, "x"))
    assert recorder.choose([*first, *table]) == {"a.py::table": (5, [1, 3, 4])}  # a cheap one, a to h, i and j
    single = sets_of(recorder, "a.py::single", (0.2, "cdefghij"))
    assert recorder.choose([*first, *table, *single]) == {"a.py::table": (5, [2, 4])}  # a and b in the least time
    beside = sets_of(recorder, "a.py::beside", (0.25, "ijx"))
    leave = {"a.py::table": (5, [1, 3, 4]), "a.py::beside": (1, [])}
    assert recorder.choose([*first, *table, *beside]) == leave


def test_a_test_leaves_that_later_ones_make_superfluous(recorder: ModuleType) -> None:
    several = ("x", (0.01, "")), ("a", (0.2, "abcd")), ("b", (0.25, "abxyz")), ("c", (0.25, "cduvw"))
    tests = [one for name, set_ in several for one in sets_of(recorder, f"a.py::{name}", set_)]
    assert recorder.choose(tests) == {"a.py::a": (1, [])}  # the first choice


def test_a_test_leaves_that_runs_too_little_of_its_own(recorder: ModuleType) -> None:
    first = sets_of(recorder, "a.py::first", (0.01, ""))
    assert recorder.choose([*first, *sets_of(recorder, "a.py::test", (0.45, "abcde"))]) == {}
    assert recorder.choose([*first, *sets_of(recorder, "a.py::test", (0.55, "abcde"))]) == {"a.py::test": (1, [])}
    tries = recorder.Recorded("a.py::test", 0, 1, 0.45, frozenset({(recorder.TRIES, "atomicAdd")}))
    assert recorder.choose([*first, tries]) == {}
    assert recorder.choose([*first, replace(tries, seconds=0.55)]) == {"a.py::test": (1, [])}


def test_a_file_keeps_a_test(recorder: ModuleType) -> None:
    both = *sets_of(recorder, "a.py::a", (0.4, "a")), *sets_of(recorder, "a.py::b", (0.3, "a"))
    assert recorder.choose(both) == {"a.py::a": (1, [])}


def test_fast_tests_and_tables_of_hardware_keep_a_set(recorder: ModuleType) -> None:
    every = sets_of(recorder, "beside.py::test", (0.01, "a"))
    for name in "unit/frontend/test_a.py::test", "truth/test_a.py::test", "agreement/test_a.py::test":
        assert recorder.choose([*sets_of(recorder, name, (0.3, "a"), (0.2, "a")), *every])[name] == (2, [1])
        assert name not in recorder.choose([*sets_of(recorder, name, (0.3, "a")), *every])


def test_tests_that_are_cheap_or_have_a_feature_in_each_set_keep_all(recorder: ModuleType) -> None:
    assert recorder.choose(sets_of(recorder, "a.py::test", (0.024, "a"), (0.024, "a"))) == {}
    assert recorder.choose(sets_of(recorder, "ui/test_actions.py::test", (1.0, "a"), (1.0, "a"))) == {}


def test_of_a_table_that_has_grown_its_end_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "listed", lambda: {"a.py::test": (3, frozenset({1}))})
    assert tiers.without_repetitions("a.py::test", "abc") == ["b"]
    assert tiers.without_repetitions("a.py::test", "abcde") == list("bde")
    assert tiers.without_repetitions("b.py::test", "abc") == list("abc")


def test_a_test_without_numbers_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "listed", lambda: {"a.py::test": (1, frozenset())})
    assert tiers.without_repetitions("a.py::test", "a") == []


def test_the_list_names_tests_that_exist() -> None:
    assert len(tiers.listed()) > 100
    for test, (count, numbers) in tiers.listed().items():
        path, *classes, name = test.split("::")
        text = (TESTS / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *def {name}\(", text, re.MULTILINE), test
        assert all(re.search(rf"^class {one}\b", text, re.MULTILINE) for one in classes), test
        assert len(numbers) < count
        assert max(numbers, default=0) < count


def test_what_never_leaves_is_not_listed(recorder: ModuleType) -> None:
    """Of what was measured on hardware, of both engines and of the fast tests a set stays; of features, all."""
    for test, (_, numbers) in tiers.listed().items():
        assert not test.startswith(recorder.FEATURES)
        assert numbers or not (tiers.is_fast(test) or test.startswith(recorder.SAMPLED)), test


@pytest.mark.parametrize("name", [*tiers.FAST, *tiers.SLOW])
def test_what_the_fast_tests_are_chosen_by_exists(name: str) -> None:
    path, _, test = name.partition("::")
    assert (TESTS / path).exists()
    assert not test or f"def {test}(" in (TESTS / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["in one process", "beside other tests"])
def test_benchmarks_are_collected_without_a_warning(options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/benchmarks/test_speed.py", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    done = subprocess.run(
        command, cwd=TESTS.parent, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
