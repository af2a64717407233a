"""Open the search of ``Ctrl+P``, or one of only kernels or only devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from PySide6.QtWidgets import QWidget

from warpview.ui.arranging.pages import Pages
from warpview.ui.commands import search_entries
from warpview.ui.commands.actions import Actions
from warpview.ui.commands.palette import Palette
from warpview.ui.commands.recent_files import RecentFiles
from warpview.ui.commands.search_model import SearchEntry
from warpview.ui.drawing.theme import Look
from warpview.ui.moving.selection import Selection
from warpview.ui.session.session import Session
from warpview.ui.teaching.lesson_reader import LessonReader


class SearchCommands:
    """Open a palette over ``over``, a child of ``window``; only then are ``actions`` and ``recent`` called. ``explain``
    opens the glossary at a word."""

    def __init__(
        self, session: Session, selection: Selection, lessons: LessonReader, pages: Pages,
        actions: Callable[[], Actions], recent: Callable[[], RecentFiles], explain: Callable[[str], object],
        window: QWidget, over: QWidget, look: Look,
    ) -> None:  # fmt: skip
        self._session, self._selection, self._lessons, self._actions = session, selection, lessons, actions
        self._pages, self._recent, self._window, self._over, self._look = pages, recent, window, over, look
        self._explain = explain

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its id."""
        return {"palette": self.search, "choose_kernel": self.choose_kernel, "choose_device": self.choose_device}

    def search(self) -> None:
        """Open the search over everything that can be chosen."""
        session, selection = self._session, self._selection
        self.offer(
            "Search kernels, devices, views, actions, lessons, files, lines, arrays, counters, terms",
            search_entries.kernels(session), search_entries.devices(session), search_entries.views(self._pages),
            search_entries.actions(self._actions()), search_entries.lessons(self._lessons),
            search_entries.files(self._recent()), search_entries.lines(session, selection),
            search_entries.arrays(session, selection), search_entries.counters(session, selection, self._pages),
            search_entries.words(self._explain),
        )  # fmt: skip

    def choose_kernel(self) -> None:
        """Open the search over the kernels."""
        self.offer("Kernel: part of a name, or of what it teaches", search_entries.kernels(self._session))

    def choose_device(self) -> None:
        """Open the search over the devices."""
        self.offer("Device: part of a name, compute capability or year", search_entries.devices(self._session))

    def offer(self, hint: str, *sources: Iterable[SearchEntry]) -> None:
        """Open a search over other entries."""
        Palette(chain.from_iterable(sources), hint, self._look, self._window).open_over(self._over)
