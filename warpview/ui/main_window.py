"""The window: its parts put together and told of one another, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from warpview.diagnostics import Diagnostic
from warpview.ui.arranging.stage import Stage
from warpview.ui.arranging.turns import Turns
from warpview.ui.commands.actions import Actions
from warpview.ui.commands.commands import Commands
from warpview.ui.commands.typing_guard import TypingGuard
from warpview.ui.drawing.style import apply_style
from warpview.ui.drawing.theme import Look
from warpview.ui.moving import navigation
from warpview.ui.moving.ahead import Ahead
from warpview.ui.moving.elements import same_in
from warpview.ui.moving.player import FOLLOWED, Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.moving.touch_index import TouchIndex
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.comparison import ComparisonPage
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.panels.launch_bar import LaunchBar
from warpview.ui.panels.library_panel import LibraryPanel
from warpview.ui.panels.profiler_page import ProfilerPage
from warpview.ui.panels.progress import Progress
from warpview.ui.panels.transport import Transport
from warpview.ui.session import remembered
from warpview.ui.session.backend import Backend, Setup, Variant
from warpview.ui.session.budget import Held
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.places import Places
from warpview.ui.session.runner import Runner
from warpview.ui.session.session import Session, findings_of
from warpview.ui.teaching.lesson_reader import LessonReader
from warpview.ui.view_list import VIEWS
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters import CountersView
from warpview.ui.views.occupancy import OccupancyView
from warpview.ui.views.source import SourceView

WIDE_FROM = 1440  # pixels at normal type
SMALL_BELOW = (1180, 640)
LESSON_STRIP = 90  # height of a lesson's strip, about, at normal type
PRESENTING_SCALE, PRESENTING_SIZE = 1.25, (1280, 720)  # type is so much larger on a screen of this size
LARGEST_SCALE = 2.2
SWITCHES = ("if_converted", "bypass_l1", "wide_banks")  # yes-or-no fields of the setup that are actions


class MainWindow(QMainWindow):
    """Kernel and launch above, views in the middle, history and caption below."""

    def __init__(self, backend: Backend, drafts: Drafts, look: Look, settings: QSettings) -> None:
        super().__init__()
        self.setWindowTitle("warpview")
        self.look, self._settings = look, settings
        # First, so that the views measure their text in the new type.
        look.changed.connect(self._dress)
        self.selection = Selection(self)
        self.runner = Runner(self)
        self.session = Session(backend, self.runner, drafts, self)
        self.touches = TouchIndex(self)
        self.player = Player(self.selection, self.touches, self)
        self.views = [view(self.selection, look) for view in VIEWS]
        by_key = {view.key: view for view in self.views}
        source, counters, occupancy = (by_key[v.key] for v in (SourceView, CountersView, OccupancyView))
        assert isinstance(source, SourceView)
        assert isinstance(counters, CountersView)
        assert isinstance(occupancy, OccupancyView)
        self.source, self.counters, self.occupancy = source, counters, occupancy
        counters.kept = self.session.kept
        self.presenter = Presenter(self.selection, self.views, self.touches, self)
        self.ahead = Ahead(self.presenter, self.player, self)
        self.stage = Stage(self.views)
        self.presenting, self.library_wanted = False, True
        self._scale_before, self._magnified, self._was_maximized = look.scale, 1.0, False
        self.launch_bar = LaunchBar(self.session, look)
        self.library = LibraryPanel(self.session, look)
        self.banner, self.caption = Banner(), Caption(look)
        self.history = HistoryBar(look)
        self.comparison, self.profiler = ComparisonPage(look), ProfilerPage(look)
        self.lessons = LessonReader(self)
        self.places = Places(self)
        self.commands = Commands(self)
        self.actions_ = Actions(self, self.commands.handlers())
        self.transport = Transport(look, self.actions_, self.player)
        self.actions_.fill(self.menuBar())
        self._compose()
        self.progress = Progress(self, self.caption)  # not of the central part, which is exported as a picture
        self._connect()
        remembered.restore(self, settings)
        self.sync()
        self.source.set_text(self.session.setup.text, self.session.setup.file_name)
        self.source.set_edited(self.session.setup.edited)

    # ---- composition

    def _compose(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.stage)
        self._pages.addWidget(self.comparison)
        self._pages.addWidget(self.profiler)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(6)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.library)
        self._split.addWidget(self._pages)
        self._split.setStretchFactor(1, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(10)
        bottom.addWidget(self.transport)
        bottom.addWidget(self.history, 1)
        bottom.addWidget(self.transport.step_field())
        self.central = central = QWidget()
        central.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        central.setAccessibleName("Run: arrows step through it, F1 lists all keys")
        self._column = column = QVBoxLayout(central)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.launch_bar)
        column.addWidget(self.banner)
        column.addWidget(self._split, 1)
        column.addLayout(bottom)
        column.addWidget(self.caption)
        self.turns = Turns(central)
        self.setCentralWidget(central)
        self.setMinimumSize(960, 540)

    def _connect(self) -> None:
        session, runner = self.session, self.runner
        session.run_changed.connect(self._on_run)
        session.failed.connect(self.show_problems)
        session.variant_changed.connect(self._on_variant)
        session.setup_changed.connect(self._on_setup)
        session.edited_changed.connect(self.source.set_edited)
        runner.busy_changed.connect(self.progress.set_busy)
        runner.progressed.connect(self.progress.report)
        self.progress.cancel_wanted.connect(self.commands.cancel)
        self.launch_bar.run_wanted.connect(self.commands.compile)
        self.launch_bar.wrong.connect(self.show_problems)
        self.launch_bar.doubtful.connect(self.caption.notice)
        self.source.text_edited.connect(self._on_edit)
        session.leaving.connect(self.source.announce_edit)
        session.checked.connect(self.source.show_problems)
        self.source.editing_changed.connect(lambda _: self.sync())
        self.banner.place_wanted.connect(lambda line, column: self.source.go_to(line, column, edit=True))
        self.banner.place_shown.connect(self.source.go_to)
        self.presenter.shown.connect(self._on_shown)
        self.ahead.calm.connect(lambda: self.transport.show_held(self.held()))
        for steps in (self.history, self.transport):
            steps.step_wanted.connect(lambda _: self.places.leave("step"))
            steps.step_wanted.connect(self.player.go)
        self.player.notice.connect(self.say)
        self.player.mode_changed.connect(self._on_mode)
        self.comparison.closed.connect(lambda: self.show_comparison(False))
        self.profiler.closed.connect(lambda: self.show_comparison(False))
        self.comparison.export_wanted.connect(self.commands.files.export_counters)
        self.selection.changed.connect(self._on_selection)
        for view in self.views:
            view.zoom_requested.connect(self.commands.zoom)
            view.export_requested.connect(self.commands.files.export_view)
            view.hide_requested.connect(self.commands.layouts.hide)
        QShortcut(QKeySequence("Esc"), self, self.commands.escape)
        self._typing = TypingGuard(self)
        self.look.changed.connect(self.sync)
        self.look.changed.connect(self._arrange_soon)
        self.stage.zoom_changed.connect(self.arrange)
        self.stage.rearranged.connect(self._on_rearranged)
        self.lessons.listen(self.menuBar())

    # ---- what happens

    def start(self) -> None:
        """Simulate the opening kernel; the window is usable meanwhile."""
        self.central.setFocus()
        self.session.start()

    def _on_run(self, old: RunLike | None, run: RunLike) -> None:
        now = self.selection.now
        same = old is not None and self._family_shown == self.session.variant.family
        move = navigation.same_place(old, now, run) if same and old is not None else navigation.land(run, 0, now)
        if self.landing is not None:
            move = {**vars(self.landing), "step": min(self.landing.step, run.trace.steps)}
            self.landing = None
        self._family_shown = self.session.variant.family
        self.touches.set_run(run)
        self.player.set_run(run)
        self.history.set_run(run)
        self.transport.set_run(run)
        self.banner.close_banner()
        self.show_comparison(False)
        kept = now.lane if self.player.mode == "lane" else None
        self.selection.update(**{"lane": kept, "element": same_in(run, now.element), "part": None, **move})
        self.stage.set_run(run)
        self.presenter.set_run(run)
        self.ahead.set_run(run)
        problems = findings_of(run)
        self.banner.show_problems(problems)
        self.source.show_problems(problems)
        held = self.held()
        self.transport.show_held(held)
        words = self.after_run or held.notice
        if words:
            self.say(words)
            self.after_run = ""

    after_run = ""  # what is to be said beside it
    _family_shown: str | None = None
    landing: Snapshot | None = None  # where the next run is to be shown, from a session file

    def _on_shown(self, context: FrameContext) -> None:
        step = context.frame.step
        self.caption.show_frame(context)
        self.caption.show_followed(self.player.progress)
        self._show_touches()
        self.history.show_step(step)
        self.history.set_hidden(context.predicting)
        self.history.show_bookmarks(context.selection.bookmarks)
        self.transport.show_step(step)
        self.stage.show_concerns(context)

    def held(self) -> Held:
        """What the session holds in memory."""
        assert self.presenter.run is not None
        others = self.session.kept.nbytes + self.places.nbytes
        return Held.of(self.presenter.run, self.touches.memory_bytes, others)

    def _show_touches(self) -> None:
        steps = self.player.steps() if self.player.mode == "element" else None
        self.history.show_touches(self.player.followed, steps)

    def _on_mode(self) -> None:
        self.caption.show_followed(self.player.progress)
        self._show_touches()
        self.sync()

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        if old.step != new.step and self.aside:
            self.show_comparison(False)

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

    def say(self, words: str) -> None:
        """A notice in the caption, after the frame that it is about."""
        self.presenter.catch_up()
        self.caption.notice(words)

    def say_after_run(self, words: str) -> None:
        """A notice beside the run under way, when it is there; else now."""
        if self.runner.busy:
            self.after_run = words
        else:
            self.say(words)

    def show_problems(self, problems: Sequence[Diagnostic]) -> None:
        self.show_comparison(False)
        self.banner.show_problems(problems)
        self.source.show_problems(problems)

    # ---- pages and arrangements

    @property
    def comparing(self) -> bool:
        return self._pages.currentWidget() is self.comparison

    @property
    def aside(self) -> bool:
        """Whether a page is shown in place of the views."""
        return self._pages.currentWidget() is not self.stage

    def show_profiler(self) -> None:
        self._pages.setCurrentWidget(self.profiler)

    def show_comparison(self, on: bool) -> None:
        held = self.comparison.isAncestorOf(self.focusWidget())
        self._pages.setCurrentWidget(self.comparison if on else self.stage)
        if on:
            self.comparison.setFocus()
        elif held:
            self.central.setFocus()

    def set_presenting(self, on: bool) -> None:
        """Full screen, larger type, only the views that matter."""
        if on == self.presenting:
            return
        self.presenting = on
        self.turns.finish()
        if on:
            self._scale_before, self._magnified, self._was_maximized = self.look.scale, 1.0, self.isMaximized()
            self.turns.take(self.showFullScreen, self._magnify, self.arrange)
        else:
            normal = self.showMaximized if self._was_maximized else self.showNormal
            self.turns.take(normal, partial(self.look.set_scale, self._scale_before), self.arrange)
        self.menuBar().setVisible(not on)
        self.launch_bar.setVisible(not on)
        self.sync()

    def _magnify(self) -> None:
        """In presentation, type that takes the same share of the screen whatever its resolution."""
        fits = min(self.width() / PRESENTING_SIZE[0], self.height() / PRESENTING_SIZE[1])
        wanted = max(1.0, min(LARGEST_SCALE, round(PRESENTING_SCALE * fits, 2)))
        before, self._magnified = self._magnified, wanted
        self.look.set_scale(self.look.scale * wanted / before)

    def _arrange_soon(self) -> None:
        """After another size or look: in a turn of its own, except before the window is seen."""
        if not self.stage.arrangement:
            self.arrange()
        elif not self.turns.under_way:  # else it is arranged at its end
            self.turns.take(self.arrange)

    def arrange(self) -> None:
        """The arrangement for the width there is."""
        wide = self.width() >= WIDE_FROM * self.look.scale
        room = wide and not self.presenting and self.stage.zoomed is None
        self.library.setVisible(room and self.library_wanted)
        self.lessons.place()
        strip = LESSON_STRIP if self.lessons.strip else 0
        narrow, low = (size * self.look.scale for size in SMALL_BELOW)
        small = self.width() < narrow or self.height() < low
        self.launch_bar.set_small(small)
        self.transport.set_wide(wide)
        cramped = small or self.height() - strip * self.look.scale < low
        usual = "wide" if wide else "small" if cramped else "narrow"
        anew = self.stage.arrange("presentation" if self.presenting else usual)
        self.sync()
        # Otherwise a view that has another size draws itself.
        if anew and self.presenter.context is not None:
            self.presenter.present()
            self.lessons.raise_view()

    def _on_rearranged(self) -> None:
        self.commands.layouts.sync()
        self.presenter.present()

    def put_strip(self, panel: QWidget) -> None:
        """A panel between the views and the history."""
        if self._column.indexOf(panel) < 0:
            self._column.insertWidget(self._column.indexOf(self._split) + 1, panel)

    def sync(self) -> None:
        """The check marks of the actions follow what is so."""
        checks = {
            "predict": self.presenter.predicting, "presentation": self.presenting, "edit": self.source.editing,
            "library": self.library.isVisible(), "motion": self.look.motion,
            **{f"follow_{what}": self.player.mode == what for what in FOLLOWED},
            "theme_light": self.look.theme.name == "light", "theme_dark": self.look.theme.name == "dark",
            "theme_contrast": self.look.theme.name == "high contrast",
            **{name: getattr(self.session.setup, name) for name in SWITCHES},
        }  # fmt: skip
        for name, on in checks.items():
            self.actions_[name].setChecked(on)
        self.actions_["revert"].setEnabled(self.session.setup.edited)
        self.commands.layouts.sync()

    def _dress(self) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_style(app, self.look)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if self.presenting and not self.turns.under_way:
            self.turns.take(self._magnify, self.arrange)
        self._arrange_soon()
        self.progress.place()

    # ---- remembering

    @property
    def usual_scale(self) -> float:
        """The type size as the user chose it, without what presentation adds."""
        return self._scale_before if self.presenting else self.look.scale

    def set_library_width(self, width: int) -> None:
        self._split.setSizes([width, 4000])

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        self.turns.finish()
        self.source.announce_edit()
        self.player.pause()
        remembered.keep(self, self._settings)
        if self.presenting:
            self.look.set_scale(self._scale_before)
        self.session.close()
        self.touches.close()
        for timer in self.findChildren(QTimer):
            timer.stop()
        super().closeEvent(event)
