"""Start the command ``warpview``: the window, or one of the commands of the terminal."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from warpview.diagnostics import WarpviewError
from warpview.resources import COMPILER_FLAG

if TYPE_CHECKING:
    from warpview.run import Run


def main() -> None:
    """Open the window where nothing or a kernel is named, else run the command; exits."""
    arguments = sys.argv[1:]
    if arguments[:1] == [COMPILER_FLAG]:
        from warpview.sim.jit.compile_units import main as compile_units

        return compile_units()
    if not arguments or names_a_kernel(arguments[0]):
        # Each side is imported only where it is used: a command does not wait for Qt.
        from warpview.cli.main import fail

        if arguments[1:]:
            fail(f"the window takes one kernel or file and not '{arguments[1]}'; 'warpview run' takes options")
        try:
            load_qt()
        except WarpviewError as error:
            fail(str(error))
        from warpview.ui.app import main as window

        sys.exit(window(arguments))
    from warpview.cli import main as command

    command(arguments, html_report)


def html_report(run: Run, title: str, about: str) -> str:
    """Return a run as one HTML page. The pictures are the window's, but no window is opened."""
    from warpview.sim.checks.findings import RACES

    load_qt()
    from warpview.ui.export.report import ReportExtras, report

    why = run.verdict().text() if run.rerun is not None else ""
    other = run.replay() if run.rerun is not None and any(finding.kind in RACES for finding in run.findings) else None
    return report(run, ReportExtras(title, about, why=why, replay=other))


def load_qt() -> None:
    """Load Qt. Raises WarpviewError where it lacks a library of the system, as on servers without graphics."""
    try:
        import_module("PySide6.QtGui")
    except ImportError as error:
        wanted = "libegl1 libgl1 libfontconfig1 libxkbcommon0"
        raise WarpviewError(f"Qt cannot be loaded: {error} (on Debian and Ubuntu: apt install {wanted})") from None


def names_a_kernel(text: str) -> bool:
    """Return whether an argument is a file or a library kernel, as in ``warpview my.cu``."""
    return text.endswith((".cu", ".cuh", ".cubin", ".ptx", ".warpview")) or ("/" in text and not text.startswith("-"))


if __name__ == "__main__":
    main()
