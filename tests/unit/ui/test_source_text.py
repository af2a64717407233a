"""The editor measures lines of C."""

from __future__ import annotations

import pytest

from warpview.ui.views.source import text as text

NESTED = "for (int i = 0; i < n; ++i) { a[b[i]] = f(i); }"


def test_the_widest_line_of_code_is_not_a_comment() -> None:
    source = "// " + "very long " * 20 + "\nint a;\n\tint tab;\n * of a comment in stars that goes on\n*p = 1;\n"
    assert text.widest_code(source) == len("    int tab;")
    assert text.widest_code("") == 0


@pytest.mark.parametrize(
    ("before", "indent"), [("    x = 1;", "    "), ("if (a) {", "    "), ("\tint", "\t"), ("", "")]
)
def test_a_new_line_is_indented_like_the_one_before_and_more_after_a_brace(before: str, indent: str) -> None:
    assert text.next_indent(before) == indent


def test_in_and_out() -> None:
    lines = ["a", "", "  b"]
    assert text.indented(lines) == ["    a", "", "      b"]
    assert text.outdented(text.indented(lines)) == lines
    assert text.outdented(["\tx", "      y", " z"]) == ["x", "  y", "z"]


def test_comments_go_on_and_off() -> None:
    lines = ["    a = 1;", "", "        b = 2;"]
    commented = text.comment_toggled(lines)
    assert commented == ["    // a = 1;", "", "    //     b = 2;"]
    assert text.comment_toggled(commented) == lines
    assert text.comment_toggled(["// a", "b"]) == ["// // a", "// b"]  # one of them is code: all go


def test_brackets_that_belong_together() -> None:
    pairs = {at: text.partner(NESTED, at) for at, char in enumerate(NESTED) if char in "()[]{}"}
    assert all(other is not None and pairs[other] == at for at, other in pairs.items())
    assert text.partner(NESTED, NESTED.index("{")) == len(NESTED) - 1
    assert text.partner("f(", 1) is None
    assert text.partner("f", 0) is None
    assert text.partner("", 3) is None


def test_what_is_found() -> None:
    assert text.hits("Tid tid TID", "tid") == [0, 4, 8]
    assert text.hits("a.b", ".") == [1]
    assert text.hits("abc", "") == []
    assert len(text.in_qt_units("a😀b")) == 4
