"""Read a lesson in the window: each page sets kernel, device, launch, step and view as its directive says."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.commands.prediction import LessonQuestion, Prediction
from warpview.ui.moving.player import Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.lesson_panel import LessonPanel
from warpview.ui.panels.messages import Messages
from warpview.ui.session.backend import Setup
from warpview.ui.session.landing import Arrival, Landing
from warpview.ui.session.session import Session
from warpview.ui.teaching.lessons import Directive, Lesson, files, find, load, mistakes, step_of
from warpview.ui.views.context import STEP_VIEWS, FrameContext, RunLike

LESSONS = "Lesson (*.md);;All files (*)"


class LessonReader(QObject):
    """Keep the open lesson and its page. A page that needs another run is finished when the run has arrived."""

    leaving = Signal()  # the present place is about to be left for another page
    room_wanted = Signal()  # the panel came or went: the window arranges itself anew
    finished_reading = Signal()  # the keyboard returns to the run

    def __init__(
        self, session: Session, selection: Selection, player: Player, presenter: Presenter, workspace: Workspace,
        prediction: Prediction, panel: LessonPanel, messages: Messages, dialogs: Dialogs,
    ) -> None:  # fmt: skip
        super().__init__(session)
        self._session, self._selection, self._player, self._presenter = session, selection, player, presenter
        self._workspace, self._prediction, self.panel = workspace, prediction, panel
        self._messages, self._dialogs = messages, dialogs
        self.lesson: Lesson | None = None
        self.number = 0
        self._arriving = False  # the run of the page is still to come
        self._reopened = False  # and is shown where it was left
        self._zooms = self._counts = self._holds = False  # what a page did that the next one may undo
        self._entries = QActionGroup(self)
        self._entries.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        panel.turned.connect(self.turn)
        panel.chosen.connect(self._go)
        panel.closed.connect(self.close)
        panel.returned.connect(self._return)
        panel.guessed.connect(self._on_guess)
        panel.asked_for_answer.connect(self._on_answer)
        presenter.shown.connect(self._on_shown)
        session.failed.connect(self._on_failed)
        prediction.revealed.connect(lambda verdict: self._show_answer(True, verdict))
        prediction.asked_again.connect(lambda: self._show_answer(False))

    @property
    def lessons(self) -> list[QAction]:
        """Return the entries of the menu, one for each lesson that comes with warpview."""
        return self._entries.actions()

    def fill(self, menu: QMenu) -> None:
        """Put the lessons that come with warpview above the other entries of their menu."""
        first = menu.actions()[0]
        for number, path in enumerate(files(), 1):
            lesson = self._read(path)
            if lesson is None:
                continue
            entry = QAction(f"{number}  {lesson.title}", self)
            entry.setObjectName(f"lesson-{lesson.name}")
            entry.setToolTip(f"{len(lesson.pages)} pages")
            entry.setCheckable(True)
            entry.triggered.connect(lambda _=False, lesson=lesson: self.open(lesson))
            self._entries.addAction(entry)
            menu.insertAction(first, entry)
        menu.insertSeparator(first)

    # ---- turning pages

    def open_file(self) -> None:
        """Ask for a lesson of the user's own and open it."""
        path = self._dialogs.ask_open("Open a lesson", LESSONS)
        lesson = self._read(path) if path is not None else None
        if lesson is None:
            return
        kernels = {
            variant.key: [preset.key for preset in variant.presets] for variant in self._session.catalogue.variants()
        }
        wrong = mistakes(lesson, kernels, [device.key for device in self._session.catalogue.devices])
        if wrong:
            self._messages.problems(wrong)
        else:
            self.open(lesson)

    def _read(self, path: Path) -> Lesson | None:
        """Return the lesson of a file; None, with a message, if it is none."""
        try:
            return load(path)
        except (WarpviewError, OSError) as problem:
            self._messages.problem(str(problem), f"Correct {path} and open it again.")
            return None

    @property
    def open_page(self) -> tuple[Lesson, int] | None:
        """Return the lesson that is open and the number of its page, from 0."""
        return (self.lesson, self.number) if self.lesson is not None else None

    @property
    def place(self) -> tuple[str, int]:
        """Return the key of the lesson that is open and the number of its page, for ``reopen``; ("", 0) for none."""
        return (self.lesson.key, self.number) if self.lesson is not None else ("", 0)

    def reopen(self, key: str, number: int) -> None:
        """Open a lesson where it was left, '' for none; the run that comes next is of its page already."""
        lesson = self._read(find(key)) if key else None
        if lesson is None:
            self.close()
            return
        self.lesson, self.number = lesson, max(0, min(number, len(lesson.pages) - 1))
        self._arriving = self._reopened = True
        self._check_entry()
        self.panel.show_page(lesson, self.number)
        self.room_wanted.emit()

    def open(self, lesson: Lesson, number: int = 0) -> None:
        self.leaving.emit()
        self.lesson, self.number = lesson, number
        self._check_entry()
        self._arriving = True  # until the page is read
        self.room_wanted.emit()
        self._go(number)

    def close(self) -> None:
        """Close the lesson: the run stays, a view or counter that its page chose is let go."""
        if self.lesson is None:
            return
        self.lesson, self._arriving = None, False
        self._check_entry()
        self.panel.hide()
        self._hint(None)
        self._prediction.ask(None, hide=False)
        self._messages.withhold(False)
        if self._zooms:
            self._zooms = False
            self._workspace.zoom(None)
        self._release_stage()
        if self._counts:
            self._counts = False
            self._selection.update(counter=None)
        self.room_wanted.emit()

    def turn(self, forward: bool) -> None:
        """Turn to the next or the previous page."""
        if self.lesson is None:
            self._messages.notice("No lesson is open; choose one in the Lessons menu.")
            return
        number = self.number + (1 if forward else -1)
        if 0 <= number < len(self.lesson.pages):
            self.leaving.emit()
            self._go(number)
        else:
            self._messages.notice("This is the last page." if forward else "This is the first page.")

    def _return(self) -> None:
        self.leaving.emit()
        self._go(self.number)

    @property
    def is_behind_view(self) -> bool:
        """Return whether the panel is hidden because the user maximised a view."""
        self._zooms = self._zooms and self._workspace.zoomed is not None
        return self._workspace.zoomed is not None and not self._zooms

    def raise_view(self) -> None:
        """Raise the view of the page again after the views were arranged anew."""
        if self._zooms:
            self._zooms = False
            self._workspace.zoom(None)
        if self.lesson is not None and not self._arriving and self._workspace.zoomed is None:
            page = self.lesson.directive(self.number)
            self._raise(page.view, bool(page.zoom))

    @property
    def _where(self) -> str:
        """Return the file and line of the page."""
        assert self.lesson is not None
        return f"{self.lesson.name}:{self.lesson.pages[self.number].line}"

    def _check_entry(self) -> None:
        name = f"lesson-{self.lesson.name}" if self.lesson is not None else ""
        for entry in self._entries.actions():
            entry.setChecked(entry.objectName() == name)

    def _go(self, number: int) -> None:
        assert self.lesson is not None
        directive = self.lesson.directive(number)
        self._player.pause()
        # A change of the setup records the page that is left, so the number changes after it.
        self._arriving = True
        try:
            under_way = self._session.show(
                directive.kernel, directive.device, directive.preset, Landing(page=directive),
                by_nvidia=directive.code == "nvidia", any_result=bool(directive.any_result),
            )  # fmt: skip
        except WarpviewError as problem:
            under_way, self._arriving = True, False
            self.number = number
            self._messages.problem(f"{self._where}: {problem}")
        self.number = number
        self.panel.set_note("")
        self.panel.show_page(self.lesson, number)
        if not under_way and self._session.run is not None:
            self._finish(directive, self._session.run)

    def land(self, arrival: Arrival) -> None:
        """Finish the page that the run was made for."""
        self._arriving = False
        if arrival.landing.page is not None and self.lesson is not None:
            self._finish(arrival.landing.page, arrival.run)
        elif self._reopened and self.lesson is not None:
            page, now = self.lesson.directive(self.number), self._selection.now
            step = step_of(page, arrival.run.trace, now.key)
            self._ask(page, now.step if step is None else step, hide=bool(page.predict) and step == now.step)
            self._hint(page.view)
        self._reopened = False
        self.panel.set_note(self._elsewhere(arrival.setup))

    def _elsewhere(self, setup: Setup) -> str:
        """Return what the page is about where that is not what runs; '' where it is, or no lesson is open."""
        page = self.lesson.directive(self.number) if self.lesson is not None else Directive()
        kernel, device = page.kernel or setup.variant, page.device or setup.device
        by_nvidia = setup.by_nvidia if page.code is None else page.code == "nvidia"
        variant = self._session.catalogue.find(kernel)
        if variant is None or (kernel, device, by_nvidia) == (setup.variant, setup.device, setup.by_nvidia):
            return ""
        code = "" if by_nvidia == setup.by_nvidia else ", as compiled by NVIDIA" if by_nvidia else ", as written"
        return f"This page is about {variant.title} on {self._session.catalogue.device_name(device)}{code}."

    def _on_failed(self, _: object) -> None:
        self._arriving = False

    def _on_shown(self, context: FrameContext) -> None:
        if self.lesson is not None and not self._arriving:
            self.panel.show_guess(self._prediction.guess)

    def _on_guess(self, digits: str) -> None:
        if self._prediction.hidden:
            self._prediction.enter(digits)

    def _show_answer(self, on: bool, verdict: str = "") -> None:
        self.panel.set_answered(on, verdict)
        self._messages.withhold(not on)

    def _on_answer(self) -> None:
        if self._prediction.lesson is not None:
            self._prediction.toggle()
        self.finished_reading.emit()

    def _finish(self, page: Directive, run: RunLike) -> None:
        """Go to the step, the warp and the view of the page, in the run that the window shows."""
        self._arriving = False
        assert self.lesson is not None
        now = self._selection.now
        step = step_of(page, run.trace, (now.block, now.warp if page.warp is None else page.warp))
        if step is not None:
            self._player.go(step)
        if page.warp is not None:
            self._player.select_warp(page.warp)
        if page.counter is not None or self._counts:
            self._selection.update(counter=page.counter)
            self._counts = page.counter is not None
        self._ask(page, self._selection.now.step, hide=bool(page.predict))
        self._presenter.present()
        self._raise(page.view, bool(page.zoom))
        if page.step is not None and step is None:
            words = f"{self._where}: step: {page.step.missing()}"
            self._messages.problems([Diagnostic(words, severity="warning")])

    def _ask(self, page: Directive, step: int, hide: bool) -> None:
        """Ask the question of the page about a step, if it has one."""
        assert self.lesson is not None
        asks = bool(self.lesson.pages[self.number].answer)
        self._prediction.ask(LessonQuestion(step, page.ask or "") if asks else None, hide)
        self._messages.withhold(asks)

    # ---- the view of the page

    def _raise(self, key: str | None, alone: bool = False) -> None:
        """Bring the view of the page to the front and frame it; maximise it if ``alone``, or where it has no place. A
        view that the user maximised gives way to it. One that no step concerns stays on the stage."""
        self._release_stage()
        if key is None:
            return
        workspace, view = self._workspace, self._workspace.views[key]
        users = workspace.zoomed is not None and not self._zooms
        if not users and workspace.zoomed is not None and not (alone and workspace.zoomed is view):
            self._zooms = False
            workspace.zoom(None)
        workspace.raise_view(key)
        if users or alone or view.isHidden():
            self._zooms = not users
            workspace.zoom(view)
        self._presenter.present()
        self._holds = workspace.follows and key not in STEP_VIEWS
        # Last: where there is room for one picture only, the step has raised its own.
        workspace.raise_view(key, keep=self._holds)
        self._hint(key)

    def _release_stage(self) -> None:
        """Let the stage follow the step again where it has kept the view of a page."""
        if self._holds:
            self._holds = False
            self._workspace.set_follows(True)

    def _hint(self, key: str | None) -> None:
        for view in self._workspace.views.values():
            view.light("hinted", view.key == key)
