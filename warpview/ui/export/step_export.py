"""Export a range of steps: ask for it, go through the steps, and return to the present one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.export.choice import USUAL_WIDTH, WINDOW, StepsChoice, steps_of, usual
from warpview.ui.export.steps import AnimationFile, PictureFolder, PictureWriter, StepRecorder
from warpview.ui.moving.player import NO_RUN, Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.panels.messages import Messages
from warpview.ui.panels.progress import Progress
from warpview.ui.panels.steps_dialog import ask_steps
from warpview.ui.session.session import Session

ANIMATIONS = "Animated picture (*.gif)"
FOLDERS = "New folder (*)"
MEGABYTE = 1e6


class StepExport(QObject):
    """Export one thing at a time. Pictures show ``window`` or a view of it; ``settle`` completes its layout."""

    def __init__(
        self, session: Session, selection: Selection, player: Player, presenter: Presenter, pages: Pages,
        window: QWidget, settle: Callable[[], object], progress: Progress, messages: Messages, dialogs: Dialogs,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._selection, self._player, self._presenter = session, selection, player, presenter
        self._pages, self._workspace, self._window = pages, pages.workspace, window
        self._settle, self._progress, self._messages, self._dialogs = settle, progress, messages, dialogs
        self.ask_steps = ask_steps
        self.recorder: StepRecorder | None = None
        self._place = selection.now  # the place that the next picture shows

    @property
    def running(self) -> bool:
        """Return whether an export is under way."""
        return self.recorder is not None and self.recorder.running

    def cancel(self) -> bool:
        """Stop an export; return whether there was one."""
        if self.recorder is None or not self.recorder.running:
            return False
        self.recorder.cancel()
        return True

    def close(self) -> None:
        """Stop because the window closes: no half-written file stays behind."""
        if self.recorder is not None and self.recorder.running:
            self.recorder.abandon()

    def start(self) -> None:
        """Ask what to export, and begin."""
        run, now = self._session.run, self._selection.now
        if run is None or self.running:
            self._messages.notice(NO_RUN if run is None else "Another export is still being written.")
            return
        self._player.pause()
        self._pages.show_views()
        mode = self._player.mode
        width = min(USUAL_WIDTH, self._window.width())
        offered = StepsChoice(*usual(run.trace, mode, now.key, now.step), mode, self._shown_view(), width)
        choice = self.ask_steps(self._window, run.trace, now.key, offered, self._shapes())
        if choice is None:
            return
        steps = steps_of(run.trace, choice.mode, now.key, choice.first, choice.last)
        name, kinds = ("steps.gif", ANIMATIONS) if choice.animated else ("steps", FOLDERS)
        path = self._dialogs.ask_save("Export animation", name, kinds)
        if path is not None:
            self._record(choice, steps, path, now)

    def _shown_view(self) -> str:
        zoomed = self._workspace.zoomed
        return WINDOW if zoomed is None else zoomed.key

    def _shapes(self) -> dict[str, tuple[str, QSize]]:
        """Return the whole window and the views that are shown: name and size by key."""
        views = self._workspace.views.values()
        shown = {view.key: (view.title, view.size()) for view in views if view.isVisible()}
        return {WINDOW: ("the whole window", self._window.size()), **shown}

    def _record(self, choice: StepsChoice, steps: list[int], path: Path, before: Snapshot) -> None:
        taken: QWidget = self._workspace.views[choice.view] if choice.view else self._window
        milliseconds = round(1000 * choice.seconds)
        sink: PictureWriter = AnimationFile(path, milliseconds) if choice.animated else PictureFolder(path, steps[-1])
        recorder = StepRecorder(
            steps,
            lambda step: self._show(replace(before, step=step)),
            lambda: self.take(taken),
            sink,
            choice.width,
            self,
        )
        recorder.progress.connect(self._progress.report)
        recorder.done.connect(lambda: self._end(before, _written(path, len(steps))))
        recorder.failed.connect(lambda words: self._end(before, words))
        self._session.run_changed.connect(recorder.cancel)  # another run has other steps
        self.recorder = recorder
        self._progress.set_busy(True)
        recorder.start()

    def _show(self, place: Snapshot) -> None:
        self._place = place
        self._selection.update(**vars(place))
        self._presenter.present()
        for view in self._workspace.views.values():
            if view.isVisible():
                view.flush()

    def take(self, widget: QWidget) -> QImage:
        if self._selection.now != self._place:  # a key was pressed meanwhile
            self._show(self._place)
        self._settle()
        return widget.grab().toImage()

    def _end(self, before: Snapshot, words: str) -> None:
        self._progress.set_busy(self._session.runner.busy)
        if self.recorder is not None:
            self.recorder.deleteLater()
            self.recorder = None
        self._selection.update(**vars(before))
        self._messages.notice(words)


def _written(path: Path, pictures: int) -> str:
    """Return a sentence on the file that was written, and its size."""
    if path.is_dir():
        return f"Wrote {pictures} pictures into {path}."
    return f"Wrote {path}: {pictures} pictures, {path.stat().st_size / MEGABYTE:.1f} MB."
