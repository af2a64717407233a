"""Show the output of the run: findings and warnings to be clicked, and what printf printed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import Look, Role
from warpview.ui.moving.parties import finding_shown, step_of
from warpview.ui.moving.selection import Selection
from warpview.ui.views import headlines_model
from warpview.ui.views.console_model import ConsoleRow, rows, summary
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import LegendEntry, View

# By kind of row: the heading above its rows, the sign before each, its colour, its face, its tool tip.
_KINDS: dict[str, tuple[str, str, str, Role, str]] = {
    "finding": ("Findings", "✖  ", "error", "text", "Click to go to the step that caused it"),
    "warning": ("Warnings of the compiler", "⚠  ", "conflict_text", "text", "Click to go to its line"),
    "printed": ("Printed by the kernel", "", "text", "mono", "Printed by the kernel"),
}


class ConsoleView(View):
    key = "console"
    number = staticmethod(headlines_model.findings)
    title = "Output"
    about = "Findings, warnings, and what the kernel printed. Click a finding to go to the step that caused it."
    meanings = (
        LegendEntry("error", "sign", "finding, with the step that caused it"),
        LegendEntry("conflict_text", "sign", "warning of the compiler"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._rows: tuple[ConsoleRow, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(self.title)
        self.list.setWordWrap(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._on_click)
        self.list.setMouseTracking(True)
        self.list.itemEntered.connect(self._show_whether_it_leads)
        self.set_body(self.list)
        self.restyle()

    def design(self, run: RunLike) -> tuple[float, float]:
        """Return the size of some twelve lines of output."""
        return (48.0, 20.0)

    def prepare(self, run: RunLike) -> None:
        self._rows = rows(run)
        self._fill()

    def clear(self) -> None:
        self._rows = ()
        self._fill()

    def draw(self, context: FrameContext) -> None:
        """Select the finding that the step makes; the output itself does not depend on the step."""
        finding = None if context.predicting else finding_shown(context)
        items = (self.list.item(n) for n in range(self.list.count()))
        told = [item for item in items if (row := item.data(Qt.ItemDataRole.UserRole)) and row.finding is finding]
        if finding is None:
            self.list.clearSelection()
        else:
            self.list.setCurrentItem(told[0])

    def restyle(self) -> None:
        self._fill()
        super().restyle()

    def _fill(self) -> None:
        self.list.clear()
        self.set_note(summary(self._rows))
        before = ""
        for row in self._rows:
            heading, sign, colour, face, tip = _KINDS[row.kind]
            if heading != before:
                self._add(heading, "dim", "title", "")
                before = heading
            self._add(f"{sign}{row.text}", colour, face, tip).setData(Qt.ItemDataRole.UserRole, row)
        if not self._rows:
            self._add("no findings, no warnings, nothing printed", "dim", "text", self.about)

    def _add(self, text: str, colour: str, face: Role, tip: str) -> QListWidgetItem:
        item = QListWidgetItem(text, self.list)
        item.setFont(self.look.font(face))
        item.setForeground(palette.colour(self.look.theme, colour))
        item.setToolTip(tip)
        return item

    def _show_whether_it_leads(self, item: QListWidgetItem) -> None:
        row = item.data(Qt.ItemDataRole.UserRole)
        leads = row is not None and row.line
        self.list.viewport().setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def _on_click(self, item: QListWidgetItem) -> None:
        row = item.data(Qt.ItemDataRole.UserRole)
        if self.run is None or row is None:
            return
        if row.finding is None:
            if row.line:
                self.selection.update(line=row.line)
            return
        step, place = step_of(self.run, row.finding), {"line": row.line, "pc": row.finding.pc}
        if step is not None:
            event = self.run.trace.event(step)
            place |= {"step": step, "block": event.block, "warp": event.warp}
        self.selection.update(**place)
