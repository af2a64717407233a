"""Choose the tests: the fast ones by default, those of everything that warpview does with ``--full``, repetitions, too,
with ``--exhaustive``, and always those that the command line names.

The fast tests take a minute on two cores: ``FAST`` names their files and folders, ``SLOW`` what is left out of
them again (see ``support.tiers``). Repetitions try more of the same kind than what shows that it works. The marker
``exhaustive`` is on those that a person chose; of a table of parameter sets marked with ``sample(n)`` all are but one
of each n, drawn by lot with a fixed seed; and those that take long and run no line of the package which the tests that
stay do not run, too (``representatives.txt``).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import nvrtc_results
from support.tiers import FAST, TESTS, by_test, is_fast, without_repetitions

SELDOM = 10_000, 20, 20  # objects made, and younger collections, between two collections by the garbage collector

# Each worker, and each program that a test starts, would otherwise compile every module anew, and pytest's assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run all tests but repetitions, not only the fast ones")
    parser.addoption("--exhaustive", action="store_true", help="run all tests, repetitions of the same kind, too")
    parser.addoption("--every-set", action="store_true", help="run the sets that representatives stand for, too")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Share the tests out among the processes of ``-n`` as these run out of work, and measure nothing beside them.

    Without ``-n`` no way of sharing is set: pytest-benchmark would warn that it measures nothing, which is an error.
    """
    if getattr(config.option, "numprocesses", None):
        config.option.benchmark_disable = True
        if config.option.dist == "no":
            config.option.dist = "worksteal"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sample(n): run one in n parameter sets, every one with --exhaustive")
    config.addinivalue_line("markers", "exhaustive: run only with --exhaustive, as others show the same in part")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker process of pytest-xdist what the command line chose."""
    node.workerinput["fast_only"] = _fast_only(node.config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker collect from another file on: what one has compiled the others find."""
    report = yield
    workerinput = getattr(collector.config, "workerinput", None)
    if workerinput is not None and isinstance(collector, pytest.Directory) and report.passed:
        share = int(workerinput["workerid"].removeprefix("gw")) / workerinput["workercount"]
        first = int(share * len(report.result))
        report.result = [*report.result[first:], *report.result[:first]]
    return report


@pytest.fixture(scope="session", autouse=True)
def _shared_nvrtc_results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile each source by NVRTC once a session: an eighth of the time of all tests goes there."""
    own = tmp_path_factory.getbasetemp()
    with nvrtc_results.shared_in((own.parent if hasattr(request.config, "workerinput") else own) / "nvrtc"):
        yield


def _fast_only(config: pytest.Config) -> bool:
    """Whether nothing but the fast tests is wanted: no option for more, and no path on the command line."""
    if hasattr(config, "workerinput"):
        return bool(config.workerinput["fast_only"])
    more = config.getoption("--full") or config.getoption("--exhaustive")
    return not more and config.args_source is not pytest.Config.ArgsSource.ARGS


def _is_fast(path: Path) -> bool:
    """Whether a file or folder holds fast tests."""
    return any(path.is_relative_to(TESTS / name) or (TESTS / name).is_relative_to(path) for name in FAST)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if _fast_only(config) and not _is_fast(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)
    if _fast_only(config):
        _deselect(config, items, [item for item in items if not is_fast(item.nodeid.removeprefix("tests/"))])
    if not config.getoption("--exhaustive"):
        _deselect(config, items, _repetitions(config, items))


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Let the garbage collector rest: next to all that is made meanwhile stays, and a sixth of the time would go into
    looking through it."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Spare the garbage collector the modules and items, which stay to the end, and have it run less often.

    A full collection that comes with every few tests takes a twentieth of their time.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Leave what is still alive to the system, before pytest collects it: freeing it object by object takes each worker
    two seconds, and so does looking through it five times."""
    gc.freeze()


def _deselect(config: pytest.Config, items: list[pytest.Item], unwanted: list[pytest.Item]) -> None:
    left_out = set(unwanted)
    config.hook.pytest_deselected(items=unwanted)
    items[:] = [item for item in items if item not in left_out]


def _repetitions(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """Find the tests that only ``--exhaustive`` runs, unless the command line names them or their file."""
    arguments = [arg.removeprefix("./").removeprefix("tests/") for arg in config.args]
    tests = {arg.partition("[")[0] for arg in arguments if "::" in arg}
    files = {arg for arg in arguments if arg.endswith(".py")}
    found = []
    for nodeid, every in by_test(items).items():
        test = nodeid.removeprefix("tests/")
        if not any(test == one or test.startswith(f"{one}::") for one in tests):
            listed = not config.getoption("--every-set") and test.partition("::")[0] not in files
            kept = _kept(test, every, listed)
            found += [item for item in every if item not in kept]
    return found


def _kept(test: str, every: list[pytest.Item], listed: bool) -> set[pytest.Item]:
    """Return those of a test's parameter sets that ``--full`` runs: none of those marked ``exhaustive``, of a sample
    one of each n that follow one another, drawn by lot, and of these those that are ``listed`` to stay."""
    sets = [item for item in every if item.get_closest_marker("exhaustive") is None]
    mark = sets[0].get_closest_marker("sample") if sets else None
    if mark is not None:
        (of,), lot = mark.args, Random(f"tests/{test}")
        parts = [sets[first : first + of] for first in range(0, len(sets), of)]
        sets = [part[lot.randrange(len(part))] for part in parts]
    return set(without_repetitions(test, sets) if listed else sets)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """As many as there are cores for the fast tests, half as many again for all: those of the window wait for a third
    of their time, and each process takes six to nine seconds to collect its tests."""
    cores = os.cpu_count() or 1
    return max(2, cores if _fast_only(config) else 3 * cores // 2)
