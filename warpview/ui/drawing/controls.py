"""Make the buttons, the fields and the tables of bars, pages and dialogs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from warpview.ui.drawing.style import mark


def small_button(text: str, tip: str, does: Callable[[], object] | None = None) -> QToolButton:
    """Return a button that leaves the keys where they are. Its name for screen readers is the tip without the key."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(" (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if does is not None:
        button.clicked.connect(lambda: does())
    return button


def push_button(text: str, tip: str, does: Callable[[], object]) -> QPushButton:
    """Return a button of usual size that leaves the keys where they are."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: does())
    return button


def answer_buttons(dialog: QDialog, accept: str) -> QDialogButtonBox:
    """Return the button that accepts a dialog, with this text, and Cancel."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    button = buttons.button(QDialogButtonBox.StandardButton.Ok)
    button.setText(accept)
    mark(button, "primary", True)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def entry_text(words: str) -> str:
    """Return the text of a menu's entry that shows these words: Qt takes a single & as the mark of a letter."""
    return words.replace("&", "&&")


def text_field(name: str, tip: str = "", hint: str = "", clears: bool = False) -> QLineEdit:
    """Return a field with its name for screen readers; ``hint`` stands in it while it is empty."""
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setToolTip(tip)
    field.setPlaceholderText(hint)
    field.setClearButtonEnabled(clears)
    return field


class ChoiceBox(QComboBox):
    """Offer choices; smaller type makes the box smaller, whose least size Qt keeps until the style changes."""

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            super().changeEvent(QEvent(QEvent.Type.StyleChange))


def choice_box(name: str, tip: str) -> ChoiceBox:
    """Return a box of choices, with its name for screen readers, that leaves the keys where they are."""
    box = ChoiceBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return box


def splitter(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    """Return these parts with handles between them, none of which closes a part."""
    made = QSplitter(orientation)
    made.setChildrenCollapsible(False)
    for part in parts:
        made.addWidget(part)
    return made


def row_table(name: str, columns: int = 0) -> QTableWidget:
    table = QTableWidget(0, columns)
    table.setAccessibleName(name)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)  # a row is of all columns
    return table


def table_item(words: str, numeric: bool = False) -> QTableWidgetItem:
    """Return a cell, or the heading of a column: at the right where it is of numbers."""
    item = QTableWidgetItem(words)
    side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item


class PageStack(QStackedWidget):
    """Ask for the room of the page that is shown, where Qt's own asks for that of the largest."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        page = self.currentWidget()
        return page.minimumSizeHint().expandedTo(page.minimumSize()) if page is not None else QSize()
