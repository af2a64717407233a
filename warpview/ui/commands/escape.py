"""Leave by the Esc key whatever has been entered, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.presentation import Presentation
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands.prediction import Prediction
from warpview.ui.moving.player import Player
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.library_panel import LibraryPanel
from warpview.ui.panels.progress import Progress
from warpview.ui.views.counters.counters import CountersView
from warpview.ui.views.source.source import SourceView


class Escape:
    """Carry out Esc, by what is open; ``cancel`` stops the work under way."""

    def __init__(
        self, central: QWidget, source: SourceView, counters: CountersView, pages: Pages, progress: Progress,
        prediction: Prediction, banner: Banner, workspace: Workspace, presentation: Presentation, player: Player,
        selection: Selection, caption: Caption, library: LibraryPanel, cancel: Callable[[], object],
    ) -> None:  # fmt: skip
        self._central, self._source, self._counters, self._pages = central, source, counters, pages
        self._progress, self._prediction, self._banner, self._workspace = progress, prediction, banner, workspace
        self._presentation, self._player, self._selection = presentation, player, selection
        self._caption, self._library, self._cancel = caption, library, cancel

    def leave(self) -> None:
        """Leave what was entered last, and give the keyboard back to the window."""
        self._caption.show_hint()
        if self._leave_field() or self._leave_find_bar():
            return
        if self._progress.isVisible():
            self._cancel()
        elif self._source.editing:
            self._source.set_editing(False)
        elif self._prediction.forget():
            pass
        elif self._pages.shows_no_step or self._pages.beside:
            self._pages.show_views()
        elif self._banner.isVisible():
            self._banner.close_banner()
        elif self._workspace.zoomed is not None:
            self._workspace.zoom(None)
        elif self._presentation.on:
            self._presentation.set_on(False)
        elif self._player.following:
            self._player.let_go()
        else:
            self._selection.update(line=None, lane=None, pc=None, element=None, part=None)
        self._central.setFocus()

    def _leave_field(self) -> bool:
        """Leave a filter that has the keyboard, that of the library empty; return whether one had."""
        comparison = self._pages.comparison
        if self._library.filter.hasFocus():
            self._library.filter.clear()
            self._central.setFocus()
            return True
        for field, after in ((comparison.filter, comparison), (self._counters.filter, self._central)):
            if field.hasFocus():
                after.setFocus()
                return True
        return False

    def _leave_find_bar(self) -> bool:
        """Close the find bar; return whether it was open. The editor has the keyboard then, while one edits."""
        bar = self._source.find_bar
        if not bar.isVisible():
            return False
        bar.close_bar()
        if not self._source.editing:
            self._central.setFocus()
        return True
