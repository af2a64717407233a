"""The window under test: no screen, its own settings, the hand-made runs; nothing may leak or warn."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QThread, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot
from ui.fakes import FakeBackend

from warpview.ui.drafts import Drafts
from warpview.ui.main_window import MainWindow
from warpview.ui.style import apply_style, sheet
from warpview.ui.theme import Look

# What Qt says about the machine and not about us.
HARMLESS = ("This plugin does not support", "propagateSizeHints", "OpenType support missing", "QFont::setPointSizeF")


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["warpview"]


@pytest.fixture(autouse=True)
def _clean(qapp: QApplication, qtlog: object) -> Iterator[None]:
    """Fails a test that leaves a running thread or timer, or makes Qt warn."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [o for o in gc.get_objects() if isinstance(o, (QThread, QTimer)) and shiboken6.isValid(o)]
    threads = [t.objectName() for t in left if isinstance(t, QThread) and t.isRunning() and t.objectName()]
    timers = [repr(t.parent()) for t in left if isinstance(t, QTimer) and t.isActive()]
    assert not threads, f"running threads: {threads}"
    assert not timers, f"active timers of {timers}"
    said = [r.message for r in qtlog.records if r.type_name in ("QtWarningMsg", "QtCriticalMsg")]  # type: ignore[attr-defined]
    assert not [m for m in said if not any(h in m for h in HARMLESS)]


@pytest.fixture(autouse=True)
def _no_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that no test answers fails instead of waiting for ever."""

    def asked(*_: object) -> tuple[str, str]:
        raise AssertionError("a dialog was opened")

    for name in ("getOpenFileName", "getSaveFileName", "getExistingDirectory"):
        monkeypatch.setattr(QFileDialog, name, asked)
    for name in ("getInt", "getText"):
        monkeypatch.setattr(QInputDialog, name, asked)


@pytest.fixture
def look(qapp: QApplication) -> Look:
    look = Look(motion=False)
    if qapp.styleSheet() != sheet(look):  # dressing the application takes longer than most tests
        qapp.setStyle("Fusion")
        apply_style(qapp, look)
    return look


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def window(qtbot: QtBot, look: Look, settings: QSettings, backend: FakeBackend, tmp_path: Path) -> Iterator[MainWindow]:
    """The window at 1280x720 with the opening kernel run."""
    settings.setValue("motion", "false")
    made = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings)
    made.resize(1280, 720)
    made.show()
    made.start()
    qtbot.waitUntil(lambda: made.presenter.context is not None, timeout=5000)
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
