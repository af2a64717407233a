"""A recorded run moves while the simulator is compiled at the first start of all, and gives way to the real one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend, setup_of, variant_of

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Progress
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.session_file import Saved, to_text
from warpview.ui.teaching import meanwhile
from warpview.ui.teaching.meanwhile import sentences


class FreshMachine(RealBackend):
    """Compile the simulator until ``ready`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = threading.Event()
        self.before_trace = self._compile

    def _compile(self, progress: Progress) -> None:
        self.is_compiling = True
        while not self.ready.wait(0.01):
            if not progress("Preparing the simulator", 1, 4):
                break
        self.is_compiling = False


@pytest.fixture
def last_session(tmp_path: Path) -> Path:
    """The file of the last session, which is not there yet."""
    return tmp_path / "last.warpview"


@pytest.fixture
def window(qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path, last_session: Path) -> Iterator[MainWindow]:
    settings.setValue("motion", "false")
    backend = FreshMachine()
    made = MainWindow(backend, Drafts(tmp_path / "drafts"), look, settings, last_session)
    made.resize(1280, 720)
    made.show()
    made.start()
    yield made
    backend.ready.set()
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_recorded_run_moves_until_the_real_one_is_there(window: MainWindow, qtbot: QtBot) -> None:
    session, selection = window.session, window.selection
    qtbot.waitUntil(lambda: session.shows_recording)
    recorded = session.run
    qtbot.waitUntil(lambda: selection.now.step >= 3)  # it plays by itself
    assert window.outdated.isVisible()
    assert "recorded" in window.outdated.words
    assert "Block 0" in window.caption.text
    window.player.pause()
    window.player.go(62)
    window.presenter.present()
    assert "diverges" in window.caption.text
    backend = session.backend
    assert isinstance(backend, FreshMachine)
    with qtbot.waitSignal(session.run_changed):
        backend.ready.set()
    assert session.run is not recorded
    assert not session.shows_recording
    assert selection.now.step == 62
    QApplication.processEvents()
    window.presenter.present()
    assert "diverges" in window.caption.text
    assert not window.outdated.isVisible()


def test_beside_another_kernel_it_says_of_which_it_is(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    qtbot.waitUntil(lambda: session.shows_recording)
    session.choose("vector/add")
    assert session.shows_recording
    shown = "The views show a recorded run of Interleaved, divergent on GeForce 8800 GTX"
    assert window.outdated.words == f"⚠ {shown} until the simulator is compiled, which is done only once."
    session.cancel()
    qtbot.waitUntil(lambda: "Interleaved, divergent" in session.outdated and "F5" in session.outdated)


def test_a_recorded_run_is_shown_of_the_opening_only(window: MainWindow, qtbot: QtBot) -> None:
    backend = window.session.backend
    setup = window.session.setup
    assert backend.recorded(setup) is not None
    window.session.set_device("h200")
    assert backend.recorded(window.session.setup) is None
    assert backend.recorded(type(setup)(**{**vars(setup), "edited": True, "text": setup.text + " "})) is None


def test_cancelled_it_is_still_called_recorded(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.shows_recording)
    window.cancel()
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert "F5" in window.session.outdated
    assert window.outdated.isVisible()


@pytest.fixture
def restored(last_session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last session was of a kernel of which there is no recorded run; its sentences follow one another fast."""
    last_session.write_text(to_text(Saved(setup_of("mistakes/missing_barrier", "h200"), Snapshot(12))))
    monkeypatch.setattr(meanwhile, "READ_MS", 50)


def test_while_another_kernel_is_restored_the_caption_tells_about_it(
    restored: None, window: MainWindow, qtbot: QtBot
) -> None:
    """No run of another kernel is shown in its place, and none is spoken of."""
    session, told = window.session, []
    about = sentences(session.variant, session.setup)
    assert about[0].startswith("Warps of a block run in any order.")
    for sentence in about:
        qtbot.waitUntil(lambda words=sentence: window.caption.text == words)
    assert session.run is None
    assert window.progress.isVisible()
    qtbot.waitUntil(lambda: not session.is_replaced_soon)  # until then a jump waits for the run
    for id_ in ("replay", "next_launch", "next", "next_divergence", "compare_runs", "side_by_side", "export_steps"):
        window.actions_[id_].trigger()
        told.append(window.caption.text)
    assert told == ["There is no run yet."] * len(told)
    backend = session.backend
    assert isinstance(backend, FreshMachine)
    with qtbot.waitSignal(session.run_changed):
        backend.ready.set()
    window.presenter.present()
    assert window.selection.now.step == 12
    assert window.caption.text not in about


def test_of_a_file_of_the_user_its_launch_and_keys_are_told() -> None:
    variant = variant_of("reduction/interleaved")
    assert sentences(variant, setup_of())[0] == "The obvious tree."  # of a text too long to be said at once
    own = type(variant)(**{**vars(variant), "family": "", "title": "my.cu", "teaches": "", "look_at": ""})
    said = sentences(own, setup_of("transpose/naive_32", "h200"))
    assert said[0] == "The launch: 4 blocks of 256 threads, 8 warps of 32 lanes in each."
    assert any("D will go to the next divergence" in words for words in said)
