"""The first minute moves by itself and names the next key, and nothing of it comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend

from warpview.ui.commands.actions import TABLE
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.teaching import guide as guide_module
from warpview.ui.teaching.guide import Guide
from warpview.ui.teaching.guide_model import HINTS, KnownActions


def guide_of(window: MainWindow, settings: QSettings) -> Guide:
    return Guide(
        window.session, window.player, window.caption, window.transport, window.actions_, window.look, settings
    )  # fmt: skip


@pytest.fixture
def first(
    qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[MainWindow, Guide]]:
    """A window at its very first start, with motion."""
    monkeypatch.setattr(guide_module, "STEP_MS", 20)
    window = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings)
    guide = guide_of(window, settings)
    window.show()
    window.start()
    qtbot.waitUntil(lambda: window.presenter.context is not None, timeout=5000)
    yield window, guide
    window.close()
    window.deleteLater()
    look.set_motion(False)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_it_moves_by_itself_and_says_what_to_press(first: tuple[MainWindow, Guide], qtbot: QtBot) -> None:
    window, guide = first
    assert guide.inviting
    assert window.caption.hint.words == "Press → to step, Space to pause"
    qtbot.waitUntil(lambda: window.transport.buttons["next"].property("invited"), timeout=10000)
    qtbot.waitUntil(lambda: window.selection.now.step > 2, timeout=10000)


@pytest.mark.parametrize("touch", ["right", "space", "click"])
def test_it_stops_at_the_first_touch_and_never_comes_again(
    first: tuple[MainWindow, Guide], qtbot: QtBot, settings: QSettings, touch: str
) -> None:
    window, guide = first
    qtbot.waitUntil(lambda: window.selection.now.step > 0, timeout=10000)
    before = window.selection.now.step
    if touch == "right":
        QTest.keyClick(window, Qt.Key.Key_Right)
    elif touch == "space":
        QTest.keyClick(window, Qt.Key.Key_Space)
    else:
        QTest.mouseClick(window.caption, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert not guide.inviting
    assert not window.player.playing
    assert not window.transport.buttons["next"].property("invited")
    assert (window.selection.now.step > before) == (touch == "right")
    assert settings.value("known")
    again = guide_of(window, settings)
    window.session.start()
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=5000)
    assert not again.inviting


def test_without_motion_nothing_moves(own_window: MainWindow, settings: QSettings, qtbot: QtBot) -> None:
    guide = guide_of(own_window, settings)
    with qtbot.waitSignal(own_window.session.run_changed):
        own_window.session.start()
    assert not guide.inviting
    assert own_window.caption.hint.words == "Press → to step, Space to run"
    QTest.keyClick(own_window, Qt.Key.Key_Escape)
    assert own_window.caption.hint.isHidden()


def test_each_first_action_names_the_next_key(own_window: MainWindow, settings: QSettings) -> None:
    settings.setValue("known", guide_module.TOUCHED)
    guide_of(own_window, settings)
    own_window.actions_["next"].trigger()
    assert own_window.caption.hint.words.startswith("D ")
    QTest.mouseClick(own_window.caption.hint, Qt.MouseButton.LeftButton)
    assert own_window.caption.hint.isHidden()
    own_window.actions_["next"].trigger()
    assert own_window.caption.hint.isHidden()
    own_window.actions_["next_divergence"].trigger()
    assert own_window.caption.hint.words.startswith("V ")
    assert "next_divergence" in str(settings.value("known")).split()
    box = own_window.caption.contentsRect()
    assert box.contains(own_window.caption.hint.geometry())
    assert not own_window.caption.hint.geometry().intersects(own_window.caption.label.geometry())


def test_a_hint_names_only_what_the_run_has(own_window: MainWindow, settings: QSettings, qtbot: QtBot) -> None:
    settings.setValue("known", guide_module.TOUCHED)
    guide_of(own_window, settings)
    for kernel, hint in (("reduction/sequential", ""), ("reduction/strided_index", "C goes to the next bank conflict")):
        own_window.caption.show_hint()
        with qtbot.waitSignal(own_window.session.run_changed, timeout=20_000):
            own_window.session.choose(kernel)
        assert own_window.caption.hint.words == hint, kernel


def test_a_hint_about_variants_is_not_for_a_file_of_ones_own(
    own_window: MainWindow, settings: QSettings, qtbot: QtBot, tmp_path: Path
) -> None:
    settings.setValue("known", guide_module.TOUCHED)
    guide_of(own_window, settings)
    path = tmp_path / "mine.cu"
    path.write_text("__global__ void mine(int *out)\n{\n    if (threadIdx.x < 9) out[threadIdx.x] = 1;\n}\n")
    own_window.actions_["next_divergence"].trigger()
    assert own_window.caption.hint.words.startswith("V ")
    with qtbot.waitSignal(own_window.session.run_changed, timeout=20_000):
        own_window.files.open_path(path)
    assert own_window.caption.hint.isHidden()
    settings.remove("known")
    own_window.actions_["next_uncoalesced"].trigger()
    assert own_window.caption.hint.isHidden()


def test_settings_are_written_only_when_something_is_new(own_window: MainWindow, settings: QSettings) -> None:
    settings.setValue("known", guide_module.TOUCHED)
    guide_of(own_window, settings)
    own_window.actions_["next"].trigger()
    settings.remove("known")
    for _ in range(5):
        own_window.actions_["next"].trigger()
    assert not settings.contains("known")


def test_no_hints_in_presentation(own_window: MainWindow, settings: QSettings) -> None:
    settings.setValue("known", guide_module.TOUCHED)
    guide_of(own_window, settings)
    own_window.actions_["next"].trigger()
    own_window.actions_["presentation"].trigger()
    assert own_window.caption.hint.isHidden()
    own_window.actions_["next_divergence"].trigger()
    assert own_window.caption.hint.isHidden()


def test_hints_name_actions_and_their_keys() -> None:
    rows = {row.id: row for row in TABLE}
    for hint in HINTS:
        assert set(hint.after) <= set(rows)
        shown = {key.replace("Left", "←").replace("Right", "→") for key in rows[hint.names].keys}
        assert hint.key in shown
        assert hint.names not in hint.after


def test_no_key_is_named_that_leads_nowhere_in_this_launch() -> None:
    acquaintance = KnownActions()
    assert acquaintance.did("next", {"divergent_branches": 0}) is None
    found = acquaintance.did("next", {"divergent_branches": 2})
    assert found is not None
    assert found.key == "D"


def test_what_is_known_is_not_hinted_at() -> None:
    acquaintance = KnownActions(["next_divergence"])
    assert acquaintance.did("next", {"divergent_branches": 1}) is None
    assert acquaintance.did("nonsense", {}) is None
    found = acquaintance.did("play", {})
    assert found is not None
    assert acquaintance.did("play", {}) is None
