"""Carry out the commands on the source: menu Edit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from warpview.ui.moving.selection import Selection
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.messages import Messages
from warpview.ui.views.source.source import SourceView
from warpview.ui.views.source.typing import toggle_comment


class EditCommands:
    """Implement the actions of editing, one method or a partial of one for each."""

    def __init__(self, source: SourceView, selection: Selection, banner: Banner, messages: Messages) -> None:
        self._source, self._selection, self._banner, self._messages = source, selection, banner, messages

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        editor, find = self._source.editor, self._source.open_find
        return {
            "edit": self.edit, "undo": editor.undo, "redo": editor.redo, "find": find,
            "replace": partial(find, replacing=True), "go_to_line": partial(find, ":"),
            "next_problem": partial(self._banner.step, True), "previous_problem": partial(self._banner.step, False),
            "comment": self.comment, "breakpoint": self.breakpoint,
        }  # fmt: skip

    def edit(self) -> None:
        """Begin or end editing."""
        self._source.set_editing(not self._source.editing)

    def comment(self) -> None:
        """Comment or uncomment the selected lines."""
        self._source.set_editing(True)
        if self._source.editing:
            toggle_comment(self._source.editor)

    def breakpoint(self) -> None:
        """Set or clear the breakpoint on the line of the cursor, or on the selected line."""
        line = self._selection.now.line
        if self._source.editing:
            line = self._source.editor.textCursor().blockNumber() + 1
        if line is None:
            self._messages.notice("Click a source line first; F9 then sets or clears its breakpoint.")
        else:
            self._source.toggle_breakpoint(line)
