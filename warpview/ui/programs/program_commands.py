"""Carry out the commands of whole programs: run a file's own ``main``, show its page, open one of its launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from warpview.diagnostics import Diagnostic
from warpview.files import write_file
from warpview.sim.launch import Cancelled
from warpview.ui.arranging.pages import Pages
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.commands.files import FileCommands
from warpview.ui.drawing.theme import Look
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import ProgramRequest, Setup, Variant
from warpview.ui.session.landing import Landing
from warpview.ui.session.problems import diagnostics_of
from warpview.ui.session.session import Session

if TYPE_CHECKING:  # loaded when a program is first opened or run
    from warpview.host import LaunchRecord, ProgramResult
    from warpview.ui.programs.program_model import Wrong
    from warpview.ui.programs.program_page import ProgramPage

TIMELINES = "Comma-separated values (*.csv);;Trace events, for Perfetto (*.json)"


class ProgramCommands(QObject):
    """Run the program of the open file in the worker, and show what it does on its page."""

    def __init__(
        self, session: Session, pages: Pages, files: FileCommands, messages: Messages, dialogs: Dialogs,
        show_place: Callable[[int, int], object], look: Look,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._pages, self._files = session, pages, files
        self._messages, self._dialogs, self._show_place, self._look = messages, dialogs, show_place, look
        self._page: ProgramPage | None = None  # made when a program is first run
        self._requests: dict[Path, ProgramRequest] = {}  # the last of each file that the user agreed to
        self._count = 0
        self._running: ProgramRequest | None = None
        self._shown: ProgramRequest | None = None
        self._open_when_done: int | None = None
        session.runner.busy_changed.connect(self._on_busy)
        session.variant_changed.connect(self._on_variant)

    @property
    def page(self) -> ProgramPage:
        if self._page is None:
            from warpview.ui.programs.program_page import ProgramPage

            self._page = page = ProgramPage(self._look)
            page.run_wanted.connect(self.run_again)
            page.stop_wanted.connect(self._session.cancel)
            page.export_wanted.connect(self.export_timeline)
            page.launch_wanted.connect(self.open_launch)
            page.place_wanted.connect(self._to_place)
        return self._page

    @property
    def has_result(self) -> bool:
        """Return whether a program has run."""
        return self._page is not None and self._page.result is not None

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {
            "run_program": self.run, "run_program_with": lambda: self.run(ask=True), "program": self.toggle,
        }  # fmt: skip

    # ---- running

    def run(self, ask: bool = False) -> None:
        """Run the program of the open file; ask for the user's consent and for arguments the first time."""
        path = self._program_file()
        if path is None:
            return
        known = self._requests.get(path)
        request = known or ProgramRequest(0, (str(path),), "")
        if known is None or ask:
            asked = self._dialogs.ask_program(request, self._session.setup.edited)
            if asked is None:
                return
            request = self._requests[path] = asked
        if self._session.setup.edited:
            self._files.save()
            if self._session.setup.edited:
                return  # it could not be saved, which has been said
        self._start(request)

    def run_again(self) -> None:
        """Run the program on the page once more."""
        if self._shown is not None and self._session.opening.path is None:
            self._start(self._shown)

    def _program_file(self) -> Path | None:
        """Return the open file if it has a ``main``; else say why there is nothing to run."""
        from warpview.host import has_main

        self._session.leaving.emit()
        path, opening = self._session.own_file, self._session.opening.path
        if opening is not None:
            self._messages.notice(f"{opening.name} is still being opened.")
            return None
        if path is None:
            self._messages.notice("Library kernels have no main function. Ctrl+O opens a program of your own.")
            return None
        if not has_main(path):
            self._messages.notice(f"{path.name} has no main function. F5 runs one of its kernels.")
            return None
        return path.resolve()

    def _start(self, request: ProgramRequest) -> None:
        self._count += 1
        setup = self._session.setup
        page = self.page
        request = replace(request, number=self._count, device=setup.device, if_converted=setup.if_converted,
                          by_nvidia=setup.by_nvidia)  # fmt: skip
        name = Path(request.files[0]).name
        self._session.runner.submit(
            lambda progress: self._session.backend.run_program(request, page.take_output, progress),
            lambda result: self._ended(request, result),
            self._failed,
        )
        self._running = self._shown = request
        shown = " ".join((name, *request.arguments))
        self._messages.problems(())  # of what was shown before
        page.begin(f"{shown} on {self._session.catalogue.device_name(request.device)}")
        self._pages.show_program(self.page)

    def _on_busy(self, busy: bool) -> None:
        if not busy and self._running is not None:
            self._running = None
            self.page.show_stopped("The program was stopped.")

    def _ended(self, request: ProgramRequest, result: ProgramResult) -> None:
        self.page.show_result(result)
        wanted, self._open_when_done = self._open_when_done, None
        if wanted is not None and wanted < len(result.launches):
            self.open_launch(wanted)

    def _failed(self, problem: Exception) -> None:
        from warpview.host import HostPartError, NoCompiler

        self._open_when_done = None
        if not isinstance(problem, Cancelled):
            self.page.show_stopped("The program could not run.")
            self._messages.problems(diagnostics_of(problem))
            if isinstance(problem, (NoCompiler, HostPartError)):
                self._messages.notice("Without main, F5 runs one of its kernels if the source says how it is launched.")

    # ---- what it did

    def toggle(self) -> None:
        """Show the page of the program, or return to the views."""
        if self._pages.shows_program:
            self._pages.show_views()
        elif self._shown is None:
            self._messages.notice("No program has run yet: Ctrl+F5 runs the main of an open file.")
        else:
            self._pages.show_program(self.page)

    def open_launch(self, index: int) -> None:
        """Step through a launch, with the memory that it began with."""
        from warpview.ui.programs.program_model import extents

        result, request = self.page.result, self._shown
        if result is None or request is None:
            return
        if not 0 <= index < len(result.launches):
            count = len(result.launches)
            words = f"This is the {'first' if index < 0 else 'last'} of {count} launches."
            self._messages.notice(words if count > 1 else "The program has a single launch.")
            return
        record = result.launches[index]
        if record.snapshot is None:
            self._open_when_done = index
            self._start(replace(request, keep=index))
            self._messages.notice(f"The memory of launch {index + 1} was not kept: the program runs again for it.")
            return
        words = (
            f"Launch {index + 1} of {len(result.launches)}: {record.kernel}, grid {extents(record.grid)}, block "
            f"{extents(record.block)}, line {record.place.line}, with the program's own data."
        )
        self._session.open_setup(self._setup(record, request), Landing(notice=words))

    def _setup(self, record: LaunchRecord, request: ProgramRequest) -> Setup:
        source = record.program.source
        path = Path(source.name)
        variant = next((v for v in self._session.catalogue.variants() if _is_file(v, path)), None)
        return Setup(
            variant=variant.key if variant is not None else str(path), text=source.text,
            file_name=variant.file_name if variant is not None else str(path), entry=record.kernel,
            device=request.device, grid=record.grid, block=record.block, shared_bytes=record.shared_bytes,
            cluster=record.cluster or (1, 1, 1),
            if_converted=request.if_converted, by_nvidia=request.by_nvidia,
            program_launch=(request.number, record.index),
        )  # fmt: skip

    def export_timeline(self) -> None:
        """Write the timeline of the program as CSV or as trace events."""
        from warpview.host.export import timeline_text

        if self.page.result is None or self._shown is None:
            return
        name = f"{Path(self._shown.files[0]).stem}-timeline.csv"
        path = self._dialogs.ask_save("Export the timeline", name, TIMELINES)
        if path is not None:
            text = timeline_text(path, self.page.result)
            self._files.export(path, lambda beside: write_file(beside, text))

    def _to_place(self, wrong: Wrong) -> None:
        self._messages.problems([Diagnostic(wrong.text, wrong.span, wrong.severity)])
        self._pages.show_views()
        if wrong.span is not None:
            self._show_place(wrong.span.line, wrong.span.column)

    def _on_variant(self, variant: Variant) -> None:
        """Offer to run a program that has just been opened."""
        if variant.is_program and Path(variant.file_name).resolve() not in self._requests:
            self._messages.notice(f"{variant.title} is a program: Ctrl+F5 runs its main and lists its launches.")


def _is_file(variant: Variant, path: Path) -> bool:
    return not variant.family and Path(variant.file_name).resolve() == path
