"""The window asks about a launch that will take long, and marks a sample of its blocks as one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from warpview.sim.estimate import sampling
from warpview.sim.estimate.sampling import about
from warpview.ui.main_window import MainWindow
from warpview.ui.session.long_launch import choices
from warpview.ui.views.counters.counters_table import LAUNCH

WAIT_MS = 60_000
LONG = """
__global__ void spin(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 400; ++k) x[i] += 1.0f;
}
int main() { float *x = nullptr; spin<<<4096, 128>>>(x); }
"""


@pytest.fixture
def asked(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Make every launch a long one; return the choices that were offered."""
    monkeypatch.setattr(sampling, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(sampling, "LONG_SECONDS", 1e-6)
    monkeypatch.setattr("warpview.sim.engine.POLL_SECONDS", 1e-3)
    return []


def _open(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    path = tmp_path / "long.cu"
    path.write_text(LONG)
    window.files.open_path(path)
    qtbot.waitUntil(lambda: window.session.own_file == path and not window.runner.busy, timeout=WAIT_MS)
    return path


def test_a_sample_is_chosen_and_marked(
    window: MainWindow, qtbot: QtBot, asked: list[list[str]], tmp_path: Path
) -> None:
    def choose(title: str, label: str, offered: list[str]) -> str:
        asked.append(offered)
        return offered[1]

    window.dialogs.ask_choice = choose  # type: ignore[method-assign]
    _open(window, qtbot, tmp_path)
    run = window.presenter.run
    assert run is not None
    assert asked
    assert asked[0][1].startswith("A sample of 10 % of the blocks, about")
    assert run.sample == pytest.approx(0.1, abs=0.02)
    assert "sample of" in window.banner.words.text()
    window.counters.ensure_built()
    heading = window.counters.table.headerData(LAUNCH, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
    assert heading == "≈ launch"


def test_a_long_launch_can_be_given_up(
    window: MainWindow, qtbot: QtBot, asked: list[list[str]], tmp_path: Path
) -> None:
    window.dialogs.ask_choice = lambda *_: asked.append([]) or None  # type: ignore[method-assign,func-returns-value]
    before = window.presenter.run
    _open(window, qtbot, tmp_path)
    assert asked
    assert window.presenter.run is before


def test_the_choices_have_their_times() -> None:
    assert choices(7200) == [
        "All blocks, about 2 hours", "A sample of 10 % of the blocks, about 12 minutes",
        "A sample of 1 % of the blocks, about 72 seconds",
    ]  # fmt: skip
    assert about(0.2) == "1 second"
