"""Files of machine code are opened in the window: shown, run, asked about, and never written."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from warpview.diagnostics import SourceText
from warpview.sass import nvidia_packages, nvjitlink, nvrtc
from warpview.ui.main_window import MainWindow
from warpview.ui.panels.arguments_dialog import ArgumentsDialog
from warpview.ui.views.diagram_view import DiagramScene

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
needs_assembler = pytest.mark.skipif(not nvjitlink.is_installed(), reason="nvJitLink is not installed")

SOURCE = """\
template <typename T> __global__ void scale(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] / 3;
}
template __global__ void scale<float>(const float *, float *, int);
extern "C" __global__ void fill(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] = 7;
}
int main()
{
    scale<float><<<2, 64>>>(a, b, 100);
}
"""


# Written by hand: out[i] = out[i] / 3.
PTX = """\
.version 8.0
.target sm_75
.address_size 64
.visible .entry third(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    div.rn.f32 %f2, %f1, 0f40400000;
    st.global.f32 [%rd3], %f2;
    ret;
}
"""


@pytest.fixture
def cubin(tmp_path: Path) -> Path:
    """A cubin for sm_90 beside its source."""
    device_code = SOURCE[: SOURCE.index("int main")]
    (tmp_path / "scale.cu").write_text(SOURCE)
    path = tmp_path / "scale.cubin"
    path.write_bytes(nvrtc.compile_source(SourceText("scale.cu", device_code), 90).cubin)
    return path


@pytest.fixture
def bare(cubin: Path) -> Path:
    """The cubin without its source."""
    (cubin.parent / "scale.cu").unlink()
    return cubin


@pytest.fixture
def ptx(tmp_path: Path) -> Path:
    path = tmp_path / "halve.ptx"
    path.write_text(PTX)
    return path


class Asked(NamedTuple):
    """What a dialog of arguments had in its fields and as its labels."""

    fields: list[str]
    labels: list[str]


def confirm(monkeypatch: pytest.MonkeyPatch, asked: list[Asked], accept: bool = True) -> None:
    """Answer the dialog of arguments."""

    def exec_(dialog: ArgumentsDialog) -> QDialog.DialogCode:
        fields = [field.text() for field in dialog.argument_fields.values()]
        asked.append(Asked(fields, [label.text() for label in dialog.findChildren(QLabel)]))
        return QDialog.DialogCode.Accepted if accept else QDialog.DialogCode.Rejected

    monkeypatch.setattr(ArgumentsDialog, "exec", exec_)


def test_a_cubin_opens_with_its_source(window: MainWindow, qtbot: QtBot, cubin: Path) -> None:
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(cubin)
    session = window.session
    assert window.source.text == SOURCE
    assert session.setup.device == "h200"  # the cubin is not for the device that was chosen
    bar = window.launch_bar
    assert sorted(bar.preset.itemText(n) for n in range(bar.preset.count())) == ["fill", "scale<float>"]
    assert not bar.code.isVisible()
    if session.setup.preset != "scale<float>":
        with qtbot.waitSignal(session.run_changed):
            session.set_preset("scale<float>")
    assert (session.setup.grid, session.setup.block, session.setup.arguments["n"]) == ((2, 1, 1), (64, 1, 1), "100")
    assert session.run.program.native is not None
    assert session.run.program.source.text == SOURCE
    assert {3, 4, 5} <= {i.span.line for i in session.run.program.instructions}
    assert not session.run.findings
    assert window.recent_files.paths[0] == cubin


def test_a_cubin_without_source_shows_its_disassembly_and_asks_for_arguments(
    window: MainWindow, qtbot: QtBot, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Asked] = []
    confirm(monkeypatch, asked)
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(bare)
    assert {"// scale<float>", "// fill"} <= set(window.source.text.split("\n"))
    assert asked[0].fields == list(window.session.setup.arguments.values())
    assert "arg0, 8 bytes" in asked[0].labels
    places = {i.span.line for i in window.session.run.program.instructions}
    lines = window.source.text.split("\n")
    assert places
    assert all(lines[line - 1].startswith("/*0") for line in places)


def test_nothing_runs_until_the_arguments_are_confirmed(
    window: MainWindow, qtbot: QtBot, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Asked] = []
    confirm(monkeypatch, asked, accept=False)
    before = window.session.run
    window.files.open_path(bare)
    qtbot.waitUntil(lambda: bool(asked) and not window.runner.busy)
    assert window.session.run is before
    assert "F5 runs" in window.session.outdated
    with qtbot.waitSignal(window.session.run_changed):
        window.actions_["compile"].trigger()
    assert window.session.run.program.native is not None


def test_machine_code_is_neither_edited_nor_written(window: MainWindow, qtbot: QtBot, cubin: Path) -> None:
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(cubin)
    before = cubin.read_bytes()
    text = window.source.text
    for action in ("edit", "save", "save_as", "comment"):
        window.caption.notice("")
        window.actions_[action].trigger()
        assert "scale.cubin is machine code and read-only" in window.caption.text, action
    assert not window.source.editing
    assert not window.actions_["edit"].isChecked()
    window.source.edit_button.click()
    assert not window.source.edit_button.isChecked()
    window.source.find_bar.open("scale", replacing=True)
    window.source.find_bar.other.setText("other")
    window.source.find_bar.replace_all()
    window.source.find_bar.replace()
    assert window.source.text == text
    assert cubin.read_bytes() == before
    window.actions_["both_codes"].trigger()
    assert "open its CUDA source to compare" in window.caption.text
    window.actions_["by_nvidia"].trigger()
    assert not window.runner.busy
    assert not window.actions_["by_nvidia"].isChecked()


@needs_assembler
def test_ptx_opens_with_its_own_lines(
    window: MainWindow, qtbot: QtBot, ptx: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm(monkeypatch, [])
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(ptx)
    assert window.source.text == PTX
    divided = 1 + PTX[: PTX.index("div.rn")].count("\n")
    assert divided in {i.span.line for i in window.session.run.program.instructions}
    with qtbot.waitSignal(window.session.run_changed):
        window.session.set_device("rtx2080")
    assert window.session.run.program.native.architecture == 75


def test_ptx_without_an_assembler_runs_on_old_devices_and_names_the_command_on_others(
    window: MainWindow, qtbot: QtBot, ptx: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> bytes:
        raise nvidia_packages.MissingCompiler(f"assembling PTX needs nvJitLink; install it: {nvidia_packages.INSTALL}")

    monkeypatch.setattr(nvjitlink, "assemble", missing)
    confirm(monkeypatch, [])
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(ptx)  # the device of the shared window runs PTX
    bar = window.launch_bar
    assert [bar.preset.itemText(n) for n in range(bar.preset.count())] == ["third"]
    assert window.source.text == PTX
    assert window.session.run.program.kernel == "third"
    assert window.session.run.program.native is None
    window.session.set_device("h200")
    told = "pip install 'warpview[nvidia]'"
    qtbot.waitUntil(lambda: any(told in problem.message for problem in window.banner.problems))


def test_a_file_that_is_no_cubin_is_refused(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "broken.cubin"
    path.write_bytes(b"\x7fELF and then nothing")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.banner.isVisible())
    assert "the cubin is damaged" in window.banner.problems[0].message


def test_a_cubin_that_is_compiled_anew_is_offered(window: MainWindow, qtbot: QtBot, cubin: Path) -> None:
    with qtbot.waitSignal(window.session.run_changed):
        window.files.open_path(cubin)
    cubin.write_bytes(cubin.read_bytes() + b"\0")
    qtbot.waitUntil(lambda: window.banner.isVisible())
    assert "another program has changed scale.cubin" in window.banner.problems[0].message


@pytest.mark.parametrize("place", ["window", "diagram", "editor"])
def test_a_file_is_opened_by_dropping_it(window: MainWindow, qtbot: QtBot, cubin: Path, place: str) -> None:
    """Also on a text that is being edited, into which words can be dropped."""
    window.actions_["edit"].trigger()
    diagram = next(scene for scene in window.findChildren(DiagramScene) if scene.isVisible())
    target = {"window": window, "diagram": diagram.viewport(), "editor": window.source.editor.viewport()}[place]
    at = target.mapTo(window, QPoint(9, 9))
    dragged, words = QMimeData(), QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(cubin))])
    words.setText("no file")
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for data, is_taken in ((words, place == "editor"), (dragged, True)):
        entered = QDragEnterEvent(at, copy, data, left, none)
        QApplication.sendEvent(window.windowHandle(), entered)
        assert entered.isAccepted() == is_taken
    with qtbot.waitSignal(window.session.run_changed):
        QApplication.sendEvent(window.windowHandle(), QDropEvent(at.toPointF(), copy, dragged, left, none))
    assert window.session.own_file == cubin
