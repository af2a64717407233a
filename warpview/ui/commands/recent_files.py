"""List the files that were opened last, as a menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QMenu

from warpview.ui.drawing.controls import entry_text

MOST = 9


class RecentFiles(QObject):
    """Keep the last MOST files in ``settings`` and offer those that still exist; ``open_path`` opens one."""

    def __init__(self, menu: QMenu, settings: QSettings, open_path: Callable[[Path], object]) -> None:
        super().__init__(menu)
        self._menu, self._settings, self.open_path = menu, settings, open_path
        menu.aboutToShow.connect(self.fill)
        self.fill()

    @property
    def paths(self) -> list[Path]:
        """Return the files, the last one first."""
        return [Path(line) for line in str(self._settings.value("recent", "")).splitlines() if line]

    @property
    def present(self) -> list[Path]:
        """Return those that still exist."""
        return [path for path in self.paths if path.is_file()]

    def add(self, path: Path) -> None:
        """Put a file first."""
        path = path.absolute()
        kept = [path, *(other for other in self.paths if other != path)][:MOST]
        self._settings.setValue("recent", "\n".join(str(each) for each in kept))

    def fill(self) -> None:
        """Write the menu anew."""
        self._menu.clear()
        for number, path in enumerate(self.present, 1):
            action = self._menu.addAction(f"&{number}  {entry_text(path.name)}")
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self.open_path(path))
        if self._menu.isEmpty():
            self._menu.addAction("No file has been opened yet").setEnabled(False)
