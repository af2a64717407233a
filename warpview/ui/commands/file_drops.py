"""Open a file that is dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrops(QObject):
    """Let ``window`` accept a file of the file manager's; ``open_path`` opens it."""

    def __init__(self, window: QWidget, open_path: Callable[[Path], object]) -> None:
        super().__init__(window)
        self._open_path = open_path
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QDragEnterEvent) and _path(event) is not None:
            event.acceptProposedAction()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            path = _path(event)
            if path is not None:
                event.acceptProposedAction()
                self._open_path(path)
            return True
        return super().eventFilter(watched, event)


def _path(event: QDropEvent) -> Path | None:
    """Return the first of the files that are dragged; None where they are something else."""
    local = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    return Path(local[0]) if local else None
