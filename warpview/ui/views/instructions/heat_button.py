"""Choose the counter that colours lines and instructions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from warpview.profile.counters import BY_KEY
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.views.context import RunLike
from warpview.ui.views.instructions.heat_model import DEFAULT_COUNTER, choices


class HeatButton(QToolButton):
    """Show the chosen counter, and offer the others in a menu; the choice is the selection's counter."""

    def __init__(self, selection: Selection, parent: QWidget) -> None:
        super().__init__(parent)
        self._selection = selection
        self.run: RunLike | None = None
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setAccessibleName("Counter shown as heat")
        self.choice = QMenu(self)
        self.choice.setToolTipsVisible(True)
        self.choice.aboutToShow.connect(self._fill)
        self.setMenu(self.choice)
        selection.changed.connect(self._on_selection)
        self._show_name()

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        if old.counter != new.counter:
            self._show_name()

    def _show_name(self) -> None:
        counter = BY_KEY.get(self._selection.now.counter or "")
        self.setText(counter.label if counter is not None else "heat")
        title = (counter or BY_KEY[DEFAULT_COUNTER]).title
        self.setToolTip(f"The lines are coloured by: {title}. Click for another counter")

    def _fill(self) -> None:
        self.choice.clear()
        if self.run is None:
            return
        group = QActionGroup(self.choice)
        now = self._selection.now.counter or DEFAULT_COUNTER
        for title, counters in choices(self.run).items():
            self.choice.addSection(title)
            for counter in counters:
                entry = self.choice.addAction(counter.title)
                entry.setToolTip(counter.description)
                entry.setCheckable(True)
                entry.setChecked(counter.key == now)
                group.addAction(entry)
                key = None if counter.key == DEFAULT_COUNTER else counter.key
                entry.triggered.connect(lambda _=False, key=key: self._selection.update(counter=key))
