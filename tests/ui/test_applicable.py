"""Entries of a menu that can do nothing now are grey while it is open; their keys say why not."""

from __future__ import annotations

import pytest
from ui.stand import Stand, click

NOTHING = {"next_page", "previous_page", "contents", "close_lesson", "next_launch", "previous_launch", "program",
           "replay", "bypass_l1"}  # fmt: skip


def greyed(stand: Stand) -> set[str]:
    """The entries that are grey in any menu that is opened."""
    bar, found = stand.w.menuBar(), set()
    for path, menu in stand.w.actions_.menus.items():
        if "/" not in path:
            click(bar, bar.actionGeometry(menu.menuAction()).center())
            found |= {each.objectName() for each in menu.actions() if not each.isEnabled() and each.objectName()}
            menu.close()
    return found & NOTHING


def test_without_a_lesson_a_series_or_a_race_their_entries_are_grey(stand: Stand) -> None:
    assert greyed(stand) == NOTHING
    assert all(stand.w.actions_[id_].isEnabled() for id_ in NOTHING)
    stand.press("Ctrl+Right")
    assert stand.caption == "This run is a single launch."


@pytest.fixture
def racing(stand: Stand) -> Stand:
    with stand.another_run():
        stand.w.session.set_device("c2050")
    with stand.another_run():
        stand.w.session.choose("mistakes/missing_barrier")
    return stand


def test_what_there_is_can_be_chosen(racing: Stand) -> None:
    assert {"replay", "bypass_l1"}.isdisjoint(greyed(racing))
