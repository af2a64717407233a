"""Nothing breaks and the parts agree, whatever the user does, in whatever order."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from warpview.ui.commands.actions import TABLE
from warpview.ui.main_window import MainWindow

# These end the window or wait for an answer.
LEFT_OUT = {
    "quit", "about", "keys", "documentation", "glossary", "choose_kernel", "choose_device", "open", "nsight",
    "open_lesson", "export_steps",
}  # fmt: skip


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("seed", range(2))
def test_any_order_of_actions(window: MainWindow, qtbot: QtBot, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    window.dialogs.ask_save = lambda *_: None
    window.dialogs.ask_text = lambda *_: chance.choice([None, "", "here"])
    ids = [row.id for row in TABLE if row.id not in LEFT_OUT]
    for _ in range(100):
        id_ = chance.choice(ids)
        window.actions_[id_].trigger()
        if chance.random() < 0.3:
            window.selection.update(line=chance.choice([None, 5, 11]), lane=chance.choice([None, 0, 31]))
        if chance.random() < 0.3:
            QApplication.processEvents()
    window.player.pause()
    window.source.announce_edit()
    window.cancel()  # comparisons of every device at the large launch take long
    qtbot.waitUntil(lambda: not window.runner.busy)
    window.presenter.present()
    now, context = window.selection.now, window.presenter.context
    assert context is not None
    assert context.frame.step == now.step
    assert window.transport.step.text() == str(now.step)
    assert window.source.text == window.session.setup.text
    assert window.actions_["predict"].isChecked() == window.presenter.predicting
    assert window.actions_["presentation"].isChecked() == window.presentation.on
    assert window.actions_["edit"].isChecked() == window.source.editing
