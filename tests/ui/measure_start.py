"""Measure starts of the window, from the command to the first explained step: python tests/ui/measure_start.py

``cold`` is a start just after the installation, in a copy of warpview: no byte code of its modules, no compiled
simulator, no settings. ``warm`` are those that follow, the median of REPEATS. Shown are the seconds from the beginning
of the process until the window is painted first, until a step is painted with its caption (on a cold start that of the
recorded run), and until the simulator's own run is shown; beside each the processor time of the interface thread, which
other programs lengthen less.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
PARTS = "warpview", "assets", "kernels"
REPEATS = 5
LONGEST_S = 600
STAGES = "window", "explained", "simulated"

# The window is watched from where the program takes over, after it has been shown.
CHILD = """
import json, time
from warpview.ui import app

def watch(window, arguments, really=app._open):
    from PySide6.QtCore import QEvent, QObject

    class Watch(QObject):
        times = {}

        def eventFilter(self, watched, event):
            if event.type() != QEvent.Type.UpdateRequest:
                return False
            window.removeEventFilter(self)
            running.sendEvent(window, event)
            window.installEventFilter(self)
            self.painted()
            return True

        def painted(self):
            now = time.time(), time.thread_time()
            self.times.setdefault("window", now)
            if window.presenter.context is None or not window.caption.text:
                return
            self.times.setdefault("explained", now)
            if not window.session.shows_recording:
                self.times.setdefault("simulated", now)
                window.close()

    from PySide6.QtWidgets import QApplication

    running = QApplication.instance()
    watch.watch = Watch(window)
    window.installEventFilter(watch.watch)
    window.update()
    really(window, arguments)

app._open = watch
app.main([])
print(json.dumps(watch.watch.times))
"""


def start(environment: dict[str, str]) -> dict[str, tuple[float, float]]:
    """Return the seconds until each of STAGES, and the processor time of the interface thread until then."""
    begin = time.time()
    run = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, env=environment, timeout=LONGEST_S, check=True
    )
    return {stage: (reached - begin, busy) for stage, (reached, busy) in json.loads(run.stdout).items()}


def show(name: str, starts: list[dict[str, tuple[float, float]]]) -> None:
    """Print the medians for each stage."""
    for stage in STAGES:
        took, busy = (median(one[stage][k] for one in starts) for k in range(2))
        print(f"{name:5} {stage:10} after {took:6.2f} s   interface thread {busy:5.2f} s")


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        own = {f"XDG_{kind}_HOME": f"{home}/{kind}" for kind in ("CONFIG", "DATA", "CACHE")}
        for part in PARTS:
            shutil.copytree(ROOT / part, f"{home}/{part}", ignore=shutil.ignore_patterns("__pycache__"))
        environment = {"QT_QPA_PLATFORM": "offscreen"} | os.environ | own | {"PYTHONPATH": home}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's warm start finds byte code
        show("cold", [start(environment)])
        show("warm", [start(environment) for _ in range(REPEATS)])


if __name__ == "__main__":
    main()
