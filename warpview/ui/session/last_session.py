"""Keep the last session on disk while the window is used, and restore it after quitting and after a crash."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from warpview.diagnostics import WarpviewError
from warpview.files import write_file
from warpview.ui.session.session_file import Saved, from_text, to_text

KEEP_MS = 2000  # at most one write in this time


class LastSession(QObject):
    """Write what ``saved`` returns to ``path`` some time after ``touch``; None keeps nothing."""

    def __init__(self, path: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self.path = path
        self._saved: Callable[[], Saved] | None = None
        self._timer = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._timer.timeout.connect(self.write)

    def load(self) -> Saved | None:
        """Return the session of the last time; None where there is none that can be read."""
        if self.path is None or not self.path.is_file():
            return None
        try:
            return from_text(self.path.read_text(encoding="utf-8"), self.path.name)
        except (WarpviewError, OSError, UnicodeDecodeError) as problem:
            logging.getLogger(__name__).warning("the last session is not restored: %s", problem)
            return None

    def follow(self, saved: Callable[[], Saved]) -> None:
        """Begin to keep the session that ``saved`` returns."""
        self._saved = saved

    def touch(self) -> None:
        """Say that the session has changed."""
        if self.path is not None and self._saved is not None and not self._timer.isActive():
            self._timer.start()

    def write(self) -> None:
        """Write the session now."""
        self._timer.stop()
        if self.path is None or self._saved is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self.path, to_text(self._saved()))
        except (OSError, WarpviewError) as problem:
            logging.getLogger(__name__).warning("the session could not be kept: %s", problem)
