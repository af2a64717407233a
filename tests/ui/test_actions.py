"""Every action works by its key, or by the mouse where it has none, and stands in its menu.

The rows say what it must do. In each menu one entry, at least, is clicked.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from ui.rows import moving, showing, working
from ui.rows.table import ROWS
from ui.stand import Stand, click_in_menu

from warpview.ui.commands.actions import TABLE
from warpview.ui.main_window import MainWindow

PARTS = (moving, showing, working)  # which register their rows when they are imported
BY_KEY = [(row.id, row.keys[0]) for row in TABLE if row.keys]
ONE_OF_EACH_MENU = {row.menu: row.id for row in TABLE}
BY_MOUSE = [row.id for row in TABLE if not row.keys or row.id in ONE_OF_EACH_MENU.values()]


def test_every_action_has_a_row() -> None:
    assert {row.id for row in TABLE} == set(ROWS)


@pytest.mark.parametrize(("id_", "key"), BY_KEY, ids=lambda value: value)
def test_by_key(stand: Stand, id_: str, key: str) -> None:
    checking = ROWS[id_](stand)
    next(checking)
    stand.press(key)
    assert next(checking, "the end") == "the end"


class Shortcuts(QObject):
    """Note the actions that a key leads to, and keep them from being carried out."""

    def __init__(self) -> None:
        super().__init__()
        self.met: list[object] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() != QEvent.Type.Shortcut:
            return False
        self.met.append(watched)
        return True


def test_further_keys_lead_to_the_same_action(stand: Stand) -> None:
    further = {key: stand.w.actions_[row.id] for row in TABLE for key in row.keys[1:]}
    assert further
    shortcuts = Shortcuts()
    for key, action in further.items():
        enabled = action.isEnabled()
        action.setEnabled(True)
        action.installEventFilter(shortcuts)
        stand.press(key)
        action.removeEventFilter(shortcuts)
        action.setEnabled(enabled)
    assert shortcuts.met == list(further.values())


def test_every_action_stands_in_its_menu(window: MainWindow) -> None:
    for row in TABLE:
        entries = window.actions_.menus[row.menu].actions()
        assert entries.count(window.actions_[row.id]) == 1
        assert window.actions_[row.id].text().replace("&", "") == row.text


@pytest.mark.parametrize("id_", BY_MOUSE)
def test_by_mouse_in_the_menu(stand: Stand, id_: str) -> None:
    checking = ROWS[id_](stand)
    next(checking)
    click_in_menu(stand.w, stand.w.actions_[id_])
    assert next(checking, "the end") == "the end"
