"""Carry out the commands on the places of views: show, hide, move; layouts saved under a name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
from PySide6.QtCore import QObject, Signal

from warpview.ui.arranging.arrangement import LayoutNode, read_trees
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands.actions import LAYOUTS, Actions
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.drawing.controls import entry_text
from warpview.ui.panels.messages import Messages
from warpview.ui.view_list import VIEWS
from warpview.ui.views.view import View


class LayoutCommands(QObject):
    """Implement the actions of layouts, one method for each. ``saved`` holds the arrangements by the names that the
    user gave them."""

    changed = Signal()  # the saved layouts

    def __init__(self, workspace: Workspace, messages: Messages, dialogs: Dialogs) -> None:
        super().__init__(workspace)
        self._workspace, self._messages, self._dialogs = workspace, messages, dialogs
        self.saved: dict[str, LayoutNode] = {}

    def handlers(self) -> dict[str, Callable[[], object]]:
        table: dict[str, Callable[[], object]] = {
            "hide_view": self.hide, "swap_view": self.swap, "save_layout": self.save, "delete_layout": self.delete,
            "reset_layout": self._workspace.reset, "everything": self._workspace.toggle_everything,
            "next_tab": partial(self.turn, True), "previous_tab": partial(self.turn, False),
        }  # fmt: skip
        for n in range(LAYOUTS):
            table[f"layout_{n + 1}"] = partial(self.choose, n)
        for view in VIEWS:
            table[f"show_{view.key}"] = partial(self.show, view.key)
        return table

    def show(self, key: str) -> None:
        """Show the view, or hide it if it is shown."""
        on = key not in self._workspace.shown()
        self._workspace.set_shown(key, on)
        if on:
            self._workspace.raise_view(key)

    def hide(self, view: View | None = None) -> None:
        view = view or self._workspace.pointed_view
        if self._workspace.shown() == [view.key]:
            self._messages.notice("This is the only view left.")
        else:
            self._workspace.set_shown(view.key, False)

    def swap(self) -> None:
        self._workspace.swap_with_next(self._workspace.pointed_view)

    def turn(self, forward: bool) -> None:
        self._workspace.turn_tabs(self._workspace.pointed_view, forward)

    def save(self) -> None:
        """Save the present arrangement under a name, in place of one that has this name."""
        name = (self._dialogs.ask_text("Save the layout", "A name for this layout") or "").strip()
        if not name:
            return
        if name not in self.saved and len(self.saved) == LAYOUTS:
            self._messages.notice(f"{LAYOUTS} layouts are saved already; delete one first.")
            return
        self.saved[name] = self._workspace.tree
        self.changed.emit()
        number = list(self.saved).index(name) + 1
        self._messages.notice(f"Saved the layout “{name}”: Ctrl+Alt+{number} brings it back.")

    def choose(self, n: int) -> None:
        trees = list(self.saved.values())
        if n < len(trees):
            self._workspace.change(trees[n])
        else:
            self._messages.notice(f"There is no saved layout {n + 1}.")

    def delete(self) -> None:
        if not self.saved:
            self._messages.notice("No layout is saved.")
            return
        name = self._dialogs.ask_choice("Delete a layout", "Layout", list(self.saved))
        if name in self.saved:
            del self.saved[name]
            self.changed.emit()

    def sync(self, actions: Actions) -> None:
        """Update the menu: the views that are shown, and the names of the saved layouts."""
        names, shown = list(self.saved), set(self._workspace.shown())
        for n in range(LAYOUTS):
            action = actions[f"layout_{n + 1}"]
            action.setText(entry_text(names[n]) if n < len(names) else f"Layout {n + 1}")
            action.setVisible(n < len(names))
        for view in VIEWS:
            actions[f"show_{view.key}"].setChecked(view.key in shown)

    def state(self) -> str:
        """Return the saved layouts as text."""
        return msgspec.json.encode(self.saved).decode()

    def set_state(self, text: str) -> None:
        """Take over what ``state`` gave; what is not a layout is left out."""
        self.saved = dict(list(read_trees(text, self._workspace.views).items())[:LAYOUTS])
