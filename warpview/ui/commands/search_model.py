"""Search everything that can be chosen: find the entries that match the typed text, best first. Qt-free."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

MOST = 60  # entries shown
LEAST_STEM = 6  # letters of a word whose last one may be another


@dataclass(frozen=True)
class SearchEntry:
    """Describe an entry that can be chosen. ``kind`` is a word such as "Kernel", ``detail`` stands beside the title,
    ``keywords`` are found as well but not shown, ``shortcut`` is the key that does the same."""

    kind: str
    title: str
    choose: Callable[[], object]
    detail: str = ""
    keywords: str = ""
    shortcut: str = ""


def search(entries: Iterable[SearchEntry], typed: str, most: int = MOST) -> list[SearchEntry]:
    """Return the entries that contain every word of ``typed``, the best first.

    A word may be part of the title, the kind, the detail or the keywords. Keywords that are just the word count most
    (the tab of a view), then a title that begins with it or the kind itself ("lesson"), then a title of which a word
    begins with it, then any other, and at last a word that only ends otherwise ("multiply" for "multiplication"); of
    equal matches the earlier entry comes first.
    """
    words = _plain(typed).split()
    if not words:
        return list(entries)[:most]
    scored = [(_score(entry, words), n, entry) for n, entry in enumerate(entries)]
    best = sorted(((score, n, entry) for score, n, entry in scored if score is not None), key=lambda item: item[:2])
    return [entry for _, _, entry in best[:most]]


def _score(entry: SearchEntry, words: list[str]) -> int | None:
    """Return the sum over the words, of which less is better; None where one of them is missing."""
    title, rest = _plain(entry.title), _plain(f"{entry.kind} {entry.detail} {entry.keywords}")
    total = 0
    for word in words:
        if word == entry.keywords.lower():
            total -= 1
        elif title.startswith(word) or word == entry.kind.lower():
            pass
        elif _begins_word(word, title):
            total += 1
        elif _begins_word(word, rest):
            total += 3
        elif word in title:
            total += 4
        elif word in rest:
            total += 6
        elif len(word) >= LEAST_STEM and _begins_word(word[:-1], f"{title} {rest}"):
            total += 8
        else:
            return None
    return total


def matched(title: str, typed: str) -> list[tuple[int, int]]:
    """Return the parts of a title, (begin, end), that words of ``typed`` match: where a word begins, or anywhere."""
    plain, found = _plain(title), set()
    for word in _plain(typed).split():
        at = re.search(rf"(?<![a-z0-9]){re.escape(word)}", plain) or re.search(re.escape(word), plain)
        if at is not None:
            found.add(at.span())
    return sorted(found)


def _plain(text: str) -> str:
    """Return a text as it is compared: in small letters, with an x for each ×, which no keyboard has."""
    return text.lower().replace("×", "x")


def _begins_word(word: str, text: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}", text) is not None
