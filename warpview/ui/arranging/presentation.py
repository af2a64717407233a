"""Present in full screen, with type that takes the same share of the screen whatever its resolution, or as large as
the user had it where that is larger."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow

from warpview.ui.arranging.staged_update import StagedUpdate
from warpview.ui.drawing.theme import Look

SCALE, SIZE = 1.25, (1280, 720)  # the type's factor on a screen of this size, in pixels
LARGEST_SCALE = 2.2


class Presentation(QObject):
    """Switch the window to presentation mode and back; ``arrange`` lays out its views."""

    changed = Signal(bool)

    def __init__(self, window: QMainWindow, look: Look, staged: StagedUpdate, arrange: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._look, self._staged, self._arrange = window, look, staged, arrange
        self.on = False
        self._scale_before, self._magnified, self._was_maximised = look.scale, 1.0, False

    @property
    def usual_scale(self) -> float:
        """Return the type size as the user chose it, without the factor of presentation mode."""
        return self._scale_before if self.on else self._look.scale

    def toggle(self) -> None:
        """Enter or leave presentation mode."""
        self.set_on(not self.on)

    def set_on(self, on: bool) -> None:
        """Enter or leave presentation mode, in the next turns of the event loop."""
        if on == self.on:
            return
        self.on = on
        window = self._window
        self._staged.finish()
        if on:
            self._scale_before, self._magnified, self._was_maximised = self._look.scale, 1.0, window.isMaximized()
            self._staged.take(window.showFullScreen, self._magnify, self._arrange)
        else:
            normal = window.showMaximized if self._was_maximised else window.showNormal
            self._staged.take(normal, partial(self._look.set_scale, self._scale_before), self._arrange)
        self.changed.emit(on)

    def resized(self) -> None:
        """Fit the type to another size of the screen."""
        if self.on and not self._staged.under_way:
            self._staged.take(self._magnify, self._arrange)

    def end(self) -> None:
        """Return to the usual type because the window closes."""
        if self.on:
            self._look.set_scale(self._scale_before)

    def _magnify(self) -> None:
        fits = min(self._window.width() / SIZE[0], self._window.height() / SIZE[1])
        wanted = max(1.0, min(LARGEST_SCALE, round(SCALE * fits, 2)) / self._scale_before)
        before, self._magnified = self._magnified, wanted
        self._look.set_scale(self._look.scale * wanted / before)
