"""Choose the panels that the window shows and the arrangement of its views, by the available room."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMainWindow, QMenuBar, QVBoxLayout, QWidget

from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.presentation import Presentation
from warpview.ui.arranging.staged_update import StagedUpdate
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.drawing.controls import splitter
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.presenter import Presenter
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.panels.launch_bar import LaunchBar
from warpview.ui.panels.library_panel import LibraryPanel
from warpview.ui.panels.outdated_strip import OutdatedStrip
from warpview.ui.panels.transport import Transport
from warpview.ui.teaching.lesson_reader import LessonReader

WIDE_FROM = 1440  # pixels at normal type
SMALL_BELOW = (1180, 640)
SINGLE_BELOW = 560  # width in pixels at normal type; one view at a time
SPACING, LOW_SPACING = 6, 4  # pixels between the panels
LOW = 540  # pixels at normal type; below, a lesson takes the place of the key counters
TIGHT_BELOW = 1000  # the speed has keys alone
LESSON_STRIP = 90  # height of a lesson's strip, about, at normal type
LIBRARY_WIDTH = 240  # pixels at normal type


class WindowLayout(QObject):
    """Place the panels in ``central`` and arrange the views; ``changed`` follows every change of either."""

    changed = Signal()

    def __init__(
        self, window: QMainWindow, central: QWidget, look: Look, staged: StagedUpdate, workspace: Workspace,
        presenter: Presenter, presentation: Presentation, lessons: LessonReader, library: LibraryPanel,
        launch_bar: LaunchBar, pages: Pages,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window, self._look, self._staged, self._workspace = window, look, staged, workspace
        self._presenter, self._presentation, self._lessons = presenter, presentation, lessons
        self._library, self._launch_bar, self._pages = library, launch_bar, pages
        self.library_wanted = False
        self._split = splitter(Qt.Orientation.Horizontal, library, pages)
        self._split.setHandleWidth(6)
        self._split.setStretchFactor(1, 1)
        self._column = QVBoxLayout(central)
        self._column.setContentsMargins(8, 4, 8, 8)
        self._column.setSpacing(SPACING)
        self._warnings = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        look.changed.connect(self.arrange_soon)
        for signal in (workspace.zoom_changed, workspace.everything_changed, lessons.room_wanted):
            signal.connect(self.arrange)

    def compose(
        self, banner: Banner, outdated: OutdatedStrip, transport: Transport, history: HistoryBar, caption: Caption
    ) -> None:
        """Place the panels: warnings over the views, the transport, the history and the caption below them."""
        self._transport, self._banner = transport, banner
        self._warnings.addWidget(banner, 3)
        self._warnings.addWidget(outdated, 2)
        steps = QWidget()
        bottom = QHBoxLayout(steps)
        bottom.setContentsMargins(0, 0, 0, 0)
        bottom.setSpacing(10)
        bottom.addWidget(transport)
        bottom.addWidget(history, 1)
        bottom.addWidget(transport.step_field())
        self._column.addWidget(self._launch_bar)
        self._column.addLayout(self._warnings)
        self._column.addWidget(self._split, 1)
        self._column.addWidget(steps)
        # The steps are those of the run in the views, which a program has nothing to do with.
        self._pages.currentChanged.connect(lambda: steps.setVisible(not self._pages.shows_program))
        self._column.addWidget(caption)

    # ---- the library

    def restore_library(self, wanted: bool, width: float) -> None:
        """Show the library, as soon as there is room, ``width`` pixels wide."""
        self.library_wanted = wanted
        self._split.setSizes([round(width), 4000])

    def toggle_library(self) -> None:
        """Show or hide the library."""
        self.library_wanted = not self._library.isVisible()
        self._library.setVisible(self.library_wanted)
        self._place_lesson()
        self.changed.emit()

    # ---- the arrangement of the views

    def arrange_soon(self) -> None:
        """Arrange after another size or look: in a turn of its own, except before the window is seen."""
        if not self._workspace.arrangement:
            self.arrange()
        elif not self._staged.under_way:  # else it is arranged at its end
            self._staged.take(self.arrange)

    def arrange(self) -> None:
        """Show the arrangement for the width there is."""
        window, scale = self._window, self._look.scale
        wide = window.width() >= WIDE_FROM * scale
        room = wide and not self._presentation.on and self._workspace.zoomed is None
        self._library.setVisible(room and self.library_wanted)
        self._place_lesson()
        strip = LESSON_STRIP if self._lesson_is_strip else 0
        narrow, low = (size * scale for size in SMALL_BELOW)
        small = window.width() < narrow or window.height() < low
        self._transport.set_tight(window.width() < TIGHT_BELOW * scale, self._is_single)
        cramped = small or window.height() - strip * scale < low
        self._set_low(cramped, window.height() < LOW * scale)
        usual = "wide" if wide else "small" if cramped else "narrow"
        if self._is_single:
            name = "single"
        else:
            name = "presentation" if self._presentation.on else usual if self._workspace.everything else "follow"
        anew = self._workspace.arrange(name)
        self.changed.emit()
        # Otherwise a view that has another size draws itself.
        if anew and self._presenter.context is not None:
            self._presenter.present()
            self._lessons.raise_view()

    def _set_low(self, low: bool, lowest: bool) -> None:
        """Leave the height to the views in a low window: warnings in one line, beside one another in the lowest."""
        self._banner.set_brief(low)
        directions = QBoxLayout.Direction
        self._warnings.setDirection(directions.LeftToRight if lowest else directions.TopToBottom)
        self._column.setSpacing(LOW_SPACING if lowest else SPACING)

    @property
    def _lesson_is_strip(self) -> bool:
        """Return whether the lesson is a strip above the history: it is while the library is hidden."""
        return self._lessons.lesson is not None and self._library.isHidden()

    @property
    def _is_single(self) -> bool:
        """Return whether one view at a time has all the room."""
        return self._window.width() < SINGLE_BELOW * self._look.scale

    def _place_lesson(self) -> None:
        """Put the lesson where there is room: below the library, as a strip above the history, below the source, or
        beside the only view."""
        panel, strip = self._lessons.panel, self._lesson_is_strip
        if self._lessons.lesson is None:
            self._library.set_lower(None)
            self._workspace.set_guest(None)
            return
        beside = strip and self._window.height() < LOW * self._look.scale and self._workspace.zoomed is None
        panel.set_strip(strip and not beside, compact=beside)
        if not beside:
            self._workspace.set_guest(None)
        self._library.set_lower(None if strip else panel)
        if beside and self._is_single:
            self._workspace.set_guest(None)
            self._split.addWidget(panel)
        elif beside:
            self._workspace.set_guest(panel)
        elif strip and self._column.indexOf(panel) < 0:
            self._column.insertWidget(self._column.indexOf(self._split) + 1, panel)
        panel.setVisible(not self._lessons.is_behind_view)

    # ---- presentation

    def show_presented(self, on: bool, menu_bar: QMenuBar, caption: Caption) -> None:
        """Hide what presentation mode does without."""
        menu_bar.setVisible(not on)
        self._launch_bar.setVisible(not on)
        caption.set_hints(not on)
        self.changed.emit()
