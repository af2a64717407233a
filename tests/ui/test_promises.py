"""The window keeps its promises on a real run: reports, lessons, restored sessions, its place on the screen."""

from __future__ import annotations

import html.parser
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QTabWidget
from pytestqt.qtbot import QtBot
from support.lessons import lessons
from ui.backend import RealBackend

from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts

Opener = Callable[..., MainWindow]


@pytest.fixture
def opened(qtbot: QtBot, look: Look, settings: QSettings, tmp_path: Path) -> Iterator[Opener]:
    """Open windows over the same folder, one after another."""
    made: list[MainWindow] = []

    def open_window() -> MainWindow:
        settings.setValue("motion", "false")
        window = MainWindow(RealBackend(), Drafts(tmp_path / "drafts"), look, settings, tmp_path / "last.warpview")
        made.append(window)
        window.show()
        window.start()
        qtbot.waitUntil(lambda: window.presenter.context is not None, timeout=20_000)
        return window

    yield open_window
    for window in made:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=20_000)
    window.presenter.present()


# ---- reports


class _Page(html.parser.HTMLParser):
    """Headings, pictures and addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.pictures = 0
        self.addresses: list[str] = []
        self._in_heading = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_heading = tag in ("h1", "h2")
        self.pictures += tag == "svg"
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if self._in_heading:
            self.headings.append(data)
            self._in_heading = False


def exported(window: MainWindow, qtbot: QtBot, path: Path) -> str:
    window.dialogs.ask_save = lambda *_: path  # type: ignore[method-assign]
    window.actions_["export_page"].trigger()
    qtbot.waitUntil(lambda: not window.page_export.running, timeout=60_000)
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_report_holds_all_its_sections_and_nothing_from_elsewhere(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:  # fmt: skip
    window.player.go(60)
    text = exported(window, qtbot, tmp_path / "run.html")
    page = _Page(text)
    wanted = (
        "Interleaved, divergent", "Step by step", "The selected step", "The first divergent branch",
        "Where the time went", "Occupancy", "Source", "Counters",
    )  # fmt: skip
    assert [name for name in wanted if not any(heading.startswith(name) for heading in page.headings)] == []
    assert page.pictures >= 6
    assert [address for address in page.addresses if not address.startswith("#")] == []
    assert window.caption.text == f"Wrote {tmp_path / 'run.html'}."


def test_a_report_that_fails_is_not_said_to_be_written(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    path = tmp_path / "run.html"
    path.write_text("an earlier report")
    monkeypatch.setattr("warpview.ui.views.machine.occupancy_model.draw", lambda *_: 1 // 0)
    assert exported(window, qtbot, path) == "an earlier report"
    assert "could not make the report" in window.banner.problems[0].message
    assert "Wrote" not in window.caption.text


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_report_opens_in_a_browser(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    exported(window, qtbot, tmp_path / "run.html")
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=2000", "--dump-dom", (tmp_path / "run.html").as_uri(),
    ]  # fmt: skip
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert "The first divergent branch" in dom
    assert dom.count("<svg") >= 4
    frames = re.findall(r'<div class="frame"[^>]*>', dom)
    assert len(frames) > 10
    assert len([frame for frame in frames if "hidden" not in frame]) == 1, "the slider shows one step"
    assert len(re.findall(r'<tr id="L\d+" class="now"', dom)) == 1, "the source shows its line"


@pytest.mark.skipif(sys.platform == "win32", reason="a file system that is full is made by a limit of POSIX")
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_picture_that_the_disk_has_no_room_for_is_not_said_to_be_written(
    window: MainWindow, tmp_path: Path, ending: str
) -> None:
    import resource

    path = tmp_path / f"view{ending}"
    window.dialogs.ask_save = lambda *_: path  # type: ignore[method-assign]
    window.files.export_view(window.source)
    whole = path.read_bytes()
    path.write_bytes(b"an earlier picture")
    window.caption.end_notice()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) - 100, before[1]))
    try:
        window.files.export_view(window.source)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Wrote" not in window.caption.text
    assert "cannot write" in window.banner.problems[0].message
    assert path.read_bytes() == b"an earlier picture"


def test_a_name_gets_the_ending_of_its_kind_and_replaces_nothing_unasked(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asks about the name that was typed; where another is to be written, it is opened once more."""
    typed, offered = [str(tmp_path / "lecture 3.2")], []

    def answer(parent: object, title: str, name: str, kinds: str) -> tuple[str, str]:
        offered.append(name)
        return (typed[-1] if len(offered) == 1 else name), "SVG drawing (*.svg)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    window.files.export_view(window.source)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["lecture 3.2.svg"]
    del offered[:]
    window.files.export_view(window.source)
    assert offered == ["source.png", str(tmp_path / "lecture 3.2.svg")]
    del offered[:]
    typed.append(str(tmp_path / "picture.png"))  # a kind of its own is kept
    window.files.export_view(window.source)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


# ---- lessons


def open_lesson(window: MainWindow, qtbot: QtBot, name: str, title: str) -> None:
    lesson = next(lesson for lesson in lessons() if lesson.name.endswith(name))
    number = next(n for n, page in enumerate(lesson.pages) if title in (page.title, page.directive.ask))
    window.lessons.open(lesson, number)
    settled(window, qtbot)


def test_an_exercise_shows_its_evidence_and_hides_its_answer(window: MainWindow, qtbot: QtBot) -> None:
    open_lesson(window, qtbot, "01_divergence.md", "Try this")
    panel = window.lessons.panel
    assert not window.prediction.hidden
    assert "half a warp" not in panel.text.toPlainText()
    window.actions_["next"].trigger()
    window.presenter.present()
    assert "half a warp" not in panel.text.toPlainText(), "a step is no answer"
    window.actions_["predict"].trigger()
    assert "half a warp" in panel.text.toPlainText()
    assert not window.prediction.hidden


def test_a_lesson_asks_one_question(window: MainWindow, qtbot: QtBot) -> None:
    open_lesson(window, qtbot, "01_divergence.md", "lanes")
    assert window.prediction.hidden
    assert window.caption.text.count("?") == 0
    assert window.caption.text.startswith("See the question in the lesson.")
    window.actions_["predict"].trigger()
    window.presenter.present()
    assert not window.prediction.hidden
    assert "P reveals" not in window.caption.text


# ---- the last session


def test_quitting_and_starting_again_returns_to_the_place(opened: Opener, qtbot: QtBot) -> None:
    window = opened()
    window.session.choose("transpose/padded_16")
    settled(window, qtbot)
    window.player.go(40)
    window.actions_["everything"].trigger()
    window.actions_["quit"].trigger()
    again = opened()
    assert (again.session.setup.variant, again.selection.now.step) == ("transpose/padded_16", 40)
    assert again.workspace.everything


def test_a_crash_loses_neither_the_place_nor_the_edit(opened: Opener, qtbot: QtBot) -> None:
    window = opened()
    window.source.set_editing(True)
    window.source.editor.insertPlainText("// mine\n")
    window.source.announce_edit()
    window.source.set_editing(False)
    window.actions_["compile"].trigger()
    settled(window, qtbot)
    window.player.go(25)
    kept = window.last_session.path
    assert kept is not None
    qtbot.waitUntil(lambda: kept.exists() and '"step": 25' in kept.read_text(), timeout=10_000)
    again = opened()  # while the first one has never been closed
    assert again.selection.now.step == 25
    assert again.source.text.startswith("// mine\n")


def test_a_session_that_cannot_be_read_is_left_out(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "last.warpview").write_text('{"warpview": 1, "setup": 7}')
    assert opened().session.setup.variant == "reduction/interleaved"


# ---- its place on the screen


def test_the_window_opens_within_the_screen(opened: Opener) -> None:
    window = opened()
    room = QGuiApplication.primaryScreen().availableGeometry()
    assert window.isMaximized() or room.contains(window.geometry())


def test_a_geometry_of_a_larger_screen_is_fitted(opened: Opener, settings: QSettings) -> None:
    first = opened()
    first.setGeometry(5000, 4000, 3000, 2000)
    settings.setValue("geometry", first.saveGeometry())
    window = opened()
    room = QGuiApplication.primaryScreen().availableGeometry()
    assert window.isMaximized() or room.contains(window.geometry())


def test_moving_a_view_leaves_the_tabs_of_other_groups(window: MainWindow, qtbot: QtBot) -> None:
    window.workspace.toggle_everything()
    window.workspace.arrange("narrow")
    window.workspace.raise_view("timeline")
    window.workspace.raise_view("instructions")
    window.workspace.place("shared", "global", "tabs")
    front = {tabs.currentWidget().key for tabs in window.workspace.findChildren(QTabWidget) if tabs.isVisible()}
    assert {"timeline", "instructions"} <= front


# ---- what the views show belongs to the source beside them


@contextmanager
def broken_draft(window: MainWindow, key: str) -> Iterator[None]:
    window.session.drafts.keep(key, "__global__ void broken( {\n")
    yield
    window.session.drafts.discard(key)


def test_views_that_show_another_run_than_the_source_say_so(window: MainWindow, qtbot: QtBot) -> None:
    assert window.outdated.words == ""
    with broken_draft(window, "reduction/sequential"):
        window.session.choose("reduction/sequential")
        settled(window, qtbot)
        assert window.outdated.isVisible()
        assert "still show the run of Interleaved, divergent" in window.outdated.words
    window.actions_["revert"].trigger()
    settled(window, qtbot)
    assert window.outdated.words == ""
    assert not window.outdated.isVisible()


def test_an_edit_that_has_not_run_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.source.set_editing(True)
    window.source.editor.insertPlainText("// mine\n")
    window.source.announce_edit()
    assert "before this edit" in window.outdated.words
    window.source.editor.undo()
    window.source.announce_edit()
    assert window.outdated.words == ""


# ---- recent files


def test_files_that_were_opened_are_offered_again(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text("__global__ void mine(int *out) { out[threadIdx.x + blockDim.x * blockIdx.x] = 1; }\n")
    window.files.open_path(path)
    settled(window, qtbot)
    window.session.choose("reduction/interleaved")
    settled(window, qtbot)
    menu = next(menu for menu in window.findChildren(QMenu) if menu.title() == "Recent files")
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["&1  mine.cu"]
    menu.actions()[0].trigger()
    settled(window, qtbot)
    assert window.session.own_file == path
