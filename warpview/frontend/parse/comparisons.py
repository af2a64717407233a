"""Write the comparisons of objects that a struct asks the compiler for (C++20, 11.10.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import SourceText
from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.stream import Cursor
from warpview.frontend.preprocess.tokens import refuse, tokenize

if TYPE_CHECKING:
    from warpview.frontend.parse.parser import Parser

EQUALITY = "operator=="


def is_defaulted(cursor: Cursor, name: str) -> bool:
    """Take ``= default`` behind a comparison for equality; return whether it stands there."""
    if name == "operator<=>" and cursor.at("=") and cursor.ahead().text == "default":
        unsupported.THREE_WAY.stop(cursor.token.span)
    if name != EQUALITY or not cursor.at("=") or cursor.ahead().text != "default":
        return False
    cursor.advance()
    cursor.advance()
    return True


def define(rules: Parser, struct: s.StructType) -> None:
    """Give each comparison that a struct asks for its body, which compares base classes and members in their order."""
    for function in (*struct.methods, *struct.friends):
        if function.name == EQUALITY and function.is_defaulted:
            for position, parameter in enumerate(function.parameters):
                parameter.name = f"wv_operand{position}"
            is_method = len(function.parameters) == 1
            left, right = ("(*this)", "wv_operand0") if is_method else ("wv_operand0", "wv_operand1")
            function.body = _parsed(rules, _body(struct, left, right), function)


def _parsed(rules: Parser, text: str, function: s.FunctionDeclaration) -> s.Compound:
    """Return a body that is written at the place of its function."""
    cursor = rules.cursor
    tokens = [replace(token, span=function.span) for token in tokenize(SourceText("<default>", text))[:-1]]
    start = cursor.position
    cursor.tokens[start:start] = tokens
    body = rules.statements.compound()
    del cursor.tokens[start : cursor.position]
    cursor.position = start
    return body


def _body(struct: s.StructType, left: str, right: str) -> str:
    for base in struct.bases:
        if not isinstance(base, s.NamedType) or base.arguments is not None:
            refuse("'= default' behind == is not supported where a base class is a template", base.span)
    parts = [f"static_cast<const {base.name} &>(@)" for base in struct.named_bases]
    lines = [_compared(part.replace("@", left), part.replace("@", right), None, 0) for part in parts]
    lines += [_compared(f"{left}.{f.name}", f"{right}.{f.name}", f.type, 0) for f in struct.fields if f.name]
    return "{ " + " ".join(lines) + " return true; }"


def _compared(left: str, right: str, type: s.TypeSyntax | None, depth: int) -> str:
    """Return a statement that leaves where two parts differ; arrays are compared element by element."""
    if isinstance(type, s.QualifiedType):
        return _compared(left, right, type.of, depth)
    if not isinstance(type, s.ArrayType):
        return f"if (!({left} == {right})) return false;"
    index = f"wv_index{depth}"
    inner = _compared(f"{left}[{index}]", f"{right}[{index}]", type.of, depth + 1)
    return f"for (int {index} = 0; {index} < sizeof({left}) / sizeof({left}[0]); ++{index}) {inner}"
