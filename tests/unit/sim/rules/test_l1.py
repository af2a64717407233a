"""The cycles that a first-level cache takes, by hand from the rule that was measured (tests/truth/test_l1.py)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpview.devices import load_device
from warpview.sim.rules import l1

ALL = (1 << 32) - 1
H200 = load_device("h200")
UNKNOWN = replace(H200, tag_bank_masks=())


def strided(words: int) -> list[int]:
    """Addresses of 32 lanes, so many 4-byte words apart."""
    return [4 * words * lane for lane in range(32)]


@pytest.mark.parametrize(("lines", "expected"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_four_tags_a_cycle_where_no_masks_are_known(lines: int, expected: int) -> None:
    assert l1.tag_cycles(range(lines), ()) == expected


@pytest.mark.parametrize(("data", "width", "further"), [(4, 1, 3), (4, 4, 3), (4, 8, 2), (4, 16, 0), (2, 16, 0)])
def test_the_width_of_an_access_demands_a_pass_for_each_word(data: int, width: int, further: int) -> None:
    assert l1.further_passes(data, width) == further


def test_a_bank_looks_up_one_tag_a_cycle() -> None:
    """The banks are the parities of bits 0 and 1 here: lines 0 to 3 have one each, and 0, 4, 8 the same."""
    assert l1.tag_cycles([0, 1, 2, 3], (1, 2)) == 1
    assert l1.tag_cycles([0, 4, 8], (1, 2)) == 3
    assert l1.tag_cycles([0, 3, 4], (1, 2)) == 2


@pytest.mark.parametrize(
    ("words", "loads", "stores"),
    [(1, 1, 2), (2, 2, 2), (3, 1, 2), (4, 4, 4), (32, 32, 32)],
)  # fmt: skip
def test_data_take_the_passes_over_the_banks(words: int, loads: int, stores: int) -> None:
    """32 banks of 4 bytes; a store takes one cycle more than a pass for each word of a lane at least."""
    assert l1.data_cycles(strided(words), ALL, 4, H200, "load") == loads
    assert l1.data_cycles(strided(words), ALL, 4, H200, "store") == stores


def test_wide_stores_take_a_pass_for_each_word_and_one_more() -> None:
    addresses = [16 * lane for lane in range(32)]
    assert l1.data_cycles(addresses, ALL, 16, H200, "load") == 4
    assert l1.data_cycles(addresses, ALL, 16, H200, "store") == 5


def test_the_slower_of_data_and_tags_counts() -> None:
    """33 words apart every lane has a line and a bank of its own: 32 tags, four a cycle. 32 apart all have one bank."""
    assert l1.cycles(strided(33), ALL, 4, UNKNOWN, "load") == 8
    assert l1.cycles(strided(32), ALL, 4, UNKNOWN, "load") == 32
    assert l1.cycles(strided(1), ALL, 4, UNKNOWN, "load") == 1
