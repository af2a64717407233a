"""Which views stand where: shown and hidden, moved, and arrangements saved by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog, QWidget

from warpview.ui.arranging.arrangement import Box, to_plain
from warpview.ui.arranging.stage import read_trees
from warpview.ui.commands.actions import LAYOUTS
from warpview.ui.commands.files import pointed_view
from warpview.ui.view_list import VIEWS
from warpview.ui.views.view import View

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow


def ask_choice(parent: QWidget, title: str, label: str, choices: list[str]) -> str | None:
    choice, sure = QInputDialog.getItem(parent, title, label, choices, 0, False)
    return choice if sure else None


class LayoutCommands:
    """One method an action. ``saved`` has the arrangements by the names that the user gave them."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window
        self.ask_choice = ask_choice
        self.saved: dict[str, Box] = {}

    def handlers(self) -> dict[str, Callable[[], object]]:
        table: dict[str, Callable[[], object]] = {
            "hide_view": self.hide, "swap_view": self.swap, "save_layout": self.save, "delete_layout": self.delete,
            "reset_layout": self._w.stage.reset,
            "next_tab": partial(self.turn, True), "previous_tab": partial(self.turn, False),
        }  # fmt: skip
        for n in range(LAYOUTS):
            table[f"layout_{n + 1}"] = partial(self.choose, n)
        for view in VIEWS:
            table[f"show_{view.key}"] = partial(self.show, view.key)
        return table

    def show(self, key: str) -> None:
        """Show the view, or hide it, as its entry in the menu says."""
        self._w.stage.set_shown(key, self._w.actions_[f"show_{key}"].isChecked())

    def hide(self, view: View | None = None) -> None:
        view = view or pointed_view(self._w)
        if self._w.stage.shown() == [view.key]:
            self._w.caption.notice("This is the only view left.")
        else:
            self._w.stage.set_shown(view.key, False)

    def swap(self) -> None:
        self._w.stage.swap_on(pointed_view(self._w))

    def turn(self, forward: bool) -> None:
        self._w.stage.turn_tabs(pointed_view(self._w), forward)

    def save(self) -> None:
        """The present arrangement by a name; a name that is there already means the new one now."""
        name = (self._w.commands.files.ask_text(self._w, "Save the layout", "A name for this layout", "") or "").strip()
        if not name:
            return
        if name not in self.saved and len(self.saved) == LAYOUTS:
            self._w.caption.notice(f"{LAYOUTS} layouts are saved already; delete one first.")
            return
        self.saved[name] = self._w.stage.tree
        self.sync()
        number = list(self.saved).index(name) + 1
        self._w.caption.notice(f"Saved the layout as {name}: Ctrl+Alt+{number} brings it back.")

    def choose(self, n: int) -> None:
        trees = list(self.saved.values())
        if n < len(trees):
            self._w.stage.change(trees[n])
        else:
            self._w.caption.notice(f"There is no saved layout {n + 1}.")

    def delete(self) -> None:
        if not self.saved:
            self._w.caption.notice("No layout is saved.")
            return
        name = self.ask_choice(self._w, "Delete a layout", "Layout", list(self.saved))
        if name in self.saved:
            del self.saved[name]
            self.sync()

    def sync(self) -> None:
        """The menu says which views are shown, and the names of the saved layouts."""
        names, shown = list(self.saved), set(self._w.stage.shown())
        for n in range(LAYOUTS):
            action = self._w.actions_[f"layout_{n + 1}"]
            action.setText(names[n] if n < len(names) else f"Layout {n + 1}")
            action.setVisible(n < len(names))
        for view in VIEWS:
            self._w.actions_[f"show_{view.key}"].setChecked(view.key in shown)

    def state(self) -> str:
        """The saved layouts as text."""
        return json.dumps({name: to_plain(tree) for name, tree in self.saved.items()})

    def set_state(self, text: str) -> None:
        """Take over what ``state`` gave; what is not a layout is left out."""
        self.saved = dict(list(read_trees(text, self._w.stage.views).items())[:LAYOUTS])
