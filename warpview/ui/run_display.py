"""Show a run and its steps in all the parts of the window that follow them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from warpview.diagnostics import Diagnostic
from warpview.ui.arranging.pages import Pages
from warpview.ui.arranging.workspace import Workspace
from warpview.ui.commands.prediction import Prediction
from warpview.ui.moving import navigation
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.elements import same_in
from warpview.ui.moving.frame_prefetcher import FramePrefetcher
from warpview.ui.moving.parties import finding_shown, step_of
from warpview.ui.moving.player import Player
from warpview.ui.moving.presenter import Presenter
from warpview.ui.moving.selection import Selection, Snapshot
from warpview.ui.panels.banner import Banner
from warpview.ui.panels.caption import Caption
from warpview.ui.panels.history_bar import HistoryBar
from warpview.ui.panels.messages import Messages
from warpview.ui.panels.transport import Transport
from warpview.ui.session.back_forward import BackForward
from warpview.ui.session.landing import Arrival
from warpview.ui.session.memory_usage import MemoryUsage
from warpview.ui.session.problems import findings_of, problem_of
from warpview.ui.session.session import Session
from warpview.ui.teaching.lesson_reader import LessonReader
from warpview.ui.views.context import FrameContext
from warpview.ui.views.source.source import SourceView


class RunDisplay(QObject):
    """Hand each run of the session to the views, the player and the history, and each step to the caption."""

    def __init__(
        self, session: Session, selection: Selection, player: Player, presenter: Presenter, accesses: AccessIndex,
        prefetcher: FramePrefetcher, workspace: Workspace, pages: Pages, source: SourceView, history: HistoryBar,
        transport: Transport, caption: Caption, banner: Banner, messages: Messages, prediction: Prediction,
        back_forward: BackForward, lessons: LessonReader, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._selection, self._player = session, selection, player
        self._presenter, self._accesses, self._prefetcher = presenter, accesses, prefetcher
        self._workspace, self._pages, self._source = workspace, pages, source
        self._history, self._transport, self._caption, self._banner = history, transport, caption, banner
        self._messages, self._prediction = messages, prediction
        self._back_forward, self._lessons = back_forward, lessons
        session.run_changed.connect(self._on_run)
        presenter.staging.connect(workspace.show_concerns)
        presenter.shown.connect(self._on_shown)
        prefetcher.idle.connect(lambda: transport.show_memory(self.memory_usage()))
        player.mode_changed.connect(self._show_followed)
        selection.changed.connect(self._on_selection)
        messages.problems_shown.connect(self._on_problems)

    def memory_usage(self) -> MemoryUsage:
        """Return what the session holds in memory."""
        assert self._presenter.run is not None
        others = self._session.kept.nbytes + self._back_forward.nbytes + self._pages.memory_bytes
        return MemoryUsage.of(self._presenter.run, self._accesses.memory_bytes, others)

    def _on_run(self, arrival: Arrival) -> None:
        run, now = arrival.run, self._selection.now
        move = self._move(arrival)
        for part in (self._accesses, self._player, self._history, self._transport):
            part.set_run(run)
        self._banner.close_banner()
        if not self._pages.beside:
            self._pages.show_views()
        if self._source.editing and self._session.current:  # keys step through what came of the edit
            self._source.set_editing(False)
            self._pages.take_focus()
        kept = now.lane if self._player.mode == "lane" else None
        self._selection.update(**{"lane": kept, "element": same_in(run, now.element), "part": None, **move})
        for shown in (self._workspace, self._presenter, self._prefetcher):
            shown.set_run(run)
        self._messages.problems(findings_of(run))
        memory = self.memory_usage()
        self._transport.show_memory(memory)
        words = arrival.landing.notice or memory.notice
        if words:
            self._messages.notice(words)
        if arrival.recorded:
            self._player.toggle()  # so that something moves: there is no run yet that one could have stepped
        else:
            self._lessons.land(arrival)
            for jump in arrival.landing.jumps:
                jump()

    def _move(self, arrival: Arrival) -> navigation.Move:
        """Return the place at which a run is shown: where it was asked for, or that of the run before in the family."""
        run, now, place = arrival.run, self._selection.now, arrival.landing.place
        made = None if arrival.landing.finding is None else step_of(run, arrival.landing.finding)
        if made is not None:
            return navigation.land(run, made, now)
        if arrival.recorded_before and arrival.setup == arrival.before_setup:
            return {"step": min(now.step, run.trace.steps)}
        if place is not None:
            return {**vars(place), "step": min(place.step, run.trace.steps)}
        kept = {} if arrival.is_same_launch else {"bookmarks": ()}  # they name steps of another launch
        return {**self._same_place(arrival), **kept}

    def _same_place(self, arrival: Arrival) -> navigation.Move:
        """Return the place of the run before, as far as the new one has it."""
        run, now = arrival.run, self._selection.now
        before = (
            self._session.catalogue.find(arrival.before_setup.variant) if arrival.before_setup is not None else None
        )
        if arrival.before is not None and before is not None and before.is_akin_to(self._session.variant):
            return navigation.same_place(arrival.before, now, run)
        return navigation.land(run, 0, now)

    def _on_shown(self, context: FrameContext) -> None:
        step = context.frame.step
        self._caption.show_frame(context, self._prediction.words(context) if context.predicting else "")
        self._show_followed()
        self._history.show_step(step)
        self._history.set_hidden(context.predicting)
        self._history.show_bookmarks(context.selection.bookmarks)
        if not context.predicting and (finding := finding_shown(context)) is not None:
            self._banner.select(problem_of(finding))
        self._transport.show_step(step)

    def _show_followed(self) -> None:
        player = self._player
        self._caption.show_followed(player.progress)
        self._history.show_accesses(player.followed, player.steps() if player.mode == "element" else None)

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        if old.step != new.step and self._pages.shows_no_step:
            self._pages.show_views()

    def _on_problems(self, problems: Sequence[Diagnostic]) -> None:
        if not self._pages.beside or any(problem.severity == "error" for problem in problems):
            self._pages.show_views()
        self._source.show_problems(problems)
