"""Frame times of the real window on a long trace: python tests/ui/measure_frames.py

Times are those of the interface thread's processor, so that a busy machine does not count: from the key until the views
that the eye follows (source, lanes, what the step concerns, caption, history) are painted, and until all are, which
happens in the next turn of the event loop. The window is 1600x1000 with every view in sight, on the opening kernel's
full launch (878,592 events).
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from warpview.ui.arranging.arrangement import ARRANGEMENTS, Box
from warpview.ui.collector import Collector
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine

STEPS = 150
CALM_MS = 45  # between two steps: every painting of one is over before the next
BELOW = Box("h", ("occupancy", "timeline", "console", "counters"), (25, 25, 10, 40))
RIGHT = Box("v", ("lanes", Box("h", ("shared", "global")), BELOW), (36, 32, 32))
EVERYTHING = Box("h", (Box("v", ("source", "instructions", "divergence"), (48, 18, 34)), RIGHT), (40, 60))


def wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def settle(window: MainWindow) -> None:
    wait(300)
    while window.runner.busy or window.session.run is None:
        wait(50)
    wait(2000)


class Paintings(QObject):
    """Notes when the window has been painted; ``first`` is the time of the first painting since it was set to None."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.first: float | None = None
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """The event is still to be handled: do so, and look at the clock."""
        if event.type() != QEvent.Type.UpdateRequest or self.first is not None:
            return False
        watched.removeEventFilter(self)
        QApplication.sendEvent(watched, event)
        watched.installEventFilter(self)
        self.first = time.thread_time()
        return True


def measure(name: str, paintings: Paintings, actions: Sequence[Callable[[], None]]) -> None:
    """Print the median, the 95th percentile and the longest of some actions in milliseconds."""
    first, last = [], []
    for action in actions:
        paintings.first = None
        begin = time.thread_time()
        action()
        wait(CALM_MS)
        last.append(1000 * (time.thread_time() - begin))
        first.append(last[-1] if paintings.first is None else 1000 * (paintings.first - begin))
    for what, times in (("leading views", first), ("all views", last)):
        median, most = np.percentile(times, (50, 95))
        print(f"{name:16} {what:14} median {median:5.1f} ms   95 % under {most:5.1f} ms   longest {max(times):5.1f} ms")


def main() -> None:
    app = QApplication(["warpview"])
    app.setStyle("Fusion")
    look = Look(motion=False)
    apply_style(app, look)
    ARRANGEMENTS["wide"] = EVERYTHING
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        settings.setValue("motion", "false")
        window = MainWindow(Engine(), Drafts(Path(scratch)), look, settings)
        window.library_wanted = False
        window.resize(1600, 1000)
        collector = Collector(app)
        window.runner.busy_changed.connect(collector.set_busy)
        window.show()
        window.start()
        settle(window)
        window.session.set_preset("full")
        settle(window)
        assert window.session.run is not None
        steps = window.session.run.trace.steps
        window.player.go(steps // 2)
        wait(300)
        places = random.Random(1)
        paintings = Paintings(window)
        measure("step, this warp", paintings, [lambda: window.player.step(True)] * STEPS)
        measure("step, any warp", paintings, [lambda: window.player.step_any(True)] * STEPS)
        far = [places.randrange(steps) for _ in range(STEPS)]
        measure("scrub", paintings, [lambda to=to: window.history.step_wanted.emit(to) for to in far])  # type: ignore[misc]
        window.close()
        collector.stop()


if __name__ == "__main__":
    main()
