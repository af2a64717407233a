"""Check the rules of the house for the whole package: formatting, types, layers and docstrings."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.sources import package_trees, trees_below

ROOT = Path(__file__).resolve().parents[1]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "--no-cache", "."),
        ("ruff", "format", "--no-cache", "--check", "."),
        # As long as all other rules of the house together; .ci/run checks the types, too, with each Python.
        # Its cache takes a fifth of the time to write.
        pytest.param(("mypy", "--no-error-summary", "--no-incremental"), marks=pytest.mark.exhaustive),
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
    """Files of 400 lines at most; what grows beyond is two things."""
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "warpview").rglob("*.py")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 400
    }
    assert not long


def test_a_name_is_one_class() -> None:
    """No two public classes share a name: a reader finds what is meant without its import."""
    places = defaultdict(list)
    for path in (ROOT / "warpview").rglob("*.py"):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].append(str(path.relative_to(ROOT)))
    assert not {name: files for name, files in places.items() if len(files) > 1}


@cache
def _docstrings(folder: str) -> list[tuple[str, bool, str]]:
    """Return of each docstring below a folder its file, whether it is a function's, and its words on one line."""
    return [
        (str(path.relative_to(ROOT)), isinstance(node, ast.FunctionDef), " ".join(text.split()))
        for path, tree in (package_trees() if folder == "warpview" else trees_below(ROOT / folder)).items()
        for node in _documented(tree)
        if (text := ast.get_docstring(node, clean=False))
    ]


def _documented(node: ast.AST) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """Yield the modules, classes and functions among the statements, without a look into expressions."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        yield node
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(node, field, ()):
            if isinstance(statement, ast.stmt | ast.excepthandler | ast.match_case):
                yield from _documented(statement)


def test_docstrings_do_not_begin_with_a_question_word() -> None:
    """Question words and pronouns name nothing at the beginning of a docstring."""
    vague = re.compile(
        r"(What|Which|Where|Wherever|When|How|Who|Whose|Whether|Why|That|Those|These|They|Them|It|Its|Of)\b"
    )
    assert [(file, text[:90]) for file, _, text in _docstrings("warpview") if vague.match(text)] == []


# The verbs with which docstrings that begin with a noun say something. A plural noun of the same spelling gets past the
# rule below: where one is both ("launches", "stores"), the sentence is written with another verb.
VERBS = """
is are was were has have had can could may must will would does do did cannot add adds agree agrees begins belongs
branch check completes compute computes count counts declares describes draws ends finds fills follow gives go goes grow
holds keeps leaves locates makes mean measures meet move names open opens print prints pass raises record refuses
replace say says sees serve serves set share show shows starts take takes tell tells wait waits work works
"""

# Words with which no imperative and no sentence begins.
FRAGMENTS = r"(?:Like|Unlike|Said|Shown|Told|Given|Encoding)\b"


def test_docstrings_do_not_begin_with_a_fragment() -> None:
    texts = (text for folder in ("warpview", "tests") for _, _, text in _docstrings(folder))
    assert [text[:90] for text in texts if re.match(FRAGMENTS, text)] == []


def test_docstrings_that_begin_with_a_noun_have_a_verb() -> None:
    """A docstring that begins with an article, a name or a plural is a sentence: a verb of the list follows before the
    first full stop, colon or semicolon. One that begins otherwise is taken to be an imperative. The tests may describe
    functions by a noun, and a file by a plural."""
    articles = r"(?:An?|The|One|Two|All|Both|Each|Every\w*|Some\w*|Half|This)\b|``"
    begins_with_noun = re.compile(rf"{articles}|(?:[A-Z]\w*(?:[^s]s|[^rl]ing|ed|cy)|CC)\b")
    patterns = {"warpview": begins_with_noun, "tests": re.compile(articles)}
    verbs, found = set(VERBS.split()), []
    for folder, pattern in patterns.items():
        for file, of_function, text in _docstrings(folder):
            clause = re.split(r"[:;.](?:\s|$)", text)[0]
            is_checked = folder == "warpview" or not of_function
            if is_checked and pattern.match(text) and verbs.isdisjoint(re.findall(r"\w+", clause)):
                found.append((file, text[:90]))
    assert found == []


def test_verbs_of_docstrings_have_a_subject() -> None:
    """No docstring begins with a verb in the third person: "Hold the lanes", not "Holds the lanes"."""
    adverb = "This|Thus|Always|Besides|Across|Unless|Perhaps|Sometimes"
    object_ = "the|an?|one|each|every|all|what|how|which|whether|where|why"
    no_subject = re.compile(rf"(?!{adverb})[A-Z][a-z]*[a-rtv-z]s (?:{object_})\b")
    texts = (text for folder in ("warpview", "tests") for _, _, text in _docstrings(folder))
    assert [text[:90] for text in texts if no_subject.match(text)] == []


TUPLES = {"_replace", "_asdict", "_fields"}  # public parts of a named tuple
# Programs that a person starts: they draw all pictures in one font, and measure what happens before a window is there.
INSIDE = {"gallery.py", "measure_start.py"}


def _is_private(name: object) -> bool:
    return isinstance(name, str) and name.startswith("_") and not name.startswith("__") and name not in TUPLES


def _private_uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines in which a file reads, imports or replaces a private name of another module or object."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=value, attr=name) if _is_private(name):
                if not (isinstance(value, ast.Name) and value.id in ("self", "cls", "np", "threading")):
                    yield node.lineno, name
            case ast.ImportFrom(names=names):
                yield from ((node.lineno, alias.name) for alias in names if _is_private(alias.name))
            case ast.Call(func=ast.Attribute(attr="setattr" | "delattr") | ast.Name(id="setattr"), args=arguments):
                texts = (a.value for a in arguments[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str))
                yield from ((node.lineno, text) for text in texts if any(map(_is_private, text.split("."))))


def test_tests_of_the_window_use_public_names() -> None:
    trees = trees_below(ROOT / "tests" / "ui").items()
    uses = [
        f"{path.name}:{line}: {name}" for path, tree in trees if path.name not in INSIDE
        for line, name in _private_uses(tree)
    ]  # fmt: skip
    assert uses == []


@pytest.mark.parametrize(
    "text",
    [
        "from warpview.ui.drawing.theme import _SIZES, SCALES",
        "monkeypatch.setattr(counter_series, '_taken', {})",
        "monkeypatch.setattr('warpview.ui.export.report.Report._occupancy', None)",
        "window.player._timer.start()",
    ],
)
def test_private_names_are_found_however_they_are_used(text: str) -> None:
    assert len(list(_private_uses(ast.parse(text)))) == 1


POLLS = {"stand.py", "leaks.py", "test_build.py"}  # they look again and again whether a condition holds
TIMED = {"test_frame_times.py"}  # that nothing is painted for ten frames can only be waited for


def test_no_test_sleeps() -> None:
    """A test waits for what it needs (``come_to_rest``, ``waitUntil``, ``waitSignal``), not for a number of
    milliseconds that is too short on a busy machine and too long on another."""
    sleeps = re.compile(r"^\s*(?:time\.sleep|(?:\w+\.)*qtbot\.wait|QTest\.qWait)\(")
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tests" / "ui").glob("*.py")]
    found = {
        f"{path.name}:{number}"
        for path in files
        if path.name not in POLLS | TIMED
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if sleeps.match(line)
    }
    assert found == set()
