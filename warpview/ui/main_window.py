"""Make the parts of the window, hand each the services that it needs, and connect them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from warpview.ui.arranging.layouts import LayoutCommands
from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.presentation import Presentation
from warpview.ui.arranging.side_by_side import SideBySidePage
from warpview.ui.arranging.staged_update import StagedUpdate
from warpview.ui.arranging.window_layout import LIBRARY_WIDTH, WindowLayout
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands.actions import Actions
from warpview.ui.commands.applicable import ApplicableEntries
from warpview.ui.commands.comparison_commands import ComparisonCommands
from warpview.ui.commands.counter_commands import CounterCommands
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.commands.edit_commands import EditCommands
from warpview.ui.commands.escape import Escape
from warpview.ui.commands.file_drops import FileDrops
from warpview.ui.commands.files import FileCommands
from warpview.ui.commands.prediction import Prediction
from warpview.ui.commands.recent_files import RecentFiles
from warpview.ui.commands.run_commands import SWITCHES, RunCommands
from warpview.ui.commands.search_commands import SearchCommands
from warpview.ui.commands.side_by_side_commands import SideBySideCommands
from warpview.ui.commands.typing_guard import TypingGuard
from warpview.ui.commands.view_commands import ViewCommands
from warpview.ui.drawing.scene import JointPainting, Scene
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.export.page_export import PageExport
from warpview.ui.export.step_export import StepExport
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.frame_prefetcher import FramePrefetcher
from warpview.ui.moving.player import FOLLOWED, Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.comparison import ComparisonPage
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.panels.launch_bar import LaunchBar
from warpview.ui.panels.lesson_panel import LessonPanel
from warpview.ui.panels.library_panel import LibraryPanel
from warpview.ui.panels.messages import Messages
from warpview.ui.panels.outdated_strip import OutdatedStrip
from warpview.ui.panels.profiler_page import ProfilerPage
from warpview.ui.panels.progress import Progress
from warpview.ui.panels.transport import Transport
from warpview.ui.programs.program_commands import ProgramCommands
from warpview.ui.run_display import RunDisplay
from warpview.ui.session.back_forward import BackForward
from warpview.ui.session.backend import Variant
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine
from warpview.ui.session.file_kinds import read_only_reason
from warpview.ui.session.last_session import LastSession
from warpview.ui.session.long_launch import LongLaunchQuestion
from warpview.ui.session.problems import findings_of
from warpview.ui.session.runner import Runner
from warpview.ui.session.session import Session
from warpview.ui.session.window_state import WindowState
from warpview.ui.teaching.lesson_reader import LessonReader
from warpview.ui.teaching.meanwhile import Meanwhile
from warpview.ui.view_list import VIEWS
from warpview.ui.views.counters.counters import CountersView
from warpview.ui.views.source.source import SourceView
from warpview.ui.views.view import View

V = TypeVar("V", bound=View)


class MainWindow(QMainWindow):
    """Compose the window: kernel and launch above, views in the middle, history and caption below."""

    def __init__(
        self, backend: Engine, drafts: Drafts, look: Look, settings: QSettings, last_session: Path | None = None
    ) -> None:  # fmt: skip
        super().__init__()
        self.look = look
        # First, so that the views measure their text in the new type.
        look.changed.connect(self._restyle)
        self.selection = Selection(self)
        self.runner = Runner(self)
        self.session = Session(backend, self.runner, drafts, self)
        self.last_session = LastSession(last_session, self)
        self.accesses = AccessIndex(self)
        self.player = Player(self.selection, self.accesses, self)
        self.views = [view(self.selection, look) for view in VIEWS]
        self.workspace = Workspace(self.views, look)
        self.source, self.counters = self._view(SourceView), self._view(CountersView)
        self.counters.compare_among(self.session.kept)
        self.presenter = Presenter(self.selection, self.views, self.accesses, self)
        self.prefetcher = FramePrefetcher(self.presenter, self.player, self)
        self._make_panels()
        self._make_commands()
        self.transport = Transport(look, self.actions_, self.player)
        self.actions_.fill(self.menuBar())
        self.applicable.watch(self.actions_.menus.values())
        self.lessons.fill(self.actions_.menus["Lessons"])
        recent = QMenu("Recent files", self)
        self.actions_.menus["File"].insertMenu(self.actions_["save"], recent)
        self.recent_files = RecentFiles(recent, settings, self.files.open_path)
        self.files.opened.connect(self.recent_files.add)
        FileDrops(self, self.files.open_path)
        self._compose()
        self.run_display = RunDisplay(
            self.session, self.selection, self.player, self.presenter, self.accesses, self.prefetcher, self.workspace,
            self.pages, self.source, self.history, self.transport, self.caption, self.banner, self.messages,
            self.prediction, self.back_forward, self.lessons, self,
        )  # fmt: skip
        self._connect()
        painting = JointPainting(self, self._scenes)
        for signal in (self.presenter.shown, self.presenter.drawn):  # after all else that they change
            signal.connect(painting.paint_once)
        self.state = WindowState(settings, look, self.workspace, self.layouts, self.counters)
        self.state.restore(self)
        self.window_layout.restore_library(
            self.state.flag("library", False), self.state.number("library_width", look.px(LIBRARY_WIDTH))
        )
        for changed in (
            look.changed, self.workspace.rearranged, self.workspace.everything_changed, self.window_layout.changed,
        ):  # fmt: skip
            changed.connect(self._keep_state)  # not before: restoring changes them
        self.sync()
        self._on_variant(self.session.variant)

    # ---- parts

    def _view(self, kind: type[V]) -> V:
        return next(view for view in self.views if isinstance(view, kind))

    def _scenes(self) -> list[Scene]:
        """Return every scene of the window, seen or not."""
        return [self.history, *(scene for view in self.views for scene in view.scenes), *self.pages.scenes]

    def _make_panels(self) -> None:
        self.central = QWidget()
        self.staged = StagedUpdate(self.central)
        self.launch_bar = LaunchBar(self.session, self.look)
        self.library = LibraryPanel(self.session, self.look)
        self.banner, self.caption = Banner(), Caption(self.look)
        self.history = HistoryBar(self.look)
        self.outdated = OutdatedStrip()
        self.pages = Pages(
            self.workspace, ComparisonPage(self.look), ProfilerPage(self.look), self.central,
            lambda: SideBySidePage(self.selection, self.look),
        )  # fmt: skip
        self.comparison, self.profiler = self.pages.comparison, self.pages.profiler
        self.progress = Progress(self, self.caption)  # outside the central widget, which is exported as a picture
        self.dialogs = Dialogs(self)
        question = LongLaunchQuestion(self.runner, lambda *asked: self.dialogs.ask_choice(*asked), self)
        self.session.backend.ask_when_long = question.ask
        self.messages = Messages(self.caption, self.banner, self.presenter.catch_up, self)
        self.meanwhile = Meanwhile(self.session, self.caption)
        self.prediction = Prediction(self.presenter, self.messages, self)
        self.presentation = Presentation(self, self.look, self.staged, lambda: self.window_layout.arrange())

    def _make_commands(self) -> None:
        session, selection, player, messages = self.session, self.selection, self.player, self.messages
        self.lessons = LessonReader(
            session, selection, player, self.presenter, self.workspace, self.prediction,
            LessonPanel(self.look, self), messages, self.dialogs,
        )  # fmt: skip
        self.lessons.panel.hide()
        self.window_layout = WindowLayout(
            self, self.central, self.look, self.staged, self.workspace, self.presenter, self.presentation, self.lessons,
            self.library, self.launch_bar, self.pages,
        )  # fmt: skip
        self.back_forward = BackForward(session, selection, player, self.workspace, self.lessons, messages)
        self.page_export = PageExport(session, selection, self.pages, messages)
        self.step_export = StepExport(
            session, selection, player, self.presenter, self.pages, self.central, self.staged.finish, self.progress,
            messages, self.dialogs,
        )  # fmt: skip
        self.files = FileCommands(
            session, selection, self.pages, self.page_export, self.step_export, messages, self.dialogs, self.lessons
        )  # fmt: skip
        self.layouts = LayoutCommands(self.workspace, messages, self.dialogs)
        self.view_commands = ViewCommands(self, self.workspace, selection, self.presenter, self.look)
        self.escape = Escape(
            self.central, self.source, self.counters, self.pages, self.progress, self.prediction, self.banner,
            self.workspace, self.presentation, player, selection, self.caption, self.library, self.cancel,
        )  # fmt: skip
        search = SearchCommands(
            session, selection, self.lessons, self.pages, lambda: self.actions_, lambda: self.recent_files,
            self.view_commands.glossary, self, self.central, self.look,
        )  # fmt: skip
        programs = ProgramCommands(
            session, self.pages, self.files, messages, self.dialogs, self.source.go_to, self.look
        )
        groups = (
            search, self.files, self.layouts, self.view_commands,
            RunCommands(session, selection, player, self.prediction, self.launch_bar, self.back_forward, messages,
                        self.dialogs, self.page_export.keep, programs.open_launch),
            EditCommands(self.source, selection, self.banner, messages),
            programs,
            CounterCommands(session, selection, self.pages, self.counters, messages, self.dialogs),
            ComparisonCommands(session, self.pages, messages),
            SideBySideCommands(session, selection, player, self.presenter, self.pages, messages, search.offer),
        )  # fmt: skip
        handlers: dict[str, Callable[[], object]] = {}
        for group in groups:
            handlers |= group.handlers()
        handlers |= self._handlers()
        for id_ in ("reset_layout", "close_lesson"):
            handlers[id_] = self.back_forward.leaving("", handlers[id_])
        self.actions_ = Actions(self, handlers)
        self.applicable = ApplicableEntries(self.actions_, session, self.lessons, programs, self)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """Return the actions on the window itself, and those that give the keyboard to one of its parts."""
        lessons = self.lessons
        return {
            "quit": self.close, "cancel": self.cancel, "library": self.window_layout.toggle_library,
            "presentation": self.presentation.toggle, "go_to_step": self.transport_focus,
            "next_page": lambda: lessons.turn(True), "previous_page": lambda: lessons.turn(False),
            "contents": lessons.panel.open_contents, "open_lesson": lessons.open_file, "close_lesson": lessons.close,
        }  # fmt: skip

    # ---- composition

    def _compose(self) -> None:
        central = self.central
        central.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        central.setAccessibleName("Run: arrows step through it, F1 lists all keys")
        self.window_layout.compose(self.banner, self.outdated, self.transport, self.history, self.caption)
        self.setCentralWidget(central)
        self.setMinimumSize(800, 470)

    def _connect(self) -> None:
        session, runner, player = self.session, self.runner, self.player
        session.failed.connect(self.messages.problems)
        session.variant_changed.connect(self._on_variant)
        session.setup_changed.connect(lambda _: self.sync())
        session.edited_changed.connect(self.source.set_edited)
        session.edited_changed.connect(self.setWindowModified)
        session.outdated_changed.connect(self.outdated.show_words)
        self.pages.said.connect(self.caption.show_of_page)
        self.pages.currentChanged.connect(lambda _: self.outdated.set_relevant(not self.pages.shows_no_step))
        session.leaving.connect(self.source.announce_edit)
        session.checked.connect(self.source.show_problems)
        runner.busy_changed.connect(self.progress.set_busy)
        runner.progressed.connect(self.progress.report)
        self.progress.cancel_wanted.connect(self.cancel)
        self.progress.covers.connect(self.caption.leave_room)
        self.launch_bar.run_wanted.connect(self.actions_["compile"].trigger)
        self.launch_bar.code_wanted.connect(self.actions_["by_nvidia"].trigger)
        session.arguments_wanted.connect(self.launch_bar.confirm_arguments)
        self.launch_bar.wrong.connect(lambda _: self.caption.end_notice())
        self.launch_bar.wrong.connect(self.messages.problems)
        self.launch_bar.doubtful.connect(self.caption.notice)
        self.source.text_edited.connect(self._on_edit)
        self.source.editing_changed.connect(lambda _: self.sync())
        self.source.edit_refused.connect(self.messages.notice)
        self.source.edit_refused.connect(lambda _: self.sync())
        self.source.find_bar.closed.connect(lambda: None if self.source.editing else self.central.setFocus())
        self.banner.place_wanted.connect(lambda line, column: self.source.go_to(line, column, edit=True))
        self.banner.place_shown.connect(self.source.go_to)
        self.prediction.changed.connect(self.sync)
        for steps in (self.history, self.transport):
            steps.step_wanted.connect(lambda _: self.back_forward.leave("step"))
            steps.step_wanted.connect(player.go)
        player.notice.connect(self.messages.notice)
        player.mode_changed.connect(self.sync)
        for table in (self.comparison, self.profiler):
            table.export_wanted.connect(self.files.export_counters)
        for view in self.views:
            view.zoom_requested.connect(self.view_commands.zoom)
            view.action_requested.connect(lambda id_: self.actions_[id_].trigger())
            view.export_requested.connect(self.files.export_view)
            view.hide_requested.connect(self.layouts.hide)
        QShortcut(QKeySequence("Esc"), self, self.escape.leave)
        self._typing = TypingGuard(self)
        self.look.changed.connect(self.sync)
        self.layouts.changed.connect(lambda: self.layouts.sync(self.actions_))
        self.workspace.rearranged.connect(self._on_rearranged)
        self.lessons.finished_reading.connect(self.central.setFocus)
        self.presentation.changed.connect(
            lambda on: self.window_layout.show_presented(on, self.menuBar(), self.caption)
        )
        self.window_layout.changed.connect(self.sync)
        for changed in (session.setup_changed, self.selection.changed, self.workspace.rearranged):
            changed.connect(lambda *_: self.last_session.touch())

    # ---- runs and steps

    def start(self, opening: Callable[[], object] | None = None) -> None:
        """Simulate what ``opening`` opens, else the kernel of the last session, or the first one; the window is usable
        meanwhile."""
        self.central.setFocus()
        saved = self.last_session.load()
        self.last_session.follow(self.files.saved)
        known = saved is not None and self.session.catalogue.device(saved.setup.device) is not None
        if opening is not None:
            opening()
        elif saved is not None and known:
            self.files.restore(replace(saved, setup=self.session.drafts.latest(saved.setup)))
        else:
            self.session.start()

    def _on_variant(self, variant: Variant) -> None:
        setup = self.session.setup
        self.banner.close_banner()  # it was about another text
        self.source.set_editing(False)
        self.source.set_locked(read_only_reason(setup.file_name))
        self.source.set_text(setup.text, setup.file_name)
        self.source.set_edited(setup.edited)
        family = self.session.family()
        self.setWindowTitle(f"{f'{family.title}: ' if family is not None else ''}{variant.title}[*] — warpview")
        self.setWindowModified(setup.edited)
        self.selection.update(breakpoints=frozenset(), bookmarks=(), line=None)

    def _on_edit(self, text: str) -> None:
        self.session.set_text(text)
        if self.source.editing:
            self.session.check()
        if self.session.run is not None and self.session.current and self.banner.shows_error:
            self.messages.problems(findings_of(self.session.run))  # the error was of a text that is gone

    # ---- keys of the window itself

    def transport_focus(self) -> None:
        """Give the keyboard to the field of the step."""
        self.transport.step.setFocus()
        self.transport.step.selectAll()

    def cancel(self) -> None:
        """Stop an export or the run under way."""
        if self.files.cancel() or not self.runner.busy:
            return
        self.session.cancel()
        shown = "the run shown is the last one that finished" if self.session.run else "F5 starts again"
        self.messages.notice(f"Cancelled; {shown}.")

    # ---- what is shown

    def _on_rearranged(self) -> None:
        self.layouts.sync(self.actions_)
        self.presenter.present()

    def sync(self) -> None:
        """Set the check marks of the actions."""
        theme = self.look.theme.name
        checks = {
            "predict": self.prediction.hidden, "presentation": self.presentation.on, "edit": self.source.editing,
            "library": self.library.isVisible(), "motion": self.look.motion, "everything": self.workspace.everything,
            **{f"follow_{what}": self.player.mode == what for what in FOLLOWED},
            "theme_light": theme == "light", "theme_dark": theme == "dark", "theme_contrast": theme == "high contrast",
            **{name: getattr(self.session.setup, name) for name in SWITCHES},
        }  # fmt: skip
        for name, on in checks.items():
            self.actions_[name].setChecked(on)
        self.actions_["revert"].setEnabled(self.session.setup.edited)
        self.layouts.sync(self.actions_)

    def _restyle(self) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_style(app, self.look)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.presentation.resized()
        self.window_layout.arrange_soon()
        self.progress.place()

    def _keep_state(self) -> None:
        """Write down the look and the layout, at each change of them: the window may be killed."""
        self.state.set("library", self.window_layout.library_wanted)
        if self.library.isVisible():
            self.state.set("library_width", self.library.width())
        self.state.keep(self, self.presentation.usual_scale, self.presentation.on)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        self.staged.finish()
        self.source.announce_edit()
        self.player.pause()
        self.step_export.close()
        self._keep_state()
        self.state.write()
        self.last_session.write()
        self.presentation.end()
        self.session.close()
        self.accesses.close()
        for timer in self.findChildren(QTimer):
            timer.stop()
        super().closeEvent(event)
