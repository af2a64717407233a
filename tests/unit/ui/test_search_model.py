"""The search finds the entries that match, in their order."""

from __future__ import annotations

import pytest

from warpview.ui.commands.search_model import SearchEntry, matched, search


def entry(kind: str, title: str, detail: str = "", keywords: str = "") -> SearchEntry:
    return SearchEntry(kind, title, lambda: None, detail, keywords)


ENTRIES = [
    entry("Kernel", "Tile of 32 × 32 in shared memory", "Matrix transpose", "transpose tile_32"),
    entry("Kernel", "Padded tile of 32 × 33", "Matrix transpose", "transpose padded_32"),
    entry("Device", "NVIDIA H200", "CC 9.0, 2024", "h200"),
    entry("Device", "GeForce 8800 GTX", "CC 1.0, 2006", "8800gtx"),
    entry("Action", "Next bank conflict", "Go ▸ Event"),
    entry("Action", "Export report …", "File"),
]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("h200", "NVIDIA H200"),
        ("transpose pad", "Padded tile of 32 × 33"),
        ("next conflict", "Next bank conflict"),
        ("2006", "GeForce 8800 GTX"),
        ("cc 9", "NVIDIA H200"),
        ("8800", "GeForce 8800 GTX"),
        ("device gtx", "GeForce 8800 GTX"),
        ("REPORT", "Export report …"),
        ("tile", "Tile of 32 × 32 in shared memory"),  # a title that begins so comes before one that has it
        ("32 x 33", "Padded tile of 32 × 33"),
        ("port", "Export report …"),  # within a word, where no word begins so
    ],
)
def test_the_best_match_comes_first(typed: str, first: str) -> None:
    assert search(ENTRIES, typed)[0].title == first


def test_every_word_must_match() -> None:
    assert search(ENTRIES, "transpose h200") == []


def test_nothing_typed_shows_all_in_order_up_to_a_bound() -> None:
    assert search(ENTRIES, "  ") == ENTRIES
    assert search(ENTRIES, "", most=2) == ENTRIES[:2]


def test_the_letters_that_match_are_told() -> None:
    assert matched("Padded tile of 32 × 33", "tile pad") == [(0, 3), (7, 11)]
    assert matched("Padded tile of 32 × 33", "32 x 33") == [(15, 17), (18, 19), (20, 22)]
    assert matched("Block maximum", "transpose m") == [(6, 7)]
    assert matched("Block maximum", "") == []


def test_the_kind_alone_finds_its_entries_before_actions_on_them() -> None:
    entries = [entry("Action", "Open lesson …", "Lessons"), entry("Lesson", "Divergence", "10 pages")]
    assert [found.title for found in search(entries, "lesson")] == ["Divergence", "Open lesson …"]
