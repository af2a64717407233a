"""Ask the window's questions: files to open and to save, names, choices."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QLineEdit, QWidget

from warpview.ui.programs.run_dialog import RunDialog
from warpview.ui.session.backend import ProgramRequest


class Dialogs:
    """Ask modal questions over ``parent``. Every method returns None where the user cancels."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def ask_save(self, title: str, name: str, kinds: str) -> Path | None:
        """Ask for a file to write; ``kinds`` is a Qt name filter. A name without one of their endings gets that of the
        chosen kind, and the dialog opens again to ask whether a file of that name may be replaced."""
        while True:
            text, kind = QFileDialog.getSaveFileName(self._parent, title, name, kinds)
            if not text:
                return None
            path = with_ending(Path(text), kinds, kind)
            if path == Path(text) or not path.exists():
                return path
            name = str(path)

    def ask_open(self, title: str, kinds: str) -> Path | None:
        """Ask for a file to read."""
        path, _ = QFileDialog.getOpenFileName(self._parent, title, "", kinds)
        return Path(path) if path else None

    def ask_text(self, title: str, label: str, text: str = "") -> str | None:
        words, sure = QInputDialog.getText(self._parent, title, label, QLineEdit.EchoMode.Normal, text)
        return words if sure else None

    def ask_choice(self, title: str, label: str, choices: list[str]) -> str | None:
        choice, sure = QInputDialog.getItem(self._parent, title, label, choices, 0, False)
        return choice if sure else None

    def ask_program(self, request: ProgramRequest, unsaved: bool) -> ProgramRequest | None:
        """Ask whether a program may run on this computer, and with which arguments."""
        dialog = RunDialog(request, unsaved, self._parent)
        try:
            return dialog.request if dialog.exec() == QDialog.DialogCode.Accepted else None
        finally:
            dialog.deleteLater()


def with_ending(path: Path, kinds: str, kind: str) -> Path:
    """Return a path with the first ending of ``kind``, a Qt name filter, unless it has one of those of ``kinds``."""
    own = re.findall(r"\*(\.\w+)", kind)
    if not own or path.suffix.lower() in re.findall(r"\*(\.\w+)", kinds):
        return path
    return path.with_name(path.name + own[0])
