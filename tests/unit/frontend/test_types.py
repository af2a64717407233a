"""Types follow C's rules, and numbers are read as they are written."""

from __future__ import annotations

import pytest

from warpview.diagnostics import CompileError, SourceText
from warpview.frontend.lower.memory import access_groups
from warpview.frontend.preprocess.literals import number_literal
from warpview.frontend.preprocess.tokens import TokenKind, tokenize
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.constants import convert_number, fold
from warpview.frontend.semantic.layout import leaf_types
from warpview.frontend.semantic.narrowing import narrows


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        (t.CHAR, t.CHAR, t.INT),
        (t.USHORT, t.SHORT, t.INT),
        (t.BOOL, t.BOOL, t.INT),
        (t.INT, t.UINT, t.UINT),
        (t.UINT, t.LONG, t.LONG),
        (t.LONG, t.ULONG, t.ULONG),
        (t.ULONG, t.LONGLONG, t.ULONGLONG),
        (t.LONG, t.LONGLONG, t.LONGLONG),
        (t.ULONGLONG, t.FLOAT, t.FLOAT),
        (t.FLOAT, t.DOUBLE, t.DOUBLE),
    ],
)
def test_usual_arithmetic_conversions(a: t.Scalar, b: t.Scalar, common: t.Scalar) -> None:
    assert t.usual(a, b) == common
    assert t.usual(b, a) == common


@pytest.mark.parametrize(
    ("source", "target", "constant", "loses"),
    [
        (t.INT, t.INT, None, False), (t.INT, t.INT, 300, False), (t.INT, t.LONG, None, False),
        (t.LONG, t.INT, None, True), (t.INT, t.UINT, None, True), (t.UINT, t.LONG, None, False),
        (t.UINT, t.INT, None, True), (t.UCHAR, t.INT, None, False), (t.INT, t.BOOL, None, True),
        (t.INT, t.UCHAR, 255, False), (t.INT, t.UCHAR, 256, True), (t.INT, t.UCHAR, -1, True),
        (t.INT, t.FLOAT, None, True), (t.INT, t.FLOAT, 3, False), (t.FLOAT, t.DOUBLE, None, False),
        (t.DOUBLE, t.FLOAT, None, True), (t.DOUBLE, t.FLOAT, 0.1, False), (t.FLOAT, t.INT, 2.0, True),
        (t.Pointer(t.INT), t.BOOL, None, False),
    ],
)  # fmt: skip
def test_conversions_that_a_list_refuses(source: t.CType, target: t.CType, constant: float | None, loses: bool) -> None:
    """C++17, 11.6.4."""
    assert narrows(source, target, constant) is loses


@pytest.mark.parametrize(
    ("text", "value", "type"),
    [
        ("42", 42, t.INT),
        ("2147483648", 2147483648, t.LONG),
        ("0x80000000", 2147483648, t.UINT),
        ("0xFFFFFFFFF", 2**36 - 1, t.LONG),
        ("42u", 42, t.UINT),
        ("1ul", 1, t.ULONG),
        ("1LLU", 1, t.ULONGLONG),
        ("1'000'000", 1000000, t.INT),
        ("017", 15, t.INT),
        ("1.5", 1.5, t.DOUBLE),
        ("1e3f", 1000.0, t.FLOAT),
        (".5F", 0.5, t.FLOAT),
        ("0x1.8p1", 3.0, t.DOUBLE),
    ],
)
def test_number_literals(text: str, value: float, type: t.Scalar) -> None:
    token = tokenize(SourceText("t", text))[0]
    assert token.kind is TokenKind.NUMBER
    assert token.text == text
    assert number_literal(token) == (value, type)


@pytest.mark.parametrize("text", ["1.2.3", "0xg", "09", "1uf", "0b", "99999999999999999999999", "1e99999f5", "3x"])
def test_wrong_numbers(text: str) -> None:
    with pytest.raises(CompileError):
        number_literal(tokenize(SourceText("t", text))[0])


def test_tokens_keep_their_places() -> None:
    text = 'int a = 3; // note\n\t"str\\"ing" /* over\nlines */ x->y <<= \\\n  z;'
    tokens = tokenize(SourceText("t", text))
    assert [(x.text, x.span.line, x.span.column) for x in tokens[5:]] == [
        ('"str\\"ing"', 2, 2), ("x", 3, 10), ("->", 3, 11), ("y", 3, 13), ("<<=", 3, 15), ("z", 4, 3), (";", 4, 4),
        ("", 4, 5),
    ]  # fmt: skip
    assert [x.text for x in tokens if x.starts_line] == ["int", '"str\\"ing"', ""]  # a comment is but a space


def test_folding_wraps_and_rounds() -> None:
    assert fold("+", 2**31 - 1, 1, t.INT) == -(2**31)
    assert fold("*", 2**31, 2, t.UINT) == 0
    assert fold("/", -7, 2, t.INT) == -3
    assert fold("%", -7, 2, t.INT) == -1
    assert fold("/", 1, 0, t.INT) is None
    assert fold("<<", 1, 40, t.INT) == 0
    assert fold(">>", -8, 1, t.INT) == -4
    assert fold("+", 16777216.0, 1.0, t.FLOAT) == 16777216.0
    assert convert_number(300, t.UCHAR) == 44
    assert convert_number(-1.9, t.INT) == -1
    assert convert_number(1e20, t.INT) == 2**31 - 1
    assert convert_number(-5.0, t.UINT) == 0
    assert convert_number(0.1, t.FLOAT) != 0.1


def test_layout_of_vectors() -> None:
    sizes = {name: (info.size, info.align) for name, info in t.VECTORS.items()}
    assert sizes["float2"] == (8, 8)
    assert sizes["float3"] == (12, 4)
    assert sizes["float4"] == (16, 16)
    assert sizes["uchar4"] == (4, 4)
    assert sizes["double4"] == (32, 16)
    assert sizes["dim3"] == (12, 4)


@pytest.mark.parametrize(
    ("name", "groups"), [("float4", [4]), ("float3", [1, 1, 1]), ("int2", [2]), ("double4", [2, 2]), ("char4", [4])]
)
def test_accesses_that_move_a_vector(name: str, groups: list[int]) -> None:
    struct = t.Struct(t.VECTORS[name])
    assert [len(g) for g in access_groups(struct)] == groups
    assert len(leaf_types(struct)) == sum(groups)


def test_types_are_written_as_in_c() -> None:
    pointer = t.Pointer(t.Scalar("float", t.FLOAT.isa, 10, const=True))
    assert str(pointer) == "const float*"
    assert str(t.Array(t.Array(t.INT, 3), None)) == "int[][3]"
    assert str(t.Reference(t.UINT)) == "unsigned int&"
    assert t.Array(t.Array(t.INT, 3), 2).size == 24
