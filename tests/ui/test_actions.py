"""Every action works by each of its keys, and by the mouse in its menu. The rows say what it must do."""

from __future__ import annotations

import pytest
from ui.rows import moving, showing, working
from ui.rows.table import ROWS
from ui.stand import Stand, click_in_menu

from warpview.ui.commands.actions import TABLE

PARTS = (moving, showing, working)  # which register their rows when they are imported
BY_KEY = [(row.id, key) for row in TABLE for key in row.keys]


def test_every_action_has_a_row() -> None:
    assert {row.id for row in TABLE} == set(ROWS)


@pytest.mark.parametrize(("id_", "key"), BY_KEY, ids=lambda value: value)
def test_by_key(stand: Stand, id_: str, key: str) -> None:
    checking = ROWS[id_](stand)
    next(checking)
    stand.press(key)
    assert next(checking, "the end") == "the end"


@pytest.mark.parametrize("id_", [row.id for row in TABLE if row.menu])
def test_by_mouse_in_the_menu(stand: Stand, id_: str) -> None:
    checking = ROWS[id_](stand)
    next(checking)
    click_in_menu(stand.w, stand.w.actions_[id_])
    assert next(checking, "the end") == "the end"
