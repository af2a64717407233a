"""Reads a lesson in the window: each page sets kernel, device, launch, step and view as it says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.trace.question import Question, question_of_kind
from warpview.ui.panels.lesson_panel import LessonPanel
from warpview.ui.teaching.lessons import Directive, Lesson, files, load, mistakes, step_of
from warpview.ui.views.context import FrameContext, RunLike

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow

LESSONS = "Lesson (*.md);;All files (*)"


class LessonReader(QObject):
    """Which lesson is open and on which page. A page that needs another run is finished when the run is there."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._w = window
        self.panel = LessonPanel(window.look, window)
        self.panel.hide()
        self.lesson: Lesson | None = None
        self.number = 0
        self._pending: Directive | None = None
        self._verdict = ""  # on the guess, or the answer in a number
        self._hides = self._zooms = self._counts = False  # what a page did that the next one may undo
        self._shown: tuple[str, str, str] | None = None  # what the run in the window is of
        self._entries = QActionGroup(self)
        self._entries.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        self.panel.turned.connect(self.turn)
        self.panel.chosen.connect(self._go)
        self.panel.closed.connect(self.close)
        self.panel.guessed.connect(self._on_guess)
        self.panel.asked_for_answer.connect(self._on_answer)

    def listen(self, bar: QMenuBar) -> None:
        """Be told of runs, after the window so that the views have them already; and fill the menu."""
        self._w.session.run_changed.connect(self._on_run)
        self._w.presenter.shown.connect(self._on_shown)
        menu = next(action.menu() for action in bar.actions() if action.text() == "&Lessons")
        assert isinstance(menu, QMenu)
        self._fill(menu)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "next_page": partial(self.turn, True), "previous_page": partial(self.turn, False),
            "contents": self.panel.open_contents, "open_lesson": self.open_file, "close_lesson": self.close,
        }  # fmt: skip

    def _fill(self, menu: QMenu) -> None:
        """The lessons that come with warpview, above the other entries of their menu."""
        first = menu.actions()[0]
        for number, path in enumerate(files(), 1):
            lesson = self._read(path)
            if lesson is None:
                continue
            entry = QAction(f"{number}  {lesson.title}", self._w)
            entry.setObjectName(f"lesson-{lesson.name}")
            entry.setToolTip(f"{len(lesson.pages)} pages")
            entry.setCheckable(True)
            entry.triggered.connect(partial(self._open_entry, lesson))
            self._entries.addAction(entry)
            menu.insertAction(first, entry)
        menu.insertSeparator(first)

    def _open_entry(self, lesson: Lesson, _: bool = False) -> None:
        self.open(lesson)

    # ---- turning pages

    def open_file(self) -> None:
        """A lesson of the user's own."""
        path = self._w.commands.files.ask_open(self._w, "Open a lesson", LESSONS)
        lesson = self._read(path) if path is not None else None
        if lesson is None:
            return
        session = self._w.session
        kernels = {variant.key: [preset.key for preset in variant.presets] for variant in session.variants()}
        wrong = mistakes(lesson, kernels, [device.key for device in session.devices])
        if wrong:
            self._w.show_problems(wrong)
        else:
            self.open(lesson)

    def _read(self, path: Path) -> Lesson | None:
        """The lesson of a file; None, and said why, if it is none."""
        try:
            return load(path)
        except (WarpviewError, OSError) as problem:
            self._w.show_problems([Diagnostic(str(problem), hint=f"Put it right in {path} and open it again.")])
            return None

    def open(self, lesson: Lesson, number: int = 0) -> None:
        self._w.places.leave()
        self.lesson, self.number = lesson, number
        self._check_entry()
        self._pending = Directive()  # until the page is read
        self._w.arrange()
        self._go(number)

    def close(self) -> None:
        if self.lesson is None:
            return
        self.lesson = self._pending = None
        self._check_entry()
        self.panel.hide()
        self._w.library.set_lower(None)
        self._hint(None)
        self._w.caption.asked_elsewhere = None
        self._predict(False)
        if self._zooms:
            self._zooms = False
            self._w.stage.zoom(None)
        self._w.arrange()

    @property
    def turning(self) -> bool:
        """Whether a page is being shown that has its run still to come."""
        return self._pending is not None

    def turn(self, forward: bool) -> None:
        if self.lesson is None:
            self._w.say("No lesson is open; choose one in the menu Lessons.")
            return
        number = self.number + (1 if forward else -1)
        if 0 <= number < len(self.lesson.pages):
            self._w.places.leave()
            self._go(number)
        else:
            self._w.say("That was the last page of the lesson." if forward else "This is the first page of the lesson.")

    @property
    def strip(self) -> bool:
        """Whether the panel is a strip over the history: while the library is folded."""
        return self.lesson is not None and self._w.library.isHidden()

    def place(self) -> None:
        """The panel where there is room: under the library or as a strip."""
        if self.lesson is None:
            return
        w = self._w
        self.panel.set_strip(self.strip)
        w.library.set_lower(None if self.strip else self.panel)
        if self.strip:
            w.put_strip(self.panel)
        self._zooms = self._zooms and w.stage.zoomed is not None
        # It makes way for a view that the user lets fill the window.
        self.panel.setVisible(w.stage.zoomed is None or self._zooms)

    def raise_view(self) -> None:
        """The view that the page is about, again, after views were arranged anew."""
        stage = self._w.stage
        if self._zooms:
            self._zooms = False
            stage.zoom(None)
        if self.lesson is not None and self._pending is None and stage.zoomed is None:
            page = self.lesson.directive(self.number)
            self._raise(page.view, bool(page.zoom))

    @property
    def _where(self) -> str:
        """File and line of the page."""
        assert self.lesson is not None
        return f"{self.lesson.name}:{self.lesson.pages[self.number].line}"

    def _check_entry(self) -> None:
        for entry in self._entries.actions():
            name = f"lesson-{self.lesson.name}" if self.lesson is not None else ""
            entry.setChecked(entry.objectName() == name)

    def _go(self, number: int) -> None:
        assert self.lesson is not None
        self.number = number
        self.panel.show_page(self.lesson, number)
        directive = self.lesson.directive(number)
        w = self._w
        w.player.pause()
        self._pending = directive
        try:
            started = w.session.show(directive.kernel, directive.device, directive.preset)
        except WarpviewError as problem:
            self._pending = None
            w.show_problems([Diagnostic(f"{self._where}: {problem}")])
            return
        if started:
            return
        if w.session.run is not None and self._wanted() == self._shown:
            self._finish(w.session.run)
        elif not w.runner.busy:  # the run was cancelled, or failed
            w.session.start()

    def _wanted(self) -> tuple[str, str, str]:
        setup = self._w.session.setup
        return (setup.variant, setup.device, setup.preset)

    def _on_run(self, old: RunLike | None, run: RunLike) -> None:
        self._shown = self._wanted()
        page, self._pending = self._pending, None
        if page is not None and self._shown == tuple(
            said or now for said, now in zip((page.kernel, page.device, page.preset), self._shown, strict=True)
        ):
            self._pending = page
            self._finish(run)

    def _on_shown(self, context: FrameContext) -> None:
        if self._pending is None:
            self.panel.show_guess(self._w.caption.guess)
            self.panel.set_answered(not context.predicting, self._verdict)

    # ---- what the page asks

    def question(self, context: FrameContext) -> Question | None:
        """What the page asks about the step shown; None where it asks nothing that can be judged."""
        if self.lesson is None or context.frame.step != self._w.caption.asked_elsewhere:
            return None
        kind = self.lesson.directive(self.number).ask
        return question_of_kind(kind, context.frame, context.program, context.device) if kind is not None else None

    def judge(self, context: FrameContext, guess: str) -> None:
        """The answer is about to be shown, to a guess if there is one."""
        asked = self.question(context)
        if asked is None:
            self._verdict = ""
        elif not guess:
            self._verdict = f"It is {asked.number}."
        else:
            self._verdict = f"{'✓' if int(guess) == asked.answer else '✗'} {asked.compare(int(guess))}"

    def _on_guess(self, digits: str) -> None:
        if self._w.presenter.predicting:
            self._w.commands.prediction.guess(digits)

    def _on_answer(self) -> None:
        if self._w.presenter.predicting:
            self._w.commands.prediction.toggle()
        self._w.central.setFocus()

    def _finish(self, run: RunLike) -> None:
        """The run of the page is in the window: to the step, the warp and the view."""
        page, self._pending = self._pending, None
        if page is None:
            return
        w, now = self._w, self._w.selection.now
        w.show_comparison(False)
        step = step_of(page, run.trace, (now.block, now.warp if page.warp is None else page.warp))
        missing = page.step is not None and step is None
        if step is not None:
            w.player.go(step)
        if page.warp is not None:
            w.player.select_warp(page.warp)
        if page.counter is not None or self._counts:
            w.selection.update(counter=page.counter)
            self._counts = page.counter is not None
        own = self.lesson is not None and bool(self.lesson.pages[self.number].answer)
        w.caption.asked_elsewhere = w.selection.now.step if own else None
        self._predict(bool(page.predict))
        w.presenter.present()
        self._raise(page.view, bool(page.zoom))
        if missing and page.step is not None:
            w.banner.show_problems([Diagnostic(f"{self._where}: step: {page.step.missing()}", severity="warning")])

    # ---- what a page does to the window

    def _predict(self, on: bool) -> None:
        """Hide the answer, or reveal what a page before has hidden; what the user hides is left alone."""
        if on != self._hides:
            self._hides = on
            self._w.presenter.set_predicting(on)
            self._w.sync()

    def _raise(self, key: str | None, alone: bool = False) -> None:
        """The view that the page is about, in front and framed; ``alone``, or where it has no place, it is given the
        window. A view that the user zoomed gives its place to it."""
        stage = self._w.stage
        if key is None:
            return
        view = stage.views[key]
        users = stage.zoomed is not None and not self._zooms
        if not users and stage.zoomed is not None and not (alone and stage.zoomed is view):
            self._zooms = False
            stage.zoom(None)
        stage.raise_view(key)
        if users or alone or view.isHidden():
            self._zooms = not users
            stage.zoom(view)
        self._w.presenter.present()
        # Last, for each picture brings its own concern to the front where only one has room.
        stage.raise_view(key)
        self._hint(key)

    def _hint(self, key: str | None) -> None:
        for view in self._w.views:
            view.light("hinted", view.key == key)
