"""The session outlives a window that is killed: kernel, device, edit, step and theme are there at the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

LONGEST_S = 240

FIRST = """
import sys
from PySide6.QtCore import QTimer
from warpview.ui import app, main_window

class Window(main_window.MainWindow):
    def start(self):
        super().start()
        QTimer.singleShot(200_000, self.close)  # rather than wait for ever
        self.session.run_changed.connect(lambda arrival: QTimer.singleShot(0, self.use))

    def use(self):
        if self.session.setup.variant != "reduction/strided_index":
            self.session.choose("reduction/strided_index")
        elif not self.session.setup.edited:
            self.source.set_editing(True)
            self.source.editor.insertPlainText("// mine\\n")
            self.source.set_editing(False)
            self.session.start()
        else:
            self.look.set_theme("dark")
            self.player.go(73)
            self.look_again = QTimer(self, interval=50)
            self.look_again.timeout.connect(self.report)
            self.look_again.start()

    def report(self):
        kept = self.last_session.path
        if kept.exists() and '"step": 73' in kept.read_text():
            print("kept", flush=True)  # and now it is killed
            self.look_again.stop()

main_window.MainWindow = Window
app.main([])
"""

SECOND = """
from warpview.ui import app, main_window

class Window(main_window.MainWindow):
    def start(self):
        super().start()
        self.session.run_changed.connect(self.report)

    def report(self, arrival):
        setup = self.session.setup
        mine = setup.text.startswith("// mine")
        print(setup.variant, self.selection.now.step, setup.edited, mine, self.look.theme.name, flush=True)
        self.close()

main_window.MainWindow = Window
app.main([])
"""


def _environment(home: Path) -> dict[str, str]:
    from warpview.sim.engine_sm import warm_up

    warm_up()  # a first start compiles
    folders = {"XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return os.environ | folders | {"PYTHONPATH": str(Path(__file__).parents[2])}


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="the folders of the user are set by the environment")
def test_a_window_that_is_killed_comes_back_as_it_was(tmp_path: Path) -> None:
    environment = _environment(tmp_path)
    with subprocess.Popen([sys.executable, "-c", FIRST], stdout=subprocess.PIPE, text=True, env=environment) as first:
        assert first.stdout is not None
        try:
            assert first.stdout.readline() == "kept\n"
        finally:
            first.send_signal(signal.SIGKILL)
    assert first.returncode == -signal.SIGKILL
    again = subprocess.run(
        [sys.executable, "-c", SECOND], capture_output=True, text=True, env=environment, timeout=LONGEST_S, check=False
    )
    assert again.returncode == 0, again.stderr
    assert again.stdout == "reduction/strided_index 73 True True dark\n"
