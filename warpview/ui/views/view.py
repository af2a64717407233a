"""Define the contract of a view: a titled panel that shows frames, explains itself, and can be exported and zoomed.

A view has a model, ``<name>_model.py``, Qt-free, which turns a ``FrameContext`` into arrays and texts, and a subclass
of ``View`` which draws them, in ``<name>.py`` or, where it does little else, in ``diagram_views.py``. It gives its body
to ``set_body`` and overrides ``draw``. ``take`` may be called as often as one likes: the view redraws at most once a
display frame, and not at all while it is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from warpview.ui.drawing.controls import small_button
from warpview.ui.drawing.export import export_widget
from warpview.ui.drawing.panel import Panel
from warpview.ui.drawing.scene import Scene
from warpview.ui.drawing.style import bold
from warpview.ui.drawing.theme import Look, ViewLook
from warpview.ui.moving.selection import Selection
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.view_parts import HeaderNote, LegendEntry, ViewFront, ViewLegend

__all__ = ["LegendEntry", "View"]

FRAME_MS = 16
MOST_MAGNIFIED = 2.2  # times the window's type, in a view that fills the window
MAGNIFIED_BY = 0.05  # in steps of this, so that few fonts are made


class View(Panel):
    """Show a frame in a panel with a title line. Class attributes describe it; ``draw`` shows a frame."""

    key: ClassVar[str] = ""  # names the view in settings, menus and tests
    title: ClassVar[str] = ""
    tab: ClassVar[str] = ""  # a shorter title for a tab; empty: the title
    about: ClassVar[str] = ""  # one sentence: what is to be seen here (the tool tip of the title)
    is_answer: ClassVar[bool] = False  # all of it: hidden while the class is asked
    leads: ClassVar[bool] = False  # painted before others are drawn, as is what the step concerns
    needs_run: ClassVar[bool] = True  # without one it says what there will be to see
    min_size: ClassVar[QSize] = QSize(160, 90)
    meanings: ClassVar[Sequence[LegendEntry]] = ()  # of its colours and marks, where no run changes them
    number: ClassVar[staticmethod[[FrameContext], str]] = staticmethod(lambda context: "")  # see ``headline``

    zoom_requested = Signal(object)  # self
    action_requested = Signal(str)  # the id of an action of the window
    export_requested = Signal(object)  # self
    hide_requested = Signal(object)  # self
    open_requested = Signal(str)  # the key of another view
    pointed = Signal(object)  # self: the pointer has come

    def __init__(self, selection: Selection, look: Look) -> None:
        super().__init__()
        self.selection, self.look = selection, ViewLook(look)
        self.run: RunLike | None = None
        self._filling = self._alone = self._built = self._prepared = False
        self.scenes: list[Scene] = []
        self.setObjectName(f"view-{self.key}")
        self.setAccessibleName(self.title)
        self.context: FrameContext | None = None
        self._stale = self._unstyled = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.flush)
        self._drawn = QElapsedTimer()
        self.heading = QLabel(self.title)  # by which the view is dragged
        bold(self.heading)
        self.heading.setToolTip(self.about)
        self.heading.setCursor(Qt.CursorShape.OpenHandCursor)
        self.note_label = HeaderNote()
        self.heading_bar = QWidget()
        self.heading_bar.hide()  # while there is nothing in it
        self._tools = QHBoxLayout(self.heading_bar)
        self._tools.setContentsMargins(0, 0, 0, 0)
        self._tools.setSpacing(2)
        self._header = QWidget()
        header = QHBoxLayout(self._header)
        header.setContentsMargins(10, 3, 6, 3)
        header.setSpacing(8)
        header.addWidget(self.heading)
        header.addWidget(self.note_label, 1)
        header.addWidget(self.heading_bar)
        self._front = ViewFront(self)
        self.legend_box = ViewLegend(self)
        self.legend_box.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._front, 1)
        column.addWidget(self.legend_box)
        self.legend_button: QToolButton | None = None
        if self.legend():
            self.legend_button = self._make_legend_button()
        self.setMinimumSize(self.min_size)
        self._apply_style()
        self.look.changed.connect(self._on_look)

    def _make_legend_button(self) -> QToolButton:
        """Make the button of the legend, which keeps its room while the pointer is elsewhere."""
        button = self.add_tool("?", "What the colours and marks mean", checkable=True)
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        button.toggled.connect(self.legend_box.setVisible)
        button.toggled.connect(lambda on: button.setVisible(on or self.underMouse()))
        button.hide()
        return button

    # ---- for subclasses -------------------------------------------------------------------------------------

    def build(self) -> None:
        """Make the body, in a view that takes long to make: called when it is first needed, not at the start."""

    def draw(self, context: FrameContext) -> None:
        """Show ``context``. Called at most once a display frame, never while hidden."""
        raise NotImplementedError

    def clear(self) -> None:
        """Show that there is nothing to show (no run)."""

    def prepare(self, run: RunLike) -> None:
        """Prepare for a new run: build what depends on the program or device alone."""

    def restyle(self) -> None:
        """Take the theme and the type size of the look; by default the view is drawn again."""
        self.legend_box.update()
        self.refresh()

    def design(self, run: RunLike) -> tuple[float, float]:
        """Return the width and height, in units of the font size, that show all of a run; the font of a view that fills
        the window is made as large as this allows."""
        return (58.0, 30.0)

    @classmethod
    def headline(cls, context: FrameContext) -> str:
        """Return the number that stands beside the title on the stage, such as "83 %"; '' for none, or while it is
        hidden."""
        return "" if context.predicting else cls.number(context)

    def has_content(self, run: RunLike) -> bool:
        """Return whether there is ever anything to see here in a run; if not, the neighbours are given the room."""
        return True

    def legend(self) -> Sequence[LegendEntry]:
        """Return the meaning of the colours and marks; empty for no legend."""
        return self.meanings

    def refresh_legend(self) -> None:
        """Build the legend again, after its content has changed."""
        self.legend_box.fit()

    def set_body(self, body: QWidget) -> None:
        self._built, self.body = True, body
        self.scenes = [body] if isinstance(body, Scene) else body.findChildren(Scene)
        self._front.set_body(body)
        self._front.show_body(not self.needs_run)

    def set_note(self, text: str) -> None:
        """Set the short text at the right of the title: "16/32", "2-way", "50 %"."""
        self.note_label.show_words(text)

    def add_tool(self, text: str, tip: str, checkable: bool = False) -> QToolButton:
        """Add a small button in the title line."""
        button = small_button(text, tip)
        button.setCheckable(checkable)
        button.setAutoRaise(True)
        self.add_header_widget(button)
        return button

    def add_header_widget(self, widget: QWidget) -> None:
        self._tools.addWidget(widget)
        self.heading_bar.show()

    # ---- for the window -------------------------------------------------------------------------------------

    def ensure_built(self) -> None:
        """Make the body, and prepare it for the run, if that has not been done."""
        if not self._built:
            self.build()
        if self.run is not None and not self._prepared:
            self._prepared = True
            self.prepare(self.run)

    def reset(self, run: RunLike | None) -> None:
        """Reset the view to another run, or to none. The frame to show follows. A view out of sight waits with what it
        prepares until it is shown: all views together would be a pause that one notices."""
        self.context, self.run = None, run
        self._stale = self._prepared = False
        self._timer.stop()
        self._fit_type()
        if not self._built:
            return
        if run is None:
            self._front.show_body(not self.needs_run)
        if run is None or not self.isVisible():
            self.clear()
        else:
            self.ensure_built()

    def take(self, context: FrameContext) -> None:
        """Show this frame when ``flush_if_due`` is called, or when the view comes into sight."""
        self.context, self._stale = context, True

    def refresh(self) -> None:
        self._stale = self.context is not None
        if self._stale and self.isVisible() and not self._timer.isActive():
            self._timer.start(self._due_in())

    def flush_if_due(self) -> None:
        """Draw what is waiting if the last drawing is a display frame ago, else when it will be."""
        if self._stale and self.isVisible():
            if self._due_in():
                self.refresh()
            else:
                self.flush()

    @property
    def is_stale(self) -> bool:
        """Return whether what is shown is of another frame, or of another run."""
        return self._stale or self.context is None

    def _due_in(self) -> int:
        """Return the milliseconds until the last drawing is a display frame ago."""
        return max(0, FRAME_MS - self._drawn.elapsed()) if self._drawn.isValid() else 0

    def flush(self) -> None:
        """Draw now what is waiting to be drawn."""
        self._take_style()
        self._timer.stop()
        if not self._stale or self.context is None:
            return
        self._stale = False
        self.ensure_built()
        self._drawn.start()
        hidden = self.is_answer and self.context.predicting
        self._front.show_body(not hidden)
        self.note_label.setVisible(not hidden)
        self.draw(self.context)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        super().enterEvent(event)
        if self.legend_button is not None:
            self.legend_button.show()
        self.pointed.emit(self)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        if self.legend_button is not None:
            self.legend_button.setVisible(self.legend_button.isChecked())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.ensure_built()
        self._take_style()
        if self._stale:
            self._timer.start(0)

    def set_filling(self, on: bool) -> None:
        """Let the view fill all the room there is, its font growing with it, or not."""
        self._filling = on
        self._fit_type()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit_type()

    def _fit_type(self) -> None:
        factor = 1.0
        if self._filling and self.run is not None:
            wide, high = (size * self.look.window.unit() for size in self.design(self.run))
            fits = min(self.width() / wide, self.height() / high)
            factor = max(1.0, min(MOST_MAGNIFIED, int(fits / MAGNIFIED_BY) * MAGNIFIED_BY))
        self.look.magnify(factor)

    def _on_look(self) -> None:
        self._apply_style()
        self._unstyled = self._built
        if self.isVisible():
            self._take_style()

    def _take_style(self) -> None:
        """Take a look that has changed; a view out of sight waits with that until it is shown."""
        if self._unstyled:
            self._unstyled = False
            self.restyle()

    def _apply_style(self) -> None:
        """Use type of the view's own where that is larger than the window's; small type in the heading."""
        self.setFont(self.look.font() if self.look.factor != 1.0 else QFont())
        self.heading_bar.setFont(self.look.font("small"))

    def set_alone(self) -> None:
        """Take the view out of any workspace: it cannot be maximised, hidden or moved."""
        self._alone = True
        self.heading.unsetCursor()

    def set_header_shown(self, shown: bool) -> None:
        """Show or hide the whole title line, whose room the body gets."""
        self._header.setVisible(shown)

    def set_heading_shown(self, shown: bool) -> None:
        """Show or hide the heading: behind a tab, the tab has the title."""
        self.heading.setVisible(shown)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        menu = QMenu(self)
        for text, id_ in self.context_actions(event.globalPos()):
            menu.addAction(text).triggered.connect(partial(self.action_requested.emit, id_))
        menu.addSeparator()
        if not self._alone:
            menu.addAction("Maximise, or restore").triggered.connect(lambda: self.zoom_requested.emit(self))
            menu.addAction("Hide this view").triggered.connect(lambda: self.hide_requested.emit(self))
        menu.addAction("Export as a picture …").triggered.connect(lambda: self.export_requested.emit(self))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def context_actions(self, place: QPoint) -> list[tuple[str, str]]:
        """Return (text, id of a window's action) for what is at a place of the screen; views add theirs."""
        return []

    @property
    def short_title(self) -> str:
        """Return the title as tabs and headers have it."""
        return self.tab or self.title.removesuffix(" memory")

    def export(self, path: Path, scale: float = 2.0) -> None:
        """Write the view as a picture; see ``export_widget``."""
        self.flush()
        export_widget(self, path, self.look.theme.qcolor("panel"), self.title, scale)
