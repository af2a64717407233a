"""Ask for a range of steps to export and how: one small dialog."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from warpview.ui.drawing.controls import answer_buttons
from warpview.ui.export.choice import MODES, SECONDS, WIDTHS, StepsChoice, steps_of, summary, usual
from warpview.ui.views.context import History

FORMATS = (("Animated GIF", True), ("Folder of PNG pictures", False))


class StepsDialog(QDialog):
    """Ask which steps to export: ``shapes`` has the name and size of the window and of each view shown, by key."""

    def __init__(
        self,
        trace: History,
        key: tuple[int, int],
        start: StepsChoice,
        shapes: Mapping[str, tuple[str, QSize]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._trace, self._key, self._shapes = trace, key, shapes
        self.setWindowTitle("Export animation")
        self.view, self.mode, self.format = QComboBox(), QComboBox(), QComboBox()
        for name, (words, _) in shapes.items():
            self.view.addItem(words, name)
        for mode, words in MODES:
            self.mode.addItem(words, mode)
        for words, animated in FORMATS:
            self.format.addItem(words, animated)
        self.first, self.last = _number(0, trace.steps, start.first), _number(0, trace.steps, start.last)
        self.width_ = _number(*WIDTHS, start.width, " pixels", 160)
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(*SECONDS)
        self.seconds.setSingleStep(0.1)
        self.seconds.setDecimals(1)
        self.seconds.setSuffix(" s per picture")
        self.seconds.setValue(start.seconds)
        self.view.setCurrentIndex(max(0, self.view.findData(start.view)))
        self.mode.setCurrentIndex(max(0, self.mode.findData(start.mode)))
        self.summary = QLabel()
        self._compose()
        self._connect()
        self._update()

    @property
    def choice(self) -> StepsChoice:
        """Return the values of the fields."""
        return StepsChoice(
            self.first.value(), self.last.value(), self.mode.currentData(), self.view.currentData(),
            self.width_.value(), self.seconds.value(), self.format.currentData(),
        )  # fmt: skip

    def _compose(self) -> None:
        steps = QHBoxLayout()
        steps.addWidget(self.first, 1)
        steps.addWidget(QLabel("to"), 0, Qt.AlignmentFlag.AlignCenter)
        steps.addWidget(self.last, 1)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        form.addRow("&Show", self.view)
        form.addRow("&Pictures of", self.mode)
        form.addRow("Steps", steps)
        form.addRow("&As", self.format)
        form.addRow("&Width", self.width_)
        form.addRow("Sp&eed", self.seconds)
        form.addRow("", self.summary)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(answer_buttons(self, "Save as …"))

    def _connect(self) -> None:
        self.mode.currentIndexChanged.connect(self._on_mode)
        self.first.valueChanged.connect(self._on_first)
        for changed in (self.view.currentIndexChanged, self.format.currentIndexChanged, self.last.valueChanged,
                        self.width_.valueChanged, self.seconds.valueChanged):  # fmt: skip
            changed.connect(self._update)

    def _on_mode(self) -> None:
        """Propose as many pictures as usual in the new mode."""
        self.last.setValue(usual(self._trace, self.mode.currentData(), self._key, self.first.value())[1])
        self._update()

    def _on_first(self, step: int) -> None:
        self.last.setMinimum(step)
        self._update()

    def _update(self) -> None:
        choice = self.choice
        self.seconds.setEnabled(choice.animated)
        pictures = len(steps_of(self._trace, choice.mode, self._key, choice.first, choice.last))
        shape = self._shapes[choice.view][1]
        self.summary.setText(summary(choice, pictures, (shape.width(), shape.height())))


def _number(least: int, most: int, value: int, suffix: str = "", step: int = 1) -> QSpinBox:
    field = QSpinBox()
    field.setRange(least, most)
    field.setSingleStep(step)
    field.setSuffix(suffix)
    field.setValue(value)
    return field


def ask_steps(
    parent: QWidget, trace: History, key: tuple[int, int], start: StepsChoice, shapes: Mapping[str, tuple[str, QSize]]
) -> StepsChoice | None:
    """Ask for the user's choice; None if the dialog was cancelled."""
    dialog = StepsDialog(trace, key, start, shapes, parent)
    sure = dialog.exec() == QDialog.DialogCode.Accepted
    choice = dialog.choice
    dialog.deleteLater()
    return choice if sure else None
