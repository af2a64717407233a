"""The rules of the house: formatting, types and layers hold for the whole package."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
        ("mypy", "--no-error-summary"),
    ],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_tool_is_content(command: tuple[str, ...]) -> None:
    result = _run(*command)
    assert result.returncode == 0, result.stdout + result.stderr


def test_layers_are_kept() -> None:
    code = "from importlinter.cli import lint_imports_command as lint; lint()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_files_stay_readable() -> None:
    """Files of about 400 lines at most; what grows beyond is two things."""
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "warpview").rglob("*.py")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 410
    }
    assert not long


def test_a_name_is_one_class() -> None:
    """No two public classes share a name: a reader finds what is meant without its import."""
    places = defaultdict(list)
    for path in (ROOT / "warpview").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert not {name: files for name, files in places.items() if len(files) > 1}


def test_docstrings_begin_with_a_sentence() -> None:
    """A docstring says what its object is or does; question words and pronouns name nothing."""
    vague = re.compile(
        r"(What|Which|Where|Wherever|When|How|Who|Whose|Whether|Why|That|Those|These|They|Them|It|Its|Of)\b"
    )
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    found = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path in (ROOT / "warpview").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented) and vague.match(text := ast.get_docstring(node) or "")
    ]
    assert not found
