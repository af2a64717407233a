"""Change the package a little and see whether its tests notice: ``python -m tests.mutation [GROUP...] [options]``.

Every mutant runs in a child of one process that has the libraries loaded already; its module is replaced as it is
imported, so that no file changes. What survives is printed, then a table. On Linux and macOS only (it forks).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.abc
import importlib.machinery
import os
import random
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tests.mutation.mutants import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = "tests/agreement/test_cpp_snippets_agree.py::test_a_snippet_computes_what_machine_code_does"
PIECES = (ROOT / "tests/agreement/cpp_snippets/contractions.txt").read_text(encoding="utf-8").count("\n----\n") + 1
CONTRACTIONS = [f"{SNIPPETS}[contractions-{number}]" for number in range(PIECES)]
OF_LANGUAGE = ("tests/agreement/test_cpp_snippets_agree.py", "tests/unit/frontend")  # minutes: for a --sample
# Group -> its modules, the tests that are to notice.
GROUPS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "sim/rules": (
        ("warpview/sim/rules/*.py",),
        ("tests/unit/sim/rules", "tests/truth/test_rules_on_patterns.py", "tests/truth/test_rules_on_probes.py",
         "tests/sass/test_textures.py", "tests/sass/test_mipmaps.py", "tests/sass/test_bulk_copies.py"),
    ),
    "sim/checks": (
        ("warpview/sim/checks/*.py",),
        ("tests/unit/sim/checks", "tests/unit/sim/test_findings.py", "tests/checks/test_planted.py",
         "tests/unit/sim/test_cluster_races.py", "tests/unit/sim/test_integer_and_undefined.py",
         "tests/unit/run/test_replay.py", "tests/agreement/test_source_checks_agree.py"),
    ),
    "profile": (("warpview/profile/*.py",), ("tests/unit/profile",)),
    "devices": (
        ("warpview/devices/*.py",),
        ("tests/unit/devices", "tests/truth/test_occupancy_table.py", "tests/truth/test_shared_choice.py"),
    ),
    "frontend/passes": (
        ("warpview/frontend/passes/*.py",),
        ("tests/unit/frontend/passes", "tests/unit/frontend/test_recursion.py", *CONTRACTIONS),
    ),
    "frontend/semantic": (("warpview/frontend/semantic/*.py",), OF_LANGUAGE),
    "frontend/lower": (("warpview/frontend/lower/*.py",), OF_LANGUAGE),
}  # fmt: skip
SLACK_SECONDS = 5  # of processor time beyond three times that of the tests: a mutant that takes longer is noticed


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import one module from another source."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self._name, self._path, self._source = name, path, source

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find the module that is replaced, and no other."""
        if name != self._name:
            return None
        spec = importlib.machinery.ModuleSpec(
            name, self, origin=str(self._path), is_package=self._path.stem == "__init__"
        )
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(str(self._path.parent))
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source in the module."""
        module.__file__ = str(self._path)
        exec(compile(self._source, str(self._path), "exec"), module.__dict__)


def load_libraries(tests: Sequence[str]) -> None:
    """Load whatever the tests import, so that the children only load the package and the tests themselves."""
    import pytest

    with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-n0", *tests])
    for name, module in list(sys.modules.items()):
        if is_of_project(module):
            del sys.modules[name]


def is_of_project(module: ModuleType) -> bool:
    """Return whether a module is the package's or the tests', under whatever name a test has imported it; one that was
    kept would hold the unchanged package."""
    if module.__name__.split(".")[0] in ("warpview", "tests", "support"):
        return True  # also a folder without a file of its own
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(ROOT / "tests") and module.__name__ != "__main__"


def seconds_of(path: Path, tests: Sequence[str]) -> int:
    """Return the processor time that the tests take with an unchanged module; exit where they fail."""
    source = path.read_text(encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if is_noticed(path, Mutant(0, "", "", source), tests, 10 * 60):
        sys.exit(f"the tests fail without a change: {' '.join(tests)}")
    return int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) + 1


def is_noticed(path: Path, mutant: Mutant, tests: Sequence[str], seconds: int) -> bool:
    """Run the tests on a mutant in a child process; True where one fails or they take more than ``seconds``."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        with open(os.devnull, "w") as null:
            os.dup2(null.fileno(), 1)
            os.dup2(null.fileno(), 2)
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sys.meta_path.insert(0, Replaced(name, path, mutant.source))
        import pytest

        code = 1
        with contextlib.suppress(BaseException):
            code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-n0", *tests]))
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def main() -> None:
    """Run the mutants of the groups and print which survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("groups", nargs="*", default=list(GROUPS), help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--sample", type=int, default=0, help="at most so many mutants of a group, chosen by chance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only modules whose path contains this")
    given = parser.parse_args()
    os.chdir(ROOT)
    table = []
    for group in given.groups:
        patterns, tests = GROUPS[group]
        load_libraries(tests)
        paths = [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if given.only in str(path)]
        every = [(path, mutant) for path in paths for mutant in mutants_of(path.read_text(encoding="utf-8"))]
        chosen = random.Random(given.seed).sample(every, min(given.sample or len(every), len(every)))
        survivors, start = 0, time.monotonic()
        limit = 3 * seconds_of(paths[0], tests) + SLACK_SECONDS
        for path, mutant in sorted(chosen, key=lambda pair: (str(pair[0]), pair[1].line)):
            if not is_noticed(path, mutant, tests, limit):
                survivors += 1
                print(f"{path.relative_to(ROOT)}:{mutant.line}: {mutant.before}  ->  {mutant.after}", flush=True)
        table.append((group, len(every), len(chosen), survivors, time.monotonic() - start))
    print("\n| folder | mutants | run | survive | share | time |\n|---|---|---|---|---|---|")
    for group, every_count, run, survivors, seconds in table:
        print(f"| {group} | {every_count} | {run} | {survivors} | {survivors / max(1, run):.1%} | {seconds:.0f} s |")


if __name__ == "__main__":
    main()
