"""Which tests run: the fast ones by default, every one with ``--full``, and always those that the command line names.

The fast tests take under a minute on two cores: ``FAST`` names their files and folders, and the marker ``slow`` takes
single tests out again.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
FAST = ("unit", "test_docs.py", "ui/test_start.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every test, not only the fast ones")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: runs with --full, or where the command line names its file")


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
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are cores: tests of the window wait for a third of their time."""
    return max(2, 3 * (os.cpu_count() or 1) // 2)
