"""Show the source: what is executed, where the warps are, which lines are hot; edited in place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from warpview.diagnostics import Diagnostic
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.instructions.heat_button import HeatButton
from warpview.ui.views.instructions.heat_model import Heat, line_heat
from warpview.ui.views.source.editor import SourceEditor
from warpview.ui.views.source.find import FindBar
from warpview.ui.views.source.source_model import marks
from warpview.ui.views.source.text import widest_code
from warpview.ui.views.view import LegendEntry, View

EDIT_PAUSE_MS = 250  # an edit is announced when typing pauses
# In units of the type size: what a text takes, for type that fills the window.
CHARACTER, LINE = 0.62, 1.38
MARGIN, HEADING = 9.0, 3.5
MOST_LINES = 45


class SourceView(View):
    key = "source"
    leads = True
    title = "Source"
    about = "The kernel: the line just executed glows, ▸ is what the selected warp does next. Double-click to edit."
    needs_run = False
    min_size = QSize(240, 120)

    text_edited = Signal(str)
    editing_changed = Signal(bool)
    edit_refused = Signal(str)  # why the text cannot be edited

    def __init__(self, selection: Selection, look: Look) -> None:
        self._heat = Heat()  # before the legend is asked for
        super().__init__(selection, look)
        self.editor = SourceEditor(self.look)
        self.find_bar = FindBar(self.editor, lambda: self.set_editing(True))
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.editor, 1)
        column.addWidget(self.find_bar)
        self.set_body(body)
        self.heat_button = HeatButton(selection, self)
        self.add_header_widget(self.heat_button)
        self.edit_button = self.add_tool("Edit", "Edit the source (E); F5 runs it, Esc returns to stepping", True)
        self.edit_button.toggled.connect(self.set_editing)
        self._heat_of: tuple[int, str | None] | None = None
        self._edited = self._pending = False
        self._name = self._locked = ""
        self._pause = QTimer(self, singleShot=True, interval=EDIT_PAUSE_MS)
        self._pause.timeout.connect(self.announce_edit)
        self.editor.line_clicked.connect(lambda line: selection.toggle(line=line))
        self.editor.margin_clicked.connect(self.toggle_breakpoint)
        self.editor.warp_clicked.connect(lambda warp: selection.update(warp=warp, lane=None))
        self.editor.edit_wanted.connect(self._edit_at)
        self.editor.left_editing.connect(lambda: self.set_editing(False))
        self.editor.textChanged.connect(self._on_text)
        selection.changed.connect(self._on_selection)

    def design(self, run: RunLike) -> tuple[float, float]:
        """Return the size of all of the text, where it is not too long to be read so; comments may be wrapped."""
        widest = max(1, widest_code(self.text))
        rows = sum(1 + max(0, len(line.rstrip()) - 1) // widest for line in self.text.split("\n"))
        return widest * CHARACTER + MARGIN, min(rows, MOST_LINES) * LINE + HEADING

    # ---- text

    @property
    def text(self) -> str:
        return self.editor.text

    def set_text(self, text: str, name: str) -> None:
        """Set another text (another kernel, or reverted). Undo does not reach across."""
        self._name = name
        if text != self.text:
            self.editor.set_text(text)
        self._pause.stop()
        self._pending = False
        self._show_name()

    def set_locked(self, reason: str) -> None:
        """Refuse to edit the text, for a reason that is then told; '' allows it."""
        self._locked = reason
        self._show_name()

    def set_edited(self, edited: bool) -> None:
        self._edited = edited
        self._show_name()

    def _show_name(self) -> None:
        path = PurePath(self._name)
        state = "not saved" if path.is_absolute() else "edited"  # a file of the user's, or the library's text
        name = f"{path.name}, read-only" if self._locked else path.name
        self.set_note(f"{path.name} – {state}" if self._edited else name)

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        """Underline problems, of a race both accesses; an empty list clears."""
        shown = {problem.span for problem in problems}
        findings = self.run.findings if self.run is not None else ()
        others = [
            Diagnostic(f"{f.kind}: the access that came first", f.other.span, "warning")
            for f in findings
            if f.other is not None and f.span in shown
        ]
        self.editor.show_problems([*problems, *others])

    @property
    def editing(self) -> bool:
        return self.editor.editing

    def set_editing(self, on: bool) -> None:
        if on == self.editor.editing:
            return
        if on and self._locked:
            self.edit_button.setChecked(False)
            self.edit_refused.emit(self._locked)
            return
        if on:
            self.open_requested.emit(self.key)  # it may be behind a tab, or on a stage that shows another view
        self.editor.set_editing(on)
        self.edit_button.setChecked(on)
        self.light("edited", on)
        self.announce_edit()
        self.editing_changed.emit(on)

    def announce_edit(self) -> None:
        """Tell of an edit at once instead of at the next pause in typing."""
        self._pause.stop()
        if self._pending:
            self._pending = False
            self.text_edited.emit(self.text)

    def _on_text(self) -> None:
        self.editor.show_problems(())
        self._pending = True
        self._pause.start()

    def _edit_at(self, line: int) -> None:
        self.set_editing(True)
        self.editor.place_cursor(line)

    def go_to(self, line: int, column: int = 1, edit: bool = False) -> None:
        """Bring a place into sight; ``edit`` puts the cursor there."""
        self.open_requested.emit(self.key)
        if edit:
            self.set_editing(True)
        self.editor.place_cursor(line, column)

    def open_find(self, text: str = "", replacing: bool = False) -> None:
        """Open the bar to find, or with ":" to go to a line."""
        self.open_requested.emit(self.key)
        self.find_bar.open(text, replacing)

    def toggle_breakpoint(self, line: int) -> None:
        self.selection.update(breakpoints=self.selection.now.breakpoints ^ {line})

    # ---- frames

    def reset(self, run: RunLike | None) -> None:
        super().reset(run)
        self._heat_of, self.heat_button.run = None, run
        if run is not None:
            self.editor.show_problems(())  # now: those of the new run follow, be the source in sight or not

    def draw(self, context: FrameContext) -> None:
        wanted = (id(context.run), context.selection.counter)
        if wanted != self._heat_of:
            self._heat_of = wanted
            self._heat = line_heat(context.run, context.selection.counter)
            self.editor.show_heat(self._heat)
            self.refresh_legend()
        # An edited text no longer has the lines that the run speaks of.
        if self.text == context.program.source.text:
            self.editor.show_marks(marks(context))

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        if old.breakpoints != new.breakpoints:
            self.editor.show_breakpoints(new.breakpoints)

    def restyle(self) -> None:
        self.find_bar.setFont(self.look.font("small"))
        self.editor.restyle()
        super().restyle()

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("glow", "fill", "line just executed"),
            LegendEntry("conflict", "fill", "its expression"),
            LegendEntry("conflict", "fill", self._heat.scale),
            LegendEntry("accent", "fill", "where the selected warp is"),
            LegendEntry("error", "dot", "breakpoint"),
        ]
