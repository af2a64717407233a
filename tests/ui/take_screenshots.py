"""Take the README's pictures of the real window: python tests/ui/take_screenshots.py [FOLDER [NAME...]]

Each picture is a size, a look and the keys that lead to it from the opening window, as a lecturer would press them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from warpview.ui.commands.palette import Palette
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.main_window import MainWindow
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Picture:
    """``kernel`` (or the file ``program``, below the project's folder) and ``device`` are chosen first; ``keys`` are
    pressed then; ``theme`` is light or dark; ``front`` is the view that fills the window for the key Z; ``beside`` is
    what is typed to find the run that is set beside this one."""

    name: str
    keys: tuple[str, ...]
    size: tuple[int, int] = (1600, 1000)
    theme: str = "light"
    kernel: str = "reduction/interleaved"
    device: str = "8800gtx"
    preset: str = "step"
    front: str = ""
    program: str = ""
    beside: str = ""


PICTURES = (
    Picture("divergence", ("D",)),
    Picture("conflict", ("C",), kernel="reduction/strided_index"),
    Picture("program", ("Ctrl+F5",), device="h200", size=(1280, 720), program="tests/host/programs/streams.cu"),
    Picture("machine_code", ("Ctrl+Shift+N", "C"), kernel="transpose/tile_32", device="h200", size=(1280, 720)),
    Picture("beside", ("Home", "C"), size=(1280, 720), kernel="transpose/tile_32", beside="padded 32"),
    Picture("dark", ("C",), size=(1280, 720), theme="dark", kernel="transpose/tile_32", device="h200"),
    Picture("timeline", ("C", "Z"), size=(1280, 720), kernel="transpose/tile_32", device="c2050", front="timeline"),
    Picture(
        "roofline",
        ("Ctrl+K", "Ctrl+Shift+K", "Ctrl+Shift+K"),
        size=(1280, 720),
        kernel="matmul/uncoalesced",
        device="h200",
        preset="full",
    ),
)


def wait(milliseconds: int) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def settle(window: MainWindow) -> None:
    """Wait until nothing is compiled or simulated any more, then for the last redraw."""
    wait(300)
    while window.runner.busy or window.session.run is None:
        wait(50)
    wait(500)


def take(picture: Picture, app: QApplication, folder: Path) -> None:
    look = Look(motion=False)
    look.set_theme(picture.theme)
    apply_style(app, look)
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(Engine(), Drafts(Path(scratch)), look, settings)
        window.resize(*picture.size)
        window.show()
        window.start()
        settle(window)
        window.dialogs.ask_program = lambda request, unsaved: request  # type: ignore[method-assign]
        window.dialogs.ask_choice = lambda title, words, choices: choices[0]  # type: ignore[method-assign]
        if picture.program:
            window.files.open_path(ROOT / picture.program)
        else:
            window.session.choose(picture.kernel)
        settle(window)
        window.session.set_device(picture.device)
        settle(window)
        if picture.preset != "step":
            window.session.set_preset(picture.preset)
            settle(window)
        if picture.beside:
            QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
            palette = QApplication.activePopupWidget()
            assert isinstance(palette, Palette)
            QTest.keyClicks(palette.field, picture.beside)
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
            window.activateWindow()  # offscreen, it does not get the keys back from what has closed
            settle(window)
        for key in picture.keys:
            # What fills the window is the view under the pointer, which has no place here.
            if key == "Z":
                window.workspace.zoom(window.workspace.views[picture.front])
                window.presenter.present()
                settle(window)
                continue
            sequence = QKeySequence(key)[0]
            QTest.keyClick(window, sequence.key(), sequence.keyboardModifiers())
            settle(window)
        window.showNormal()  # a presentation takes the whole of a screen that is not there
        window.resize(*picture.size)
        settle(window)
        window.grab().save(str(folder / f"{picture.name}.png"))
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # before the interpreter takes Qt down


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "assets" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(["warpview"])
    for picture in (each for each in PICTURES if not sys.argv[2:] or each.name in sys.argv[2:]):
        take(picture, app, folder)
        print(picture.name)


if __name__ == "__main__":
    main()
