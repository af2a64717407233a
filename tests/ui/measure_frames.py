"""Measure frame times of the real window on a long trace: python tests/ui/measure_frames.py

From the key until the views that the eye follows (source, lanes, what the step concerns, caption, history) are painted,
and until all are: up to the end of the last painting that comes within IDLE_MS of the key, which is when the next key
is pressed. Everything that the interface thread does until then counts; what it prepares after that, while nothing is
to be painted, does not. Where a warp has ended, the next key goes to the beginning of another. Times are those of the
interface thread's processor, so that a busy machine does not count. Virtual machines change their speed from second to
second: "at usual speed" is in proportion to a fixed piece of work that is done between the keys. "paintings" is how
often the window was painted for one key. The window is 1600x1000, on the opening kernel's large launch (878,592
events): first as it opens, with the views that the step concerns, then with every view in sight.
"""

from __future__ import annotations

import gc
import linecache
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.append(str(Path(__file__).parents[1]))

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QSettings, Qt, QTimer
from PySide6.QtWidgets import QApplication
from ui.pauses import USUAL_MS, workload_ms

from warpview.trace.frame import Mark
from warpview.ui.arranging.arrangement import LayoutNode, keys
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine

STEPS = 150
BETWEEN_CLOCKINGS = 5  # keys
IDLE_MS = 45  # between two steps: every painting of one is over before the next
FRAME_MS = 17
FULL = 2  # the generation of a garbage collection that looks at everything
LONGEST_S = 120  # for a window to come to rest
SOON_MS = 500  # a timer that ends within it is part of what is being done; notices and autosaving take seconds
BELOW = LayoutNode("h", ("occupancy", "timeline", "console", "counters"), (25, 25, 10, 40))
RIGHT = LayoutNode("v", ("lanes", LayoutNode("h", ("shared", "global")), BELOW), (36, 32, 32))
EVERYTHING = LayoutNode("h", (LayoutNode("v", ("source", "instructions", "divergence"), (48, 18, 34)), RIGHT), (40, 60))


def wait(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def wait_until_at_rest(window: MainWindow) -> None:
    """Wait until no work of the window is put off any more, and for two display frames after that."""
    quiet, deadline = 0, time.monotonic() + LONGEST_S
    while quiet < 2:
        assert time.monotonic() < deadline, "the window never comes to rest"
        wait(FRAME_MS)
        timers = (timer for timer in window.findChildren(QTimer) if timer.isActive())
        quiet = 0 if any(timer.remainingTime() < SOON_MS for timer in timers) else quiet + 1


def settle(window: MainWindow) -> None:
    while window.runner.busy or window.session.run is None:
        wait(50)
    wait_until_at_rest(window)


class Paintings(QObject):
    """When the window has been painted, in seconds of this thread's processor time; ``forget`` starts anew."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.ends: list[float] = []
        window.installEventFilter(self)

    def forget(self) -> None:
        self.ends.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """The event is still to be handled: do so, and look at the clock."""
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        watched.removeEventFilter(self)
        QApplication.sendEvent(watched, event)
        watched.installEventFilter(self)
        self.ends.append(time.thread_time())
        return True


@contextmanager
def full_collections() -> Iterator[list[float]]:
    """Note the milliseconds that each full garbage collection takes."""
    found, begun = [], [0.0]

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            begun[0] = time.thread_time()
        elif info["generation"] == FULL:
            found.append(1000 * (time.thread_time() - begun[0]))

    gc.callbacks.append(note)
    try:
        yield found
    finally:
        gc.callbacks.remove(note)


@dataclass(frozen=True)
class Times:
    """What some keys cost: milliseconds until the first and until the last painting, and how many there were."""

    leading: list[float]
    all: list[float]
    paintings: list[int]
    slower: list[float]  # than usual, by how much the machine was so when the key was pressed


def measure(paintings: Paintings, actions: Sequence[Callable[[], object]]) -> Times:
    """Carry out each action in the event loop. Those after which nothing was painted do not count."""
    times = Times([], [], [], [])
    for number, action in enumerate(actions):
        if number % BETWEEN_CLOCKINGS == 0:
            slower = workload_ms() / USUAL_MS
            wait(IDLE_MS)
        paintings.forget()
        begin = time.thread_time()
        action()
        wait(IDLE_MS)
        if paintings.ends:
            times.leading.append(1000 * (paintings.ends[0] - begin))
            times.all.append(1000 * (paintings.ends[-1] - begin))
            times.paintings.append(len(paintings.ends))
            times.slower.append(slower)
    return times


def steps_of_warps(window: MainWindow, count: int) -> list[Callable[[], object]]:
    """Return steps of the selected warp; where it ends, of one that has just begun."""
    assert window.session.run is not None
    trace, player = window.session.run.trace, window.player

    def step() -> None:
        now = window.selection.now
        if trace.next_of_warp(now.step, *now.key) is None:
            player.go(trace.find(now.step, Mark.BLOCK_START) or 1)
        else:
            player.step(True)

    return [step] * count


def show(name: str, times: Times) -> None:
    """Print the median, the 95th percentile and the longest in milliseconds."""
    at_usual_speed = np.divide(times.all, times.slower)
    for what, taken in (("leading", times.leading), ("all", times.all), ("all at usual speed", at_usual_speed)):
        median, most = np.percentile(taken, (50, 95))
        print(f"{name:16} {what:18} median {median:5.1f} ms   95 % under {most:5.1f} ms   longest {max(taken):5.1f} ms")
    print(f"{name:16} paintings          {np.mean(times.paintings):.1f} a key")


@contextmanager
def long_run(look: Look, settings: QSettings, scratch: Path, everything: bool = True) -> Iterator[MainWindow]:
    """A window, with all views in sight or as it opens, in the middle of the opening kernel's large launch."""
    settings.setValue("motion", "false")
    window = MainWindow(Engine(), Drafts(scratch), look, settings)
    window.window_layout.library_wanted = False
    window.show()
    window.start()
    window.setWindowState(Qt.WindowState.WindowNoState)  # the offscreen screen is small
    window.resize(1600, 1000)
    settle(window)
    if everything:
        window.workspace.toggle_everything()
        window.workspace.change(EVERYTHING)
    window.session.set_preset("full")
    settle(window)
    assert (window.width(), window.height()) == (1600, 1000)
    assert window.session.run is not None
    assert window.session.run.trace.steps > 500_000
    window.player.go(window.session.run.trace.steps // 2)
    wait_until_at_rest(window)
    views, run = window.workspace.views, window.session.run
    assert not everything or all(views[key].isVisible() or not views[key].has_content(run) for key in keys(EVERYTHING))
    try:
        yield window
    finally:
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # it would follow the next one's look


def ways_to_move(window: MainWindow, count: int) -> dict[str, list[Callable[[], object]]]:
    """By name, ``count`` keys of each kind."""
    assert window.session.run is not None
    steps, places = window.session.run.trace.steps, random.Random(1)
    return {
        "step, this warp": steps_of_warps(window, count),
        "step, any warp": [partial(window.player.step_any, True)] * count,
        "scrub": [partial(window.history.step_wanted.emit, places.randrange(steps)) for _ in range(count)],
    }


def main() -> None:
    app = QApplication(["warpview"])
    look = Look(motion=False)
    apply_style(app, look)
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        linecache.clearcache()  # as the program does once its window is there
        for title, everything in (("as the window opens", False), ("every view in sight", True)):
            print(title)
            with long_run(look, settings, Path(scratch), everything) as window:
                paintings = Paintings(window)
                for name, keys in ways_to_move(window, STEPS).items():
                    with full_collections() as pauses:
                        show(name, measure(paintings, keys))
                    print(f"{name:16} full collections   {len(pauses)}, {sum(pauses):.1f} ms")
                with full_collections() as pauses:
                    gc.collect()
                slower = workload_ms() / USUAL_MS
                print(f"a full collection {pauses[0]:.1f} ms, at usual speed {pauses[0] / slower:.1f} ms")


if __name__ == "__main__":
    main()
