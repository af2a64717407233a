"""Whole programs run in the window: launches are listed, opened, edited and run again."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph import LabelItem
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot
from ui.rows.working import PROGRAM
from ui.stand import press, room_for_words

from warpview.sass import nvrtc
from warpview.ui.drawing.app_style import CELL_MARGIN
from warpview.ui.drawing.plot import Swatch
from warpview.ui.main_window import MainWindow
from warpview.ui.programs.program_page import ProgramPage
from warpview.ui.programs.run_dialog import RunDialog
from warpview.ui.session.backend import ProgramRequest

WAIT_MS = 60_000
Runs = Callable[[str], ProgramPage]


@pytest.fixture
def run(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Runs:
    """Open a program of this text and run it."""

    def runs(text: str, **request: object) -> ProgramPage:
        path = tmp_path / "mine.cu"
        path.write_text(text)
        window.files.open_path(path)
        qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy, timeout=WAIT_MS)
        asked = ProgramRequest(0, (str(path.resolve()),), "", ("some",))
        window.dialogs.ask_program = lambda *_: replace(asked, **request)  # type: ignore[method-assign,arg-type]
        window.actions_["run_program"].trigger()
        return _shown(window)

    return runs


def _shown(window: MainWindow) -> ProgramPage:
    page = window.pages.page
    assert isinstance(page, ProgramPage)
    return page


def _wait(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.runner.busy, timeout=WAIT_MS)


def test_keys_choose_and_open_a_launch(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    """Down, and every letter, would step the run before or jump in it, which is out of sight."""
    launch = "twice<<<2, 64>>>(data, 100);"
    page = run(PROGRAM.replace(launch, launch + "twice<<<1, 96>>>(data, 96);" + launch))
    _wait(window, qtbot)
    step = window.selection.now.step
    for key in ("Down", "D", "Down", "Up"):
        press(window, key)
    assert window.selection.now.step == step
    assert page.selected == 1
    press(window, "Return")
    _wait(window, qtbot)
    assert "Launch 2 of 3" in window.caption.text
    assert window.session.run.launch.block == (96, 1, 1)
    press(window, "Ctrl+Left")
    _wait(window, qtbot)
    assert "Launch 1 of 3" in window.caption.text
    press(window, "Ctrl+Left")
    assert window.caption.text == "This is the first of 3 launches."


def test_a_program_runs_and_a_launch_opens_with_its_own_data(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM)
    _wait(window, qtbot)
    assert page.output.toPlainText() == "some 198\n"
    texts = [page.launches.item(0, column).text() for column in range(page.launches.columnCount())]
    assert texts[:6] == ["1", "twice", "11", "2", "64", "default stream"]
    header = page.launches.horizontalHeader()
    for column in range(header.count()):
        heading, cell = page.launches.horizontalHeaderItem(column), page.launches.item(0, column)
        needed = header.fontMetrics().horizontalAdvance(heading.text()) + 2 * CELL_MARGIN
        assert needed <= header.sectionSize(column), heading.text()
        assert heading.textAlignment() == cell.textAlignment(), heading.text()
    assert not page.wrong.isVisible()
    assert not window.history.isVisible()  # its steps are of another run
    assert "Enter opens the selected launch" in window.caption.text
    page.open_selected()
    _wait(window, qtbot)
    assert window.history.isVisible()
    shown = window.session.run
    assert (shown.program.kernel, shown.launch.grid, shown.launch.block) == ("twice", (2, 1, 1), (64, 1, 1))
    assert "Launch 1 of 1" in window.caption.text
    box = window.launch_bar.preset
    assert box.fontMetrics().horizontalAdvance(box.placeholderText()) <= room_for_words(box)
    assert not window.pages.shows_no_step
    assert window.session.outdated == ""


def test_an_edited_kernel_runs_with_the_data_of_the_program(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM)
    _wait(window, qtbot)
    page.open_selected()
    _wait(window, qtbot)
    before = window.session.run.counters["inst_executed"]
    window.session.set_text(PROGRAM.replace("data[i] *= 2", "data[i] = data[i] * data[i] + 1"))
    window.actions_["compile"].trigger()
    _wait(window, qtbot)
    assert not window.banner.isVisible()
    assert window.session.current
    assert window.session.run.counters["inst_executed"] != before
    window.session.set_text(PROGRAM.replace("int n)", "int n, int m)").replace("(data, 100)", "(data, 100, 1)"))
    window.actions_["compile"].trigger()
    _wait(window, qtbot)
    assert window.banner.isVisible()
    assert "run the program again" in window.banner.problems[0].message


def test_another_device_takes_the_same_launch(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM)
    _wait(window, qtbot)
    page.open_selected()
    _wait(window, qtbot)
    window.session.set_device("h200")
    _wait(window, qtbot)
    assert window.session.run.device.key == "h200"
    assert window.session.current


def test_findings_are_listed_and_lead_to_their_place(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM.replace("if (i < n) ", "").replace("    cudaFree(data);\n", ""))
    _wait(window, qtbot)
    texts = [page.wrong.item(n).text() for n in range(page.wrong.count())]
    assert any("line 9" in text and "never freed" in text for text in texts), texts
    assert any("line 4" in text and "launch 1" in text for text in texts), texts
    headings = {label.text(): label for label in page.findChildren(QLabel) if label.isVisible()}
    for heading, part in (("Output", page.output), ("Findings", page.wrong)):
        assert headings[heading].mapTo(page, QPoint(0, 0)).y() < part.mapTo(page, QPoint(0, 0)).y()
    leak = next(n for n, text in enumerate(texts) if "never freed" in text)
    page.wrong.itemActivated.emit(page.wrong.item(leak))
    assert not window.pages.shows_no_step


def test_of_several_calls_in_a_line_the_one_that_leaks_is_marked(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    """A leak names its own pointer, and the editor underlines its own call: plain, cast, and out of a macro."""
    calls = (
        "cudaMalloc(&a, 64); /* ü */ cudaMalloc((void**)&b, 64); CHECK(cudaMalloc(&c, 64)); CHECK(cudaMalloc(&d, 4));"
    )
    text = (
        "#define CHECK(call) do { if (call) return 1; } while (0)\n__global__ void k() {}\n"
        f"int main() {{\n    float *a, *b, *c, *d;\n\t{calls}\n    cudaFree(a);\n    cudaFree(d);\n}}\n"
    )
    page = run(text)
    _wait(window, qtbot)
    leaks = [page.wrong.item(n) for n in range(page.wrong.count())]
    assert [leak.text().split("'")[1] for leak in leaks] == ["b", "c"]
    marked = []
    for leak in leaks:
        page.wrong.itemActivated.emit(leak)
        (problem,) = window.source.editor.problems
        assert problem.span is not None
        assert window.banner.problems == (problem,)
        start = problem.span.column - 1
        marked.append(text.splitlines()[problem.span.line - 1][start : start + problem.span.length])
        assert window.source.editor.textCursor().positionInBlock() == start
    assert marked == ["cudaMalloc((void**)&b, 64)", "CHECK(cudaMalloc(&c, 64))"]


def test_what_a_program_prints_appears_before_it_ends(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    text = (
        "#include <cstdio>\n#include <unistd.h>\n__global__ void k() {}\n"
        'int main() { std::printf("first\\n"); std::fflush(stdout); sleep(30); std::printf("last\\n"); }\n'
    )
    page = run(text)
    qtbot.waitUntil(lambda: page.output.toPlainText() == "first\n", timeout=WAIT_MS)
    assert window.runner.busy
    window.actions_["cancel"].trigger()
    _wait(window, qtbot)
    assert page.output.toPlainText() == "first\n"
    assert page.about.text() == "The program was stopped."


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_the_timeline_is_drawn_and_exported(
    window: MainWindow, qtbot: QtBot, run: Runs, tmp_path: Path, ending: str
) -> None:
    page = run(PROGRAM)
    _wait(window, qtbot)
    (kernel,) = [bar for bar in page.timeline.shown if bar.kind == "kernel"]
    found = page.timeline.bar_at(kernel.start + kernel.duration / 2, kernel.row)
    assert found == kernel
    assert found.launch == 0
    samples = [item for item in page.timeline.scene().items() if isinstance(item, Swatch)]
    assert len(samples) == len({bar.kind for bar in page.timeline.shown})
    labels = [item for item in page.timeline.scene().items() if isinstance(item, LabelItem) and item.text == "kernel"]
    before = labels[0].itemRect().height()
    window.look.set_scale(2.0)
    labels = [item for item in page.timeline.scene().items() if isinstance(item, LabelItem) and item.text == "kernel"]
    assert labels[0].itemRect().height() > 1.5 * before
    window.look.set_scale(1.0)
    sheet = QImage(20, 20, QImage.Format.Format_RGB32)
    sheet.fill(Qt.GlobalColor.white)
    with QPainter(sheet) as painter:
        samples[0].paint(painter)
    inked = [x for x in range(20) if sheet.pixelColor(x, 11) != Qt.GlobalColor.white]
    assert 1 <= inked[0] <= 3, "a box, with no line through it"
    assert 16 <= inked[-1] <= 18
    path = tmp_path / f"times.{ending}"
    window.dialogs.ask_save = lambda *_: path  # type: ignore[method-assign]
    page.export_wanted.emit()
    if ending == "csv":
        with path.open() as file:
            kinds = [row["kind"] for row in csv.DictReader(file)]
        assert kinds == ["copy to device", "kernel", "copy from device"]
    else:
        events = json.loads(path.read_text())["traceEvents"]
        assert [event["name"] for event in events if event.get("cat") == "kernel"] == ["twice"]


def test_a_program_that_does_not_compile_says_where(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    run(PROGRAM.replace("std::printf(", "std::print_f("))
    _wait(window, qtbot)
    assert window.banner.isVisible()
    assert "print_f" in window.banner.problems[0].message


def test_a_crash_is_told_with_its_line(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM.replace("cudaFree(data);", "data[0] = 1;"))
    _wait(window, qtbot)
    assert "device memory" in page.about.text()


def test_kernels_of_the_library_and_files_without_main_are_no_programs(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.actions_["run_program"].trigger()
    assert "no main" in window.caption.text
    path = tmp_path / "alone.cu"
    path.write_text("__global__ void alone(int *out) { out[threadIdx.x] = 1; }\n")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy, timeout=WAIT_MS)
    window.actions_["run_program"].trigger()
    assert "has no main" in window.caption.text
    assert not window.runner.busy


def test_opening_a_program_offers_to_run_it_and_does_not(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path, mark = tmp_path / "mine.cu", tmp_path / "ran"
    path.write_text(PROGRAM.replace("int host[100]", f'std::fopen("{mark}", "w"); int host[100]'))
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy, timeout=WAIT_MS)
    assert window.session.variant.is_program
    assert not mark.exists()


def test_the_dialogue_reads_what_is_typed(qtbot: QtBot, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text("1\n")
    dialog = RunDialog(ProgramRequest(0, ("/somewhere/mine.cu",), "", ("old",)), True, None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert dialog.arguments.text() == "old"
    dialog.arguments.setText("1024 'two words'")
    dialog.input.setText(str(source))
    dialog.seconds.setValue(5)
    assert dialog.request == ProgramRequest(0, ("/somewhere/mine.cu",), "", ("1024", "two words"), str(source), 5.0)
    dialog.arguments.setText("'open")
    dialog.accept()
    assert dialog.result() != QDialog.DialogCode.Accepted
    assert "quotation mark" in dialog.problem.text()
    dialog.arguments.clear()
    dialog.input.setText(str(tmp_path / "nowhere.txt"))
    dialog.accept()
    assert "there is no file" in dialog.problem.text()


def test_enter_opens_the_selected_launch(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run(PROGRAM)
    _wait(window, qtbot)
    page.launches.setFocus()
    qtbot.keyClick(page.launches, Qt.Key.Key_Return)
    _wait(window, qtbot)
    assert window.session.setup.program_launch is not None
    assert window.files.saved().setup.program_launch is None


def test_a_program_that_prints_without_end_can_be_stopped(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    page = run('#include <cstdio>\n__global__ void k() {}\nint main() { for (;;) std::puts("again"); }\n')
    qtbot.waitUntil(lambda: page.output.blockCount() > 100, timeout=WAIT_MS)
    window.actions_["cancel"].trigger()
    _wait(window, qtbot)
    assert page.output.blockCount() <= 20_001


def test_a_program_reads_its_standard_input_from_a_file(
    window: MainWindow, qtbot: QtBot, run: Runs, tmp_path: Path
) -> None:
    source = tmp_path / "numbers.txt"
    source.write_text("20 22\n")
    text = PROGRAM.replace(
        "cudaFree(data);",
        'int a, b; if (std::scanf("%d %d", &a, &b) == 2) std::printf("%d\\n", a + b); cudaFree(data);',
    )
    page = run(text, input=str(source))  # type: ignore[call-arg]
    _wait(window, qtbot)
    assert page.output.toPlainText() == "some 198\n42\n"


def test_a_launch_whose_memory_was_not_kept_opens_after_another_run(
    window: MainWindow, qtbot: QtBot, run: Runs
) -> None:
    page = run(PROGRAM, keep=7)  # type: ignore[call-arg]
    _wait(window, qtbot)
    assert page.result is not None
    assert page.result.launches[0].snapshot is None
    page.open_selected()
    _wait(window, qtbot)
    qtbot.waitUntil(lambda: window.session.setup.program_launch is not None and not window.runner.busy)
    assert page.result.launches[0].snapshot is not None
    assert window.session.run.program.kernel == "twice"


COOPERATIVE = r"""
#include <cooperative_groups.h>
#include <cstdio>
__global__ void total(int *data, int n) {
    auto grid = cooperative_groups::this_grid();
    for (int half = n / 2; half > 0; half /= 2) {
        for (int i = grid.thread_rank(); i < half; i += grid.size()) data[i] += data[i + half];
        grid.sync();
    }
}
int main() {
    int n = 256, *data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i;
    void *arguments[] = {&data, &n};
    cudaLaunchCooperativeKernel((void *)total, 2, 64, arguments);
    cudaDeviceSynchronize();
    printf("%d\n", data[0]);
    cudaFree(data);
}
"""


def test_a_launch_that_synchronises_its_grid_is_stepped_through(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    window.session.set_device("h200")
    _wait(window, qtbot)
    page = run(COOPERATIVE)
    _wait(window, qtbot)
    assert page.output.toPlainText() == f"{255 * 256 // 2}\n"
    page.open_selected()
    _wait(window, qtbot)
    shown = window.session.run
    assert shown.program.kernel == "total"
    assert shown.time_us is None
    for action in ("last", "previous", "first", "next", "next_barrier"):
        window.actions_[action].trigger()
    assert window.selection.now.step > 1
    writer = shown.who_wrote("data", 0)
    assert writer is not None
    assert writer.step is not None


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_a_program_runs_and_opens_as_machine_code(window: MainWindow, qtbot: QtBot, run: Runs) -> None:
    window.session.set_device("h200")
    _wait(window, qtbot)
    page = run(PROGRAM)
    _wait(window, qtbot)
    page.open_selected()
    _wait(window, qtbot)
    assert window.session.run.program.native is None
    window.session.set_launch(by_nvidia=True)
    window.session.start()
    _wait(window, qtbot)
    assert window.session.run.program.native is not None
    window.actions_["run_program"].trigger()
    _wait(window, qtbot)
    assert page.output.toPlainText() == "some 198\n"
    assert page.result is not None
    assert page.result.runs[0].program.native is not None
