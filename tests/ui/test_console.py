"""The output of a run in the window: findings that lead to their step, and printed lines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import warpview as wv
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.views.console import ConsoleView
from warpview.ui.views.console_model import rows, step_of, summary

SOURCE = r"""
__global__ void k(const int *in, int *out) {
    int i = threadIdx.x;
    if (i == 40)
        printf("%d of %d\n", i, in[i]);
    out[i] = in[i + 1];
}
"""


def _run() -> wv.Run:
    arrays = [np.arange(64, dtype=np.int32), np.zeros(64, np.int32)]
    return wv.simulate(wv.compile(SOURCE), 1, 64, arrays, device="c2050", engine="sm")


def test_rows_name_place_and_text() -> None:
    run = _run()
    finding, printed = rows(run)
    assert finding.is_finding
    assert finding.text.startswith("line 6: out of bounds: thread (63, 0, 0)")
    assert (finding.line, finding.block, finding.warp) == (6, 0, 1)
    assert printed.text == "40 of 40"
    assert summary((finding, printed)) == "1 finding, 1 line"
    step = step_of(run.trace, finding)
    assert step is not None
    assert run.trace.event(step).pc == finding.pc
    assert run.trace.event(step).warp == 1


def test_click_leads_to_the_step(qtbot: QtBot, look: Look) -> None:
    selection = Selection()
    view = ConsoleView(selection, look)
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    run = _run()
    view.prepare(run)
    place = view.list.visualItemRect(view.list.item(0)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selection.now.line == 6
    assert selection.now.warp == 1
    assert run.trace.event(selection.now.step).pc == selection.now.pc
    view.clear()
    assert view.list.item(0).text() == "no findings, nothing printed"
