"""Write a range of steps as an animated GIF or a folder of PNGs: the window steps, a thread encodes and writes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from warpview.sim.launch import Cancelled
from warpview.ui.drawing.export import write_image
from warpview.ui.export.gif import Animation

WAITING_MOST = 4  # pictures taken and not yet dealt with; the window waits for the writer beyond that
LOOK_AGAIN_MS = 20


def pixels(image: QImage) -> NDArray[np.uint8]:
    """Return the colours of an image: uint8[height, width, 3]."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8, rgb.sizeInBytes()).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


class AnimationFile:
    """Write an animated GIF; the file appears when it is whole. All methods are called in the thread."""

    def __init__(self, path: Path, milliseconds: int) -> None:
        self._path, self._milliseconds = path, milliseconds
        self._partial = path.with_name(path.name + ".part")
        self._animation = Animation()

    def add(self, step: int, image: QImage) -> None:
        self._animation.add(pixels(image))

    def finish(self, each: Callable[[int], None]) -> None:
        """Write what is still to be written; ``each`` is told how many pictures are, and may raise to stop."""
        if len(self._animation):
            self._animation.save(self._partial, self._milliseconds, each)
            self._partial.replace(self._path)

    def discard(self) -> None:
        """Leave nothing behind."""
        self._partial.unlink(missing_ok=True)


class PictureFolder:
    """Write a folder of PNGs named after their steps, of which ``last`` is the highest, as ``AnimationFile`` does."""

    def __init__(self, path: Path, last: int) -> None:
        self._path, self._digits = path, len(str(last))
        self._written: list[Path] = []
        self._made = not path.exists()

    def add(self, step: int, image: QImage) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        file = self._path / f"step-{step:0{self._digits}d}.png"
        self._written.append(file)
        write_image(image, file)

    def finish(self, each: Callable[[int], None]) -> None:
        each(len(self._written))

    def discard(self) -> None:
        for file in self._written:
            file.unlink(missing_ok=True)
        if self._made and self._path.is_dir() and not any(self._path.iterdir()):
            self._path.rmdir()


PictureWriter = AnimationFile | PictureFolder


class StepRecorder(QObject):
    """Go through ``steps``, take a picture of each and hand it to ``sink``.

    ``show`` brings a step to the screen at once and ``take`` makes its picture; each has a turn of the event loop to
    itself. Pictures are brought to ``width`` in the thread. Ends with ``done`` or ``failed(words)``; a recording that
    is cancelled or fails leaves no file behind.
    """

    progress = Signal(str, int, int)  # words, done, total
    done = Signal()
    failed = Signal(str)

    def __init__(
        self,
        steps: Sequence[int],
        show: Callable[[int], None],
        take: Callable[[], QImage],
        sink: PictureWriter,
        width: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._steps, self._show, self._take = list(steps), show, take
        self._sink, self._width = sink, width
        self._taken = 0
        self._shown = False
        self._written = 0
        self._cancelled = threading.Event()
        self._pictures: queue.Queue[tuple[int, QImage] | None] = queue.Queue()
        self._error = ""
        self._writer = threading.Thread(target=self._write, name="warpview-export", daemon=True)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        self._writer.start()
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop soon; ``failed`` says so."""
        self._cancelled.set()

    def abandon(self) -> None:
        """Stop now and say nothing: the window closes."""
        self._timer.stop()
        self.cancel()
        self._pictures.put(None)
        self._writer.join()

    @property
    def running(self) -> bool:
        return self._writer.is_alive() or self._timer.isActive()

    def _turn(self) -> None:
        """Show the next step, take its picture, or wait for the thread."""
        total = len(self._steps)
        wait = LOOK_AGAIN_MS
        if self._cancelled.is_set() or self._error:
            self._pictures.put(None)
            self._finish()
            return
        if self._taken < total:
            if self._shown or self._pictures.qsize() < WAITING_MOST:
                self._take_turn()
                wait = 0
        elif self._writer.is_alive():
            self.progress.emit(f"Encoding picture {self._written} of {total}", self._written, total)
        else:
            self._finish()
            return
        self._timer.start(wait)

    def _take_turn(self) -> None:
        step = self._steps[self._taken]
        if not self._shown:
            self.progress.emit(f"Step {self._taken + 1} of {len(self._steps)}", self._taken, len(self._steps))
            self._show(step)
        else:
            self._pictures.put((step, self._take()))
            self._taken += 1
            if self._taken == len(self._steps):
                self._pictures.put(None)
        self._shown = not self._shown

    def _finish(self) -> None:
        self._writer.join()
        if self._error:
            self.failed.emit(self._error)
        elif self._cancelled.is_set():
            self.failed.emit("The export was cancelled; nothing was written.")
        else:
            self.done.emit()

    # ---- in the thread

    def _write(self) -> None:
        try:
            while (picture := self._pictures.get()) is not None and not self._cancelled.is_set():
                step, image = picture
                if image.width() != self._width:
                    image = image.scaledToWidth(self._width, Qt.TransformationMode.SmoothTransformation)
                self._sink.add(step, image)
            self._each(0)
            self._sink.finish(self._each)
        except Cancelled:
            self._discard()
        except (OSError, ValueError) as error:
            self._error = f"The export failed: {getattr(error, 'strerror', None) or error}."
            self._discard()

    def _discard(self) -> None:
        with suppress(OSError):  # where nothing could be written, nothing is left
            self._sink.discard()

    def _each(self, done: int) -> None:
        self._written = done
        if self._cancelled.is_set():
            raise Cancelled
