"""Start the window: ``warpview`` without a subcommand."""

from __future__ import annotations

import linecache
import os
import socket
import sys
from functools import partial
from pathlib import Path

NO_DISPLAY = (
    "warpview: there is no display to open the window on; without one, run: "
    "warpview run reduction/interleaved --device 8800gtx"
)


def has_display() -> bool:
    """Return whether a window can be opened. Qt ends the process where it cannot, so this is found out before."""
    if os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in ("offscreen", "minimal", "vnc", "linuxfb", "eglfs"):
        return True
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("WAYLAND_DISPLAY")) or _x_server_answers(os.environ.get("DISPLAY", ""))


def _x_server_answers(display: str) -> bool:
    host, colon, rest = display.rpartition(":")
    if not colon:
        return False
    number = rest.split(".")[0]
    if host not in ("", "unix") or not number.isdigit():
        return True  # another machine's; Qt will say
    path = f"/tmp/.X11-unix/X{number}"
    for address in (path, "\0" + path):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(address)
            except OSError:
                continue
            return True
    return False


def main(argv: list[str] | None = None) -> int:
    """Open the window, with a file or a library kernel if one is named. 2 where there is no display."""
    arguments = sys.argv[1:] if argv is None else argv
    if not has_display():
        print(NO_DISPLAY, file=sys.stderr)
        return 2
    # Before Qt: of each module that is imported after it, PySide reads the source and keeps it.
    from warpview.ui.session.engine import Engine

    engine = Engine()
    from PySide6.QtCore import QEvent, QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from warpview.ui.drawing.style import apply_style
    from warpview.ui.drawing.theme import Look
    from warpview.ui.main_window import MainWindow
    from warpview.ui.session.drafts import Drafts
    from warpview.ui.teaching.guide import Guide

    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(["warpview"])
    app.setApplicationName("warpview")
    look = Look()
    apply_style(app, look)
    settings = QSettings("warpview", "warpview")
    folder = data_folder()
    window = MainWindow(engine, Drafts(folder / "drafts"), look, settings, folder / "last.warpview")
    Guide(
        window.session, window.player, window.caption, window.transport, window.actions_, look, settings
    )  # fmt: skip
    linecache.clearcache()  # what PySide has read all the same: each full garbage collection would walk it
    window.show()
    # The window is painted before anything else is done.
    QTimer.singleShot(0, lambda: _open(window, arguments))
    code = app.exec()
    # Scenes and plots end here, and not while Python takes down the modules that they need.
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return code


def _open(window: object, arguments: list[str]) -> None:
    from PySide6.QtCore import Qt

    from warpview.diagnostics import Diagnostic
    from warpview.files import MACHINE_CODE
    from warpview.ui.main_window import MainWindow
    from warpview.ui.session.session_file import ENDING

    assert isinstance(window, MainWindow)
    session, wanted = window.session, arguments[0] if arguments else ""
    if session.catalogue.find(wanted) is not None:
        window.start(session.start if wanted == session.variant.key else partial(session.choose, wanted))
    elif Path(wanted).suffix in (".cu", ".cuh", *MACHINE_CODE, ENDING):
        window.start(partial(window.files.open_path, Path(wanted)))
    else:
        window.start()
        if wanted:
            words = f"there is no kernel '{wanted}' in the library, and it is not a file of kernels (.cu, .cubin, .ptx)"
            problem = Diagnostic(words, hint="The opening kernel is shown instead; K chooses another.")
            # After the first run, whose arrival clears the banner.
            once = Qt.ConnectionType.SingleShotConnection
            session.run_changed.connect(lambda *_: window.messages.problems([problem]), once)


def data_folder() -> Path:
    """Return the folder of the drafts, which are edits not saved yet, and of the last session."""
    from platformdirs import user_data_path

    return user_data_path("warpview")


if __name__ == "__main__":
    sys.exit(main())
