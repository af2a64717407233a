"""Choose in the heading of the counter table the earlier run that the counters are compared with."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from warpview.ui.drawing.controls import entry_text
from warpview.ui.session.kept_runs import KeptRuns

PREVIOUS = "The previous run"


class BaselineMenu(QToolButton):
    """Offer the kept runs, newest first; ``chosen`` is called with the number of one, or None for the run before."""

    def __init__(self, kept: Callable[[], KeptRuns], chosen: Callable[[int | None], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._kept, self._chosen = kept, chosen
        self.setText("vs ▾")
        self.setToolTip("Choose the earlier run to compare with (Y)")
        self.setAccessibleName("Compare with an earlier run")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRaise(True)
        self.clicked.connect(self.offer)

    def offer(self) -> QMenu:
        """Open the menu; arrows and Enter choose."""
        kept = self._kept()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        entries: list[tuple[str, int | None]] = [(PREVIOUS, None)]
        for run in reversed(kept.runs):
            here = "  (shown now)" if run is kept.now else ""
            entries.append((f"Run {run.number}:  {run.title}{here}", run.number))
        for words, number in entries:
            action = menu.addAction(entry_text(words))
            action.setCheckable(True)
            action.setChecked(number == kept.chosen)
            action.triggered.connect(lambda _=False, number=number: self._chosen(number))
            group.addAction(action)
            if number is None:
                menu.addSeparator()
        menu.setActiveAction(group.actions()[0])
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        return menu
