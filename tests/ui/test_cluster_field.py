"""The launch of a kernel asks for clusters in the dialog of the launch, and the bar shows that it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from warpview.ui.main_window import MainWindow
from warpview.ui.panels.arguments_dialog import ArgumentsDialog

KERNEL = """#include <cooperative_groups.h>
__global__ void sizes(unsigned *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = cooperative_groups::this_cluster().num_blocks();
}
int main() { sizes<<<4, 32>>>(nullptr); }
"""


def answer_with(monkeypatch: pytest.MonkeyPatch, cluster: str) -> list[list[str]]:
    """Give the field of clusters an answer; the list returned gets the other fields of the shape."""
    shown: list[list[str]] = []

    def exec_(dialog: ArgumentsDialog) -> QDialog.DialogCode:
        shown.append([field.text() for field in dialog.shape_fields])
        if len(dialog.shape_fields) == 4:
            dialog.shape_fields[3].setText(cluster)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ArgumentsDialog, "exec", exec_)
    return shown


def test_a_launch_in_clusters(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, session, bar = tmp_path / "sizes.cu", window.session, window.launch_bar
    path.write_text(KERNEL)
    with qtbot.waitSignal(session.run_changed):
        window.files.open_path(path)
    with qtbot.waitSignal(session.run_changed):
        session.set_device("h200")
    assert not bar.cluster.isVisible()
    shown = answer_with(monkeypatch, "2")
    with qtbot.waitSignal(session.run_changed):
        assert bar.edit_arguments()
    assert shown == [["4", "32", "0", "1"]]
    assert session.run.launch.cluster == (2, 1, 1)
    assert (bar.cluster.isVisible(), bar.cluster.text()) == (True, "2")


def test_a_device_without_clusters_is_not_asked_for_them(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    shown = answer_with(monkeypatch, "2")
    with qtbot.waitSignal(window.session.run_changed):
        window.launch_bar.edit_arguments()
    assert [len(fields) for fields in shown] == [3]
