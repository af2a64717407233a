"""Choose the tests that ``--full`` runs of those that take long, and write them to ``representatives.txt``.

``python tests/record_representatives.py [FOLDER]`` runs ``--full`` with every set of every test, on Python 3.12 or
later, and notes the processor time of each and the lines of the package that it runs; that takes half an hour of
processor time. What FOLDER has notes of is not run again. A test that has got or lost parameter sets since runs all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.tiers import by_test, is_fast

TESTS = Path(__file__).parent
PACKAGE = f"{TESTS.parent / 'warpview'}{os.sep}"
FOLDER = "WARPVIEW_RECORDED_LINES"  # the variable that names the folder for what the worker processes note
COSTLY, CHEAP = 0.03, 0.01  # seconds: of a test with all its sets, and of a set
LEAST_LINES = 20.0  # for each second, that nothing else runs which stays
TRIED = 5  # lines that a name of CUDA or a word of C++ counts as which nothing else tries
# Each action and option; each tool; what is seen in processes that are started, or holds for all that there is; what a
# user could lose; defects that came with an issue.
FEATURES = (
    "ui/test_actions.py", "unit/cli/test_every_option.py", "test_house.py", "test_said_once.py", "test_docs.py",
    "packaging", "ui/test_crash.py", "ui/test_start.py", "unit/sim/jit/test_build.py", "unit/sim/jit/test_compile.py",
    "unit/cli/test_output_fails.py", "host/test_program_cache.py", "ui/test_leaks.py",
    "sass/test_reference.py::test_every_opcode_has_a_probe", "ui/test_promises.py::test_a_report_opens_in_a_browser",
    "ui/test_promises.py::test_a_crash_loses_neither_the_place_nor_the_edit",
    "ui/test_promises.py::test_a_session_that_cannot_be_read_is_left_out",
    "ui/test_programs.py::test_a_program_that_prints_without_end_can_be_stopped",
    "ui/test_own_files.py::test_a_file_that_cannot_be_written_says_so_and_keeps_the_edit",
    "ui/test_own_files.py::test_mine_is_kept_when_another_program_has_changed_it",
    "ui/test_editing.py::test_edits_outlive_the_kernel_and_the_window",
    "ui/test_back_forward.py::test_what_was_typed_last_is_not_lost_on_the_way",
    "ui/test_machine_code_files.py", "ui/test_session_file.py::test_the_window_comes_back",
    "host/test_limits.py::test_an_endless_program_can_be_cancelled",
    "unit/frontend/test_register_arrays.py::TestInRegisters::test_the_time_to_compile_grows",
    "unit/ui/test_lessons_model.py::test_words_in_the_texts",
    "unit/ui/test_lessons_model.py::test_what_a_page_asks_is_answered_by_its_run_and_not_in_its_text",
)  # fmt: skip
# Of each test here, as of each fast one, at least the set stays that takes least; elsewhere of each file one.
SAMPLED = (
    "agreement", "truth", "sass/test_counted", "sass/test_grid_truth.py", "sass/test_hopper_probes.py",
    "sass/test_narrow_probes.py", "sass/test_random_truth.py", "sass/test_truth.py",
)  # fmt: skip
HEAD = (
    "# Which tests --full runs of those that take long; --exhaustive runs all. By record_representatives.py:\n"
    "# a test, of how many parameter sets, and the numbers of those that stay; without one, the test leaves.\n"
)
TRIES = "tries"  # the property by which a test says what it tries beside lines of the package
Line = tuple[str, int | str]  # a file of the package and a line, or TRIES and what a test tries


@dataclass(frozen=True)
class Recorded:
    """Describe one parameter set: its test, its number among so many, its seconds and the lines that it runs."""

    test: str
    number: int
    count: int
    seconds: float
    lines: frozenset[Line]


def choose(recorded: Sequence[Recorded]) -> dict[str, tuple[int, list[int]]]:
    """Return the sets that stay of each test of which not all do: how many there are, and their numbers."""
    by_test = defaultdict[str, list[Recorded]](list)
    for one in recorded:
        by_test[one.test].append(one)
    samples = _samples(recorded)
    kept, candidates = [], []
    for test, sets in by_test.items():
        whole = test.startswith(FEATURES) or sum(one.seconds for one in sets) < COSTLY
        for one in sets:
            (kept if whole or one.seconds < CHEAP or one in samples else candidates).append(one)
    kept += _cover(candidates, frozenset().union(*(one.lines for one in kept)))
    numbers = defaultdict[str, list[int]](list)
    for one in kept:
        numbers[one.test].append(one.number)
    counts = {test: sets[0].count for test, sets in by_test.items()}
    return {t: (count, sorted(numbers[t])) for t, count in sorted(counts.items()) if len(numbers[t]) < count}


def _samples(recorded: Iterable[Recorded]) -> set[Recorded]:
    """Return the set that takes least of each test of which one always stays, and of each file."""
    least: dict[str, Recorded] = {}
    for one in sorted(recorded, key=lambda one: one.seconds):
        sampled = is_fast(one.test) or one.test.startswith(SAMPLED)
        least.setdefault(one.test if sampled else one.test.partition("::")[0], one)
    return set(least.values())


def _cover(candidates: Iterable[Recorded], run: frozenset[Line]) -> list[Recorded]:
    """Return candidates that run lines which are not ``run`` without them: one after another those with most new lines
    for their time, as long as these are enough, and in the end without those that later ones make superfluous."""
    new = [(one, set(one.lines - run)) for one in candidates]
    chosen = []
    while new := [(one, lines) for one, lines in new if _gains(one, lines)]:
        best, gained = max(new, key=lambda pair: len(pair[1]) / pair[0].seconds)
        chosen.append(best)
        gained = set(gained)
        for _, lines in new:
            lines -= gained
    times = Counter(line for one in chosen for line in one.lines - run)
    for one in sorted(chosen, key=lambda one: one.seconds, reverse=True):
        if all(times[line] > 1 for line in one.lines - run):
            chosen.remove(one)
            times.subtract(one.lines - run)
    return chosen


def _gains(one: Recorded, lines: set[Line]) -> bool:
    """Whether what only this set runs and tries is enough for its time."""
    worth = sum(TRIED if name == TRIES else 1 for name, _ in lines)
    return 0 < worth >= LEAST_LINES * one.seconds


def read(folder: Path) -> list[Recorded]:
    """Return what the worker processes have noted."""
    texts = (path.read_text(encoding="utf-8") for path in folder.glob("*.jsonl"))
    notes = (json.loads(line) for text in texts for line in text.splitlines())
    return [
        Recorded(*note[:4], frozenset((name, line) for name, lines in note[4].items() for line in lines))
        for note in notes
    ]


def write(chosen: dict[str, tuple[int, list[int]]]) -> None:
    lines = (f"{test} {count} {' '.join(map(str, numbers))}\n" for test, (count, numbers) in chosen.items())
    (TESTS / "representatives.txt").write_text(HEAD + "".join(lines), encoding="utf-8")


class Recorder:
    """Note of each test in this process its processor time and the lines of the package that it runs."""

    def __init__(self, folder: Path) -> None:
        self._known = {(one.test, one.number, one.count) for one in read(folder)}
        self._notes = (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8")
        self._places: dict[str, tuple[str, int, int]] = {}
        self._run: set[Line] = set()
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "representatives")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, self._line)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    def _line(self, code: Any, line: int) -> object:
        """Note a line once a test."""
        if code.co_filename.startswith(PACKAGE):
            self._run.add((code.co_filename.removeprefix(PACKAGE), line))
        return sys.monitoring.DISABLE

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for test, every in by_test(items).items():
            for number, item in enumerate(every):
                self._places[item.nodeid] = test.removeprefix("tests/"), number, len(every)
        items[:] = [item for item in items if self._places[item.nodeid] not in self._known]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._run.clear()
        sys.monitoring.restart_events()
        before = _seconds()
        result = yield
        seconds, lines = _seconds() - before, defaultdict(list)
        for name, line in self._run:
            lines[name].append(line)
        lines[TRIES] = [value for name, value in item.user_properties if name == TRIES]
        self._notes.write(json.dumps([*self._places[item.nodeid], seconds, lines]) + "\n")
        return result

    def pytest_sessionfinish(self) -> None:
        self._notes.close()


def _seconds() -> float:
    """Return the processor time of this process and of those that it started and that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def pytest_configure(config: pytest.Config) -> None:
    """Record in each process that runs tests: this file is a plugin of theirs."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(os.environ[FOLDER])))


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "pytest", "-q", "-n2", "--full", "--every-set", "-p", Path(__file__).stem]
    code = subprocess.call(command, cwd=TESTS.parent, env=os.environ | {FOLDER: str(folder), "PYTHONPATH": path})
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        write(choose(read(folder)))
    return code


if __name__ == "__main__":
    if sys.argv[1:]:
        raise SystemExit(main(Path(sys.argv[1]).absolute()))
    with tempfile.TemporaryDirectory() as temporary:
        raise SystemExit(main(Path(temporary)))
