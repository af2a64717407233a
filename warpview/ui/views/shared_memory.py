"""The shared-memory view: lanes meet banks, wavefront by wavefront; and the kernel's own array."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QWidget

from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.ui.picture import Picture
from warpview.ui.selection import Selection
from warpview.ui.theme import Look
from warpview.ui.views import shared_memory_model as model
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.picture_view import PictureView
from warpview.ui.views.view import LegendEntry

REPLAY_MS = 450
REPLAY_MOST = 4  # longer conflicts are shown at once; their wavefronts can be picked


class SharedMemoryView(PictureView):
    """Replays a conflict once when a step brings it, then shows all wavefronts together."""

    key = "shared"
    title = "Shared memory"
    about = "Which lane meets which bank: conflicts cost a wavefront each, a broadcast is one"
    min_size = QSize(300, 170)

    def __init__(self, selection: Selection, look: Look, parent: QWidget | None = None) -> None:
        self.array: str | None = None
        self._playing = model.ALL  # the wavefront that the replay shows
        self._seen: int | None = None
        super().__init__(selection, look, parent)
        self._replay = QTimer(self)
        self._replay.setInterval(REPLAY_MS)
        self._replay.timeout.connect(self._next_front)

    def legend(self) -> list[LegendEntry]:
        return [
            LegendEntry("active", "fill", "a lane's own hue, from lane to bank"),
            LegendEntry("conflict", "fill", "bank with a conflict"),
            LegendEntry("idle", "hollow", "served in another wavefront"),
        ]

    def has_content(self, run: RunLike) -> bool:
        return any(i.space in (Space.SHARED, Space.CONST) for i in run.program.instructions)

    def content_key(self, context: FrameContext) -> Hashable | None:
        return model.idle_key(context, self.array)

    def picture(self, context: FrameContext, picture: Picture) -> str:
        step = context.frame.step
        if step != self._seen:
            self._arrive(context, forward=self._seen is not None and step == self._seen + 1)
            self._seen = step
        return model.draw(context, picture, self.front, self.array)

    @property
    def front(self) -> int:
        """The wavefront to be seen alone: the one picked, or that of the replay."""
        picked = self.selection.now.part
        return self._playing if picked is None else picked

    def _arrive(self, context: FrameContext, forward: bool) -> None:
        self._playing = model.ALL
        self._replay.stop()
        access = context.frame.access
        if not (forward and self.look.motion and isinstance(access, SharedAccess)) or context.predicting:
            return
        if access.conflicts and len(access.wavefronts) <= REPLAY_MOST:
            self._playing = 0
            self._replay.start()

    def _next_front(self) -> None:
        access = self.context.frame.access if self.context else None
        last = len(access.wavefronts) - 1 if isinstance(access, SharedAccess) else -1
        if self._playing >= last or not self.isVisible() or self.selection.now.part is not None:
            self._replay.stop()
            self._playing = model.ALL
        else:
            self._playing += 1
        self.refresh()

    def command(self, name: str, value: int) -> None:
        kind, _, rest = name.partition(" ")
        if kind == "front":
            self._replay.stop()
            self._playing = model.ALL
            self.selection.update(part=None if value == model.ALL else value)
        elif kind == "array":
            self.array = rest

    def clear(self) -> None:
        self._seen = None
        self._replay.stop()
        super().clear()
