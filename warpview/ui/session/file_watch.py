"""Notice when another program writes the file that is open."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from warpview.diagnostics import WarpviewError
from warpview.ui.session import text_file
from warpview.ui.session.file_kinds import is_machine_code

SETTLED_MS = 200  # programs write a file in several goes, or another in its place


class FileWatch(QObject):
    """Watch one file. ``changed`` comes once for every text that is not the one known, and when the file is removed."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._timer.timeout.connect(self._look)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda _: self._timer.start())
        self._watcher.directoryChanged.connect(self._on_folder)
        self._path: Path | None = None
        self._known = ""

    def watch(self, path: Path | None, text: str = "") -> None:
        """Watch this file, whose text is ``text``, and no other; None: no file."""
        self._path, self._known = path, text
        if path is not None and path.is_file() and is_machine_code(path.name):
            self._known = _content(path)
        if watched := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(watched)
        if path is not None and (present := [str(each) for each in (path, path.parent) if each.exists()]):
            self._watcher.addPaths(present)

    def _on_folder(self) -> None:
        """Look for a file that was removed, which is not watched by itself any longer."""
        if self._path is not None and str(self._path) not in self._watcher.files() and self._path.is_file():
            self._timer.start()

    def _look(self) -> None:
        path = self._path
        if path is None:
            return
        try:
            text = _content(path)
        except FileNotFoundError:
            text = ""
        except (OSError, WarpviewError):
            return  # nothing to take over
        if str(path) not in self._watcher.files() and path.is_file():  # another file took its place
            self._watcher.addPath(str(path))
        if text != self._known:
            self._known = text
            self.changed.emit()


def _content(path: Path) -> str:
    """Return the text of a source; of machine code, whose text in the window is another, a number for its bytes."""
    return sha256(path.read_bytes()).hexdigest() if is_machine_code(path.name) else text_file.read(path)
