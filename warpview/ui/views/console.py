"""Show the output of the run: findings and warnings to be clicked, and what printf printed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from warpview.ui.drawing import palette
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.parties import finding_at
from warpview.ui.moving.selection import Selection
from warpview.ui.views import headlines_model
from warpview.ui.views.console_model import ConsoleRow, rows, step_of, summary
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view import LegendEntry, View

_KINDS = {
    "finding": ("✖ ", "error", "A finding: click for the step that made it"),
    "warning": ("⚠ ", "conflict_text", "A warning of the compiler: click for its line"),
    "printed": ("", "text", "Printed by the kernel"),
}  # by kind of row: the sign before it, its colour, its tool tip


class ConsoleView(View):
    key = "console"
    number = staticmethod(headlines_model.findings)
    title = "Output"
    about = "Findings, warnings, and what the kernel printed. Click a finding to see the step that made it."
    meanings = (
        LegendEntry("error", "sign", "finding, by the step that made it"),
        LegendEntry("conflict_text", "sign", "warning of the compiler"),
    )

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__(selection, look)
        self._run: RunLike | None = None
        self._rows: tuple[ConsoleRow, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(self.title)
        self.list.setWordWrap(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._on_click)
        self.set_body(self.list)
        self.restyle()

    def design(self, run: RunLike) -> tuple[float, float]:
        """Return the size of some twelve lines of output."""
        return (48.0, 20.0)

    def prepare(self, run: RunLike) -> None:
        self._run, self._rows = run, rows(run)
        self._fill()

    def clear(self) -> None:
        self._run, self._rows = None, ()
        self._fill()

    def draw(self, context: FrameContext) -> None:
        """Select the finding that the step makes; the output itself does not depend on the step."""
        finding = None if context.predicting else finding_at(context)
        if finding is None:
            self.list.clearSelection()
        else:
            self.list.setCurrentRow(list(context.run.findings).index(finding))

    def restyle(self) -> None:
        self.list.setFont(self.look.font("mono"))
        self._fill()
        super().restyle()

    def _fill(self) -> None:
        self.list.clear()
        self.set_note(summary(self._rows))
        for row in self._rows:
            sign, colour, tip = _KINDS["finding" if row.is_finding else "warning" if row.is_warning else "printed"]
            item = QListWidgetItem(f"{sign}{row.text}")
            item.setForeground(palette.colour(self.look.theme, colour))
            item.setToolTip(tip)
            self.list.addItem(item)
        if not self._rows:
            item = QListWidgetItem("no findings, no warnings, nothing printed")
            item.setForeground(self.look.theme.qcolor("dim"))
            item.setToolTip(self.about)
            self.list.addItem(item)

    def _on_click(self, item: QListWidgetItem) -> None:
        at = self.list.row(item)
        if self._run is None or at >= len(self._rows):
            return
        row = self._rows[at]
        if not row.is_finding:
            if row.line:
                self.selection.update(line=row.line)
            return
        step = step_of(self._run.trace, row)
        if step is None:
            self.selection.update(line=row.line, pc=row.pc)
        else:
            event = self._run.trace.event(step)
            self.selection.update(step=step, block=event.block, warp=event.warp, line=row.line, pc=row.pc)

    def texts(self) -> list[str]:
        return [*super().texts(), *(row.text for row in self._rows)]
