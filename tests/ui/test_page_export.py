"""The run is exported as a page while the window goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from ui.backend import run_of
from ui.stand import WAIT_MS

from warpview.ui.export.page_export import PageExport
from warpview.ui.export.report import ReportExtras, report
from warpview.ui.main_window import MainWindow


@pytest.fixture
def export(window: MainWindow, tmp_path: Path) -> PageExport:
    window.dialogs.ask_save = lambda *_: tmp_path / "run.html"
    return window.page_export


def test_the_run_as_a_page(window: MainWindow, qtbot: QtBot, export: PageExport, tmp_path: Path) -> None:
    window.player.go(30)
    window.actions_["export_page"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    text = (tmp_path / "run.html").read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "Interleaved, divergent" in text
    assert "step 30 of" in text
    assert "Comparison" not in text
    assert "run.html" in window.caption.text


def test_a_comparison_of_this_kernel_goes_with_it(
    window: MainWindow, qtbot: QtBot, export: PageExport, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.session.run_changed, timeout=WAIT_MS):
        window.session.choose("vector/circular_shift")
    window.actions_["compare_variants"].trigger()
    qtbot.waitUntil(lambda: window.pages.comparing, timeout=WAIT_MS)
    window.actions_["export_page"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    heading = "<h2>Comparison: Vectors on GeForce 8800 GTX, large launch, 1.05 M threads</h2>"
    assert heading in (tmp_path / "run.html").read_text()


def test_it_can_be_cancelled(window: MainWindow, export: PageExport, tmp_path: Path) -> None:
    window.actions_["export_page"].trigger()
    window.actions_["cancel"].trigger()
    assert not export.running
    assert not list(tmp_path.glob("*.html"))
    assert "cancelled" in window.caption.text


def test_a_place_that_cannot_be_written_is_told(
    window: MainWindow, qtbot: QtBot, export: PageExport, tmp_path: Path
) -> None:
    window.dialogs.ask_save = lambda *_: tmp_path / "none" / "run.html"
    window.actions_["export_page"].trigger()
    qtbot.waitUntil(lambda: not export.running, timeout=20000)
    assert "cannot write" in window.banner.problems[0].message


def test_the_numbers_above_a_report_are_those_of_its_device() -> None:
    """An 8800 GTX has no sectors: its report began with 'sectors per load request 4'."""
    facts = {}
    for device in ("8800gtx", "h200"):
        page = report(run_of("reduction/sequential", device), ReportExtras())
        facts[device] = page.partition('<dl class="facts">')[2].partition("</dl>")[0]
    assert "global load efficiency" in facts["8800gtx"]
    assert "sector" not in facts["8800gtx"]
    assert "sectors per global load" in facts["h200"]
    assert all("divergent branches" in words for words in facts.values())
