"""What reads and writes files: sources, counters, pictures, pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QWidget

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.ui.export.page_export import PageExport
from warpview.ui.export.step_export import StepExport
from warpview.ui.panels.banner import Choice
from warpview.ui.session import text_file
from warpview.ui.session.file_watch import FileWatch
from warpview.ui.session.session_file import ENDING, Saved, from_text, to_text
from warpview.ui.views.view import View

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

TABLES = "Comma-separated values (*.csv);;JSON (*.json);;PNG picture (*.png);;SVG drawing (*.svg)"
PICTURES = "PNG picture (*.png);;SVG drawing (*.svg)"
REPORTS = "Report of Nsight Compute (*.csv);;All files (*)"
PAGES = "Web page (*.html)"
SESSIONS = "Session of warpview (*.warpview)"
OPENED = "CUDA source or session (*.cu *.cuh *.warpview);;All files (*)"
SOURCES = "CUDA source (*.cu *.cuh);;All files (*)"


def ask_save(parent: QWidget, title: str, name: str, kinds: str) -> Path | None:
    path, _ = QFileDialog.getSaveFileName(parent, title, name, kinds)
    return Path(path) if path else None


def ask_open(parent: QWidget, title: str, kinds: str) -> Path | None:
    path, _ = QFileDialog.getOpenFileName(parent, title, "", kinds)
    return Path(path) if path else None


def ask_text(parent: QWidget, title: str, label: str, text: str) -> str | None:
    words, sure = QInputDialog.getText(parent, title, label, QLineEdit.EchoMode.Normal, text)
    return words if sure else None


def pointed_view(w: MainWindow) -> View:
    """The one that fills the window, or else the view under the pointer, or else the lanes."""
    return w.stage.zoomed or w.stage.pointed or w.stage.views.get("lanes", w.source)


class FileCommands:
    """One method an action. The questions are attributes, so that tests can answer them."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window
        self.ask_save, self.ask_open, self.ask_text = ask_save, ask_open, ask_text
        self._watch = FileWatch(window)
        self._watch.changed.connect(self._on_disk)
        window.session.variant_changed.connect(lambda _: self.watch())
        window.session.edited_changed.connect(lambda _: self.watch())
        self.page = PageExport(window)
        self.steps = StepExport(window, lambda *about: self.ask_save(window, *about))

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open": self.open, "save_session": self.save_session, "save_as": self.save_as,
            "save": self.save, "export_counters": self.export_counters, "export_view": self.export_view,
            "export_steps": self.steps.start, "export_page": self.export_page,
        }  # fmt: skip

    def open(self) -> None:
        path = self.ask_open(self._w, "Open a CUDA file or a session", OPENED)
        if path is not None:
            self.open_path(path)

    def save_session(self) -> None:
        """Kernel, source, device, launch and step as one file."""
        w = self._w
        w.source.announce_edit()
        name = f"{w.session.setup.variant.replace('/', '-')}{ENDING}"
        path = self.ask_save(w, "Save the session", name, SESSIONS)
        if path is None:
            return
        path = path if path.suffix == ENDING else path.with_name(path.name + ENDING)
        saved = Saved(w.session.setup, w.selection.now, w.stage.state())
        try:
            path.write_text(to_text(saved), encoding="utf-8")
        except OSError as problem:
            w.banner.show_problems([Diagnostic(f"could not write {path}: {problem.strerror}")])
        else:
            w.caption.notice(f"Saved as {path}.")

    def open_path(self, path: Path) -> None:
        """A CUDA file or a session."""
        w = self._w
        if path.suffix != ENDING:
            w.session.open_file(path)
            return
        try:
            saved = from_text(path.read_text(encoding="utf-8"), path.name)
        except (WarpviewError, OSError, UnicodeDecodeError) as problem:
            w.show_problems([Diagnostic(f"could not open the session: {problem}")])
            return
        if all(device.key != saved.setup.device for device in w.session.devices):
            words = f"{path.name}: setup.device: there is no device '{saved.setup.device}' here"
            w.show_problems([Diagnostic(words, hint="`warpview devices` names those there are.")])
            return
        w.landing = saved.place
        w.stage.set_state(saved.layout)
        w.session.open_setup(saved.setup)

    def save_as(self) -> None:
        w = self._w
        path = self.ask_save(w, "Save the source", Path(w.session.setup.file_name).name, SOURCES)
        if path is not None:
            self._write(path)

    def save(self) -> None:
        """Into the file that is open; a kernel of the library gets a file of its own."""
        path = self._w.session.own_file
        if path is None:
            self.save_as()
        else:
            self._write(path)

    def _write(self, path: Path) -> None:
        w = self._w
        w.source.announce_edit()
        try:
            text_file.write(path, w.source.text)
        except OSError as problem:
            hint = "The edit is kept all the same; Ctrl+Shift+S saves it somewhere else."
            w.banner.show_problems([Diagnostic(f"could not write {path}: {problem.strerror}", hint=hint)])
            return
        w.session.saved_as(path)
        w.caption.notice(f"Saved as {path}.")

    def watch(self) -> None:
        """Look after the file that is open: another program may write it."""
        self._watch.watch(self._w.session.own_file, self._w.session.variant.text)

    def _on_disk(self) -> None:
        w, path = self._w, self._w.session.own_file
        if path is None:
            return
        edited = w.session.setup.edited or w.source.editing
        hint = "Yours is in the editor; Alt+← brings it back if you take the other." if edited else ""
        problem = Diagnostic(f"another program has changed {path.name}", severity="warning", hint=hint)
        choices: list[Choice] = [("Take its text", lambda: w.session.open_file(path)), ("Keep mine", lambda: None)]
        w.banner.show_problems([problem], choices)

    def export_counters(self) -> None:
        """The rows of the comparison if it is shown, else of the run."""
        w = self._w
        run, comparing = w.session.run, w.comparing
        rows = w.comparison.rows if comparing else [run.row] if run is not None else []
        if not rows:
            w.caption.notice("There is nothing to export yet.")
            return
        name = "comparison.csv" if comparing else f"{w.session.setup.variant.replace('/', '-')}.csv"
        path = self.ask_save(w, "Export counters", name, TABLES)
        if path is None:
            return
        try:
            if path.suffix.lower() in (".png", ".svg"):
                w.comparison.export_picture(path) if comparing else w.counters.export(path)
            else:
                w.session.backend.export(rows, path)
        except (OSError, WarpviewError) as problem:
            w.banner.show_problems([Diagnostic(f"could not write {path}: {problem}")])
        else:
            w.caption.notice(f"Wrote {path}.")

    def export_view(self, view: View | None = None) -> None:
        """A view as a picture, or the comparison page while that is shown."""
        w = self._w
        view = view or pointed_view(w)
        comparing = w.comparing
        title, name = ("the comparison", "comparison.png") if comparing else (view.title, f"{view.key}.png")
        path = self.ask_save(w, f"Export {title}", name, PICTURES)
        if path is None:
            return
        try:
            w.comparison.export_picture(path) if comparing else view.export(path)
        except OSError as problem:
            w.banner.show_problems([Diagnostic(str(problem))])
        else:
            w.caption.notice(f"Wrote {path}.")

    def export_page(self) -> None:
        """The run as one self-contained page."""
        w = self._w
        if w.session.run is None:
            w.caption.notice("There is nothing to export yet.")
            return
        name = f"{w.session.setup.variant.replace('/', '-')}.html"
        path = self.ask_save(w, "Export the run as a page", name, PAGES)
        if path is not None:
            self.page.start(path)

    def cancel(self) -> bool:
        """Stop an export; whether there was one."""
        return self.steps.cancel() or self.page.cancel()
