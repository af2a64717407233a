"""Write messages as sentences."""

from __future__ import annotations

from warpview.diagnostics import capitalised


def sentence(words: str) -> str:
    """Return ``words`` with a capital first letter, unless they begin with an identifier, a file or a quotation."""
    first = (words.split(maxsplit=1)[0] if words.strip() else "").rstrip(":,")
    return capitalised(words) if first.isalpha() and first[1:] == first[1:].lower() else words
