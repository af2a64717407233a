"""Check the rules of the house for the whole package: formatting, types, layers and docstrings."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
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


@cache
def _docstrings(folder: str) -> list[tuple[str, bool, str]]:
    """Return of each docstring below a folder its file, whether it is the module's, and its words on one line."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    return [
        (str(path.relative_to(ROOT)), isinstance(node, ast.Module), " ".join(text.split()))
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented) and (text := ast.get_docstring(node))
    ]


def test_docstrings_begin_with_a_sentence() -> None:
    """A docstring says what its object is or does; question words and pronouns name nothing."""
    vague = re.compile(
        r"(What|Which|Where|Wherever|When|How|Who|Whose|Whether|Why|That|Those|These|They|Them|It|Its|Of)\b"
    )
    assert [(file, text[:90]) for file, _, text in _docstrings("warpview") if vague.match(text)] == []


def test_docstrings_have_a_verb() -> None:
    """A module docstring is no bare noun phrase, and no docstring leaves out the subject of its verb."""
    # A sentence with an article has a word in s (the subject or its verb), a modal verb, or "and" in its subject.
    verb = r"(?:\w*s|and|are|were|have|had|can|could|may|must|will|would|need|do|did|cannot)"
    noun_phrase = re.compile(rf"(?:The|An?|One)\b(?:(?! {verb}\b)[^:;.])*[:;.]")
    adverb = "This|Thus|Always|Besides|Across|Unless|Perhaps|Sometimes"
    object_ = "the|an?|one|each|every|all|what|how|which|whether|where|why"
    no_subject = re.compile(rf"(?!{adverb})[A-Z][a-z]*[a-rtv-z]s (?:{object_})\b")
    found = [
        (file, text[:90])
        for file, of_module, text in (*_docstrings("warpview"), *_docstrings("tests"))
        if no_subject.match(text) or (of_module and noun_phrase.match(text))
    ]
    assert found == []


def test_tests_of_the_window_use_public_attributes() -> None:
    private = re.compile(r"(?<!\bself)(?<!\bcls)(?<!\bnp)(?<=[\w\])])\._(?!replace\b)[a-z]")
    uses = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted((ROOT / "tests" / "ui").rglob("test_*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if private.search(line) and "setattr(" not in line
    ]
    assert uses == []
