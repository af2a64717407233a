"""Ask for the launch and all its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtWidgets import QDialog, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from warpview.ui.drawing.controls import answer_buttons
from warpview.ui.drawing.style import dim
from warpview.ui.session.backend import Setup


class ArgumentsDialog(QDialog):
    """Ask for the ``shape`` of the launch and every argument by name, as on the command line; ``sizes`` are the bytes
    of those of unknown type, ``given`` the arguments as the launch takes them. Those of a program's launch are the
    program's."""

    def __init__(
        self, setup: Setup, sizes: Mapping[str, int], parent: QWidget, shape: Iterable[tuple[str, str]] = (),
        given: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle("Launch")
        form = QFormLayout()
        self.shape_fields = []
        for name, value in shape:
            self.shape_fields.append(QLineEdit(value))
            form.addRow(name, self.shape_fields[-1])
        self._own = setup.arguments if setup.program_launch is None else {}
        self._given = {**self._own, **(given or {})}
        self.argument_fields = {name: QLineEdit(self._given[name]) for name in self._own}
        for name, field in self.argument_fields.items():
            field.setMinimumWidth(320)
            form.addRow(f"{name}, {sizes[name]} bytes" if name in sizes else name, field)
        words = QLabel(
            "A number, or KIND:COUNT[:PARAMETER] for a buffer, KIND one of zeros, iota, constant, hash, uniform, "
            "blank; or file:PATH.npy."
            + (" The file does not contain types: write the element type before a buffer (float32, int32, …)."
               if sizes else "")
        )  # fmt: skip
        words.setWordWrap(True)
        dim(words)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(words)
        column.addWidget(answer_buttons(self, "Run"))

    def arguments(self) -> dict[str, str]:
        """Return the arguments: one that was left as it is stays what it is in the setup."""
        texts = {name: field.text().strip() for name, field in self.argument_fields.items()}
        return {name: self._own[name] if text == self._given[name] else text for name, text in texts.items()}
