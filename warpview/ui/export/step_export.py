"""The export of steps in the window: asks what and where to, goes through the steps, and comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from warpview.ui.export.choice import USUAL_WIDTH, WINDOW, StepsChoice, steps_of, usual
from warpview.ui.export.steps import AnimationFile, PictureFolder, Sink, StepRecorder
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.panels.steps_dialog import ask_steps

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

ANIMATIONS = "Animated picture (*.gif)"
FOLDERS = "New folder (*)"
MEGABYTE = 1e6


class StepExport(QObject):
    """One export at a time. The questions are attributes, so that tests can answer them."""

    def __init__(self, window: MainWindow, ask_save: Callable[[str, str, str], Path | None]) -> None:
        super().__init__(window)
        self._w = window
        self.ask_steps, self._ask_save = ask_steps, ask_save
        self._recorder: StepRecorder | None = None
        self._place = window.selection.now  # what the next picture is to show

    @property
    def running(self) -> bool:
        return self._recorder is not None and self._recorder.running

    def cancel(self) -> bool:
        """Stop an export; whether there was one."""
        if self._recorder is None or not self._recorder.running:
            return False
        self._recorder.cancel()
        return True

    def close(self) -> None:
        """The window closes: nothing half written stays behind."""
        if self._recorder is not None and self._recorder.running:
            self._recorder.abandon()

    def start(self) -> None:
        """Ask, and begin."""
        w = self._w
        if w.session.run is None or self.running:
            return
        w.player.pause()
        w.show_comparison(False)
        now, trace = w.selection.now, w.session.run.trace
        mode = w.player.mode
        width = min(USUAL_WIDTH, w.central.width())
        offered = StepsChoice(*usual(trace, mode, now.key, now.step), mode, self._shown_view(), width)
        choice = self.ask_steps(w, trace, now.key, offered, self._shapes())
        if choice is None:
            return
        steps = steps_of(trace, choice.mode, now.key, choice.first, choice.last)
        name, kinds = ("steps.gif", ANIMATIONS) if choice.animated else ("steps", FOLDERS)
        path = self._ask_save("Export steps", name, kinds)
        if path is not None:
            self._record(choice, steps, path.with_suffix(".gif") if choice.animated else path, now)

    def _shown_view(self) -> str:
        zoomed = self._w.stage.zoomed
        return WINDOW if zoomed is None else zoomed.key

    def _shapes(self) -> dict[str, tuple[str, QSize]]:
        """The whole window and the views that are shown: name and size by key."""
        shown = {view.key: (view.title, view.size()) for view in self._w.views if view.isVisible()}
        return {WINDOW: ("the whole window", self._w.central.size()), **shown}

    def _record(self, choice: StepsChoice, steps: list[int], path: Path, before: Snapshot) -> None:
        w = self._w
        taken: QWidget = w.stage.views[choice.view] if choice.view else w.central
        milliseconds = round(1000 * choice.seconds)
        sink: Sink = AnimationFile(path, milliseconds) if choice.animated else PictureFolder(path, steps[-1])
        recorder = StepRecorder(
            steps,
            lambda step: self._show(replace(before, step=step)),
            lambda: self._take(taken),
            sink,
            choice.width,
            self,
        )
        recorder.progress.connect(w.progress.report)
        recorder.done.connect(lambda: self._end(before, _written(path, len(steps))))
        recorder.failed.connect(lambda words: self._end(before, words))
        w.session.run_changed.connect(recorder.cancel)  # another run has other steps
        self._recorder = recorder
        w.progress.set_busy(True)
        recorder.start()

    def _show(self, place: Snapshot) -> None:
        w = self._w
        self._place = place
        w.selection.update(**vars(place))
        w.presenter.present()
        for view in w.views:
            if view.isVisible():
                view.flush()

    def _take(self, widget: QWidget) -> QImage:
        if self._w.selection.now != self._place:  # somebody pressed a key meanwhile
            self._show(self._place)
        self._w.turns.finish()  # what is not painted just now is not in a picture of it either
        return widget.grab().toImage()

    def _end(self, before: Snapshot, words: str) -> None:
        w = self._w
        w.progress.set_busy(w.runner.busy)
        if self._recorder is not None:
            self._recorder.deleteLater()
            self._recorder = None
        w.selection.update(**vars(before))
        w.say(words)


def _written(path: Path, pictures: int) -> str:
    """What was written, and how large it is."""
    if path.is_dir():
        return f"Wrote {pictures} pictures into {path}."
    return f"Wrote {path}: {pictures} pictures, {path.stat().st_size / MEGABYTE:.1f} MB."
