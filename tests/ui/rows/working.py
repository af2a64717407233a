"""List the actions on files, the editor, kernels and comparisons."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ui.rows.table import ROWS, row
from ui.stand import Stand
from ui.test_profiler_page import REPORT

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.library import entry
from warpview.run import Run, simulate_preset
from warpview.sass import nvrtc
from warpview.trace.frame import Mark
from warpview.ui.commands.palette import Palette
from warpview.ui.programs.program_page import ProgramPage
from warpview.ui.session import comparison_setups
from warpview.ui.session.backend import ProgramRequest
from warpview.ui.session.session_file import from_text

MINE = "__global__ void mine(int *out) { out[threadIdx.x] = 1; }\n"

# ---- File


@row("new")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "first.cu"
    t.answer(save=path)
    with t.another_run():
        yield
    assert "__global__" in path.read_text()
    assert t.w.session.own_file == path


@row("open")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "mine.cu"
    path.write_text(MINE)
    t.answer(open=path)
    with t.another_run():
        yield
    assert t.setup.variant == str(path)
    assert t.w.source.text == MINE


@row("save")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "kept.cu"
    t.answer(save=path)  # a kernel of the library gets a file of its own
    yield
    assert path.read_text() == t.w.source.text
    assert t.w.session.own_file == path


@row("save_as")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "saved.cu"
    t.answer(save=path)
    yield
    assert path.read_text() == t.w.source.text
    assert t.setup.file_name == str(path)


@row("save_session")
def _(t: Stand) -> Iterator[None]:
    t.go(33)
    path = t.folder / "lecture.warpview"
    t.answer(save=path)
    yield
    saved = from_text(path.read_text(), path.name)
    assert (saved.setup, saved.place.step) == (t.setup, 33)


def _type(t: Stand, words: str) -> None:
    t.w.source.set_editing(True)
    t.w.source.editor.place_cursor(1)
    QTest.keyClicks(t.w.source.editor, words)


@row("revert")
def _(t: Stand) -> Iterator[None]:
    before = t.w.source.text
    _type(t, "// mine ")
    t.w.source.set_editing(False)
    t.w.sync()
    yield
    t.settle()
    assert t.w.source.text == before
    assert not t.setup.edited


@row("export_counters")
def _(t: Stand) -> Iterator[None]:
    t.answer(save=t.folder / "counters.csv")
    yield
    with (t.folder / "counters.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["kernel"], row["device"]) == ("reduce_interleaved", "8800gtx")
    assert int(row["inst_executed"]) == t.w.session.run.counters["inst_executed"]
    assert "counters.csv" in t.caption


@row("export_view")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "view.png"
    t.point_at(t.w.source)
    t.answer(save=path)
    yield
    assert not QImage(str(path)).isNull()


@row("export_steps")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "steps.gif"
    t.answer(save=path)
    t.w.step_export.ask_steps = lambda w, trace, key, offered, shapes: replace(offered, first=0, last=2)
    yield
    t.wait(lambda: not t.w.step_export.running)
    assert path.read_bytes()[:6] == b"GIF89a"


@row("export_page")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "run.html"
    t.answer(save=path)
    yield
    t.wait(lambda: path.exists() and not t.w.runner.busy)
    assert path.read_text().startswith("<!DOCTYPE html>")


PROGRAM = """\
#include <cstdio>
__global__ void twice(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}
int main(int argc, char **argv) {
    int host[100], *data;
    for (int i = 0; i < 100; ++i) host[i] = i;
    cudaMalloc(&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<2, 64>>>(data, 100);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%s %d\\n", argc > 1 ? argv[1] : "none", host[99]);
    cudaFree(data);
}
"""


def _open_program(t: Stand) -> None:
    path = t.folder / "twice.cu"
    path.write_text(PROGRAM)
    t.w.files.open_path(path)
    t.wait(lambda: t.w.session.own_file == path)
    t.settle()
    t.answer(program=ProgramRequest(0, (str(path.resolve()),), "", ("some",)))


def _ran(t: Stand) -> ProgramPage:
    t.wait(lambda: isinstance(t.w.pages.page, ProgramPage) and not t.w.runner.busy)
    page = t.w.pages.page
    assert isinstance(page, ProgramPage)
    assert page.output.toPlainText() == "some 198\n"
    assert page.launches.rowCount() == 1
    return page


@row("run_program")
def _(t: Stand) -> Iterator[None]:
    _open_program(t)
    yield
    _ran(t)
    t.w.pages.show_views()


@row("run_program_with")
def _(t: Stand) -> Iterator[None]:
    _open_program(t)
    yield
    _ran(t)
    t.w.pages.show_views()


@row("program")
def _(t: Stand) -> Iterator[None]:
    _open_program(t)
    t.w.actions_["run_program"].trigger()
    _ran(t)
    t.w.pages.show_views()
    yield
    _ran(t)
    t.w.pages.show_views()


@row("quit")
def _(t: Stand) -> Iterator[None]:
    yield
    assert not t.w.isVisible()
    assert t.w.runner.findChild(QThread, "simulation").isFinished()


# ---- Edit


@row("edit")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.source.editing
    assert t.w.focusWidget() is t.w.source.editor
    assert t.w.source.edit_button.isChecked()


@row("undo")
def _(t: Stand) -> Iterator[None]:
    before = t.w.source.text
    _type(t, "x")
    assert t.w.source.text != before
    yield
    assert t.w.source.text == before


@row("redo")
def _(t: Stand) -> Iterator[None]:
    _type(t, "x")
    after = t.w.source.text
    t.w.source.editor.undo()
    yield
    assert t.w.source.text == after


@row("find")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.focusWidget() is t.w.source.find_bar.field
    QTest.keyClicks(t.w.source.find_bar.field, "sdata")
    assert t.w.source.editor.textCursor().selectedText() == "sdata"


@row("replace")
def _(t: Stand) -> Iterator[None]:
    yield
    assert t.w.focusWidget() is t.w.source.find_bar.field
    QTest.keyClicks(t.w.source.find_bar.field, "sdata")
    assert t.w.source.find_bar.field.text() == "sdata"
    assert t.w.source.find_bar.other.isVisible()


@row("go_to_line")
def _(t: Stand) -> Iterator[None]:
    yield
    QTest.keyClicks(t.w.source.find_bar.field, "12")
    t.press("Return")
    assert t.w.source.editor.textCursor().blockNumber() == 11


def _two_problems(t: Stand) -> None:
    text = SourceText("a.cu", t.w.source.text)
    t.w.messages.problems([Diagnostic(words, Span(text, line, 1, 3)) for words, line in (("one", 4), ("two", 7))])


@row("next_problem")
def _(t: Stand) -> Iterator[None]:
    _two_problems(t)
    yield
    assert t.w.banner.count.text() == "2 of 2"
    assert t.w.source.editor.textCursor().blockNumber() == 6


@row("previous_problem")
def _(t: Stand) -> Iterator[None]:
    _two_problems(t)
    t.w.banner.step(True)
    yield
    assert t.w.banner.count.text() == "1 of 2"
    assert t.w.source.editor.textCursor().blockNumber() == 3


@row("comment")
def _(t: Stand) -> Iterator[None]:
    t.w.source.editor.place_cursor(7)
    line = t.w.source.text.splitlines()[6]
    yield
    assert t.w.source.text.splitlines()[6] == f"    // {line.strip()}"


@row("breakpoint")
def _(t: Stand) -> Iterator[None]:
    t.w.selection.update(line=8)
    yield
    assert t.w.selection.now.breakpoints == {8}
    assert t.w.source.editor.breakpoints == {8}


@row("back")
def _(t: Stand) -> Iterator[None]:
    t.go(50)
    t.press("End")
    yield
    assert t.step == 50
    assert t.caption.startswith("Back:")


@row("forward")
def _(t: Stand) -> Iterator[None]:
    t.go(50)
    t.press("End")
    t.press("Alt+Left")
    yield
    assert t.step == t.trace.steps
    assert t.caption.startswith("Forward:")


# ---- Kernel


def choose_by_typing(t: Stand, words: str) -> None:
    """Type into the search that is open, and choose the first match."""
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    QTest.keyClicks(palette.field, words)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not t.w.findChildren(Palette) or not palette.isVisible()


@row("palette")
def _(t: Stand) -> Iterator[None]:
    t.go(0)
    yield
    choose_by_typing(t, "next divergent")
    assert t.trace.event(t.step).marks & Mark.DIVERGENCE


@row("next_variant")
def _(t: Stand) -> Iterator[None]:
    with t.another_run():
        yield
    assert t.setup.variant == "reduction/strided_index"
    assert "Strided index" in t.w.launch_bar.kernel.currentText()


@row("previous_variant")
def _(t: Stand) -> Iterator[None]:
    t.w.session.choose("reduction/strided_index")
    t.settle()
    with t.another_run():
        yield
    assert t.setup.variant == "reduction/interleaved"


@row("choose_kernel")
def _(t: Stand) -> Iterator[None]:
    yield
    choose_by_typing(t, "padded 33")
    t.settle()
    assert t.setup.variant == "transpose/padded_32"


@row("choose_device")
def _(t: Stand) -> Iterator[None]:
    yield
    choose_by_typing(t, "h200")
    t.settle()
    assert t.setup.device == "h200"


def _launch(t: Stand, start: int, end: int) -> Iterator[None]:
    t.w.session.choose("scan/device_wide")
    t.settle()
    t.w.session.set_traced(start)
    t.settle()
    with t.another_run():
        yield
    assert t.backend.traced[-1].traced == end
    assert t.w.launch_bar.launch.currentIndex() == end


ROWS["next_launch"] = partial(_launch, start=1, end=2)
ROWS["previous_launch"] = partial(_launch, start=1, end=0)


@contextmanager
def _small_launches() -> Iterator[None]:
    """Have kernels and devices compared at the small launch: the large one takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison_setups, "LARGE", comparison_setups.SMALL)
        yield


@row("compare_variants")
def _(t: Stand) -> Iterator[None]:
    with _small_launches():
        yield
    t.wait(lambda: t.w.pages.comparing)
    assert [run.title for run in t.w.comparison.runs] == [v.title for v in t.w.session.family().variants]


@row("compare_devices")
def _(t: Stand) -> Iterator[None]:
    with _small_launches():
        yield
    t.wait(lambda: t.w.pages.comparing)
    devices = [run.device for run in t.w.comparison.runs]
    assert devices[0] == "8800gtx"
    assert sorted(devices) == sorted(device.key for device in t.w.session.catalogue.devices)


@row("compare_runs")
def _(t: Stand) -> Iterator[None]:
    t.w.session.set_device("h200")
    t.settle()
    yield
    assert t.w.pages.comparing
    assert {run.device for run in t.w.comparison.runs} == {"8800gtx", "h200"}


@row("side_by_side")
def _(t: Stand) -> Iterator[None]:
    yield
    choose_by_typing(t, "strided")
    t.wait(lambda: t.w.pages.beside)
    assert [side.title.text() for side in t.w.pages.side_by_side.sides] == ["Interleaved, divergent", "Strided index"]


@row("both_codes")
def _(t: Stand) -> Iterator[None]:
    t.w.session.set_device("h200")
    t.settle()
    yield
    if not nvrtc.is_installed():
        t.wait(t.w.banner.isVisible)
        assert "pip install" in t.w.banner.problems[0].message
        return
    t.wait(lambda: t.w.pages.beside)
    page = t.w.pages.side_by_side
    assert [side.title.text() for side in page.sides] == ["as written", "as compiled by NVIDIA"]
    assert page.story.changes


@row("next_comparison")
def _(t: Stand) -> Iterator[None]:
    with _small_launches():
        t.w.actions_["compare_variants"].trigger()
    t.wait(lambda: t.w.pages.comparing)
    yield
    assert t.w.comparison.tabs.currentIndex() == 1


@row("comparison_launch")
def _(t: Stand) -> Iterator[None]:
    t.w.session.choose("vector/circular_shift")
    t.settle()
    t.w.actions_["compare_variants"].trigger()
    t.wait(lambda: t.w.pages.comparing)
    large = [run.counters["thread_inst_executed"] for run in t.w.comparison.runs]
    assert "large launch" in t.w.comparison.launches.currentText()
    yield
    t.wait(lambda: "small launch" in t.w.comparison.launches.currentText())
    assert all(
        run.counters["thread_inst_executed"] < before for run, before in zip(t.w.comparison.runs, large, strict=True)
    )


@cache
def _real_run() -> Run:
    return simulate_preset(entry("reduction/interleaved"), "step", "fx5800").launches[0]


@row("visual_profiler")
def _(t: Stand) -> Iterator[None]:
    run, t.w.session.run = t.w.session.run, _real_run()
    yield
    t.w.session.run = run
    assert t.w.pages.shows_no_step
    assert t.w.profiler.table.rowCount() > 10


@row("why")
def _(t: Stand) -> Iterator[None]:
    yield
    t.wait(lambda: t.w.pages.shows_no_step)
    names = [row.name for group in t.w.profiler.bars.groups for row in group.rows]
    assert any(name.startswith("12  ") for name in names)
    assert "issue" in names


@row("nsight")
def _(t: Stand) -> Iterator[None]:
    path = t.folder / "report.csv"
    path.write_text(REPORT)
    t.answer(open=path)
    run, t.w.session.run = t.w.session.run, _real_run()
    yield
    t.w.session.run = run
    assert t.w.pages.shows_no_step
    assert t.w.profiler.table.rowCount() == 3
