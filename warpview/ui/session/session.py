"""Hold the kernel, the device and the launch that the window shows, and the run that they give.

Changing any of them starts a simulation in the worker. The window keeps showing the old run until the new one has
arrived. An error is announced as diagnostics with their place; an edit is never lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from warpview.diagnostics import Diagnostic, LaunchError, WarpviewError
from warpview.run.recording import OPENING
from warpview.sim.launch import Cancelled
from warpview.ui.session.backend import KernelFamily, LaunchPreset, SeriesLaunch, Setup, Variant
from warpview.ui.session.catalogue import Catalogue
from warpview.ui.session.device_compatibility import DeviceCompatibility, device_for, other_device
from warpview.ui.session.drafts import Drafts
from warpview.ui.session.engine import Engine
from warpview.ui.session.file_opening import FileOpening
from warpview.ui.session.kept_runs import KeptRuns, outdated_words, recording_words
from warpview.ui.session.landing import Arrival, Landing
from warpview.ui.session.problems import advised_diagnostics, launch_advice
from warpview.ui.session.runner import Runner
from warpview.ui.views.context import RunLike

SOON_MS = 1000  # a run that takes no longer changes what the views show before it must be said that they do not
LOOK_AGAIN_MS = 100  # whether the simulator is being compiled, so that a recorded run is to be shown meanwhile


class Session(QObject):
    """``setup`` will run next; ``run`` is the run shown, and ``shown`` its setup."""

    setup_changed = Signal(object)  # Setup
    variant_changed = Signal(object)  # Variant
    launches_changed = Signal(object)  # Variant: the same, whose launches are known now
    run_changed = Signal(object)  # Arrival
    outdated_changed = Signal(str)  # words: why the run shown is not that of the setup; '' where it is
    failed = Signal(object)  # list[Diagnostic]
    edited_changed = Signal(bool)
    departing = Signal(object)  # Setup: is about to be given up for another, by anything but typing
    leaving = Signal()  # the text in the editor is about to be needed, or left: whoever holds edits announces them
    compatibility_changed = Signal()  # which kernels the chosen device can run
    checked = Signal(object)  # list[Diagnostic] of the text as it is being typed
    arguments_wanted = Signal()  # the launch's arguments are guesses from their sizes, to be confirmed before it runs

    def __init__(self, backend: Engine, runner: Runner, drafts: Drafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backend, self.runner, self.drafts = backend, runner, drafts
        self._checker = Runner(self)
        self.catalogue = Catalogue(backend)
        self._compatibility, self.opening = DeviceCompatibility(), FileOpening(backend, runner, self.start)
        self.kept = KeptRuns()
        self.run: RunLike | None = None
        self.shown: Setup | None = None
        self.shows_recording = False  # in place of the first run, which is still to come
        self._soon_done = QTimer(self, singleShot=True)
        self._soon_done.timeout.connect(self._tell_outdated)
        self._recording_wanted = QTimer(self, interval=LOOK_AGAIN_MS)
        self._recording_wanted.timeout.connect(self._want_recording)
        self.before: Setup | None = None  # of the run shown before this one
        self._landing = Landing()  # of the run under way
        self.variant = self.catalogue.find(OPENING.kernel) or self.catalogue.families[0].variants[0]
        device = self.catalogue.device(OPENING.device) or self.catalogue.devices[0]
        self.setup = self._setup_of(self.variant, device.key)

    def _setup_of(self, variant: Variant, device: str) -> Setup:
        draft = self.drafts.text(variant.key)
        text = variant.text if draft is None else draft
        setup = Setup(variant.key, text, variant.file_name, variant.entry, device, edited=text != variant.text)
        return setup.with_preset(variant.presets[0]) if variant.presets else setup

    # ---- what can be chosen

    def family(self) -> KernelFamily | None:
        """Return the family of the chosen kernel; None where that is a file of the user's."""
        return self.catalogue.family(self.variant)

    def choose(self, key: str) -> None:
        """Choose another kernel with its first launch, on the same device, and run it."""
        self.leaving.emit()
        variant = self.catalogue.find(key)
        if variant is None or variant.key == self.variant.key:
            return
        self.opening.forget()  # the last choice holds
        self.variant = variant
        device = device_for(variant, self.setup.device, self.catalogue.devices)
        self._change(replace(self._setup_of(variant, device), by_nvidia=self.setup.by_nvidia))
        self.variant_changed.emit(variant)
        self._start_or_ask()

    def neighbour(self, forward: bool) -> None:
        """Choose the next or previous variant of the family."""
        family = self.family()
        keys = [v.key for v in family.variants] if family is not None else [self.variant.key]
        at = keys.index(self.variant.key) + (1 if forward else -1)
        if 0 <= at < len(keys):
            self.choose(keys[at])

    def open_file(self, path: Path, reload: bool = False) -> None:
        """Open a file of the user's: CUDA, a cubin or PTX, and run its first kernel. An edit of the file that is open
        already stays, unless that is to be read again (``reload``) or has changed; going back restores the edit."""
        self.opening.read(path, lambda variant: self._opened(variant, reload), self._report)

    def _opened(self, variant: Variant, reload: bool) -> None:
        same, unchanged = variant.key == self.variant.key, variant.text == self.variant.text
        self.catalogue.add_file(variant)
        if not same:
            self.choose(variant.key)
            return
        self.variant = variant
        if self.setup.edited and unchanged and not reload:
            self.start(Landing(notice=f"{variant.title} is open already, with your edit."))
        else:
            self.revert(f"{variant.title} was read again; Alt+← brings your edit back." if self.setup.edited else "")

    def open_setup(self, setup: Setup, landing: Landing | None = None) -> None:
        """Take over a whole setup, such as that of a session file, and run it. A kernel that the library lacks is made
        from its text."""
        self.leaving.emit()
        variant = self.catalogue.find(setup.variant)
        if variant is None:
            title = Path(setup.file_name).name
            variant = Variant(setup.variant, "", title, "", "", setup.entry, setup.file_name, setup.text, ())
            self.catalogue.add_file(variant)
        self.opening.forget()
        self.variant = variant
        if not setup.edited:
            setup = replace(setup, text=variant.text)
        else:
            self._keep(setup.text)
        self._change(setup)
        self.variant_changed.emit(variant)
        self.edited_changed.emit(setup.edited)
        self.start(landing)

    def set_device(self, key: str) -> None:
        if key != self.setup.device and self.catalogue.device(key) is not None:
            self.set_launch(device=key)
            self.start()

    def show(
        self, kernel: str | None, device: str | None, preset: str | None, landing: Landing,
        by_nvidia: bool | None = None, any_result: bool = False,
    ) -> bool:  # fmt: skip
        """Set kernel, device, launch and whose code runs (None: as it is), and whether an edit may compute anything.
        Return whether that needs another run, which then has ``landing``. WarpviewError where a name is unknown."""
        variant, launch = self.catalogue.named(self.variant.key if kernel is None else kernel, device, preset)
        self.leaving.emit()
        other = variant.key != self.variant.key
        setup = self._setup_of(variant, self.setup.device) if other else self.setup
        code = self.setup.by_nvidia if by_nvidia is None else by_nvidia
        setup = replace(setup, device=device or setup.device, by_nvidia=code, any_result=any_result, traced_block=0)
        setup = setup if launch is None else setup.with_preset(launch)
        if setup == self.setup and self.runner.busy:
            self._landing = landing
            return True
        if setup == self.setup and self.current:
            return False
        self.variant = variant
        self._change(setup)
        if other:
            self.opening.forget()
            self.variant_changed.emit(variant)
        self.start(landing)
        return True

    def set_launch(self, **fields: Any) -> None:
        """Set grid, block, shared_bytes, arguments, preset or one of the switches; takes effect with ``start``."""
        self.leaving.emit()
        self._change(replace(self.setup, **fields))

    def set_preset(self, key: str) -> None:
        self.leaving.emit()
        preset = self.variant.preset(key)
        if preset is not None:
            self._change(self.setup.with_preset(preset))
            self._start_or_ask()

    def _start_or_ask(self) -> None:
        """Run the chosen preset, unless its arguments are to be confirmed."""
        if self.preset is not None and self.preset.sizes:
            self._tell_outdated()
            self.arguments_wanted.emit()
        else:
            self.start()

    def launches(self) -> tuple[SeriesLaunch, ...]:
        """Return the launches of the chosen preset, if it has several."""
        return self.preset.launches if self.preset is not None else ()

    @property
    def preset(self) -> LaunchPreset | None:
        """Return the chosen preset; None where the launch is no preset's."""
        return self.variant.preset(self.setup.preset)

    def set_traced(self, index: int) -> None:
        """Set the launch of the series to step through, from 0."""
        if index != self.setup.traced and 0 <= index < len(self.launches()):
            self.set_launch(traced=index)
            self.start()

    def set_text(self, text: str) -> None:
        """Set the edited source, and keep it as a draft until it is the original text again."""
        edited = text != self.variant.text
        if edited != self.setup.edited:
            self.edited_changed.emit(edited)
        self._put(replace(self.setup, text=text, edited=edited))
        self._keep(text if edited else None)

    def _keep(self, text: str | None) -> None:
        """Keep the draft on the disk, too; where that fails, a notice says so and the text is still in the window."""
        try:
            self.drafts.keep(self.variant.key, text)
        except (OSError, WarpviewError) as problem:
            words = f"the edit could not be saved to disk: {problem}"
            self.failed.emit([Diagnostic(words, hint="Save it somewhere else: Ctrl+Shift+S.")])

    def revert(self, notice: str = "") -> None:
        """Return to the original text and say ``notice``. The draft stays on disk with the ending ``.discarded``."""
        self.leaving.emit()
        self.drafts.discard(self.variant.key)
        setup, presets = replace(self.setup, text=self.variant.text, edited=False), self.variant.presets
        if presets and self.preset is None:
            setup = setup.with_preset(presets[0])  # a file that has other kernels now
        self._change(setup)
        self.edited_changed.emit(False)
        self.variant_changed.emit(self.variant)
        self.start(Landing(notice=notice))

    def saved_as(self, path: Path) -> None:
        """Continue with the file to which the edited text has been saved."""
        self.drafts.discard(self.variant.key)
        other, text = str(path) != self.variant.key, self.setup.text
        self.variant = variant = replace(
            self.variant, key=str(path), family="", title=path.name, file_name=str(path), text=text
        )
        self.catalogue.add_file(variant)
        setup = replace(self.setup, variant=variant.key, file_name=str(path), edited=False)
        if self.shown is not None and self.current:
            self.shown = setup  # the same source, under another name
        if other:
            self._change(setup)
            self.variant_changed.emit(variant)
        else:
            self._put(setup)
        self.edited_changed.emit(False)

    @property
    def own_file(self) -> Path | None:
        """Return the file of the user's that is open; None for a kernel of the library."""
        return Path(self.variant.file_name) if not self.variant.family else None

    def _change(self, setup: Setup) -> None:
        """Set another setup; Back (Alt+←) returns to the present one."""
        if setup != self.setup:
            self.departing.emit(self.setup)
        self._put(setup)

    def _put(self, setup: Setup) -> None:
        other = setup.device != self.setup.device
        self.setup = setup
        self.setup_changed.emit(setup)
        self._tell_outdated()
        if other:
            self.compatibility_changed.emit()

    def incompatibility(self, variant: Variant) -> str:
        """Return the reason why the chosen device cannot run a kernel, if known; '' where nothing speaks against it."""
        device = self.catalogue.device(self.setup.device)
        return self._compatibility.incompatibility(variant, device) if device is not None else ""

    # ---- running

    def start(self, landing: Landing | None = None) -> None:
        """Compile and simulate the setup in the worker; ``landing`` goes with the run."""
        self.leaving.emit()
        setup, landing = self.setup, landing or Landing()
        opening, found = self.opening, partial(self._with_launches, landing)
        if opening.defers(landing) or opening.finds_launches(self.variant, setup, landing, found, self._report):
            return
        self._landing = landing
        self.runner.submit(
            partial(self.backend.trace, setup), partial(self._arrived, setup), partial(self._refused, setup)
        )
        if self.run is None:
            self._recording_wanted.start()
        self._soon_done.start(SOON_MS)
        self._tell_outdated()

    def _with_launches(self, landing: Landing, variant: Variant) -> None:
        """Run the first launch of a source that did not compile when it was opened, and does now."""
        self.variant = variant
        self.catalogue.add_file(variant)
        self._put(self.setup.with_preset(variant.presets[0]))
        self.launches_changed.emit(variant)
        self.start(landing)

    def _want_recording(self) -> None:
        """Read the recorded run of the setup, if there is one, while the simulator is being compiled."""
        setup = self.setup
        if self.run is not None or not self.runner.busy:
            self._recording_wanted.stop()
        elif self.backend.is_compiling:
            self._recording_wanted.stop()
            show = partial(self._show_recording, setup)
            self._checker.submit(lambda progress: self.backend.recorded(setup), show, self._report)

    def _show_recording(self, setup: Setup, run: RunLike | None) -> None:
        if run is None or self.run is not None or setup != self.setup:
            return
        self.run, self.shown, self.shows_recording = run, setup, True
        self.run_changed.emit(Arrival(run, setup, None, None, self._landing, recorded=True))
        self._tell_outdated()

    def cancel(self) -> None:
        """Stop the run or the opening under way; the run shown stays."""
        self.opening.forget()
        self.runner.cancel()
        self._tell_outdated()

    @property
    def current(self) -> bool:
        """Return whether the run shown is that of the setup."""
        return self.shown is not None and replace(self.shown, edited=self.setup.edited) == self.setup

    @property
    def is_replaced_soon(self) -> bool:
        """Return whether the run of another setup is about to arrive, so that the views do not say that theirs is
        outdated."""
        return self.runner.busy and self._soon_done.isActive() and not self.current

    def jump_on_arrival(self, jump: Callable[[], object]) -> None:
        """Jump in the run under way once it is shown."""
        self._landing = replace(self._landing, jumps=(*self._landing.jumps, jump))

    @property
    def outdated(self) -> str:
        """Say why the run shown is not that of the source and launch beside it; '' where it is, or will be soon."""
        busy = self.runner.busy
        if self.shown is None or (not self.shows_recording and (self.current or self.is_replaced_soon)):
            return ""
        variant, device = self.catalogue.find(self.shown.variant), self.catalogue.device_name(self.shown.device)
        if self.shows_recording:
            return recording_words("" if self.current or variant is None else f"{variant.title} on {device}", busy)
        refused = bool(self.incompatibility(self.variant)) and not self.setup.edited
        needs_main = self.variant.is_program and self.shown.variant != self.setup.variant
        return outdated_words(self.shown, self.setup, variant, device, busy, refused, needs_main)

    def _tell_outdated(self) -> None:
        self.outdated_changed.emit(self.outdated)

    def check(self) -> None:
        """Say what is wrong with the text as it is, without running it."""
        setup = self.setup

        def checked(problems: list[Diagnostic]) -> None:
            if setup.text == self.setup.text:
                self.checked.emit(problems)

        self._checker.submit(lambda progress: self.backend.check(setup), checked, self._report)

    def close(self) -> None:
        """End the worker threads."""
        self.runner.close()
        self._checker.close()

    def _arrived(self, setup: Setup, run: RunLike) -> None:
        arrival = Arrival(run, setup, self.run, self.shown, self._landing, recorded_before=self.shows_recording)
        if setup != self.shown:
            self.before = self.shown
        self.run, self.shown, self.shows_recording, self._landing = run, setup, False, Landing()
        self.kept.add(setup, self.catalogue.find(setup.variant), self.catalogue.device_name(setup.device), run)
        self.run_changed.emit(arrival)
        self._tell_outdated()
        if not setup.edited and self._compatibility.ran(setup.variant, setup.device, run.program):
            self.compatibility_changed.emit()

    def _refused(self, setup: Setup, problem: Exception) -> None:
        variant = self.catalogue.find(setup.variant)
        # A launch that the user, or the reading of a file, made up says nothing about the kernel.
        presets = variant.presets if variant is not None and variant.family else ()
        if isinstance(problem, LaunchError) and setup.is_launch_of(presets) and not setup.edited:
            self._compatibility.refused(setup.variant, setup.device, str(problem))
            self.compatibility_changed.emit()
        self._report(problem)

    def _report(self, problem: Exception) -> None:
        self._landing = Landing()
        self._tell_outdated()
        if isinstance(problem, Cancelled):
            return
        advised = other_device(self.variant, self.catalogue.device(self.setup.device), self.catalogue.devices)
        self.failed.emit(advised_diagnostics(problem, launch_advice(self.variant, advised)))
