"""Make small changes of a Python source, one at a time, that a test should notice."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}  # fmt: skip
FUNCTIONS = {"max": "min", "min": "max", "all": "any", "any": "all"}


@dataclass(frozen=True)
class Mutant:
    """Hold a changed module: the line, what was written there before and what after, and the whole new source."""

    line: int
    before: str
    after: str
    source: str


def mutants_of(source: str) -> list[Mutant]:
    """Return every mutant of a module's source, in the order of its lines."""
    tree = ast.parse(source)
    found = []
    for path, node in _places(tree):
        for changed in _changes(node):
            whole = copy.deepcopy(tree)
            _put(whole, path, changed)
            text = ast.unparse(ast.fix_missing_locations(whole))
            found.append(Mutant(getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(changed), text))
    return sorted(found, key=lambda mutant: mutant.line)


Path = tuple[tuple[str, int | None], ...]


def _places(node: ast.AST, path: Path = ()) -> Iterator[tuple[Path, ast.expr | ast.stmt]]:
    """Every expression and statement that runs, with its path from the root: no annotations, docstrings, messages."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: an assertion
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_idle(child):
                continue
            here = (*path, (name, index))
            if isinstance(child, (ast.expr, ast.stmt)):
                yield here, child
            yield from _places(child, here)


def _is_idle(node: ast.AST) -> bool:
    """Whether a part holds nothing that a test could notice: texts, imports, what only type checkers read."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Raise, ast.Assert))


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        yield ast.Compare(node.left, [COMPARISONS[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            if type(operator) in COMPARISONS:
                operators = [*node.ops[:index], COMPARISONS[type(operator)](), *node.ops[index + 1 :]]
                yield ast.Compare(node.left, operators, node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _joins_texts(node):
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[node.func.id]), node.args, node.keywords)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()


def _joins_texts(node: ast.BinOp) -> bool:
    """Whether an operand is a text, so that no other operator fits."""
    texts = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
    return isinstance(node.left, ast.JoinedStr) or any(isinstance(text, str) for text in texts)


def _put(tree: ast.AST, path: Path, node: ast.AST) -> None:
    """Replace the part of ``tree`` at ``path``."""
    holder = tree
    for name, index in path[:-1]:
        value = getattr(holder, name)
        holder = value if index is None else value[index]
    name, index = path[-1]
    if index is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[index] = node
