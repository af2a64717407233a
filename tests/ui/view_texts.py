"""Tell what a view shows in words, so that tests can ask for it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from warpview.ui.views.arrays.arrays import ArraysView
from warpview.ui.views.console import ConsoleView
from warpview.ui.views.counters.counters import CountersView
from warpview.ui.views.counters.counters_model import number
from warpview.ui.views.diagram_view import DiagramView
from warpview.ui.views.instructions.instructions import InstructionsView
from warpview.ui.views.source.source import SourceView
from warpview.ui.views.view import View


def texts_of(view: View) -> list[str]:
    """The title of a view, its note, and its content."""
    return [view.title, view.note_label.words, *_content(view)]


def _content(view: View) -> list[str]:
    match view:
        case DiagramView():
            return [view.canvas.picture.spoken if view.canvas.picture is not None else ""]
        case SourceView():
            return [badge.words for badge in view.editor.marks.badges]
        case CountersView():
            return [f"{r.counter.title}: {number(view.table.now.get(r.counter.key))}" for r in view.table.rows]
        case InstructionsView():
            return [view.table.row(n).text for n in range(view.table.rowCount())]
        case ConsoleView():
            items = (view.list.item(n) for n in range(view.list.count()))
            return [item.text() for item in items if item.data(Qt.ItemDataRole.UserRole) is not None]
        case ArraysView():
            return [f"{p.shown.title}, {p.shown.note}" for p in view.plots if p.shown is not None]
    return []
