"""The fast tests are chosen by names that exist."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


def selection() -> tuple[str, ...]:
    """The files, folders and tests that ``tests/conftest.py`` names."""
    spec = importlib.util.spec_from_file_location("selection", TESTS / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return (*module.FAST, *module.SLOW)


@pytest.mark.parametrize("name", selection())
def test_what_is_named_exists(name: str) -> None:
    path, _, test = name.partition("::")
    assert (TESTS / path).exists()
    assert not test or f"def {test}(" in (TESTS / path).read_text(encoding="utf-8")
