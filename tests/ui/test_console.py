"""The console shows the output of a run: findings that lead to their step, and printed lines."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

import warpview as wv
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.parties import step_of
from warpview.ui.moving.selection import Selection
from warpview.ui.views.console import ConsoleView
from warpview.ui.views.console_model import rows, summary

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
    assert finding.finding is run.findings[0]
    assert finding.text.startswith("line 6: out of bounds: thread (63, 0, 0)")
    assert finding.line == 6
    assert printed.text == "40 of 40"
    assert summary((finding, printed)) == "1 finding, 1 line"
    step = step_of(run, finding.finding)
    assert step is not None
    assert run.trace.event(step).pc == finding.finding.pc
    assert run.trace.event(step).warp == 1


def test_click_leads_to_the_step(qtbot: QtBot, look: Look) -> None:
    selection = Selection()
    view = ConsoleView(selection, look)
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    run = _run()
    view.reset(run)
    place = view.list.visualItemRect(view.list.item(1)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selection.now.line == 6
    assert selection.now.warp == 1
    assert [view.list.item(k).text() for k in (0, 2)] == ["Findings", "Printed by the kernel"]
    view.list.itemEntered.emit(view.list.item(1))
    assert view.list.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    printed = view.list.visualItemRect(view.list.item(3)).center()
    view.list.itemEntered.emit(view.list.item(3))
    assert view.list.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=printed)
    assert selection.now.line == 6, "what was printed leads nowhere"
    assert run.trace.event(selection.now.step).pc == selection.now.pc
    view.clear()
    assert view.list.item(0).text() == "no findings, no warnings, nothing printed"


WARNED = r"""
#include "missing_header.h"
__global__ void k(int *out) {
    for (int n = 0; n < 200; n++)
        printf("%d\n", n);
    out[threadIdx.x] = 1;
}
"""


def test_warnings_and_dropped_output_are_told(qtbot: QtBot, look: Look) -> None:
    run = wv.simulate(wv.compile(WARNED), 1, 64, [np.zeros(64, np.int32)], device="c2050", engine="sm")
    assert run.output_dropped > 0
    shown = rows(run)
    assert shown[0].is_warning
    assert shown[0].text.startswith("line 2: warning: ")
    assert "missing_header.h" in shown[0].text
    assert "more printf calls are not shown" in shown[-1].text
    assert summary(shown).startswith("1 warning, ")
    selection = Selection()
    view = ConsoleView(selection, look)
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    view.reset(run)
    place = view.list.visualItemRect(view.list.item(1)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selection.now.line == 2
