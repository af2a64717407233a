"""Set up the window under test: no screen, its own settings, the hand-made runs; nothing may leak or warn."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Another platform can be asked for: QT_QPA_PLATFORM=xcb xvfb-run -a python -m pytest tests/ui
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend, run_of
from ui.leaks import Watch
from ui.stand import SharedStand, Stand

from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts

USUAL = 700, 10, 10  # Python's own intervals of the garbage collector


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["warpview"]


@pytest.fixture(scope="session", autouse=True)
def _clean_at_the_end(qapp: QApplication) -> Iterator[None]:
    """Fail the last test if anything that a fixture of a module made is left."""
    yield from _watched()


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Compile the simulator, if that has not been done, before any test waits for a run."""
    run_of()


@pytest.fixture(scope="session")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedStand]:
    made = SharedStand(lambda: tmp_path_factory.mktemp("stand"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _clean(request: pytest.FixtureRequest, qapp: QApplication, _clean_at_the_end: None) -> Iterator[None]:
    """Fail a test that leaves a running thread or timer or a window, or makes Qt warn.

    The threads and timers of the window that all tests share are looked at when it is closed, those of tests without
    an event loop at the end of all.
    """
    sharing = "stand" in request.fixturenames
    if sharing:
        request.getfixturevalue("shared").ready()
    yield from _watched(in_qt="qtbot" in request.fixturenames and not sharing)


def _watched(in_qt: bool = True) -> Iterator[None]:
    watch = Watch(in_qt=in_qt)
    yield
    left = watch.left()
    watch.close()
    assert left == []


@pytest.fixture(autouse=True)
def _no_dialogs() -> Iterator[None]:
    """A question that no test answers fails instead of waiting for ever."""

    def asked(*_: object) -> tuple[str, str]:
        raise AssertionError("a dialog was opened")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("getOpenFileName", "getSaveFileName", "getExistingDirectory"):
            patch.setattr(QFileDialog, name, asked)
        for name in ("getInt", "getItem", "getText"):
            patch.setattr(QInputDialog, name, asked)
        yield


class PatientBot(QtBot):
    """Wait for a minute where pytest-qt waits for five seconds: other tests may have the processor."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = 60_000) -> None:  # noqa: N802
        super().waitUntil(callback, timeout=max(timeout, 60_000))

    def waitSignal(self, signal: object, *, timeout: int = 60_000, **others: Any) -> Any:  # noqa: N802
        return super().waitSignal(signal, timeout=max(timeout, 60_000), **others)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def look(qapp: QApplication) -> Look:
    look = Look(motion=False)
    apply_style(qapp, look)
    return look


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def backend() -> RealBackend:
    return RealBackend()


@pytest.fixture
def stand(shared: SharedStand, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stand]:
    """The window that all tests share, as it opened, with what belongs to it."""
    yield shared.ready()
    monkeypatch.undo()  # what the test has replaced would have a part in putting the window back
    shared.put_back()


@pytest.fixture
def painted(stand: Stand) -> Iterator[None]:
    """For tests of what is painted, or of what painting brings about; the shared window is not painted otherwise."""
    stand.set_painted(True)
    yield
    stand.set_painted(False)


@pytest.fixture
def alone(shared: SharedStand) -> Iterator[None]:
    """For tests that measure: no other window is painted or restyled, and the garbage collector runs as often as it
    does for a user, passing over what other tests have left in memory, here and later."""
    shared.close()
    gc.collect()
    gc.freeze()
    seldom = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*seldom)


@pytest.fixture
def window(stand: Stand) -> MainWindow:
    """The window at 1280x720 with the opening kernel run."""
    return stand.w


@pytest.fixture
def own_window(
    qtbot: QtBot, look: Look, settings: QSettings, backend: RealBackend, tmp_path: Path
) -> Iterator[MainWindow]:
    """A window of the test's own: for what closes it, or needs another backend or settings of its own."""
    settings.setValue("motion", "false")
    made = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings)
    made.setWindowState(Qt.WindowState.WindowNoState)  # the offscreen screen is small
    made.resize(1280, 720)
    QCursor.setPos(made.mapToGlobal(QPoint(4, 4)))  # over no view
    with qtbot.waitActive(made):  # a window manager may be slow, or there is none
        made.show()
        made.activateWindow()
    made.start()
    qtbot.waitUntil(lambda: made.presenter.context is not None)
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
