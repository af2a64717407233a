"""The window does not stand still: how long its actions keep the interface thread at a stretch.

The aim is 50 ms for every action; the test fails at twice of that, as the speed of a busy machine is only estimated.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication
from ui.pauses import USUAL_MS, Pauses, workload_ms

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session import comparison_setups
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine

AIM_MS = 50.0
LIMIT_MS = 2 * AIM_MS  # where a workload takes USUAL_MS; a machine that is slower, or busy, is given more in proportion
COLD_MS = 240_000  # the first run of a fresh machine compiles the simulator


def let_pass(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def until(reached: Callable[[], bool]) -> None:
    for _ in range(COLD_MS // 20):
        if reached():
            return
        let_pass(20)
    raise AssertionError("it never came")


class Driver:
    """Do things in the event loop of a window, each under its name."""

    def __init__(self, window: MainWindow, pauses: Pauses, folder: Path) -> None:
        self.window, self.pauses, self.folder = window, pauses, folder
        self.longest: dict[str, float] = {}  # milliseconds, as the machine of USUAL_MS would have taken

    def do(self, what: str, *actions: Callable[[], object], calm_ms: int = 50) -> None:
        before = workload_ms()
        self.pauses.begin()
        for action in actions:
            QTimer.singleShot(0, action)
            let_pass(calm_ms)
        window = self.window
        until(lambda: not (window.runner.busy or window.step_export.running or window.page_export.running))
        let_pass(100)
        took = self.pauses.end()
        slower = max(1.0, before / USUAL_MS, workload_ms() / USUAL_MS)
        self.longest[what] = max(took / slower, self.longest.get(what, 0.0))


@pytest.fixture
def driver(alone: None, look: Look, settings: QSettings, tmp_path: Path) -> Iterator[Driver]:
    """A window whose first run has come, at 1600x1000, with the garbage collection of the real one."""
    settings.setValue("motion", "false")
    window = MainWindow(Engine(), Drafts(tmp_path / "drafts"), look, settings)
    window.resize(1600, 1000)
    app = QApplication.instance()
    assert app is not None
    gc.collect()
    window.show()
    let_pass(200)
    pauses = Pauses()
    driver = Driver(window, pauses, tmp_path)
    driver.do("warm start", window.start)
    until(lambda: window.session.run is not None)
    yield driver
    pauses.close()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.exhaustive
def test_nothing_keeps_the_window_from_answering_for_long(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_setups, "LARGE", comparison_setups.SMALL)  # the worker's time is not the subject
    for part in (small_runs, big_run, looks, other_pages, long_text):
        part(driver)
    longest = driver.longest
    print("\n".join(f"{took:6.1f} ms  {what}" for what, took in longest.items()))
    over = {what: took for what, took in longest.items() if took > LIMIT_MS}
    assert {what: f"{took:.0f} ms" for what, took in over.items()} == {}


def small_runs(driver: Driver) -> None:
    session, player = driver.window.session, driver.window.player
    driver.do("steps", *[lambda: player.step(True), lambda: player.step_any(True)] * 3)
    driver.do("change of kernel", lambda: session.neighbour(True), lambda: session.choose("transpose/naive_32"))
    driver.do("change of device", lambda: session.set_device("h200"))
    driver.do("both", lambda: session.choose("reduction/interleaved"), lambda: session.set_device("8800gtx"))
    driver.do("report", lambda: driver.window.page_export.start(driver.folder / "run.html"))
    assert (driver.folder / "run.html").exists()


def big_run(driver: Driver) -> None:
    window = driver.window
    session, player, actions = window.session, window.player, window.actions_
    driver.do("full preset", lambda: session.set_preset("full"))
    assert session.run is not None
    steps = session.run.trace.steps
    assert steps > 500_000
    places = range(steps // 12, steps, steps // 7)
    jumps = ("next_divergence", "next_conflict", "next_uncoalesced", "next_barrier", "next_finding", "previous_barrier")
    driver.do("steps of a big run", *[lambda: player.step(True), lambda: player.step_any(True)] * 3)
    driver.do("jumps", *(actions[name].trigger for name in jumps))
    driver.do("scrub", *(partial(window.history.step_wanted.emit, to) for to in places))
    driver.do("first and last", player.last, player.first)
    driver.do("lines", *[partial(player.step_line, True)] * 3)
    driver.do("play", player.toggle, calm_ms=300)
    driver.do("play", player.pause)


def looks(driver: Driver) -> None:
    window = driver.window
    actions = window.actions_
    driver.do("prediction", actions["predict"].trigger, lambda: window.player.step(True), actions["predict"].trigger)
    driver.do("theme", *(partial(window.look.set_theme, name) for name in ("dark", "high contrast", "light")))
    driver.do("type size", window.look.larger, window.look.smaller)
    driver.do("resizing", *(partial(window.resize, 1600 - 30 * k, 1000 - 20 * k) for k in range(5)))
    driver.do("another arrangement", lambda: window.resize(1280, 720), lambda: window.resize(1600, 1000))
    present = actions["presentation"].trigger
    driver.do("presentation", present, lambda: window.player.step(True), present)
    driver.do("zoom", actions["zoom"].trigger, actions["zoom"].trigger)
    driver.do("library", actions["library"].trigger, actions["library"].trigger)


def other_pages(driver: Driver) -> None:
    window = driver.window
    session, actions = window.session, window.actions_
    wrong = session.setup.text.replace("if (", "if ((", 1)
    driver.do("compile error", lambda: session.set_text(wrong), session.start)
    assert window.banner.isVisible()
    driver.do("revert", session.revert)
    window.dialogs.ask_save = lambda *_: driver.folder / "steps.gif"  # type: ignore[method-assign]
    window.step_export.ask_steps = lambda w, trace, key, offered, shapes: replace(offered, first=0, last=5)
    driver.do("steps as an animated picture", window.step_export.start)
    assert (driver.folder / "steps.gif").exists()
    driver.do("another kernel", lambda: session.choose("vector/circular_shift"))
    driver.do("comparison", actions["compare_devices"].trigger)
    assert window.pages.comparing
    driver.do("comparison closed", lambda: window.pages.show_views())
    driver.do("profiler's table", actions["visual_profiler"].trigger)
    driver.do("verdict", actions["why"].trigger)
    driver.do("documentation", actions["documentation"].trigger)
    window.pages.show_views()
    driver.do("theme after many pages", *(partial(window.look.set_theme, name) for name in ("dark", "light")))


def long_text(driver: Driver) -> None:
    """A file of 10,000 lines: opened, looked through, edited, and another one instead of it."""
    window = driver.window
    editor = window.source.editor
    kernel = window.session.setup.text
    path = driver.folder / "long.cu"
    functions = (f"__device__ int f{n}(int a) {{ return a + {n}; }}\n" for n in range(1000))
    more = "".join("// a comment\n" * 9 + function for function in functions)
    path.write_text(f"{kernel}\n{more}")
    driver.do("a long text is opened", lambda: window.files.open_path(path))
    assert editor.blockCount() > 10_000
    driver.do("the end of it", lambda: window.source.go_to(9_999))
    window.source.set_editing(True)
    driver.do("keys in it", *[partial(editor.insertPlainText, letter) for letter in "\n// ab"])
    driver.do("a long text is pasted, and that undone", partial(editor.insertPlainText, more), editor.undo, editor.undo)
    window.source.set_editing(False)
    driver.do("another kernel after it", lambda: window.session.choose("reduction/interleaved"))
    assert editor.blockCount() < 1000


def test_the_watch_sees_a_pause(qapp: QApplication) -> None:
    pauses = Pauses()
    pauses.begin()
    QTimer.singleShot(0, lambda: [workload_ms() for _ in range(3)])
    let_pass(300)
    took = pauses.end()
    pauses.begin()
    let_pass(50)
    calm = pauses.end()
    pauses.close()
    assert took > 2 * calm
    assert took > USUAL_MS
