"""Show a page in the window's middle: views, two runs side by side, comparison, profiler's table, program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from warpview.ui.arranging.side_by_side import SideBySidePage
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.drawing.controls import PageStack
from warpview.ui.drawing.scene import Scene
from warpview.ui.panels.comparison import ComparisonPage
from warpview.ui.panels.profiler_model import Table
from warpview.ui.panels.profiler_page import ProfilerPage

if TYPE_CHECKING:
    from warpview.ui.programs.program_page import ProgramPage


class Pages(PageStack):
    """Show one of the pages; ``home`` receives the focus when a page closes.

    The page of two runs holds views, so it is made when it is first asked for; that of a program is added then. Views
    share out the room that there is; other pages scroll where it is too small for them.
    """

    said = Signal(str)  # the words for the caption while a page is shown; '' where it tells of the step

    def __init__(
        self, workspace: Workspace, comparison: ComparisonPage, profiler: ProfilerPage, home: QWidget,
        make_side_by_side: Callable[[], SideBySidePage],
    ) -> None:  # fmt: skip
        super().__init__()
        self._make_side_by_side = make_side_by_side
        self._side_by_side: SideBySidePage | None = None
        self._program: ProgramPage | None = None
        self.workspace, self.comparison, self.profiler, self._home = workspace, comparison, profiler, home
        self.addWidget(workspace)
        self._places: dict[QWidget, QScrollArea] = {page: self._add(page) for page in (comparison, profiler)}
        self.currentChanged.connect(lambda _: self.said.emit(self._words))
        comparison.closed.connect(self.show_views)
        profiler.closed.connect(self.show_views)

    def _add(self, page: QWidget) -> QScrollArea:
        """Add a page, in an area that scrolls; return the area."""
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setWidget(page)
        self.addWidget(area)
        return area

    def _show(self, page: QWidget) -> None:
        if page not in self._places:
            self._places[page] = self._add(page)
        self.setCurrentWidget(self._places[page])

    @property
    def page(self) -> QWidget | None:
        """Return the page that is shown."""
        shown = self.currentWidget()
        return shown.widget() if isinstance(shown, QScrollArea) else shown

    @property
    def comparing(self) -> bool:
        """Return whether the comparison is shown."""
        return self.page is self.comparison

    @property
    def beside(self) -> bool:
        """Return whether two runs are shown side by side."""
        return self._side_by_side is not None and self.page is self._side_by_side

    @property
    def _words(self) -> str:
        """Return the words for the caption that the shown page has by itself."""
        if self.beside:
            return self.side_by_side.words
        if self.shows_program:
            return "Enter opens the selected launch, Esc goes back."
        return "Esc goes back to the step." if self.shows_no_step else ""

    @property
    def scenes(self) -> list[Scene]:
        """Return the scenes of the two runs, while they are shown."""
        return self._side_by_side.scenes if self._side_by_side is not None and self.beside else []

    @property
    def memory_bytes(self) -> int:
        """Return the bytes that the history of the run at the right takes."""
        second = self._side_by_side.second if self._side_by_side is not None else None
        return second.trace.memory_bytes if second is not None else 0

    @property
    def shows_no_step(self) -> bool:
        """Return whether the shown page has no step."""
        return self.page in (self.comparison, self.profiler, self._program)

    @property
    def table(self) -> Table | None:
        """Return the table of the profiler's page while that is shown."""
        return self.profiler.shown if self.page is self.profiler else None

    @property
    def shows_program(self) -> bool:
        """Return whether the page of a program is shown."""
        return self._program is not None and self.page is self._program

    @property
    def side_by_side(self) -> SideBySidePage:
        """Return the page of two runs."""
        if self._side_by_side is None:
            self._side_by_side = self._make_side_by_side()
            self._side_by_side.closed.connect(self.show_views)
            self._side_by_side.said.connect(self.said)
        return self._side_by_side

    def take_focus(self) -> None:
        """Give the keyboard back to the keys that step."""
        self._home.setFocus()

    def show_views(self) -> None:
        focused = self.window().focusWidget()
        self.setCurrentWidget(self.workspace)
        left = [page for page in (self.comparison, self._program) if page is not None]
        if focused is not None and any(page.isAncestorOf(focused) for page in left):
            self._home.setFocus()

    def show_view(self, key: str) -> None:
        """Return to the views and bring one of them to the front."""
        self.show_views()
        if self.workspace.zoomed is not self.workspace.views[key]:
            self.workspace.zoom(None)
        self.workspace.set_shown(key, True)
        self.workspace.raise_view(key, keep=True)

    def show_comparison(self) -> None:
        """Show the comparison and give it the focus."""
        self._show(self.comparison)
        self.comparison.setFocus()

    def show_side_by_side(self) -> None:
        """Show two runs side by side; the keys go on stepping."""
        self._show(self.side_by_side)
        self._home.setFocus()

    def show_profiler(self) -> None:
        """Show the run as another profiler reports it."""
        self._show(self.profiler)

    def show_program(self, page: ProgramPage) -> None:
        """Show a program and give its launches the focus."""
        if self._program is None:
            self._program = page
            page.closed.connect(self.show_views)
        self._show(page)
        page.setFocus()
