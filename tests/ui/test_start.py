"""What a start costs, from nothing to the first kernel ready to step; in a process of its own, as a user starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# No start needs these: they compile, read machine code, write pictures, talk to a terminal, run whole programs, mask
# arrays (np.unique and its like load that).
# (pyqtgraph itself loads multiprocessing.)
NOT_AT_START = (
    "numba", "elftools", "PIL", "rich", "typer", "click", "markdown", "email", "asyncio", "unittest", "warpview.host",
    "numpy.ma",
)  # fmt: skip
# Times the processor time in which Python, numpy, Qt and pyqtgraph are imported: 3 on an idle machine, 4 on one whose
# caches three other test workers share.
MOST = 8
COMPILER = {f"warpview.frontend.{part}" for part in ("compiler", "parse", "semantic", "lower", "passes", "ptx")}

# The simulator is being compiled until the window closes.
FRESH_MACHINE = """
import threading
from warpview.sim.launch import Cancelled
from warpview.ui.session.engine import Engine

def compile_simulator(engine, progress):
    engine.is_compiling = True
    while progress("Preparing the simulator", 0, 1):
        threading.Event().wait(0.01)
    raise Cancelled

Engine._get_ready = compile_simulator
"""
START = """
import json, linecache, sys, time
import numpy
import PySide6.QtWidgets
import pyqtgraph
imported = time.process_time()
from warpview.ui import app, main_window

class Window(main_window.MainWindow):
    def __init__(self, *given):
        super().__init__(*given)
        self.presenter.shown.connect(self.report)

    def report(self):
        self.presenter.shown.disconnect(self.report)
        bodies = [view.key for view in self.views if view.scenes]
        times = time.process_time() / imported
        print(json.dumps([times, list(sys.modules), len(linecache.cache), bodies]))
        self.close()

main_window.MainWindow = Window
app.main([])
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> tuple[float, set[str], int, set[str]]:
    """Processor time until ready, in units of that of the imports, what was loaded by then, how many sources are kept,
    and the views whose scenes are made."""
    from warpview.sim.engine_sm import warm_up

    warm_up()  # a first start compiles
    return _start(START, tmp_path_factory.mktemp("home"))


def _start(program: str, home: Path) -> tuple[float, set[str], int, set[str]]:
    own = {"XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    environment = os.environ | own | {"PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stderr
    times, modules, sources, bodies = json.loads(run.stdout)
    return times, set(modules), sources, set(bodies)


def test_nothing_is_loaded_that_no_start_needs(started: tuple[float, set[str], int, set[str]]) -> None:
    assert {"numpy", "PySide6", "llvmlite", "warpview"} <= started[1]
    assert not started[1] & set(NOT_AT_START)


def test_the_first_picture_of_a_first_start_waits_for_no_compiler(
    started: tuple[float, set[str], int, set[str]], tmp_path: Path
) -> None:
    """The recorded run, which is shown while the simulator is compiled, brings its program along."""
    modules = _start(FRESH_MACHINE + START, tmp_path)[1]
    assert "warpview.run.recording" in modules
    assert not modules & COMPILER
    assert COMPILER - {"warpview.frontend.ptx"} <= started[1]


def test_the_first_kernel_is_soon_ready(started: tuple[float, set[str], int, set[str]]) -> None:
    assert started[0] < MOST


def test_no_sources_are_kept(started: tuple[float, set[str], int, set[str]]) -> None:
    """Several hundred files' lines would be walked by each full garbage collection."""
    assert started[2] < 100


def test_the_plots_of_the_timeline_wait_until_they_are_wanted(started: tuple[float, set[str], int, set[str]]) -> None:
    assert "lanes" in started[3]
    assert "timeline" not in started[3]
