"""A range of steps as an animated GIF or a folder of numbered PNGs: the window steps, a thread encodes and writes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from warpview.ui.export.gif import GifWriter

WAITING_MOST = 4  # pictures taken and not yet written; the window waits for the writer beyond that
LOOK_AGAIN_MS = 20


def pixels(image: QImage) -> NDArray[np.uint8]:
    """The colours of an image: uint8[height, width, 3]."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8, rgb.sizeInBytes()).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).copy()


class StepRecorder(QObject):
    """Goes through ``steps``, takes a picture of each and writes them; one step each turn of the event loop.

    ``show`` brings a step to the screen at once and ``take`` makes its picture. A path that ends in .gif gives an
    animation, any other is a folder for PNGs named after their steps. Ends with ``done(path)`` or ``failed(words)``;
    a cancelled recording leaves no file behind.
    """

    progress = Signal(int, int)
    done = Signal(str)
    failed = Signal(str)

    def __init__(
        self,
        steps: Sequence[int],
        show: Callable[[int], None],
        take: Callable[[], QImage],
        path: Path,
        milliseconds: int = 700,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._steps, self._show, self._take = list(steps), show, take
        self._path, self._milliseconds = path, milliseconds
        self._next = 0
        self._cancelled = threading.Event()
        self._pictures: queue.Queue[tuple[int, QImage] | None] = queue.Queue()
        self._error = ""
        self._writer = threading.Thread(target=self._write, name="warpview-export", daemon=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        self._writer.start()
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop soon; ``failed`` says so."""
        self._cancelled.set()

    @property
    def running(self) -> bool:
        return self._writer.is_alive() or self._timer.isActive()

    def _turn(self) -> None:
        if self._cancelled.is_set() or self._error:
            self._pictures.put(None)
            self._finish()
        elif self._next < len(self._steps):
            wait = LOOK_AGAIN_MS
            if self._pictures.qsize() < WAITING_MOST:
                step = self._steps[self._next]
                self._show(step)
                self._pictures.put((step, self._take()))
                self._next += 1
                self.progress.emit(self._next, len(self._steps))
                wait = 0
                if self._next == len(self._steps):
                    self._pictures.put(None)
            self._timer.start(wait)
        elif self._writer.is_alive():
            self._timer.start(LOOK_AGAIN_MS)
        else:
            self._finish()

    def _finish(self) -> None:
        self._writer.join()
        if self._cancelled.is_set():
            self.failed.emit("The export was cancelled.")
        elif self._error:
            self.failed.emit(self._error)
        else:
            self.done.emit(str(self._path))

    # ---- in the thread

    def _write(self) -> None:
        try:
            if self._path.suffix.lower() == ".gif":
                self._write_gif()
            else:
                self._write_folder()
        except OSError as error:
            self._error = f"Could not write {self._path}: {error.strerror or error}"

    def _write_gif(self) -> None:
        partial = self._path.with_name(self._path.name + ".part")
        writer: GifWriter | None = None
        with partial.open("wb") as file:
            while (picture := self._pictures.get()) is not None and not self._cancelled.is_set():
                frame = pixels(picture[1])
                writer = writer or GifWriter(frame.shape[1], frame.shape[0])
                file.write(writer.add(frame[: writer.height, : writer.width], self._milliseconds))
            if writer is not None:
                file.write(writer.end())
        if self._cancelled.is_set():
            partial.unlink(missing_ok=True)
        else:
            partial.replace(self._path)

    def _write_folder(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        width = len(str(max(self._steps, default=0)))
        written: list[Path] = []
        while (picture := self._pictures.get()) is not None and not self._cancelled.is_set():
            step, image = picture
            file = self._path / f"step-{step:0{width}d}.png"
            if not image.save(str(file)):
                raise OSError(0, "the picture could not be saved")
            written.append(file)
        if self._cancelled.is_set():
            for file in written:
                file.unlink(missing_ok=True)
