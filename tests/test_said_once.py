"""Check that no function body, no table of constants and no message is written in two places of the package.

The jitted engines say again what the reference says, in the subset of Python that numba compiles, and are compared with
it by the tests of agreement; a pair of the two is therefore no duplicate.
"""

from __future__ import annotations

import ast
import dis
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from support.sources import PACKAGE, package_trees

Place = tuple[Path, int]  # a file and a line

BODY_INSTRUCTIONS = 16  # of its code, from which on a body says something; smaller ones may agree by chance
STRINGS, CONSTANTS = 4, 6  # of a table; of smaller ones the same may be meant twice

# Places that may say the same, by the last part of their files' names, and why.
ALIKE: dict[frozenset[str], str] = {}


@cache
def _nodes(tree: ast.AST) -> list[ast.AST]:
    """Return all nodes of a tree: three tests go through those of the package."""
    return list(ast.walk(tree))


def _trees() -> dict[Path, ast.Module]:
    return {path.relative_to(PACKAGE): tree for path, tree in package_trees().items()}


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Return the functions and methods that are defined in a module, a class or a function."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & inspect.CO_NEWLOCALS and not constant.co_name.startswith("<"):
                yield constant
            yield from _functions(constant)


def _meaning(code: CodeType) -> tuple[object, ...]:
    """Return what a function does: its code, which has numbers for local names, and the names and constants in it."""
    constants = tuple(_meaning(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts)
    return code.co_code, code.co_names, constants, code.co_freevars


def _length(code: CodeType) -> int:
    """Return the instructions of a function with those of the functions in it."""
    return sum(1 for _ in dis.get_instructions(code)) + sum(map(_length, _functions(code)))


@contextmanager
def _without_docstrings(tree: ast.Module) -> Iterator[None]:
    """Leave the docstrings of functions out of a tree that other tests go through, too."""
    functions = [node for node in _nodes(tree) if isinstance(node, ast.FunctionDef)]
    bodies = {node: node.body for node in functions if ast.get_docstring(node, clean=False) is not None}
    for node, body in bodies.items():
        node.body = body[1:] or [ast.copy_location(ast.Pass(), body[0])]
    yield
    for node, body in bodies.items():
        node.body = body


def bodies(trees: Mapping[Path, ast.Module]) -> dict[tuple[object, ...], list[Place]]:
    """Return the functions that say the same as others, by what they do, whatever their docstrings say."""
    alike = defaultdict(list)
    for path, tree in trees.items():
        with _without_docstrings(tree):
            module = compile(tree, str(path), "exec", dont_inherit=True)
        for code in _functions(module):
            alike[_meaning(code)].append((path, code))
    return {
        meaning: [(path, code.co_firstlineno) for path, code in several]
        for meaning, several in alike.items()
        if len(several) > 1 and _length(several[0][1]) >= BODY_INSTRUCTIONS
    }


def _table(tree: ast.AST) -> tuple[str, ...] | None:
    """Return the entries of a table of constants in an order of their own; None where this is none, or a small one."""
    if isinstance(tree, ast.Tuple | ast.List | ast.Set):
        parts = tree.elts
    elif isinstance(tree, ast.Dict):
        parts = [key for key in tree.keys if key] + tree.values
    else:
        return None
    if len(parts) < 2:
        return None
    try:
        entries = ast.literal_eval(tree)
    except ValueError:
        return None
    leaves = [leaf.value for leaf in ast.walk(tree) if isinstance(leaf, ast.Constant)]
    strings = len(set(leaves)) if all(isinstance(leaf, str) for leaf in leaves) else 0
    if strings < STRINGS and len(leaves) < CONSTANTS:
        return None
    return tuple(sorted(map(repr, entries.items() if isinstance(entries, dict) else entries)))


def tables(trees: Mapping[Path, ast.Module]) -> dict[tuple[str, ...], list[Place]]:
    """Return the tables of constants, by their entries in any order."""
    places = defaultdict(list)
    for path, tree in trees.items():
        for node in _nodes(tree):
            entries = _table(node)
            if entries is not None and isinstance(node, ast.expr):
                places[entries].append((path, node.lineno))
    return places


def _messages(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the messages that a module raises, with ``{}`` for each value in them, and their lines.

    A message is a text of at least four words that is an argument of ``fail``, ``refuse`` or of the name of an error.
    """
    raising = re.compile(r"fail\w*|refuse\w*|\w*(?:Error|Diagnostic|Unsupported)")
    for node in _nodes(tree):
        if isinstance(node, ast.Call) and raising.fullmatch(ast.unparse(node.func).split(".")[-1]):
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                text = _text(argument)
                if text.count(" ") >= 3:
                    yield text, argument.lineno


def _text(node: ast.expr) -> str:
    """Return the text of a literal; of another expression, ``{}``."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "{}"


def messages(trees: Mapping[Path, ast.Module]) -> dict[str, list[Place]]:
    """Return the places of the messages that several modules raise, by the message."""
    places = defaultdict(list)
    for path, tree in trees.items():
        for text, line in _messages(tree):
            places[text].append((path, line))
    return {text: several for text, several in places.items() if len({path for path, _ in several}) > 1}


def said_twice(places: Mapping[Any, list[Place]]) -> list[str]:
    """Return the places of what stands in several ones, where neither the jit nor an exception explains it."""
    twice = []
    for several in places.values():
        outside = [path for path, _ in several if "jit" not in path.parts]
        again = len(several) > 1 and (len(outside) != 1 or len(several) > 2)
        if again and frozenset(path.name for path, _ in several) not in ALIKE:
            twice.append(", ".join(f"{path.as_posix()}:{line}" for path, line in several))
    return twice


def test_no_function_is_written_twice() -> None:
    assert said_twice(bodies(_trees())) == []


def test_no_table_is_written_twice() -> None:
    assert said_twice(tables(_trees())) == []


def test_no_message_is_written_in_two_modules() -> None:
    assert {text: said_twice({text: places}) for text, places in messages(_trees()).items()} == {}


def test_messages_of_two_modules_are_found() -> None:
    first = ast.parse("fail(f'{name!r} is not a type', span, 'write int')\nfail('it is not a type', span)")
    second = ast.parse("raise CompileError([Diagnostic(f'{e.name} is not a type', span, hint='write int')])")
    assert list(messages({Path("first.py"): first, Path("second.py"): second})) == ["{} is not a type"]
    assert messages({Path("first.py"): first}) == {}


def test_copies_are_found() -> None:
    """A body under other names, and a table in another order, are found; other constants are another thing."""
    first = ast.parse(
        "PAIRS = {'a': 'b', 'c': 'd'}\n"
        "def index(place, extent):\n    '''Return it.'''\n"
        "    return (place[2] * extent[1] + place[1]) * extent[0] + place[0]\n"
    )
    second = ast.parse(
        "BY_NAME = {'c': 'd', 'a': 'b'}\n"
        "def linear(block: int, grid: int) -> int:\n"
        "    return (block[2] * grid[1] + block[1]) * grid[0] + block[0]\n"
    )
    third = ast.parse("def linear(a, b):\n    return (a[2] * b[0] + a[1]) * b[0] + a[0]\n")
    trees = {Path("first.py"): first, Path("second.py"): second, Path("third.py"): third}
    assert said_twice(bodies(trees)) == ["first.py:2, second.py:2"]
    assert said_twice(tables(trees)) == ["first.py:1, second.py:1"]
    jit = {Path("sim/jit/first.py"): first, Path("sim/reference/second.py"): second}
    assert said_twice(bodies(jit)) == []
