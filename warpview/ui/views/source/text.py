"""Measure lines of C for the editor: their width, their indentation, comments and brackets. Qt-free."""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpview.frontend.preprocess.operators import BRACKETS, OPENINGS

STEP = 4  # columns of a tab, and of one level of indentation
SEARCHED = 20_000  # characters that are looked through for the partner of a bracket

_BRACKET = re.compile(r"[()\[\]{}]")
_COMMENT = re.compile(r"\s*(//|/\*|\*(\s|$))")


def indentation(line: str) -> int:
    """Return the columns before the first character that is not blank."""
    return columns(line) - columns(line.lstrip())


def columns(line: str) -> int:
    return len(line.expandtabs(STEP))


def code_widths(text: str) -> list[int]:
    """Return the columns of the lines, in ascending order; those that are nothing but comment are left out."""
    lines = text.expandtabs(STEP).splitlines()
    return sorted(len(line.rstrip()) for line in lines if not _COMMENT.match(line))


def widest_code(text: str) -> int:
    return max(code_widths(text), default=0)


def next_indent(before: str) -> str:
    """Return the indentation of a new line, after a line that reads ``before`` up to the cursor."""
    blank = before[: len(before) - len(before.lstrip())]
    return blank + (" " * STEP if before.rstrip().endswith("{") else "")


def indented(lines: Sequence[str]) -> list[str]:
    return [" " * STEP + line if line.strip() else line for line in lines]


def outdented(lines: Sequence[str]) -> list[str]:
    """Remove one level of indentation, or as much as there is."""
    return [re.sub(rf"^(\t| {{1,{STEP}}})", "", line) for line in lines]


def comment_toggled(lines: Sequence[str]) -> list[str]:
    """Return the lines with comment marks at their smallest indentation, or without them where all have them."""
    full = [line for line in lines if line.strip()]
    if full and all(line.lstrip().startswith("//") for line in full):
        return [re.sub(r"^(\s*)// ?", r"\1", line) for line in lines]
    at = min((len(line) - len(line.lstrip()) for line in full), default=0)
    return [f"{line[:at]}// {line[at:]}" if line.strip() else line for line in lines]


def partner(text: str, at: int) -> int | None:
    """Return the index of the partner of the bracket at index ``at``; None without a bracket, or a partner near."""
    here = text[at : at + 1]
    if here in BRACKETS:
        opens, closes = here, BRACKETS[here]
        places = (m.start() for m in _BRACKET.finditer(text, at, at + SEARCHED))
    elif here in OPENINGS:
        opens, closes = here, OPENINGS[here]
        places = (m.start() for m in reversed(list(_BRACKET.finditer(text, max(0, at - SEARCHED), at + 1))))
    else:
        return None
    depth = 0
    for place in places:
        depth += (text[place] == opens) - (text[place] == closes)
        if depth == 0:
            return place
    return None


def hits(text: str, wanted: str) -> list[int]:
    """Return the indices at which ``wanted`` occurs, in capitals or not."""
    return [m.start() for m in re.finditer(re.escape(wanted), text, re.IGNORECASE)] if wanted else []


def in_qt_units(text: str) -> str:
    """Return a text as long as Qt counts it: a character beyond the basic plane takes two places."""
    return re.sub("[\U00010000-\U0010ffff]", "\ufffd\ufffd", text)
