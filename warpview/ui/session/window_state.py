"""Remember the state of the window from one start to the next. A value that cannot be read counts as missing."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from warpview.ui.arranging.layouts import LayoutCommands
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.drawing.theme import Look
from warpview.ui.views.counters.counters import CountersView

FIRST_SIZE = QSize(1600, 1000)  # pixels, with the frame, where the screen has room for it
TITLE_BAR = 40  # pixels that a window manager may take above the window


class WindowState:
    """Keep theme, type size, layouts, pinned counters and geometry in ``settings``."""

    def __init__(
        self, settings: QSettings, look: Look, workspace: Workspace, layouts: LayoutCommands, counters: CountersView
    ) -> None:  # fmt: skip
        self._settings, self._look, self._workspace = settings, look, workspace
        self._layouts, self._counters = layouts, counters

    def restore(self, window: QMainWindow) -> None:
        """Bring the window back as it was left, within the screen."""
        look, settings = self._look, self._settings
        look.set(
            str(settings.value("theme", look.theme.name)),
            self.number("scale", look.scale),
            str(settings.value("motion", "true")) != "false",
        )
        self._workspace.set_state(str(settings.value("stage", "{}")))
        self._layouts.set_state(str(settings.value("layouts", "{}")))
        self._counters.set_pins(str(settings.value("pins", "")).split())
        geometry = settings.value("geometry")
        if not isinstance(geometry, QByteArray) or not window.restoreGeometry(geometry):
            window.resize(FIRST_SIZE)
        fit_on_screen(window)

    def keep(self, window: QMainWindow, scale: float, presenting: bool) -> None:
        """Write the state of the window; ``scale`` is the type size without that of presentation mode."""
        settings = self._settings
        settings.setValue("theme", self._look.theme.name)
        settings.setValue("scale", scale)
        settings.setValue("motion", "true" if self._look.motion else "false")
        settings.setValue("stage", self._workspace.state())
        settings.setValue("layouts", self._layouts.state())
        settings.setValue("pins", " ".join(self._counters.pins))
        if not presenting:
            settings.setValue("geometry", window.saveGeometry())

    def write(self) -> None:
        """Write at once what was kept, as the event loop that would do so ends."""
        self._settings.sync()

    def number(self, name: str, otherwise: float) -> float:
        """Return a number that was kept, or ``otherwise``."""
        try:
            return float(str(self._settings.value(name, otherwise)))
        except ValueError:
            return otherwise

    def flag(self, name: str, otherwise: bool) -> bool:
        """Return a yes or no that was kept, or ``otherwise``."""
        return str(self._settings.value(name, "true" if otherwise else "false")) != "false"

    def set(self, name: str, value: object) -> None:
        """Write one value under its name."""
        self._settings.setValue(name, str(value).lower() if isinstance(value, bool) else value)


def fit_on_screen(window: QMainWindow) -> None:
    """Shrink and move the window into the available part of its screen; maximise it where it would fill that."""
    screen = window.screen() or QGuiApplication.primaryScreen()
    room = screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)
    if window.isMaximized() or window.isFullScreen():
        return
    if window.width() >= room.width() or window.height() >= room.height():
        window.setGeometry(QRect(room.topLeft(), window.size().boundedTo(room.size())))
        window.showMaximized()
        return
    corner = window.geometry().topLeft()
    corner.setX(max(room.left(), min(corner.x(), room.right() - window.width() + 1)))
    corner.setY(max(room.top(), min(corner.y(), room.bottom() - window.height() + 1)))
    window.move(corner)
