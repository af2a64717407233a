"""Parse the sources of the package once for all tests that look at them in one process: that takes seconds."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "warpview"


def trees_below(folder: Path) -> dict[Path, ast.Module]:
    """Return the syntax tree of each module in a folder and the folders in it."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}


@cache
def package_trees() -> dict[Path, ast.Module]:
    """Return those of the package, which must stay as they are."""
    return trees_below(PACKAGE)
