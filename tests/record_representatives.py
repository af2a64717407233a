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
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.tiers import by_test, is_fast

TESTS = Path(__file__).parent
PACKAGE = f"{TESTS.parent / 'warpview'}{os.sep}"
FOLDER = "WARPVIEW_RECORDED_LINES"  # the variable that names the folder for what the worker processes note
COSTLY, CHEAP = 0.3, 0.1  # seconds: of a test with all its sets, and of a set
# Each action and option, each program with what it alone uses, each mistake, each tool.
FEATURES = (
    "ui/test_actions.py", "unit/cli/test_every_option.py", "test_house.py",
)  # fmt: skip
SAMPLED = "agreement", "truth"  # of each test here, as of each fast one, at least the set stays that takes least
HEAD = (
    "# Which tests --full runs of those that take long; --exhaustive runs all. By record_representatives.py:\n"
    "# a test, of how many parameter sets, and the numbers of those that stay; without one, the test leaves.\n"
)
Line = tuple[str, int]  # a file of the package and a line


@dataclass(frozen=True)
class Recorded:
    """Describe one parameter set: its test, its number among so many, its seconds and the lines that it runs."""

    test: str
    number: int
    count: int
    seconds: float
    lines: frozenset[Line]


def choose(recorded: Iterable[Recorded]) -> dict[str, tuple[int, list[int]]]:
    """Return the sets that stay of each test of which not all do: how many there are, and their numbers."""
    by_test = defaultdict[str, list[Recorded]](list)
    for one in recorded:
        by_test[one.test].append(one)
    kept, candidates = [], []
    for test, sets in by_test.items():
        whole = test.startswith(FEATURES) or sum(one.seconds for one in sets) < COSTLY
        sampled = is_fast(test) or test.startswith(SAMPLED)
        least = min(sets, key=lambda one: one.seconds)
        for one in sets:
            stays = whole or one.seconds < CHEAP or (sampled and one is least)
            (kept if stays else candidates).append(one)
    kept += _cover(candidates, frozenset().union(*(one.lines for one in kept)))
    numbers = defaultdict[str, list[int]](list)
    for one in kept:
        numbers[one.test].append(one.number)
    counts = {test: sets[0].count for test, sets in by_test.items()}
    return {t: (count, sorted(numbers[t])) for t, count in sorted(counts.items()) if len(numbers[t]) < count}


def _cover(candidates: Iterable[Recorded], run: frozenset[Line]) -> list[Recorded]:
    """Return candidates that together run every line that any of them does and that is not ``run`` without them: one
    after another those with most new lines for their time, without those that later ones make superfluous."""
    new = [(one, set(one.lines - run)) for one in candidates]
    chosen = []
    while new := [(one, lines) for one, lines in new if lines]:
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


def read(folder: Path) -> list[Recorded]:
    """Return what the worker processes have noted."""
    notes = (json.loads(line) for path in folder.glob("*.jsonl") for line in path.open(encoding="utf-8"))
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
