"""The dialog of the launch shows the arguments that the launch takes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog
from ui.stand import Stand

from warpview.ui.panels.arguments_dialog import ArgumentsDialog


def test_arrays_that_grew_with_the_launch_are_shown_as_they_are(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, str]] = []

    def accept(dialog: ArgumentsDialog) -> QDialog.DialogCode:
        asked.append({name: field.text() for name, field in dialog.argument_fields.items()})
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ArgumentsDialog, "exec", accept)
    bar, own = stand.w.launch_bar, dict(stand.w.session.setup.arguments)
    with stand.another_run():
        bar.more.click()
    assert asked[-1] == own
    bar.grid.setText("8")
    with stand.another_run():
        bar.more.click()
    run = stand.w.session.run
    assert run.launch.grid == (8, 1, 1)
    for name, shape in run.shapes.items():
        assert asked[-1][name].split(":")[1] == str(shape[0])
    assert run.shapes["input"][0] > int(own["input"].split(":")[1])
    assert stand.w.session.setup.arguments == own, "what was left as it is grows with the next launch, too"
    assert not run.findings
