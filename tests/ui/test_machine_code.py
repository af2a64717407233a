"""The window shows NVIDIA's machine code: the switch, the listing, the captions, the registers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot
from ui.backend import engine, setup_of

from warpview.sass import nvrtc
from warpview.trace.caption import caption
from warpview.ui.main_window import MainWindow
from warpview.ui.views.instructions import InstructionsView
from warpview.ui.views.instructions_model import listing
from warpview.ui.views.values_model import computation

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
    codes.whole.setChecked(True)
    texts = [row.text for row in codes.table.listing.rows]
    assert any(text.startswith("LDG.E") or " LDG.E" in text for text in texts)
    assert any("BRA L" in text for text in texts)


def test_an_instruction_says_what_it_does_and_its_control_field() -> None:
    run = engine().trace(replace(setup_of(device="h200"), by_nvidia=True), lambda *_: True)
    rows = listing(run.program).rows
    words = next(row.words for row in rows if row.text.startswith("S2R R0"))
    assert words.startswith("S2R reads a special register; stall count ")
    assert "is set when the result is there" in words
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


def test_a_device_without_machine_code_says_which_have_it(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.setup.device == "8800gtx"
    window.actions_["by_nvidia"].trigger()
    qtbot.waitUntil(lambda: not window.runner.busy)
    message = window.banner.problems[0].message
    assert "(compute capability 1.0) cannot be run; that of compute capability" in message
    assert message.endswith(", 9.0 can")
