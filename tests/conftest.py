"""What holds for all tests."""

from __future__ import annotations

import os

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Half as many again as there are cores: tests of the window wait for a third of their time."""
    return max(2, 3 * (os.cpu_count() or 1) // 2)
