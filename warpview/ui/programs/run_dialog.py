"""Ask for the arguments of a program before it runs, and say what will happen."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from warpview.ui.drawing.controls import answer_buttons
from warpview.ui.drawing.style import dim
from warpview.ui.session.backend import ProgramRequest

MOST_SECONDS = 86_400
SOURCES = "CUDA or C++ source (*.cu *.cpp *.cc);;All files (*)"


class RunDialog(QDialog):
    """Ask for the arguments, standard input, further files and the time limit of a program.

    ``unsaved`` says that the file is saved first, because a compiler reads it from the disk.
    """

    def __init__(self, request: ProgramRequest, unsaved: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._request = request
        path = Path(request.files[0])
        self.setWindowTitle("Run program")
        warning = QLabel(
            f"The host code of {path.name} will be compiled and executed on this computer, with your rights, in "
            f"{path.parent}. Its kernels are simulated. Run only programs that you trust."
            + (" Your edit is saved first." if unsaved else "")
        )
        warning.setWordWrap(True)
        self.arguments = QLineEdit(shlex.join(request.arguments))
        self.arguments.setPlaceholderText("as in a terminal: 1024 input.txt")
        self.input, self.further = QLineEdit(request.input), QLineEdit(shlex.join(request.files[1:]))
        self.input.setPlaceholderText("nothing")
        self.further.setPlaceholderText("none; headers beside it are found")
        self.seconds = QSpinBox()
        self.seconds.setRange(0, MOST_SECONDS)
        self.seconds.setValue(round(request.seconds))
        self.seconds.setSuffix(" s of its own code")
        self.seconds.setSpecialValueText("no limit")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        self.problem.hide()
        form = QFormLayout()
        form.addRow("Arguments", self.arguments)
        form.addRow("Standard input", _with_browse(self.input, "The program's standard input", "All files (*)"))
        form.addRow("Further files", _with_browse(self.further, "Another file of the program", SOURCES, several=True))
        form.addRow("Time limit", self.seconds)
        buttons = answer_buttons(self, "Save and run" if unsaved else "Run program")
        hint = QLabel("Ctrl+F5 runs this file at once from now on; Ctrl+Shift+F5 asks for the arguments again.")
        hint.setWordWrap(True)
        dim(hint)
        column = QVBoxLayout(self)
        for part in (warning, hint):
            column.addWidget(part)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addWidget(buttons)
        self.setMinimumWidth(560)

    @property
    def request(self) -> ProgramRequest:
        """Return the request with what has been typed. Raises ValueError where a quotation mark is not closed, and
        FileNotFoundError where a file does not exist."""
        further = _words(self.further.text(), "further files")
        source = self.input.text().strip()
        for name in (*further, *([source] if source else [])):
            if not Path(name).is_file():
                raise FileNotFoundError(f"there is no file {name}")
        return replace(
            self._request, files=(self._request.files[0], *further), input=source,
            arguments=_words(self.arguments.text(), "arguments"), seconds=float(self.seconds.value()),
        )  # fmt: skip

    def accept(self) -> None:
        """Close if all fields can be read, else say which cannot."""
        try:
            _ = self.request
        except (ValueError, FileNotFoundError) as problem:
            self.problem.setText(f"⚠ {problem}")
            self.problem.show()
            return
        super().accept()


def _words(text: str, what: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise ValueError(f"{what}: a quotation mark is not closed") from None


def _with_browse(field: QLineEdit, title: str, kinds: str, several: bool = False) -> QWidget:
    """Return a field for paths with a button that chooses one; ``several`` adds it to those in the field."""
    both = QWidget()
    browse = QPushButton("Browse …")
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(field, 1)
    row.addWidget(browse)

    def choose() -> None:
        path, _ = QFileDialog.getOpenFileName(both, title, "", kinds)
        if path:
            before: Sequence[str] = [field.text().strip()] if several and field.text().strip() else []
            field.setText(" ".join([*before, shlex.quote(path) if several else path]))

    browse.clicked.connect(choose)
    return both
