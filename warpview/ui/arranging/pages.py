"""The pages of the window's middle: the views, the comparison, the profiler's table."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from warpview.ui.arranging.workspace import Workspace
from warpview.ui.panels.comparison import ComparisonPage
from warpview.ui.panels.profiler_page import ProfilerPage


class Pages(QStackedWidget):
    """Shows one of the three pages; ``home`` receives the focus when a page closes."""

    def __init__(self, workspace: Workspace, comparison: ComparisonPage, profiler: ProfilerPage, home: QWidget) -> None:
        super().__init__()
        self.workspace, self.comparison, self.profiler, self._home = workspace, comparison, profiler, home
        for page in (workspace, comparison, profiler):
            self.addWidget(page)
        comparison.closed.connect(self.show_views)
        profiler.closed.connect(self.show_views)

    @property
    def comparing(self) -> bool:
        """Whether the comparison is shown."""
        return self.currentWidget() is self.comparison

    @property
    def aside(self) -> bool:
        """Whether a page is shown in place of the views."""
        return self.currentWidget() is not self.workspace

    def show_views(self) -> None:
        """Return to the views."""
        focused = self.window().focusWidget()
        self.setCurrentWidget(self.workspace)
        if focused is not None and self.comparison.isAncestorOf(focused):
            self._home.setFocus()

    def show_comparison(self) -> None:
        """Show the comparison and give it the focus."""
        self.setCurrentWidget(self.comparison)
        self.comparison.setFocus()

    def show_profiler(self) -> None:
        """Show the run as another profiler reports it."""
        self.setCurrentWidget(self.profiler)
