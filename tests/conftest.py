"""Choose the tests: the fast ones by default, every one with ``--full``, and always those that the command line names.

The fast tests take under a minute on two cores: ``FAST`` names their files and folders, ``SLOW`` what is left out of
them again.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
FAST = ("unit", "test_docs.py", "ui/test_keys.py", "host/test_thin_path.py")
SLOW = (
    "unit/frontend/test_limits.py",
    "unit/frontend/test_register_arrays.py",
    "unit/library/test_kernels.py::test_old_devices_agree_where_they_can_run_it",
    "unit/ui/test_instruction_words.py::test_every_instruction_of_the_library_has_one",
    "unit/ui/test_lessons_model.py::test_every_page_leads_somewhere",
    "unit/ui/test_lessons_model.py::test_words_in_the_texts",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every test, not only the fast ones")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker process of pytest-xdist what the command line chose."""
    node.workerinput["fast_only"] = _fast_only(node.config)


def _fast_only(config: pytest.Config) -> bool:
    """Whether nothing but the fast tests is wanted: no ``--full``, and no path on the command line."""
    if hasattr(config, "workerinput"):
        return bool(config.workerinput["fast_only"])
    return not config.getoption("--full") and config.args_source is not pytest.Config.ArgsSource.ARGS


def _is_fast(path: Path) -> bool:
    """Whether a file or folder holds fast tests."""
    return any(path.is_relative_to(TESTS / name) or (TESTS / name).is_relative_to(path) for name in FAST)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if _fast_only(config) and not _is_fast(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _fast_only(config):
        slow = [item for item in items if item.nodeid.removeprefix("tests/").startswith(SLOW)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are cores: tests of the window wait for a third of their time."""
    return max(2, 3 * (os.cpu_count() or 1) // 2)
