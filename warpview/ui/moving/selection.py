"""Hold the user's selection: the one mutable object that the views share.

Views write to it with ``update`` and listen to it; they never talk to one another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from warpview.ui.moving.snapshot import Snapshot

__all__ = ["Selection", "Snapshot"]


class Selection(QObject):
    """Hold step, warp, lane, line, element and so on, and signal when any of them changes.

    ``changed`` carries the old and the new snapshot; several fields set together are announced once.
    """

    changed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = Snapshot()

    @property
    def now(self) -> Snapshot:
        return self._now

    def update(self, **fields: Any) -> None:
        """Set some fields, e.g. ``update(lane=5)``; a field that is not one of ``Snapshot`` is a TypeError."""
        if fields.get("step", self._now.step) != self._now.step:
            fields.setdefault("part", None)  # a part of the access of another step is something else
        new = replace(self._now, **fields)
        if new != self._now:
            old, self._now = self._now, new
            self.changed.emit(old, new)

    def toggle(self, **fields: Any) -> None:
        """Set fields as ``update`` does, but clear one that has the value already: a second click deselects."""
        self.update(**{name: None if getattr(self._now, name) == value else value for name, value in fields.items()})
