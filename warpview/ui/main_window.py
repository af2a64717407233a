"""The window: makes its parts, hands each the services that it needs, and connects them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QMenu, QSplitter, QVBoxLayout, QWidget

from warpview.diagnostics import Diagnostic
from warpview.ui.arranging.layouts import LayoutCommands
from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.presentation import Presentation
from warpview.ui.arranging.staged_update import StagedUpdate
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands import search_entries
from warpview.ui.commands.actions import Actions
from warpview.ui.commands.comparison_commands import ComparisonCommands
from warpview.ui.commands.counter_commands import CounterCommands
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.commands.edit_commands import EditCommands
from warpview.ui.commands.files import FileCommands
from warpview.ui.commands.palette import Palette
from warpview.ui.commands.prediction import Prediction
from warpview.ui.commands.recent_files import RecentFiles
from warpview.ui.commands.run_commands import RunCommands
from warpview.ui.commands.search_model import Entry
from warpview.ui.commands.typing_guard import TypingGuard
from warpview.ui.commands.view_commands import ViewCommands
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.export.page_export import PageExport
from warpview.ui.export.step_export import StepExport
from warpview.ui.moving import navigation
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.elements import same_in
from warpview.ui.moving.frame_prefetcher import FramePrefetcher
from warpview.ui.moving.player import FOLLOWED, Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection, Snapshot
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
from warpview.ui.session.back_forward import BackForward
from warpview.ui.session.backend import Backend, Setup, Variant
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.landing import Arrival
from warpview.ui.session.last_session import LastSession
from warpview.ui.session.memory_usage import MemoryUsage
from warpview.ui.session.runner import Runner
from warpview.ui.session.session import Session, findings_of
from warpview.ui.session.window_state import WindowState
from warpview.ui.teaching.lesson_reader import LessonReader
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext
from warpview.ui.views.counters import CountersView
from warpview.ui.views.source import SourceView
from warpview.ui.views.view import View

V = TypeVar("V", bound=View)
WIDE_FROM = 1440  # pixels at normal type
SMALL_BELOW = (1180, 640)
LESSON_STRIP = 90  # height of a lesson's strip, about, at normal type
LIBRARY_WIDTH = 240  # pixels at normal type
SWITCHES = ("if_converted", "bypass_l1", "wide_banks")  # yes-or-no fields of the setup that are actions


class MainWindow(QMainWindow):
    """Kernel and launch above, views in the middle, history and caption below."""

    def __init__(
        self, backend: Backend, drafts: Drafts, look: Look, settings: QSettings, last_session: Path | None = None
    ) -> None:  # fmt: skip
        super().__init__()
        self.setWindowTitle("warpview")
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
        self.counters.kept = self.session.kept
        self.presenter = Presenter(self.selection, self.views, self.accesses, self)
        self.prefetcher = FramePrefetcher(self.presenter, self.player, self)
        self.library_wanted = False
        self._make_panels()
        self._make_commands()
        self.transport = Transport(look, self.actions_, self.player)
        self.actions_.fill(self.menuBar())
        self.lessons.fill(self.actions_.menus["Lessons"])
        recent = QMenu("Recent files", self)
        self.actions_.menus["File"].insertMenu(self.actions_["save"], recent)
        self.recent_files = RecentFiles(recent, settings, self.files.open_path)
        self.files.opened.connect(self.recent_files.add)
        self._compose()
        self._connect()
        self.state = WindowState(settings, look, self.workspace, self.layouts, self.counters)
        self.state.restore(self)
        self.library_wanted = self.state.flag("library", False)
        self._split.setSizes([round(self.state.number("library_width", look.px(LIBRARY_WIDTH))), 4000])
        self.sync()
        self._on_variant(self.session.variant)

    # ---- parts

    def _view(self, kind: type[V]) -> V:
        return next(view for view in self.views if isinstance(view, kind))

    def _make_panels(self) -> None:
        self.central = QWidget()
        self.staged = StagedUpdate(self.central)
        self.launch_bar = LaunchBar(self.session, self.look)
        self.library = LibraryPanel(self.session, self.look)
        self.banner, self.caption = Banner(), Caption(self.look)
        self.history = HistoryBar(self.look)
        self.outdated = OutdatedStrip()
        self.pages = Pages(self.workspace, ComparisonPage(self.look), ProfilerPage(self.look), self.central)
        self.comparison, self.profiler = self.pages.comparison, self.pages.profiler
        self.progress = Progress(self, self.caption)  # outside the central widget, which is exported as a picture
        self.dialogs = Dialogs(self)
        self.messages = Messages(self.caption, self.banner, self.presenter.catch_up, self)
        self.prediction = Prediction(self.presenter, self.messages, self)
        self.presentation = Presentation(self, self.look, self.staged, self.arrange)

    def _make_commands(self) -> None:
        session, selection, player, messages = self.session, self.selection, self.player, self.messages
        self.lessons = LessonReader(
            session, selection, player, self.presenter, self.workspace, self.prediction,
            LessonPanel(self.look, self), messages, self.dialogs,
        )  # fmt: skip
        self.lessons.panel.hide()
        self.back_forward = BackForward(session, selection, player, self.workspace, self.lessons, messages)
        self.page_export = PageExport(session, selection, self.pages, messages)
        self.step_export = StepExport(
            session, selection, player, self.presenter, self.pages, self.central, self.staged.finish, self.progress,
            messages, self.dialogs,
        )  # fmt: skip
        self.files = FileCommands(
            session, selection, self.pages, self.page_export, self.step_export, messages, self.dialogs
        )  # fmt: skip
        self.layouts = LayoutCommands(self.workspace, messages, self.dialogs)
        self.view_commands = ViewCommands(self, self.workspace, self.presenter, self.look, messages)
        groups = (
            self.files, self.layouts, self.view_commands,
            RunCommands(session, selection, player, self.prediction, self.launch_bar, self.back_forward, messages,
                        self.dialogs),
            EditCommands(self.source, selection, self.banner, messages),
            CounterCommands(session, selection, self.pages, self.counters, messages, self.dialogs),
            ComparisonCommands(session, self.pages, messages),
        )  # fmt: skip
        handlers: dict[str, Callable[[], object]] = {}
        for group in groups:
            handlers |= group.handlers()
        handlers |= self._handlers()
        for id_ in ("reset_layout", "close_lesson"):
            handlers[id_] = self.back_forward.leaving("", handlers[id_])
        self.actions_ = Actions(self, handlers)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """Return the actions on the window itself, and those that give the keyboard to one of its parts."""
        lessons = self.lessons
        return {
            "quit": self.close, "cancel": self.cancel, "library": self.toggle_library,
            "presentation": self.presentation.toggle, "go_to_step": self.transport_focus,
            "choose_kernel": self.choose_kernel, "choose_device": self.choose_device, "palette": self.search,
            "next_page": lambda: lessons.turn(True), "previous_page": lambda: lessons.turn(False),
            "contents": lessons.panel.open_contents, "open_lesson": lessons.open_file, "close_lesson": lessons.close,
        }  # fmt: skip

    # ---- composition

    def _compose(self) -> None:
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(6)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.library)
        self._split.addWidget(self.pages)
        self._split.setStretchFactor(1, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(10)
        bottom.addWidget(self.transport)
        bottom.addWidget(self.history, 1)
        bottom.addWidget(self.transport.step_field())
        central = self.central
        central.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        central.setAccessibleName("Run: arrows step through it, F1 lists all keys")
        self._column = column = QVBoxLayout(central)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.launch_bar)
        column.addWidget(self.banner)
        column.addWidget(self.outdated)
        column.addWidget(self._split, 1)
        column.addLayout(bottom)
        column.addWidget(self.caption)
        self.setCentralWidget(central)
        self.setMinimumSize(960, 540)

    def _connect(self) -> None:
        session, runner, player = self.session, self.runner, self.player
        session.run_changed.connect(self._on_run)
        session.failed.connect(self.messages.problems)
        session.variant_changed.connect(self._on_variant)
        session.setup_changed.connect(self._on_setup)
        session.edited_changed.connect(self.source.set_edited)
        session.outdated_changed.connect(self.outdated.show_words)
        session.leaving.connect(self.source.announce_edit)
        session.checked.connect(self.source.show_problems)
        runner.busy_changed.connect(self.progress.set_busy)
        runner.progressed.connect(self.progress.report)
        self.progress.cancel_wanted.connect(self.cancel)
        self.launch_bar.run_wanted.connect(self.actions_["compile"].trigger)
        self.launch_bar.wrong.connect(self.messages.problems)
        self.launch_bar.doubtful.connect(self.caption.notice)
        self.messages.problems_shown.connect(self._on_problems)
        self.source.text_edited.connect(self._on_edit)
        self.source.editing_changed.connect(lambda _: self.sync())
        self.source.find_bar.closed.connect(lambda: None if self.source.editing else self.central.setFocus())
        self.banner.place_wanted.connect(lambda line, column: self.source.go_to(line, column, edit=True))
        self.banner.place_shown.connect(self.source.go_to)
        self.presenter.shown.connect(self._on_shown)
        self.prefetcher.idle.connect(lambda: self.transport.show_memory(self.memory_usage()))
        self.prediction.changed.connect(self.sync)
        for steps in (self.history, self.transport):
            steps.step_wanted.connect(lambda _: self.back_forward.leave("step"))
            steps.step_wanted.connect(player.go)
        player.notice.connect(self.messages.notice)
        player.mode_changed.connect(self._on_mode)
        self.comparison.export_wanted.connect(self.files.export_counters)
        self.selection.changed.connect(self._on_selection)
        for view in self.views:
            view.zoom_requested.connect(self.view_commands.zoom)
            view.export_requested.connect(self.files.export_view)
            view.hide_requested.connect(self.layouts.hide)
        QShortcut(QKeySequence("Esc"), self, self.escape)
        self._typing = TypingGuard(self)
        self.look.changed.connect(self.sync)
        self.look.changed.connect(self._arrange_soon)
        self.layouts.changed.connect(lambda: self.layouts.sync(self.actions_))
        self.workspace.zoom_changed.connect(self.arrange)
        self.workspace.rearranged.connect(self._on_rearranged)
        self.workspace.everything_changed.connect(self.arrange)
        self.lessons.room_wanted.connect(self.arrange)
        self.lessons.finished_reading.connect(self.central.setFocus)
        self.presentation.changed.connect(self._on_presentation)
        for changed in (session.setup_changed, self.selection.changed, self.workspace.rearranged):
            changed.connect(lambda *_: self.last_session.touch())

    # ---- runs and steps

    def start(self) -> None:
        """Simulate the kernel of the last session, or the opening one; the window is usable meanwhile."""
        self.central.setFocus()
        saved = self.last_session.load()
        self.last_session.follow(self.files.saved)
        known = saved is not None and any(device.key == saved.setup.device for device in self.session.devices)
        if saved is not None and known:
            self.files.restore(saved)
        else:
            self.session.start()

    def _on_run(self, arrival: Arrival) -> None:
        run, now = arrival.run, self.selection.now
        move = self._move(arrival)
        self.accesses.set_run(run)
        self.player.set_run(run)
        self.history.set_run(run)
        self.transport.set_run(run)
        self.banner.close_banner()
        self.pages.show_views()
        kept = now.lane if self.player.mode == "lane" else None
        self.selection.update(**{"lane": kept, "element": same_in(run, now.element), "part": None, **move})
        self.workspace.set_run(run)
        self.presenter.set_run(run)
        self.prefetcher.set_run(run)
        self.messages.problems(findings_of(run))
        memory = self.memory_usage()
        self.transport.show_memory(memory)
        words = arrival.landing.notice or memory.notice
        if words:
            self.messages.notice(words)
        self.lessons.land(arrival)

    def _move(self, arrival: Arrival) -> navigation.Move:
        """Return the place at which a run is shown: where it was asked for, or that of the run before in the family."""
        run, now, place = arrival.run, self.selection.now, arrival.landing.place
        if place is not None:
            return {**vars(place), "step": min(place.step, run.trace.steps)}
        before = self.session.find(arrival.before_setup.variant) if arrival.before_setup is not None else None
        if arrival.before is not None and before is not None and before.family == self.session.variant.family:
            return navigation.same_place(arrival.before, now, run)
        return navigation.land(run, 0, now)

    def _on_shown(self, context: FrameContext) -> None:
        step = context.frame.step
        self.caption.show_frame(context, self.prediction.words(context) if context.predicting else "")
        self.caption.show_followed(self.player.progress)
        self._show_accesses()
        self.history.show_step(step)
        self.history.set_hidden(context.predicting)
        self.history.show_bookmarks(context.selection.bookmarks)
        self.transport.show_step(step)
        self.workspace.show_concerns(context)

    def memory_usage(self) -> MemoryUsage:
        """Return what the session holds in memory."""
        assert self.presenter.run is not None
        others = self.session.kept.nbytes + self.back_forward.nbytes
        return MemoryUsage.of(self.presenter.run, self.accesses.memory_bytes, others)

    def _show_accesses(self) -> None:
        steps = self.player.steps() if self.player.mode == "element" else None
        self.history.show_touches(self.player.followed, steps)

    def _on_mode(self) -> None:
        self.caption.show_followed(self.player.progress)
        self._show_accesses()
        self.sync()

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        if old.step != new.step and self.pages.aside:
            self.pages.show_views()

    def _on_variant(self, variant: Variant) -> None:
        setup = self.session.setup
        self.banner.close_banner()  # it was about another text
        self.source.set_editing(False)
        self.source.set_text(setup.text, setup.file_name)
        self.source.set_edited(setup.edited)
        self.selection.update(breakpoints=frozenset(), bookmarks=(), line=None)

    def _on_edit(self, text: str) -> None:
        self.session.set_text(text)
        if self.source.editing:
            self.session.check()

    def _on_setup(self, setup: Setup) -> None:
        for name in SWITCHES:
            self.actions_[name].setChecked(getattr(setup, name))
        self.actions_["revert"].setEnabled(setup.edited)

    def _on_problems(self, problems: Sequence[Diagnostic]) -> None:
        self.pages.show_views()
        self.source.show_problems(problems)

    # ---- keys of the window itself

    def transport_focus(self) -> None:
        """Give the keyboard to the field of the step."""
        self.transport.step.setFocus()
        self.transport.step.selectAll()

    def search(self) -> None:
        """Open the search over everything that can be chosen."""
        session, selection = self.session, self.selection
        self._offer(
            "Search kernels, devices, actions, lessons, lines, arrays",
            search_entries.kernels(session), search_entries.devices(session), search_entries.actions(self.actions_),
            search_entries.lessons(self.lessons), search_entries.lines(session, selection),
            search_entries.arrays(session, selection),
        )  # fmt: skip

    def choose_kernel(self) -> None:
        """Open the search over the kernels."""
        self._offer("Kernel: part of a name, or of what it teaches", search_entries.kernels(self.session))

    def choose_device(self) -> None:
        """Open the search over the devices."""
        self._offer("Device: part of a name, compute capability or year", search_entries.devices(self.session))

    def _offer(self, hint: str, *sources: Iterable[Entry]) -> None:
        Palette(chain.from_iterable(sources), hint, self.look, self).open_over(self.central)

    def toggle_library(self) -> None:
        """Show or hide the library."""
        self.library_wanted = not self.library.isVisible()
        self.library.setVisible(self.library_wanted)
        self._place_lesson()
        self.sync()

    def cancel(self) -> None:
        """Stop an export or the run under way."""
        if self.files.cancel() or not self.runner.busy:
            return
        self.session.cancel()
        shown = "the run shown is the last one that finished" if self.session.run else "F5 starts again"
        self.messages.notice(f"Cancelled; {shown}.")

    def escape(self) -> None:
        """Leave whatever has been entered, one thing at a time."""
        self.caption.show_hint()
        for field, after in ((self.comparison.filter, self.comparison), (self.counters.filter, self.central)):
            if field.hasFocus():
                after.setFocus()
                return
        if self.source.find_bar.isVisible():
            self.source.find_bar.close_bar()
            if self.source.editing:
                return
        elif self.progress.isVisible():
            self.cancel()
        elif self.source.editing:
            self.source.set_editing(False)
        elif self.prediction.forget():
            pass
        elif self.pages.aside:
            self.pages.show_views()
        elif self.banner.isVisible():
            self.banner.close_banner()
        elif self.workspace.zoomed is not None:
            self.workspace.zoom(None)
        elif self.presentation.on:
            self.presentation.set_on(False)
        elif self.player.following:
            self.player.let_go()
        else:
            self.selection.update(line=None, lane=None, pc=None, element=None, part=None)
        self.central.setFocus()

    # ---- arrangements

    def _on_presentation(self, on: bool) -> None:
        self.menuBar().setVisible(not on)
        self.launch_bar.setVisible(not on)
        self.caption.set_hints(not on)
        self.sync()

    def _arrange_soon(self) -> None:
        """Arrange after another size or look: in a turn of its own, except before the window is seen."""
        if not self.workspace.arrangement:
            self.arrange()
        elif not self.staged.under_way:  # else it is arranged at its end
            self.staged.take(self.arrange)

    def arrange(self) -> None:
        """Show the arrangement for the width there is."""
        wide = self.width() >= WIDE_FROM * self.look.scale
        room = wide and not self.presentation.on and self.workspace.zoomed is None
        everything = self.workspace.everything
        self.library.setVisible(room and self.library_wanted)
        self._place_lesson()
        strip = LESSON_STRIP if self._lesson_is_strip else 0
        narrow, low = (size * self.look.scale for size in SMALL_BELOW)
        small = self.width() < narrow or self.height() < low
        self.launch_bar.set_small(small)
        cramped = small or self.height() - strip * self.look.scale < low
        usual = "wide" if wide else "small" if cramped else "narrow"
        anew = self.workspace.arrange("presentation" if self.presentation.on else usual if everything else "follow")
        self.sync()
        # Otherwise a view that has another size draws itself.
        if anew and self.presenter.context is not None:
            self.presenter.present()
            self.lessons.raise_view()

    @property
    def _lesson_is_strip(self) -> bool:
        """Whether the lesson is a strip above the history: while the library is hidden."""
        return self.lessons.lesson is not None and self.library.isHidden()

    def _place_lesson(self) -> None:
        """Put the lesson where there is room: below the library, or as a strip above the history."""
        panel, strip = self.lessons.panel, self._lesson_is_strip
        if self.lessons.lesson is None:
            self.library.set_lower(None)
            return
        panel.set_strip(strip)
        self.library.set_lower(None if strip else panel)
        if strip and self._column.indexOf(panel) < 0:
            self._column.insertWidget(self._column.indexOf(self._split) + 1, panel)
        panel.setVisible(not self.lessons.makes_way)

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
        self._arrange_soon()
        self.progress.place()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        self.staged.finish()
        self.source.announce_edit()
        self.player.pause()
        self.step_export.close()
        self.state.set("library", self.library_wanted)
        if self.library.isVisible():
            self.state.set("library_width", self.library.width())
        self.state.keep(self, self.presentation.usual_scale, self.presentation.on)
        self.last_session.write()
        self.presentation.end()
        self.session.close()
        self.accesses.close()
        for timer in self.findChildren(QTimer):
            timer.stop()
        super().closeEvent(event)
