"""Grey the entries of a menu that can do nothing now. Their keys still say why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from warpview.sim.checks.findings import RACES
from warpview.sim.rules.codes import caches_loads
from warpview.ui.commands.actions import Actions
from warpview.ui.programs.program_commands import ProgramCommands
from warpview.ui.session.session import Session
from warpview.ui.teaching.lesson_reader import LessonReader


class ApplicableEntries(QObject):
    """Enable the entries of each menu while it is open by what there is: a lesson, further launches, a race."""

    def __init__(
        self, actions: Actions, session: Session, lessons: LessonReader, programs: ProgramCommands, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._actions, self._session, self._lessons, self._programs = actions, session, lessons, programs

    def watch(self, menus: Iterable[QMenu]) -> None:
        """Grey the entries of these menus whenever one is opened."""
        for menu in menus:
            menu.aboutToShow.connect(self._grey)
            menu.aboutToHide.connect(self._enable)

    def _conditions(self) -> dict[str, Callable[[], bool]]:
        """Return for each action whether it can do something now."""
        return {
            **dict.fromkeys(("next_page", "previous_page", "contents", "close_lesson"), self._has_lesson),
            **dict.fromkeys(("next_launch", "previous_launch"), self._has_launches),
            "program": lambda: self._programs.has_result,
            "replay": self._has_race,
            "bypass_l1": self._bypasses,
        }

    def _grey(self) -> None:
        for id_, applies in self._conditions().items():
            self._actions[id_].setEnabled(applies())

    def _enable(self) -> None:
        for id_ in self._conditions():
            self._actions[id_].setEnabled(True)

    def _has_lesson(self) -> bool:
        return self._lessons.lesson is not None

    def _has_launches(self) -> bool:
        return self._session.setup.program_launch is not None or len(self._session.launches()) > 1

    def _has_race(self) -> bool:
        run = self._session.run
        return run is not None and any(finding.kind in RACES for finding in run.findings)

    def _bypasses(self) -> bool:
        """Return whether it makes a difference: loads move whole lines through the L1, or else sectors past it."""
        run = self._session.run
        return run is not None and caches_loads(run.device, cached=True)
