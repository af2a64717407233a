"""The window shows NVIDIA's machine code: the switch, the listing, the captions, the registers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot
from ui.backend import engine, setup_of
from ui.rest import come_to_rest
from ui.rows.working import choose_by_typing
from ui.stand import Stand
from ui.view_texts import texts_of

from warpview.run.code_comparison import ChangeKind
from warpview.sass import nvrtc
from warpview.trace.caption import caption
from warpview.ui.arranging.side_by_side import SideBySidePage
from warpview.ui.main_window import MainWindow
from warpview.ui.session.landing import Landing
from warpview.ui.views.instructions.instructions import InstructionsView
from warpview.ui.views.instructions.instructions_model import listing
from warpview.ui.views.lanes.lane_values_model import chosen_variable, strip
from warpview.ui.views.lanes.operands_model import computation

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")


def _run(window: MainWindow, qtbot: QtBot) -> None:
    window.session.set_device("h200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.actions_["by_nvidia"].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)


def test_the_switch_runs_machine_code_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.session.set_device("h200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    written = window.session.run
    window.launch_bar.code.setCurrentIndex(1)
    window.launch_bar.code.activated.emit(1)
    qtbot.waitUntil(lambda: not window.runner.busy)
    compiled = window.session.run
    assert written.program.native is None
    assert compiled.program.native is not None
    assert window.actions_["by_nvidia"].isChecked()
    assert compiled.counters["inst_executed"] != written.counters["inst_executed"]
    assert compiled.counters["global_ld_sectors"] == written.counters["global_ld_sectors"]
    window.actions_["by_nvidia"].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)
    assert window.session.run.program.native is None
    assert window.launch_bar.code.currentText() == "as written"


def test_every_step_has_its_views(window: MainWindow, qtbot: QtBot) -> None:
    _run(window, qtbot)
    window.actions_["everything"].trigger()
    steps = window.session.run.trace.steps
    for step in range(0, steps, max(1, steps // 60)):
        window.player.go(step)
        window.presenter.present()
        assert window.presenter.context.frame.step == step
    codes = next(view for view in window.views if isinstance(view, InstructionsView))
    codes.ensure_built()
    codes.whole.setChecked(True)
    texts = [row.text for row in codes.table.listing.rows]
    assert any(text.startswith("LDG.E") or " LDG.E" in text for text in texts)
    assert any("BRA L" in text for text in texts)


def test_an_instruction_says_what_it_does_and_its_control_field() -> None:
    run = engine().trace(replace(setup_of(device="h200"), by_nvidia=True), lambda *_: True)
    rows = listing(run.program).rows
    words = next(row.words for row in rows if row.text.startswith("S2R R0"))
    assert words.startswith("S2R reads a special register: R0 from SR_CTAID.X; stall count ")
    (stored, *_) = (row for row in rows if row.text.startswith("STS "))
    address, value = stored.text.removeprefix("STS ").split(", ")
    assert f"STS stores to shared memory: {value} to {address}; stall count" in stored.words
    guarded = next(row for row in rows if row.text.startswith("@!P1 LDS"))
    assert guarded.words.startswith("Only in lanes where P1 does not hold: LDS loads from shared memory: R")
    assert "is set when the result is available" in words
    assert any("waits for barrier" in row.words for row in rows)
    assert caption(run.trace.frame(2), run.program, run.device).startswith("Block 0, warp 1 executes `")


def test_values_are_those_of_the_registers(window: MainWindow, qtbot: QtBot) -> None:
    _run(window, qtbot)
    program, found = window.session.run.program, None
    for step in range(1, 200):
        window.player.go(step)
        window.presenter.present()
        context = window.presenter.context
        event = context.frame.event
        if event is not None and program.instructions[event.pc].native.text.startswith("ISETP.GE.U32.AND P0"):
            found = computation(context)
            break
    assert found is not None
    (threshold,) = [row for row in found.sources if row.name.startswith("UR")]
    (index,) = [row for row in found.sources if row.name.startswith("R")]
    (result,) = found.results
    assert result.name == "P0"
    assert ((index.values >= threshold.values) == result.values.astype(bool)).all()


def test_an_old_device_runs_the_code_of_nvidias_compiler_through_ptx(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.setup.device == "8800gtx"
    written = window.session.run
    window.actions_["by_nvidia"].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)
    compiled = window.session.run
    assert compiled is not written
    assert compiled.program.native is None
    assert ("compiler", "nvrtc") in compiled.program.options
    assert compiled.counters["global_ld_requests"] == written.counters["global_ld_requests"]
    assert not compiled.findings
    assert window.launch_bar.code.isVisible()  # the way back
    assert window.launch_bar.code.currentText() == "as compiled"


def test_a_new_device_runs_its_own_machine_code(window: MainWindow, qtbot: QtBot) -> None:
    window.session.set_device("b200")
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.actions_["by_nvidia"].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)
    run = window.session.run
    assert run.program.native is not None
    assert run.program.native.architecture == 100
    assert not run.findings


def _beside(window: MainWindow, qtbot: QtBot, kernel: str) -> SideBySidePage:
    window.session.show(kernel, "h200", None, Landing(), by_nvidia=False)
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.actions_["both_codes"].trigger()
    qtbot.waitUntil(lambda: window.pages.beside and not window.runner.busy)
    window.presenter.present()
    return window.pages.side_by_side


def test_both_codes_stand_side_by_side_with_what_the_compiler_did(window: MainWindow, qtbot: QtBot) -> None:
    page = _beside(window, qtbot, "matmul/tiled")
    assert [side.title.text() for side in page.sides] == ["as written", "as compiled by NVIDIA"]
    assert [side.stage.key for side in page.sides] == ["instructions", "instructions"]
    assert "loop unrolled" in page.story.toPlainText()
    assert page.story.isVisible()
    for line in (15, 20, 21, 15):
        window.actions_["both_codes"].trigger()
        window.presenter.present()
        assert window.selection.now.line == line
    page.story.line_wanted.emit(21)
    window.presenter.present()
    left, right = page.sides
    assert left.source_line.words == right.source_line.words == "21  sum += a[ty][k] * b[k][tx];"
    for side in page.sides:
        side.flush()
    assert any(text.startswith("ld.shared.f32") for text in texts_of(left.stage))
    assert any(text.startswith("LDS.128") for text in texts_of(right.stage))
    titles = [page.counters.item(row, 0).text() for row in range(page.counters.rowCount())]
    assert "Warp instructions" in titles


def test_the_lists_of_both_codes_scroll_to_their_step_and_their_line(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    page = _beside(window, qtbot, "matmul/tiled")
    steps = window.session.run.trace.steps
    for step in (1, steps // 3, steps // 2):
        window.player.go(step)
        window.presenter.present()
        for side in page.sides:
            side.flush()
            assert _marked(side.stage, "done") or side.stage.table.state.done < 0
            needed = side.caption.fontMetrics().boundingRect(
                QRect(0, 0, side.caption.width(), 1000), int(Qt.TextFlag.TextWordWrap), side.caption.words
            )
            assert needed.height() <= side.caption.height(), side.caption.words
    page.story.line_wanted.emit(15)
    window.presenter.present()
    for side in page.sides:
        side.flush()
        assert _marked(side.stage, "line")
    window.actions_["next"].trigger()
    window.presenter.present()
    for side in page.sides:
        side.flush()
    assert _marked(page.sides[0].stage, "done")  # the line is still selected
    page.story.line_wanted.emit(24)
    window.presenter.present()
    for side in page.sides:
        side.flush()
    window.resize(1280, 900)
    come_to_rest(window)
    window.resize(1280, 720)
    come_to_rest(window)
    assert all(_marked(side.stage, "line") for side in page.sides)


def test_the_listing_scrolls_to_its_step_when_the_line_changes(window: MainWindow, qtbot: QtBot) -> None:
    """It stayed at its top where other instructions had come into it."""
    window.session.show("matmul/tiled", "h200", None, Landing(), by_nvidia=True)
    qtbot.waitUntil(lambda: not window.runner.busy)
    view = next(view for view in window.views if isinstance(view, InstructionsView))
    view.whole.setChecked(False)
    window.workspace.raise_view("instructions")
    instructions = window.session.run.program.instructions
    sums = [pc for pc, each in enumerate(instructions) if each.span.line == 21]
    steps = range(1, window.session.run.trace.steps)
    step = next(s for s in steps if window.session.run.trace.event(s).pc > sums[len(sums) // 2])
    for shown in (1, step):
        window.player.go(shown)
        event = window.session.run.trace.event(shown)
        window.selection.update(block=event.block, warp=event.warp)
        window.presenter.present()
        view.flush()
        assert _marked(view, "done")


def _marked(view: InstructionsView, kind: str) -> bool:
    """Return whether the row of the step just done, or a row of the selected line, is whole in sight."""
    now, table = view.table.state, view.table
    wanted = [pc for pc in now.shown if (table.listing.rows[pc].line == now.line if kind == "line" else pc == now.done)]
    places = [view.list.visualRect(table.index(now.shown.index(pc), 0)) for pc in wanted]
    return any(view.list.viewport().rect().contains(place) and place.height() > 5 for place in places)


def test_the_page_of_both_codes_follows_another_kernel(window: MainWindow, qtbot: QtBot) -> None:
    page = _beside(window, qtbot, "reduction/sequential")
    window.session.choose("reduction/interleaved")
    qtbot.waitUntil(lambda: not window.runner.busy and page.second.program.kernel == window.session.run.program.kernel)
    assert page.second.program.native is not None
    assert {change.kind for change in page.story.changes} >= {ChangeKind.DIVISION, ChangeKind.PREDICATED}


def test_another_kernel_beside_shows_its_lanes_and_no_story(stand: Stand, qtbot: QtBot) -> None:
    window = stand.w
    page = _beside(window, qtbot, "reduction/sequential")
    window.pages.show_views()
    stand.press("Ctrl+2")
    choose_by_typing(stand, "strided")
    stand.wait(lambda: window.pages.beside and not window.runner.busy)
    assert not page.story.isVisible()
    assert all(side.lanes.isVisible() for side in page.sides)


def test_an_instruction_leads_to_its_line_and_a_line_to_its_instructions(window: MainWindow, qtbot: QtBot) -> None:
    _run(window, qtbot)
    view = next(view for view in window.views if isinstance(view, InstructionsView))
    view.ensure_built()
    view.whole.setChecked(False)
    window.selection.update(line=12)
    window.presenter.present()
    view.draw(window.presenter.context)
    shown = [view.table.row(n) for n in range(view.table.rowCount())]
    assert shown
    assert {row.line for row in shown} == {12}
    view.whole.setChecked(True)
    view.draw(window.presenter.context)
    other = next(n for n, row in enumerate(view.table.listing.rows) if "LDG" in row.text)
    view.list.clicked.emit(view.table.index(other, 0))
    line = view.table.listing.rows[other].line
    assert window.selection.now.line == line == window.session.run.program.instructions[other].span.line
    window.presenter.present()
    window.source.flush()
    assert window.source.editor.marks.selected == line
    view.list.clicked.emit(view.table.index(other, 0))
    assert window.selection.now.line is None
    view.whole.setChecked(False)


def test_a_hidden_answer_hides_the_register_that_it_is_written_to(window: MainWindow, qtbot: QtBot) -> None:
    """What the register held before is of another variable: an index, read as the float that comes, says nothing."""
    _run(window, qtbot)
    run = window.session.run
    step = next(
        step for step in range(1, run.trace.steps)
        if run.program.instructions[run.trace.event(step).pc].native.mnemonic.startswith("LDG")
    )  # fmt: skip
    event = run.trace.event(step)
    window.selection.update(block=event.block, warp=event.warp, step=step)
    window.presenter.present()
    assert window.presenter.context is not None
    written = chosen_variable(run.program, event.pc, None)
    assert strip(window.presenter.context, written) is not None
    window.actions_["predict"].trigger()
    window.presenter.present()
    assert window.presenter.context.predicting
    assert strip(window.presenter.context, written) is None
