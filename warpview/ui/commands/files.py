"""Carry out the commands that read and write files: sources, sessions, counters, pictures, reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.files import read_text, write_file, write_whole
from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.export.page_export import PageExport
from warpview.ui.export.step_export import StepExport
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.banner import Choice
from warpview.ui.panels.messages import Messages
from warpview.ui.session import text_file
from warpview.ui.session.backend import Variant
from warpview.ui.session.file_kinds import read_only_reason
from warpview.ui.session.file_watch import FileWatch
from warpview.ui.session.landing import Landing
from warpview.ui.session.session import Session
from warpview.ui.session.session_file import ENDING, Saved, from_text, to_text
from warpview.ui.teaching.lesson_reader import LessonReader
from warpview.ui.views.view import View

TABLES = "Comma-separated values (*.csv);;JSON (*.json);;PNG picture (*.png);;SVG drawing (*.svg)"
PICTURES = "PNG picture (*.png);;SVG drawing (*.svg)"
PAGES = "Web page (*.html)"
SESSIONS = "warpview session (*.warpview)"
OPENED = "CUDA source, machine code or session (*.cu *.cuh *.cubin *.ptx *.warpview);;All files (*)"
SOURCES = "CUDA source (*.cu *.cuh);;All files (*)"
NEW_KERNEL = """\
// Each thread adds one pair of elements.
__global__ void kernel(const float* a, const float* b, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}
"""


class FileCommands(QObject):
    """Implement the actions of the menu File, one method for each."""

    opened = Signal(object)  # Path: a source or a session that was opened or saved

    def __init__(
        self, session: Session, selection: Selection, pages: Pages, page: PageExport, steps: StepExport,
        messages: Messages, dialogs: Dialogs, lessons: LessonReader,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._selection, self._pages, self._lessons = session, selection, pages, lessons
        self._messages, self._dialogs = messages, dialogs
        self._page, self._steps = page, steps
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._on_disk)
        session.variant_changed.connect(lambda _: self.watch())
        session.edited_changed.connect(lambda _: self.watch())

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {
            "new": self.new, "open": self.open, "save_session": self.save_session, "save_as": self.save_as,
            "save": self.save, "export_counters": self.export_counters, "export_view": self.export_view,
            "export_steps": self._steps.start, "export_page": self.export_page,
        }  # fmt: skip

    def new(self) -> None:
        """Write a new kernel to a file of the user's and open it."""
        path = self._dialogs.ask_save("New kernel", "kernel.cu", SOURCES)
        if path is not None and self._written(path, lambda: write_file(path, NEW_KERNEL)):
            self.open_path(path)

    def open(self) -> None:
        """Ask for a CUDA file, a cubin, a PTX file or a session and open it."""
        path = self._dialogs.ask_open("Open a kernel or a session", OPENED)
        if path is not None:
            self.open_path(path)

    def save_session(self) -> None:
        """Write kernel, source, device, launch, step and layout to one file."""
        self._session.leaving.emit()
        name = f"{self._stem}{ENDING}"
        path = self._dialogs.ask_save("Save the session", name, SESSIONS)
        if path is not None and self._written(path, lambda: write_file(path, to_text(self.saved()))):
            self._messages.notice(f"Saved {path}.")
            self.opened.emit(path)

    def saved(self) -> Saved:
        """Return the session as it is now."""
        layout = self._pages.workspace.state()
        # The launch of a program is gone once the program runs again.
        setup = self._session.setup.without_program(self._session.variant.presets)
        return Saved(setup, self._selection.now, layout, *self._lessons.place)

    def open_path(self, path: Path) -> None:
        """Open a CUDA file, a cubin, a PTX file or a session."""
        path = path.absolute()  # files of one name in two folders are two
        if path.suffix == ENDING:
            self._open_session(path)
        else:
            self._session.open_file(path)
            self.opened.emit(path)

    def _open_session(self, path: Path) -> None:
        try:
            saved = from_text(read_text(path), path.name)
        except WarpviewError as problem:
            self._messages.problem(f"could not open the session: {problem}")
            return
        if self._session.catalogue.device(saved.setup.device) is None:
            words = f"{path.name}: setup.device: there is no device '{saved.setup.device}' here"
            self._messages.problem(words, "`warpview devices` lists them.")
            return
        self.restore(saved)
        self.opened.emit(path)

    def restore(self, saved: Saved) -> None:
        """Run a saved session and return to its place; a file of the user's is read for its kernels and launches."""
        self._pages.workspace.set_state(saved.layout)
        self._lessons.reopen(saved.lesson, saved.page)
        session, setup, path = self._session, saved.setup, Path(saved.setup.file_name)

        def run(variant: Variant | None = None) -> None:
            if variant is not None and variant.key == setup.variant:
                session.catalogue.add_file(variant)
            session.open_setup(setup, Landing(saved.place))

        if session.catalogue.find(setup.variant) is None and path.is_file():
            session.opening.read(path, run, lambda _: run())
        else:
            run()

    def save_as(self) -> None:
        """Ask where, and save the source there."""
        if self._is_read_only():
            return
        path = self._dialogs.ask_save("Save the source", Path(self._session.setup.file_name).name, SOURCES)
        if path is not None:
            self._save_to(path)

    def save(self) -> None:
        """Save the source to the open file; a library kernel asks where."""
        if self._is_read_only():
            return
        path = self._session.own_file
        if path is None:
            self.save_as()
        else:
            self._save_to(path)

    def _is_read_only(self) -> bool:
        """Return whether there is nothing to save, and say why: machine code is never written."""
        reason = read_only_reason(self._session.setup.file_name)
        if reason:
            self._messages.notice(reason)
        return bool(reason)

    def _save_to(self, path: Path) -> None:
        self._session.leaving.emit()
        hint = "The edit is kept anyway; Ctrl+Shift+S saves it elsewhere."
        if self._written(path, lambda: text_file.write(path, self._session.setup.text), hint):
            self._session.saved_as(path)
            self._messages.notice(f"Saved {path}.")
            self.opened.emit(path)

    def _written(self, path: Path, write: Callable[[], object], hint: str = "") -> bool:
        """Run ``write``; return whether it succeeded, with a message where it did not."""
        try:
            write()
        except (OSError, WarpviewError) as problem:
            words = f"could not write {path}: {problem.strerror or problem}" if isinstance(problem, OSError) else ""
            self._messages.problem(words or str(problem), hint)
            return False
        return True

    def watch(self) -> None:
        """Watch the file that is open: another program may write it."""
        self._watch.watch(self._session.own_file, self._session.variant.text)

    def _on_disk(self) -> None:
        session, path = self._session, self._session.own_file
        if path is None:
            return
        session.leaving.emit()
        if not path.is_file():
            self._messages.notice(f"{path.name} is no longer on disk; Ctrl+S saves it again.")
            return
        hint = "Your edit is in the editor; Alt+← brings it back if you reload." if session.setup.edited else ""
        problem = Diagnostic(f"another program has changed {path.name}", severity="warning", hint=hint)
        choices: list[Choice] = [("Reload", lambda: session.open_file(path, True)), ("Keep mine", lambda: None)]
        self._messages.problems([problem], choices)

    @property
    def _stem(self) -> str:
        """Return the beginning of the names offered for files about the kernel, such as "transpose-naive_32"."""
        kernel = Path(self._session.setup.variant)
        return kernel.stem if kernel.is_absolute() else "-".join(kernel.parts)

    def export_counters(self) -> None:
        """Write the rows of the comparison if it is shown, or the table of the page beside it, else of the run."""
        session, comparison, table_shown = self._session, self._pages.comparison, self._pages.table
        if table_shown is not None:
            path = self._dialogs.ask_save("Export the table", "table.csv", "Comma-separated values (*.csv)")
            if path is not None:
                self.export(path, lambda beside: write_file(beside, table_shown.to_csv()))
            return
        run, comparing = session.run, self._pages.comparing
        rows = comparison.rows if comparing else [run.row] if run is not None else []
        if not rows:
            self._messages.notice("There is nothing to export yet.")
            return
        name = "comparison.csv" if comparing else f"{self._stem}.csv"
        path = self._dialogs.ask_save("Export counters", name, TABLES)
        if path is None:
            return
        table = self._pages.workspace.views["counters"]
        picture = comparison.export_picture if comparing else table.export
        is_picture = path.suffix.lower() in (".png", ".svg")
        self.export(path, picture if is_picture else lambda beside: session.backend.export(rows, beside))

    def export_view(self, view: View | None = None) -> None:
        """Write a view as a picture, or the comparison or both runs while they are shown."""
        pages = self._pages
        if pages.comparing and view is None:
            title, name, write = "the comparison", "comparison.png", pages.comparison.export_picture
        elif pages.beside and view is None:
            title, name, write = "both runs", "side-by-side.png", pages.side_by_side.export_picture
        else:
            view = view or pages.workspace.pointed_view
            title, name, write = view.title, f"{view.key}.png", view.export
        path = self._dialogs.ask_save(f"Export {title}", name, PICTURES)
        if path is not None:
            self.export(path, write)

    def export(self, path: Path, write: Callable[[Path], object]) -> None:
        """Call ``write`` with a place beside ``path``, which replaces that when all is written; say how it went."""
        if self._written(path, lambda: write_whole(path, write)):
            self._messages.notice(f"Wrote {path}.")

    def export_page(self) -> None:
        """Write the run as one self-contained page."""
        if self._session.run is None:
            self._messages.notice("There is nothing to export yet.")
            return
        name = f"{self._stem}.html"
        path = self._dialogs.ask_save("Export the report", name, PAGES)
        if path is not None:
            self._page.start(path)

    def cancel(self) -> bool:
        """Stop an export; return whether there was one."""
        return self._steps.cancel() or self._page.cancel()
