"""The window starts, arranges its views and remembers."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui.backend import RealBackend
from ui.rest import come_to_rest
from ui.stand import room_for_words

from warpview.ui import app
from warpview.ui.arranging.default_layouts import STAGED
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.session_file import from_text
from warpview.ui.views.context import stage_view


def test_without_a_display_it_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert app.main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "warpview run reduction/interleaved" in said


@pytest.mark.parametrize(("display", "there"), [(":98765", False), ("nonsense", False), ("elsewhere.example:0", True)])
def test_displays(monkeypatch: pytest.MonkeyPatch, display: str, there: bool) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", display)
    assert app.has_display() is there


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        ([], "Interleaved"), (["nonsense"], "Interleaved"), (["reduction/interleaved"], "Interleaved"),
        (["vector/increment"], "Increment"), (["own.cu"], "own.cu"),
    ],
)  # fmt: skip
def test_the_entry_opens_the_window(
    alone: None, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], title: str
) -> None:
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(tmp_path))
    monkeypatch.setattr("warpview.ui.session.engine.Engine", RealBackend)
    monkeypatch.setattr(app, "data_folder", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    whole = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1;"
    (tmp_path / "own.cu").write_text(f"__global__ void mine(int *a, int n) {{ {whole} }}\n")
    seen: list[str] = []
    wrong = arguments == ["nonsense"]

    def look_and_close() -> None:
        for window in qapp.topLevelWidgets():
            if isinstance(window, MainWindow):
                if window.session.run is None or wrong != bool(window.banner.problems):
                    QTimer.singleShot(100, look_and_close)
                    return
                seen.append(window.session.variant.title)
                seen.extend(p.message for p in window.banner.problems)
                window.close()

    QTimer.singleShot(700, look_and_close)
    assert app.main(arguments) == 0
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert seen[0].startswith(title)
    assert any("nonsense" in words for words in seen) == wrong
    kept = from_text((tmp_path / "last.warpview").read_text(), "last.warpview").setup
    assert kept.variant in ("reduction/interleaved", *arguments) or Path(kept.file_name).name in arguments


@pytest.mark.parametrize(
    ("size", "everything", "arrangement", "library"),
    [
        ((1600, 1000), True, "wide", True), ((1280, 720), True, "narrow", False), ((960, 540), True, "small", False),
        ((1600, 1000), False, "follow", True), ((1280, 720), False, "follow", False),
        ((960, 540), False, "follow", False),
    ],
)  # fmt: skip
def test_arrangements(
    window: MainWindow, size: tuple[int, int], everything: bool, arrangement: str, library: bool
) -> None:  # fmt: skip
    window.window_layout.library_wanted = True
    if everything:
        window.actions_["everything"].trigger()
    window.resize(*size)
    window.staged.finish()
    come_to_rest(window)
    assert (window.width(), window.height()) == size
    assert window.workspace.arrangement == arrangement
    assert window.library.isVisible() == library
    shown = [v for v in window.views if v.isVisible()]
    boxes = [QRect(v.mapTo(window, v.rect().topLeft()), v.size()) for v in shown]
    for n, box in enumerate(boxes):
        assert window.rect().contains(box), shown[n].key
        assert not [shown[m].key for m in range(n) if boxes[m].intersects(box)], shown[n].key


def test_the_window_remembers_itself(
    own_window: MainWindow, look: Look, settings: QSettings, tmp_path: Path, qtbot: QtBot
) -> None:
    own_window.look.set(theme="dark", scale=1.1)
    own_window.window_layout.library_wanted = True
    come_to_rest(own_window)
    own_window.resize(1234, 789)
    own_window.close()
    assert settings.contains("geometry")
    written = shutil.copy(settings.fileName(), tmp_path / "written.ini")  # before the event loop runs again
    assert QSettings(str(written), QSettings.Format.IniFormat).value("geometry") == settings.value("geometry")
    other = Look(motion=False)
    again = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), other, settings)
    assert again.window_layout.library_wanted
    assert (other.theme.name, other.scale) == ("dark", 1.1)
    again.close()
    again.deleteLater()


def test_the_layout_is_remembered_and_reset(window: MainWindow) -> None:
    splitter = window.workspace.splitters[0]
    first = splitter.sizes()
    handle = splitter.handle(1)
    assert handle is not None
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(2, 40))
    QTest.mouseMove(handle, QPoint(-60, 40))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(-60, 40))
    moved = splitter.sizes()
    assert moved[0] < first[0] - 40
    window.view_commands.zoom(window.counters)
    window.view_commands.zoom()
    assert window.workspace.splitters[0].sizes() == pytest.approx(moved, abs=3)
    window.actions_["reset_layout"].trigger()
    come_to_rest(window)
    assert window.workspace.splitters[0].sizes() == pytest.approx(first, abs=3)


def test_presentation_shows_what_the_step_concerns(window: MainWindow) -> None:
    window.actions_["presentation"].trigger()
    window.staged.finish()
    come_to_rest(window)
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    assert window.workspace.views["divergence"].isVisible()
    assert not window.workspace.views["shared"].isVisible()
    window.actions_["next"].trigger()
    window.presenter.present()
    context = window.presenter.context
    assert context is not None
    shown = {key for key in STAGED if key in window.workspace.views and window.workspace.views[key].isVisible()}
    assert shown == {stage_view(context)} != {"divergence"}
    QTest.keyClick(window, "\x1b")
    assert not window.presentation.on
    window.staged.finish()
    assert window.workspace.views["key_counters"].isVisible()


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 1.25), ((1920, 1080), 1.88), ((3840, 2160), 2.2)])
def test_presentation_has_large_type_at_every_resolution(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int], scale: float
) -> None:
    before = window.look.scale

    def is_large() -> bool:
        """Once more where the size of the full screen has come in between."""
        window.resize(*size)
        window.staged.finish()
        return window.look.scale == pytest.approx(scale, abs=0.01)

    window.actions_["presentation"].trigger()
    window.staged.finish()
    qtbot.waitUntil(is_large)
    window.actions_["larger"].trigger()
    assert window.look.scale > scale
    window.actions_["presentation"].trigger()
    window.staged.finish()
    assert window.look.scale == before


def test_presentation_does_not_enlarge_type_that_is_large(window: MainWindow) -> None:
    """At one and a half of the type and once more by a quarter statements and the history had little room."""
    window.look.set_scale(1.5)
    for _ in range(2):
        window.actions_["presentation"].trigger()
        window.staged.finish()
        window.resize(1280, 720)
        window.staged.finish()
        assert window.look.scale == pytest.approx(1.5)


def test_smaller_type_makes_the_choices_smaller_again(window: MainWindow) -> None:
    """A window that opened with large type kept the large boxes."""
    boxes = (window.launch_bar.kernel, window.launch_bar.preset, window.transport.mode)
    window.look.set_scale(2.0)
    window.staged.finish()
    for box in boxes:
        QCoreApplication.sendEvent(box, QEvent(QEvent.Type.StyleChange))  # as in a window that opens
    before = [box.minimumSizeHint() for box in boxes]
    window.look.set_scale(1.0)
    window.staged.finish()
    come_to_rest(window)
    for box, large in zip(boxes, before, strict=True):
        assert box.minimumSizeHint().height() < 0.7 * large.height()
        assert box.height() < 0.7 * large.height()


def test_in_a_small_window_the_picture_of_the_step_comes_to_the_front(window: MainWindow) -> None:
    window.resize(1000, 600)
    window.staged.finish()
    come_to_rest(window)
    views = window.workspace.views
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    assert views["divergence"].isVisible()
    window.actions_["next"].trigger()
    window.presenter.present()
    assert views["shared"].isVisible()
    window.workspace.raise_view("timeline")
    window.selection.update(lane=3)
    window.presenter.present()
    assert views["timeline"].isVisible()


def test_compute_capability_and_year_of_every_device_can_be_read(window: MainWindow) -> None:
    box, cut = window.launch_bar.device, []
    for n in range(box.count()):
        window.launch_bar.show_setup(replace(window.session.setup, device=box.itemData(n)))
        come_to_rest(window.launch_bar)
        room = room_for_words(box)
        if "CC " not in box.currentText() or box.fontMetrics().horizontalAdvance(box.currentText()) > room:
            cut.append((box.currentText(), room))
    assert cut == []


@pytest.mark.parametrize(
    "key", ["stencil/seven_point_queue", "control_flow/mandelbrot", "minmax/block_then_atomic", "apsp/direct"]
)
def test_a_long_name_of_a_kernel_comes_before_the_last_fields(window: MainWindow, qtbot: QtBot, key: str) -> None:
    window.resize(1280, 690)
    window.session.set_device("h200")
    window.session.choose(key)
    qtbot.waitUntil(lambda: not window.runner.busy)
    come_to_rest(window.launch_bar)
    bar = window.launch_bar
    for box in (bar.kernel, bar.device):
        assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room_for_words(box), box.currentText()
    assert bar.grid.isVisible()
    assert bar.block.isVisible()
    assert bar.more.isVisible()
