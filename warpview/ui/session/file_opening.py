"""Read files of the user's in the worker: a long one takes a while, and a run asked for meanwhile does not stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from warpview.ui.session.backend import LaunchPreset, Progress, Setup, Variant
from warpview.ui.session.engine import Engine
from warpview.ui.session.landing import Landing
from warpview.ui.session.runner import Runner


class FileOpening:
    """Read one file at a time; ``path`` is None while there is none."""

    def __init__(self, backend: Engine, runner: Runner, start: Callable[[Landing], object]) -> None:
        self._backend, self._runner, self._start = backend, runner, start
        self.path: Path | None = None
        self._deferred: Landing | None = None  # of the run asked for meanwhile
        self._without = ""  # the text in which no launches were found

    def read(self, path: Path, done: Callable[[Variant], None], failed: Callable[[Exception], None]) -> None:
        """Read a file, then call ``done`` or ``failed``."""

        def read(progress: Progress) -> Variant:
            progress(f"Opening {path.name}", 0, 0)
            return self._backend.open_file(path)

        def opened(variant: Variant) -> None:
            self.forget()
            done(variant)

        def refused(problem: Exception) -> None:
            deferred = self._deferred
            self.forget()
            failed(problem)
            if deferred is not None:  # its arrival takes the problem's message away
                self._start(replace(deferred, notice=str(problem)))

        self._runner.submit(read, opened, refused)
        self.path, self._deferred = path, None

    def finds_launches(
        self, variant: Variant, setup: Setup, landing: Landing, done: Callable[[Variant], None],
        failed: Callable[[Exception], None],
    ) -> bool:  # fmt: skip
        """Return whether the launches of a source are looked for that did not compile when it was opened; then call
        ``done`` with them. Where it still does not compile it is started without, which says why."""
        if variant.family or variant.entry or setup.arguments or setup.text == self._without:
            return False

        def found(presets: tuple[LaunchPreset, ...]) -> None:
            if presets:
                done(replace(variant, entry=presets[0].entry, presets=presets))
            else:
                self._without = setup.text
                self._start(landing)

        self._runner.submit(lambda progress: self._backend.presets(setup), found, failed)
        return True

    def defers(self, landing: Landing) -> bool:
        """Return whether a file is being read. Its run then takes the place of the one that ``landing`` is of, which is
        started where the file cannot be read."""
        if self.path is not None:
            self._deferred = landing
        return self.path is not None

    def forget(self) -> None:
        """Let a later choice replace the file."""
        self.path = self._deferred = None
