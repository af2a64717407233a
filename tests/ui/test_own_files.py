"""Files of the user's are opened, saved, and written by others meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QStyleOptionComboBox
from pytestqt.qtbot import QtBot
from ui.rest import come_to_rest
from ui.stand import Stand, room_for_words

from warpview.ui.main_window import MainWindow
from warpview.ui.session import file_watch

OWN = (
    "// the first line, which the tests edit\n"
    "__global__ void own(int *out)\n{\n    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n"
)
OTHER = OWN.replace("= 1", "= 2")


@pytest.fixture
def path(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    """A file that is open in the window and has been run."""
    path = tmp_path / "mine.cu"
    path.write_text(OWN)
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    return path


def edit(window: MainWindow, words: str) -> str:
    window.source.set_editing(True)
    window.source.editor.place_cursor(1)
    QTest.keyClicks(window.source.editor, words)
    window.source.announce_edit()
    return window.source.text


def choice(window: MainWindow, text: str) -> QPushButton:
    return next(b for b in window.banner.findChildren(QPushButton) if b.text() == text and b.isVisible())


def test_a_file_is_saved_where_it_came_from(window: MainWindow, path: Path) -> None:
    window.selection.update(breakpoints=frozenset({3}))
    text = edit(window, "// mine ")
    assert window.session.setup.edited
    window.actions_["save"].trigger()
    assert path.read_text() == text
    assert not window.session.setup.edited
    # Saving is no reason to stop typing, nor to forget the breakpoints.
    assert window.source.editing
    assert window.selection.now.breakpoints == {3}
    come_to_rest(window, 2 * file_watch.SETTLED_MS)
    assert not window.banner.isVisible()


@pytest.mark.parametrize(("action", "name"), [("export_counters", "mine.csv"), ("save_session", "mine.warpview")])
def test_a_file_about_the_kernel_is_offered_under_its_name(
    window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch, action: str, name: str
) -> None:
    offered = []
    monkeypatch.setattr(window.dialogs, "ask_save", lambda title, name, kinds: offered.append(name))
    window.actions_[action].trigger()
    assert offered == [name]


@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000)])
def test_the_chosen_kernel_of_a_file_can_be_read(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    """The launches of a file are called after its kernels, and the box is as wide as the name that it shows."""
    window.resize(*size)
    path = tmp_path / "several.cu"
    path.write_text(OWN.replace("own(", "sum_matrix_rows(") + OWN.replace("own(", "saxpy_grid_stride("))
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    box = window.launch_bar.preset
    assert box.count() == 2
    for index in range(2):
        box.setCurrentIndex(index)
        with qtbot.waitSignal(window.session.run_changed):
            box.activated.emit(index)
        come_to_rest(window)
        assert box.fontMetrics().horizontalAdvance(box.currentText()) <= room_for_words(box), box.currentText()
        assert window.launch_bar.grid.isVisible()


def test_a_kernel_of_the_library_is_saved_where_one_says(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "copy.cu"
    window.dialogs.ask_save = lambda *_: target
    edit(window, "// ")
    window.actions_["save"].trigger()
    assert target.read_text().startswith("// ")
    assert window.session.own_file == target


def test_a_run_is_that_of_its_source_under_another_name(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Saving elsewhere what has run makes nothing that is shown outdated; run again, the step stays."""
    window.session.choose("reduction/interleaved")
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.player.go(62)
    window.dialogs.ask_save = lambda *_: tmp_path / "renamed.cu"
    window.actions_["save_as"].trigger()
    assert window.session.own_file == tmp_path / "renamed.cu"
    assert (window.session.current, window.session.outdated) == (True, "")
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    assert window.selection.now.step == 62


def test_a_file_that_cannot_be_written_says_so_and_keeps_the_edit(window: MainWindow, path: Path) -> None:
    text = edit(window, "// mine ")
    path.unlink()
    path.mkdir()
    window.actions_["save"].trigger()
    assert "cannot write" in window.banner.problems[0].message
    assert window.session.drafts.text(str(path)) == text


def test_another_program_has_changed_it(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    mine = edit(window, "/* mine */ ")
    path.write_text(OTHER)
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)
    assert "another program has changed mine.cu" in window.banner.problems[0].message
    assert window.source.text == mine
    with qtbot.waitSignal(window.session.run_changed):
        choice(window, "Reload").click()
    assert window.source.text == OTHER
    assert not window.session.setup.edited
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["back"].trigger()
    assert window.source.text == mine


def test_mine_is_kept_when_another_program_has_changed_it(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    mine = edit(window, "// mine ")
    aside = path.with_name("aside")
    aside.write_text(OTHER)
    aside.replace(path)  # as editors save
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)
    choice(window, "Keep mine").click()
    assert not window.banner.isVisible()
    assert window.source.text == mine
    window.actions_["save"].trigger()
    assert path.read_text() == mine
    path.write_text(OTHER + "// again\n")  # it is still looked after
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)


def test_a_file_that_was_removed_is_said_and_is_still_looked_after(
    window: MainWindow, qtbot: QtBot, path: Path
) -> None:
    path.unlink()
    qtbot.waitUntil(lambda: "no longer on disk" in window.caption.text, timeout=5000)
    path.write_text(OTHER)
    qtbot.waitUntil(window.banner.isVisible, timeout=5000)
    assert "another program has changed mine.cu" in window.banner.problems[0].message
    path.unlink()
    window.actions_["save"].trigger()
    assert path.read_text() == window.source.text == OWN


def test_opening_the_open_file_again_keeps_its_edit(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    mine = edit(window, "// mine ")
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    assert (window.source.text, window.session.setup.edited) == (mine, True)
    assert window.caption.text == "mine.cu is open already, with your edit."
    path.write_text(OTHER)
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    assert window.source.text == OTHER
    assert "Alt+← brings your edit back" in window.caption.text


def test_an_edit_is_that_of_its_own_file(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Nothing of one file is seen in another, whatever the names of their folders, long ones among them."""
    long = Path(*["folder" * 20] * 3)
    for path in (tmp_path / "a_b.cu", tmp_path / "a" / "b.cu", tmp_path / long / "b.cu"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(OWN)
        with qtbot.waitSignal(window.session.run_changed):
            window.files.open_path(path)
        assert (window.source.text, window.session.setup.edited) == (OWN, False)
        mine = edit(window, f"// {path.parent.name} ")
        assert not window.banner.isVisible()
        window.source.set_editing(False)
        assert window.session.drafts.text(str(path)) == mine


def test_a_relative_path_means_the_file_there(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.cu").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(Path("mine.cu"))
    assert window.session.own_file == tmp_path / "mine.cu"


def test_another_file_begins_at_its_start(window: MainWindow, qtbot: QtBot, tmp_path: Path, path: Path) -> None:
    """Files of the user's are no family: the place in one is none in the next."""
    window.player.go(3)
    other = tmp_path / "other.cu"
    other.write_text(OTHER)
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(other)
    assert window.selection.now.step == 0
    window.player.go(3)
    edit(window, "// mine ")
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    assert window.selection.now.step == 3, "an edit of the same file is shown at the same place"


def test_the_title_and_the_box_name_the_family_of_a_kernel(window: MainWindow) -> None:
    assert window.windowTitle() == "Reduction: Interleaved, divergent[*] — warpview"
    box, option = window.launch_bar.kernel, QStyleOptionComboBox()
    box.initStyleOption(option)
    assert option.currentText == "Reduction: Interleaved, divergent"
    box.resize(120, box.height())
    box.initStyleOption(option)
    assert option.currentText == "Interleaved, divergent"


def test_the_title_names_the_kernel_and_says_whether_it_is_edited(window: MainWindow, path: Path) -> None:
    assert window.windowTitle() == "mine.cu[*] — warpview"
    assert not window.isWindowModified()
    edit(window, "// mine ")
    assert window.isWindowModified()
    window.actions_["save"].trigger()
    assert not window.isWindowModified()


def test_a_file_is_read_in_the_worker(window: MainWindow, qtbot: QtBot, stand: Stand, path: Path) -> None:
    seen: list[str] = []
    window.runner.progressed.connect(lambda words, *_: seen.append(words))
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(path)
    assert "Opening mine.cu" in seen


@pytest.mark.parametrize("key", ["F5", "device", "revert"])
def test_a_run_asked_for_meanwhile_does_not_stop_the_opening(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, key: str
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(OWN)
    window.files.open_path(path)
    if key == "device":
        window.session.set_device("h200")
    else:
        window.actions_[{"F5": "compile"}.get(key, key)].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert window.session.variant.key == window.session.shown.variant == str(path)
    assert window.source.text == OWN
    assert window.session.current


def test_where_the_file_cannot_be_read_the_run_asked_for_follows(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.files.open_path(tmp_path / "nothing.cu")
    window.session.set_device("h200")
    with qtbot.waitSignal(window.session.run_changed):
        pass
    assert window.session.shown.device == "h200"
    assert "nothing.cu" in window.caption.text


def test_a_kernel_chosen_meanwhile_is_the_one_that_runs(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(OWN)
    window.files.open_path(path)
    with qtbot.waitSignal(window.session.run_changed):
        window.session.choose("vector/add")
    assert window.session.shown.variant == "vector/add"
    assert window.session.opening.path is None


def test_main_is_not_run_while_another_file_is_being_opened(
    window: MainWindow, qtbot: QtBot, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.cu"
    other.write_text(OTHER)
    window.files.open_path(other)
    window.actions_["run_program"].trigger()
    assert window.caption.text == "other.cu is still being opened."
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert window.session.shown.variant == str(other)


def test_a_draft_that_cannot_be_kept_is_said(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(window.session.drafts, "keep", full)
    text = edit(window, "// mine ")
    assert "No space left" in window.banner.problems[0].message
    assert window.session.setup.text == text


def test_what_was_marked_in_another_text_goes(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.actions_["next_divergence"].trigger()
    window.presenter.present()
    window.source.flush()
    assert window.source.editor.marks.done
    broken = tmp_path / "broken.cu"
    broken.write_text("@\n" * 30)
    with qtbot.waitSignal(window.session.failed):
        window.files.open_path(broken)
    assert not window.source.editor.marks.done
    assert not window.source.editor.heat.share


@pytest.mark.parametrize("others", [0, 1])
def test_a_file_with_an_error_runs_once_that_is_mended(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, others: int
) -> None:
    """Its kernels and their arguments are found then: the file could not be read when it was opened."""
    path = tmp_path / "wrong.cu"
    kernels = OWN.replace("= 1;", "= 1") + others * '__global__ void second(int n) { printf("%d", n); }\n'
    path.write_text(kernels)
    with qtbot.waitSignal(window.session.failed):
        window.files.open_path(path)
    window.session.set_text(kernels.replace("= 1", "= 1;"))
    if others:  # a saved edit is none any more
        window.actions_["save"].trigger()
    with qtbot.waitSignal(window.session.run_changed):
        window.session.start()
    assert window.session.run.program.kernel == "own"
    assert window.session.setup.arguments == {"out": "zeros:512"}
    assert window.launch_bar.preset.count() == 1 + others
    assert not window.session.outdated


def test_a_parameter_that_an_edit_adds_says_where_its_value_is_set(
    window: MainWindow, qtbot: QtBot, path: Path
) -> None:
    window.session.set_text(OWN.replace("int *out", "int *out, int more"))
    with qtbot.waitSignal(window.session.failed) as said:
        window.session.start()
    (problem,) = said.args[0]
    assert "no value for 'more'" in problem.message
    assert window.launch_bar.more.text() in problem.hint


def test_a_file_with_an_error_that_stays_says_so_each_time(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "wrong.cu"
    path.write_text(OWN.replace("= 1;", "= 1"))
    with qtbot.waitSignal(window.session.failed):
        window.files.open_path(path)
    for text in (OWN.replace("= 1;", "= 2"), OWN.replace("= 1;", "= 3")):
        window.session.set_text(text)
        for _ in range(2):
            with qtbot.waitSignal(window.session.failed) as said:
                window.session.start()
            assert said.args[0][0].span.line == 4
