"""Carry out the commands that run a kernel and move through the run: menus Run, Go and Kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from warpview.diagnostics import Diagnostic, WarpviewError
from warpview.run.replay import Replay
from warpview.sim.checks.findings import RACES
from warpview.trace.frame import Mark
from warpview.ui.commands.actions import JUMPS
from warpview.ui.commands.dialogs import Dialogs
from warpview.ui.commands.prediction import Prediction
from warpview.ui.moving.elements import find_element
from warpview.ui.moving.parties import block_of, finding_to_follow
from warpview.ui.moving.player import NO_RUN, Player
from warpview.ui.moving.selection import Selection
from warpview.ui.panels.launch_bar import LaunchBar
from warpview.ui.panels.messages import Messages
from warpview.ui.panels.sentence import sentence
from warpview.ui.session.back_forward import BackForward
from warpview.ui.session.file_kinds import is_machine_code
from warpview.ui.session.landing import Landing
from warpview.ui.session.session import Session
from warpview.ui.views.context import RunLike

# Actions that leave a place without another setup; Back returns to it.
LEAVES = ("first", "last", "run_to_line", "next_bookmark", "previous_bookmark")
SWITCHES = ("by_nvidia", "if_converted", "bypass_l1", "wide_banks")  # yes-or-no fields of the setup that are actions


class RunCommands:
    """Implement the actions that run kernels, one method or a partial of one for each."""

    def __init__(
        self, session: Session, selection: Selection, player: Player, prediction: Prediction, launch_bar: LaunchBar,
        back_forward: BackForward, messages: Messages, dialogs: Dialogs,
        keep_replay: Callable[[RunLike, Replay], object], open_launch: Callable[[int], object],
    ) -> None:  # fmt: skip
        self._open_launch = open_launch  # of the program that ran last
        self._session, self._selection, self._player = session, selection, player
        self._prediction, self._launch_bar, self._back_forward = prediction, launch_bar, back_forward
        self._messages, self._dialogs, self._keep_replay = messages, dialogs, keep_replay

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        player, session = self._player, self._session
        table: dict[str, Callable[[], object]] = {
            "run_to_line": player.run_to_line, "first": player.first, "last": player.last, "play": player.toggle,
            "slower": lambda: player.set_speed(player.speed - 1), "faster": lambda: player.set_speed(player.speed + 1),
            "bookmark": self.bookmark, "follow_element": self.follow_element, "predict": self._prediction.toggle,
            **{f"follow_{what}": partial(player.follow, what) for what in ("warp", "block", "lane")},
            "replay": self.replay, "compile": self.compile, "revert": self.revert,
            "back": self._back_forward.back, "forward": self._back_forward.forward,
            **{name: partial(self.switch, name) for name in SWITCHES},
        }  # fmt: skip
        both_ways: dict[str, Callable[[bool], object]] = {
            "": player.step, "_any": player.step_any, "_line": player.step_line, "_bookmark": player.to_bookmark,
            "_part": self.turn_part, "_lane": player.turn_lane, "_block": player.select_block,
            "_variant": session.neighbour, "_launch": self.launch,
        }  # fmt: skip
        leaving = self._back_forward.leaving
        for way, forward in (("next", True), ("previous", False)):
            table |= {f"{way}{what}": partial(does, forward) for what, does in both_ways.items()}
            table[f"{way}_access"] = leaving("access", partial(player.to_access, forward))
            for mark, words in JUMPS.values():
                name = (mark.name or "").lower()
                table[f"{way}_{name}"] = leaving(name, partial(self.jump, mark, words, forward))
        table["other_party"] = leaving("", player.other_party)
        table["follow_finding"] = self.follow_finding
        table["last_write"] = leaving("access", player.to_last_write)
        for id_ in LEAVES:
            table[id_] = leaving("", table[id_])
        for n in range(10):
            table[f"warp_{n}"] = partial(self.digit, n)
        return table

    def jump(self, mark: Mark, words: str, forward: bool) -> None:
        """Jump to the next or previous event of a kind, in the run that is about to arrive if there is one."""
        jump = partial(self._player.jump, mark, words, forward)
        if self._session.is_replaced_soon:
            self._session.jump_on_arrival(jump)
            way, title = "next" if forward else "previous", self._session.variant.title
            self._messages.notice(f"The jump to the {way} {words} follows as soon as {title} has run.")
        else:
            jump()

    def bookmark(self) -> None:
        """Ask for the name of the step; an empty one removes its bookmark."""
        now = self._selection.now
        here = next((mark.name for mark in now.bookmarks if mark.step == now.step), "")
        name = self._dialogs.ask_text("Bookmark", f"A name for step {now.step}", here)
        if name is not None:
            self._back_forward.leave()
            self._player.bookmark(name.strip())

    def follow_element(self) -> None:
        """Ask for an element of an array and follow it; without a name, stop following."""
        run, now = self._session.run, self._selection.now
        if run is None:
            self._messages.notice(NO_RUN)
            return
        asked = "An element of an array, such as out[17] or tile[3][4]"
        name = self._dialogs.ask_text("Follow an element", asked, now.element.name if now.element else "")
        try:
            if name is not None:
                self._player.let_go()
                self._selection.update(element=find_element(run, now.block, name) if name.strip() else None)
                if self._selection.now.element is not None:
                    self._player.follow("element")
        except WarpviewError as problem:
            self._messages.notice(f"{sentence(str(problem))}.")
        self._player.mode_changed.emit()

    def follow_finding(self) -> None:
        """Run again and step through the multiprocessor of a finding that was not recorded."""
        run = self._session.run
        finding = None if run is None else finding_to_follow(run, self._selection.now)
        if run is None or finding is None:
            words = "All findings of this run were made on the multiprocessor that is stepped through."
            self._messages.notice(NO_RUN if run is None else words)
            return
        block = block_of(run, finding)
        self._session.set_launch(traced_block=block)
        words = f"This is the multiprocessor of block {block}. Alt+← returns to the one before."
        self._session.start(Landing(finding=finding, notice=words))

    def turn_part(self, forward: bool) -> None:
        """Select the next wavefront or transaction of the access, unless their number is still to be guessed."""
        if self._prediction.hidden:
            self._messages.notice("P reveals the answer first; U then goes through it.")
        else:
            self._player.turn_part(forward)

    def digit(self, n: int) -> None:
        """Enter a guess while the answer is hidden, else select a warp."""
        if not self._prediction.digit(n):
            self._player.select_warp(n)

    def compile(self) -> None:
        """Run what is in the editor and in the launch fields."""
        self._session.leaving.emit()
        if self._launch_bar.take():
            self._session.start()

    def replay(self) -> None:
        """Replay the races of the run in the worker; the banner says what comes out otherwise, and where."""
        run = self._session.run
        if run is None or not any(finding.kind in RACES for finding in run.findings):
            self._messages.notice(NO_RUN if run is None else "This run has no races to replay.")
            return
        if self._session.opening.path is not None:
            self._messages.notice(f"{self._session.opening.path.name} is still being opened.")
            return
        self._session.runner.submit(
            lambda _: run.replay(), lambda found: self._replayed(run, found), self._not_replayed
        )

    def _replayed(self, run: RunLike, found: Replay | None) -> None:
        if found is None:
            self._messages.notice("No order of execution that was tried gives a different result.")
            return
        self._keep_replay(run, found)
        at = found.parting
        if at is not None and at.step is not None:
            self._back_forward.leave()
            self._selection.update(step=at.step, line=at.span.line, pc=at.pc)
        self._messages.problems([Diagnostic(f"replay: {found}", at.span if at is not None else None, "warning")])

    def _not_replayed(self, problem: Exception) -> None:
        self._messages.problem(str(problem))

    def switch(self, what: str) -> None:
        """Toggle a switch of the setup, and run again."""
        if what in ("by_nvidia", "if_converted") and is_machine_code(self._session.setup.file_name):
            self._messages.notice("The file is machine code: it runs as it is.")
            self._session.setup_changed.emit(self._session.setup)  # the action is not checked
            return
        self._session.set_launch(**{what: not getattr(self._session.setup, what)})
        self._session.start()

    def revert(self) -> None:
        """Discard the edit."""
        self._session.revert("The edit is discarded; Alt+← brings it back.")

    def launch(self, forward: bool) -> None:
        """Step through the next or the previous launch of a series, or of the program that the run is of."""
        of_program, step = self._session.setup.program_launch, 1 if forward else -1
        if of_program is not None and self._session.run is not None:
            self._open_launch(of_program[1] + step)
            return
        count, wanted = len(self._session.launches()), self._session.setup.traced + step
        if self._session.run is None:
            self._messages.notice(NO_RUN)
        elif count < 2:
            self._messages.notice("This run is a single launch.")
        elif 0 <= wanted < count:
            self._session.set_traced(wanted)
        else:
            self._messages.notice(f"This is the {'last' if forward else 'first'} of {count} launches.")
