"""What every action does, in terms of the parts of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from warpview.diagnostics import WarpviewError
from warpview.run.result import Run
from warpview.ui.arranging.layouts import LayoutCommands
from warpview.ui.commands.actions import JUMPS
from warpview.ui.commands.counter_commands import CounterCommands
from warpview.ui.commands.files import REPORTS, FileCommands, pointed_view
from warpview.ui.commands.prediction import Prediction
from warpview.ui.moving.elements import find_element
from warpview.ui.panels.keys_page import KeysPage
from warpview.ui.panels.profiler_page import ProfilerPage
from warpview.ui.session.session import diagnostics_of
from warpview.ui.views.colouring import next_colouring
from warpview.ui.views.source_typing import toggle_comment
from warpview.ui.views.timeline import TimelineView
from warpview.ui.views.view import View

if TYPE_CHECKING:
    from warpview.ui.main_window import MainWindow


# These lead away without another setup; the place before them can be gone back to.
LEAVES = ("first", "last", "run_to_line", "next_bookmark", "previous_bookmark", "reset_layout", "close_lesson")


class Commands:
    """One method an action, or a partial of one; ``handlers`` is the table."""

    def __init__(self, window: MainWindow) -> None:
        self._w = window
        self.files = FileCommands(window)
        self.prediction = Prediction(window)
        self.layouts = LayoutCommands(window)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Action id to what it does."""
        w = self._w
        player = w.player
        table: dict[str, Callable[[], object]] = {
            "next": partial(player.step, True), "previous": partial(player.step, False),
            "next_any": partial(player.step_any, True), "previous_any": partial(player.step_any, False),
            "next_line": partial(player.step_line, True), "previous_line": partial(player.step_line, False),
            "run_to_line": player.run_to_line, "first": player.first, "last": player.last,
            "bookmark": self.bookmark, "next_bookmark": partial(player.to_bookmark, True),
            "previous_bookmark": partial(player.to_bookmark, False),
            "go_to_step": self.go_to_step, "follow_element": self.follow_element,
            **{f"follow_{what}": partial(self.follow, what) for what in ("warp", "block", "lane")},
            "next_part": partial(self.turn_part, True), "previous_part": partial(self.turn_part, False),
            "next_lane": partial(player.turn_lane, True), "previous_lane": partial(player.turn_lane, False),
            "colours": self.colours, "what_if": self.what_if,
            "next_block": partial(player.select_block, True), "previous_block": partial(player.select_block, False),
            "play": player.toggle, "slower": lambda: player.set_speed(player.speed - 1),
            "faster": lambda: player.set_speed(player.speed + 1), "predict": self.prediction.toggle,
            "compile": self.compile, "cancel": self.cancel, "if_converted": partial(self.switch, "if_converted"),
            "bypass_l1": partial(self.switch, "bypass_l1"), "wide_banks": partial(self.switch, "wide_banks"),
            "revert": self.revert, "quit": w.close, **self.files.handlers(), **w.lessons.handlers(),
            **self.layouts.handlers(),
            "timeline_in": partial(self.timeline, lambda view: view.zoom(0.5)),
            "timeline_out": partial(self.timeline, lambda view: view.zoom(2.0)),
            "timeline_all": partial(self.timeline, TimelineView.show_all),
            "timeline_later": partial(self.timeline, lambda view: view.turn(0.5)),
            "timeline_earlier": partial(self.timeline, lambda view: view.turn(-0.5)),
            "edit": self.edit, "back": w.places.back, "forward": w.places.forward,
            "undo": w.source.editor.undo, "redo": w.source.editor.redo,
            "find": partial(self.find, ""), "replace": self.replace,
            "next_problem": partial(w.banner.step, True), "previous_problem": partial(w.banner.step, False),
            "comment": self.comment, "go_to_line": partial(self.find, ":"), "breakpoint": self.breakpoint,
            "next_variant": partial(w.session.neighbour, True), "previous_variant": partial(w.session.neighbour, False),
            "next_launch": partial(self.launch, True), "previous_launch": partial(self.launch, False),
            "choose_kernel": self.choose_kernel, "choose_device": self.choose_device,
            **CounterCommands(w).handlers(), "visual_profiler": self.visual_profiler, "nsight": self.nsight,
            "zoom": self.zoom, "presentation": self.presentation, "library": self.library,
            "larger": w.look.larger, "smaller": w.look.smaller, "normal_size": partial(w.look.set_scale, 1.0),
            "theme_light": partial(w.look.set_theme, "light"), "theme_dark": partial(w.look.set_theme, "dark"),
            "theme_contrast": partial(w.look.set_theme, "high contrast"), "motion": self.motion,
            "keys": self.keys, "about": self.about,
        }  # fmt: skip
        for mark, words in JUMPS.values():
            name = (mark.name or "").lower()
            table[f"next_{name}"] = w.places.leaving(name, partial(player.jump, mark, words, True))
            table[f"previous_{name}"] = w.places.leaving(name, partial(player.jump, mark, words, False))
        for id_, forward in (("next_touch", True), ("previous_touch", False)):
            table[id_] = w.places.leaving("touch", partial(player.touch, forward))
        for id_ in LEAVES:
            table[id_] = w.places.leaving("", table[id_])
        for n in range(10):
            table[f"warp_{n}"] = partial(self.digit, n)
        return table

    # ---- moving

    def go_to_step(self) -> None:
        self._w.transport.step.setFocus()
        self._w.transport.step.selectAll()

    def bookmark(self) -> None:
        now = self._w.selection.now
        here = next((mark.name for mark in now.bookmarks if mark.step == now.step), "")
        name = self.files.ask_text(self._w, "Bookmark", f"A name for step {now.step}", here)
        if name is not None:
            self._w.places.leave()
            self._w.player.bookmark(name.strip())

    def follow(self, what: str) -> None:
        self._w.player.follow(what)
        self._w.sync()

    def follow_element(self) -> None:
        """Ask for an element of an array and follow it; without a name let it go."""
        w = self._w
        run, now = w.session.run, w.selection.now
        asked = "An element of an array, such as out[17] or tile[3][4]"
        if run is not None:
            name = self.files.ask_text(w, "Follow an element", asked, now.element.name if now.element else "")
            try:
                if name is not None:
                    w.player.let_go()
                    w.selection.update(element=find_element(run, now.block, name) if name.strip() else None)
                    if w.selection.now.element is not None:
                        w.player.follow("element")
            except WarpviewError as problem:
                w.caption.notice(f"{str(problem)[0].upper()}{str(problem)[1:]}.")
        w.sync()

    def turn_part(self, forward: bool) -> None:
        """On to the next part of the access, unless into how many it falls is still to be guessed."""
        if self._w.presenter.predicting:
            self._w.caption.notice("P reveals the answer first; U then goes through it.")
        else:
            self._w.player.turn_part(forward)

    def digit(self, n: int) -> None:
        """A guess while the answer is hidden, else a warp."""
        if not self.prediction.digit(n):
            self._w.player.select_warp(n)

    # ---- running

    def compile(self) -> None:
        """F5: whatever is in the editor and in the launch fields."""
        self._w.source.announce_edit()
        if self._w.launch_bar.take():
            self._w.session.start()

    def cancel(self) -> None:
        if self.files.cancel():
            return
        if self._w.runner.busy:
            self._w.runner.cancel()
            self._w.places.forget_landing()
            shown = "the run shown is the last one that ended" if self._w.session.run else "F5 starts again"
            self._w.caption.notice(f"Cancelled; {shown}.")

    def switch(self, what: str) -> None:
        """Turn round a yes-or-no of the setup, and run again."""
        session = self._w.session
        session.set_launch(**{what: not getattr(session.setup, what)})
        session.start()

    # ---- editing

    def edit(self) -> None:
        self._w.source.set_editing(not self._w.source.editing)

    def revert(self) -> None:
        self._w.session.revert()
        self._w.say_after_run("The edit is put away; Alt+← brings it back.")

    def find(self, text: str) -> None:
        self._w.source.find_bar.open(text)

    def replace(self) -> None:
        self._w.source.find_bar.open(replacing=True)

    def comment(self) -> None:
        self._w.source.set_editing(True)
        toggle_comment(self._w.source.editor)

    def breakpoint(self) -> None:
        w = self._w
        line = w.source.editor.textCursor().blockNumber() + 1 if w.source.editing else w.selection.now.line
        if line is None:
            w.caption.notice("Click a source line first; F9 then sets or clears its breakpoint.")
        else:
            w.source.toggle_breakpoint(line)

    # ---- kernels and devices

    def choose_kernel(self) -> None:
        if self._w.library.isVisible():
            self._w.library.tree.setFocus()
        else:
            self._w.launch_bar.kernel.showPopup()

    def launch(self, forward: bool) -> None:
        session = self._w.session
        count, wanted = len(session.launches()), session.setup.traced + (1 if forward else -1)
        if count < 2:
            self._w.caption.notice("This run is a single launch.")
        elif 0 <= wanted < count:
            session.set_traced(wanted)
        else:
            self._w.caption.notice(f"That was the {'last' if forward else 'first'} of {count} launches.")

    def choose_device(self) -> None:
        self._w.launch_bar.device.showPopup()

    def visual_profiler(self) -> None:
        run = self._w.session.run
        if isinstance(run, Run):
            self._show_profiler(lambda page: page.show_visual_profile(run))

    def nsight(self) -> None:
        run = self._w.session.run
        if not isinstance(run, Run):
            return
        path = self.files.ask_open(self._w, "Open a report of Nsight Compute", REPORTS)
        if path is not None:
            self._show_profiler(lambda page: page.show_nsight(run, path))

    def _show_profiler(self, fill: Callable[[ProfilerPage], None]) -> None:
        try:
            fill(self._w.profiler)
        except WarpviewError as problem:
            self._w.banner.show_problems(diagnostics_of(problem))
        else:
            self._w.show_profiler()

    # ---- looking

    def colours(self) -> None:
        now = self._w.selection.now
        self._w.selection.update(colours=next_colouring(now.colours))

    def what_if(self) -> None:
        """Bring the occupancy view to the front and give it the keys."""
        w = self._w
        w.stage.raise_view(w.occupancy.key)
        w.presenter.present()
        w.occupancy.flush()
        if not w.occupancy.has_sliders and w.stage.zoomed is None:
            self.zoom(w.occupancy)
        w.occupancy.take_keys()

    def zoom(self, view: View | None = None) -> None:
        stage = self._w.stage
        stage.zoom(None if stage.zoomed is not None else (view or pointed_view(self._w)))

    def timeline(self, change: Callable[[TimelineView], None]) -> None:
        """Other cycles in sight; the view comes to the front."""
        view = self._w.stage.views[TimelineView.key]
        assert isinstance(view, TimelineView)
        self._w.stage.raise_view(view.key)
        change(view)

    def presentation(self) -> None:
        self._w.set_presenting(not self._w.presenting)

    def library(self) -> None:
        self._w.library_wanted = not self._w.library.isVisible()
        self._w.library.setVisible(self._w.library_wanted)
        self._w.lessons.place()
        self._w.sync()

    def motion(self) -> None:
        self._w.look.set_motion(self._w.actions_["motion"].isChecked())

    def keys(self) -> None:
        KeysPage(self._w.look, self._w).open()

    def about(self) -> None:
        QMessageBox.about(
            self._w, "About warpview",
            "warpview shows how a GPU executes a CUDA kernel, warp by warp, with counters that equal the hardware's."
            "\n\nMIT licence.",
        )  # fmt: skip

    def escape(self) -> None:
        """Esc: out of whatever one is in, one thing at a time."""
        w = self._w
        w.caption.show_hint()
        for field, after in ((w.comparison.filter, w.comparison), (w.counters.filter, w.central)):
            if field.hasFocus():
                after.setFocus()
                return
        if w.source.find_bar.isVisible():
            w.source.find_bar.close_bar()
        elif w.progress.isVisible():
            self.cancel()
        elif w.source.editing:
            w.source.set_editing(False)
        elif self.prediction.forget():
            pass
        elif w.aside:
            w.show_comparison(False)
        elif w.banner.isVisible():
            w.banner.close_banner()
        elif w.stage.zoomed is not None:
            self.zoom()
        elif w.presenting:
            w.set_presenting(False)
        elif w.player.following:
            w.player.let_go()
        else:
            w.selection.update(line=None, lane=None, pc=None, element=None, part=None)
        w.central.setFocus()
