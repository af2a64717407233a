"""Carry out the commands on the appearance: menus View and Help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtWidgets import QMessageBox, QWidget

from warpview.ui.arranging.workspace import Workspace
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.documentation import Documentation
from warpview.ui.panels.keys_page import KeysPage
from warpview.ui.views.arrays.arrays import ArraysView
from warpview.ui.views.arrays.colouring import next_colouring
from warpview.ui.views.machine.grid import GridView
from warpview.ui.views.machine.occupancy import OccupancyView
from warpview.ui.views.timeline.timeline import TimelineView
from warpview.ui.views.view import View

V = TypeVar("V", bound=View)


class ViewCommands:
    """Implement the actions of views, one method or a partial of one for each."""

    def __init__(
        self, window: QWidget, workspace: Workspace, selection: Selection, presenter: Presenter, look: Look
    ) -> None:  # fmt: skip
        self._window, self._workspace, self._selection = window, workspace, selection
        self._presenter, self._look = presenter, look

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        look = self._look
        return {
            "zoom": self.zoom, "what_if": self.what_if, "colours": self.colours,
            "timeline_in": partial(self.timeline, lambda view: view.zoom(0.5)),
            "timeline_out": partial(self.timeline, lambda view: view.zoom(2.0)),
            "timeline_all": partial(self.timeline, TimelineView.show_all),
            "timeline_later": partial(self.timeline, lambda view: view.turn(0.5)),
            "timeline_earlier": partial(self.timeline, lambda view: view.turn(-0.5)),
            "level_in": partial(self.level, 1), "level_out": partial(self.level, -1),
            "larger": look.larger, "smaller": look.smaller, "normal_size": partial(look.set_scale, 1.0),
            "theme_light": partial(look.set_theme, "light"), "theme_dark": partial(look.set_theme, "dark"),
            "theme_contrast": partial(look.set_theme, "high contrast"),
            "motion": lambda: look.set_motion(not look.motion),
            "keys": self.keys, "documentation": self.documentation, "glossary": self.glossary, "about": self.about,
        }  # fmt: skip

    def zoom(self, view: View | None = None) -> None:
        """Maximise a view, or restore the others."""
        maximised = self._workspace.zoomed is not None
        self._workspace.zoom(None if maximised else (view or self._workspace.pointed_view))

    def _bring(self, kind: type[V]) -> V:
        """Bring a view into sight, wherever it is: hidden, behind a tab, or behind the one that is maximised."""
        workspace, view = self._workspace, self._workspace.views[kind.key]
        assert isinstance(view, kind)
        if workspace.zoomed is not None:
            workspace.zoom(view)
        elif view.key not in workspace.shown():
            workspace.set_shown(view.key, True)
        workspace.raise_view(view.key)
        return view

    def colours(self) -> None:
        """Colour the arrays by the next criterion, in sight."""
        self._bring(ArraysView)
        self._selection.update(colours=next_colouring(self._selection.now.colours))

    def what_if(self) -> None:
        """Raise the occupancy view and give it the keyboard."""
        view = self._bring(OccupancyView)
        self._presenter.present()
        view.flush()
        if not view.has_curves and self._workspace.zoomed is None:
            self.zoom(view)
        view.take_keys()

    def timeline(self, change: Callable[[TimelineView], None]) -> None:
        """Raise the timeline and show other cycles in it."""
        view = self._bring(TimelineView)
        view.ensure_built()
        change(view)

    def level(self, by: int) -> None:
        """Raise the grid view and zoom it in or out by a level."""
        self._bring(GridView).change_level(by)

    def keys(self) -> None:
        """Show the table of keys."""
        KeysPage(self._look, self._window).open()

    def documentation(self) -> Documentation:
        """Open the pages that come with warpview in a window beside this one."""
        pages = self._window.findChild(Documentation) or Documentation(self._look, self._window)
        pages.show()
        pages.raise_()
        return pages

    def glossary(self, word: str = "") -> None:
        """Explain a word, or else the view under the pointer."""
        view = self._workspace.pointed_view
        self.documentation().go_to("glossary", "words" if word else view.title, word)

    def about(self) -> None:
        """Show version and licence."""
        from importlib.metadata import version  # it loads email, which no start needs

        QMessageBox.about(
            self._window, "About warpview",
            f"warpview {version('warpview')} shows how a GPU executes a CUDA kernel, warp by warp, with counters that "
            "equal the hardware's.\n\nMIT licence.",
        )  # fmt: skip
