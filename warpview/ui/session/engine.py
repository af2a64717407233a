"""Provide the window with kernels, devices and runs: by the same calls that the command line makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from warpview import frontend, library
from warpview.devices import Device, load_device
from warpview.diagnostics import CompileError, Diagnostic, SourceText, WarpviewError
from warpview.isa.program import Program
from warpview.profile import export
from warpview.run.argument_texts import arguments_from_texts
from warpview.run.library_launch import Changes, simulate_preset
from warpview.run.options import RunOptions
from warpview.run.recording import OPENING, read_recording
from warpview.run.result import Series, noted
from warpview.run.simulation import Step, simulate_series
from warpview.run.verdict import Verdict
from warpview.sim.launch import Cancelled, Dim3
from warpview.ui.session.backend import (
    SIMULATING,
    KernelFamily,
    LaunchPreset,
    Measured,
    Output,
    ProgramRequest,
    Progress,
    SeriesLaunch,
    Setup,
    Variant,
)
from warpview.ui.session.file_kinds import is_machine_code
from warpview.ui.session.memory_usage import RERUN_BYTES, RUN_BYTES, return_freed_memory
from warpview.ui.views.context import RunLike

if TYPE_CHECKING:
    from warpview.host import ProgramResult
    from warpview.ui.session.program_runs import ProgramRuns


class Engine:
    """Compile and simulate for the window. Calls that take ``progress`` are made from the worker thread; they raise
    ``WarpviewError`` or ``Cancelled``."""

    def __init__(self) -> None:
        self._warm = False
        self.is_compiling = False  # the simulator, on a fresh machine
        # Asked, from the worker thread, about each launch that will take long: given its seconds, it returns the share
        # of the blocks to execute; it may raise Cancelled.
        self.ask_when_long: Callable[[float], float] | None = None

    @cached_property
    def _programs(self) -> ProgramRuns:
        from warpview.ui.session.program_runs import ProgramRuns

        return ProgramRuns()

    def families(self) -> list[KernelFamily]:
        return [
            KernelFamily(f.key, f.title, tuple(_variant(e) for e in f.entries), f.steps) for f in library.families()
        ]

    def open_file(self, path: Path) -> Variant:
        if is_machine_code(path.name):
            from warpview.ui.session import machine_code

            return machine_code.open_file(path)
        from warpview.ui.session.own_file import open_file

        return open_file(path)

    def presets(self, setup: Setup) -> tuple[LaunchPreset, ...]:
        """Return the launches of a source of the user's, as it is in the editor; none where it does not compile."""
        from warpview.ui.session.own_file import presets_in

        return tuple(presets_in(SourceText(setup.file_name, setup.text), Path(setup.file_name).parent))

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return the compiler's diagnostics on the source, without running it."""
        try:
            self._compile(setup)
        except CompileError as problem:
            return list(problem.diagnostics)
        except WarpviewError:
            return []
        return []

    def arguments(self, setup: Setup) -> Mapping[str, str]:
        """Return the arguments as the launch takes them: the library's arrays grow with it."""
        entry = _entry(setup)
        if entry is None or setup.program_launch is not None:
            return setup.arguments
        own, changed = _preset(entry.preset(setup.preset)), _changes(setup, entry)
        larger = _preset(library.grown(entry, setup.preset, changed.grid, changed.block).preset(setup.preset))
        return {**setup.arguments, **{n: larger.arguments[n] for n in own.arguments if n not in changed.arguments}}

    def trace(self, setup: Setup, progress: Progress) -> RunLike:
        self._get_ready(progress)

        series = self._launch(setup, "sm", _blocks(progress), setup.traced)
        last = len(series.launches) - 1
        if last < setup.traced:
            # A launch before the wanted one was ended early by a finding: that is the one to look at.
            series = self._launch(setup, "sm", _blocks(progress), last)
        # Arrays are shown out of the history: their copies beside it are let go.
        run = replace(series.part(min(setup.traced, last)), buffers={})
        if run.rerun is not None and run.rerun.nbytes > RERUN_BYTES:
            run = replace(run, rerun=None)
        return_freed_memory()
        return cast(RunLike, run)

    def recorded(self, setup: Setup) -> RunLike | None:
        """Return the run of the opening setup as it comes with warpview; None of any other setup."""
        variant = next((v for family in self.families() for v in family.variants if v.key == OPENING.kernel), None)
        if variant is None:
            return None
        plain = Setup(variant.key, variant.text, variant.file_name, variant.entry, OPENING.device)
        preset = next(p for p in variant.presets if p.key == OPENING.preset)
        if setup != plain.with_preset(preset):
            return None
        return cast(RunLike, read_recording(OPENING.path.read_bytes()))

    def verdict(self, setup: Setup, progress: Progress) -> Verdict:
        """Run the launch of a setup and return what limits it. Raises WarpviewError where it cannot be run again."""

        series = self._launch(setup, "sm", _blocks(progress), history_bytes=0)
        run = series.part(min(setup.traced, len(series.launches) - 1))
        return run.verdict(lambda done, total: progress(f"Estimating, {done} of {total}", done, total))

    def measure(self, setups: Sequence[tuple[str, Setup]], progress: Progress) -> list[Measured]:
        """Return the counters of each setup; one that cannot run says why instead of stopping the others."""
        found = []
        for n, (title, setup) in enumerate(setups):
            words = f"{SIMULATING} {title} ({n + 1} of {len(setups)})"

            def part(done: int, total: int, words: str = words, n: int = n) -> bool:
                return progress(words, n * 1000 + (1000 * done // max(1, total)), 1000 * len(setups))

            try:
                series = self._launch(setup, "sm", part, history_bytes=0)
            except WarpviewError as problem:
                found.append(Measured(title, setup.entry, setup.device, {}, str(problem).splitlines()[0]))
            else:
                found.append(_measured(title, setup, series))
        return_freed_memory()
        return found

    def run_program(self, request: ProgramRequest, output: Output, progress: Progress) -> ProgramResult:
        self._get_ready(progress)
        result = self._programs.run(request, output, progress, self.ask_when_long)
        return_freed_memory()
        return result

    def export(self, rows: Sequence[export.ExportRow], path: Path) -> None:
        export.write(path, rows)

    # ---- launching

    def _get_ready(self, progress: Progress) -> None:
        """Load the compiled simulator; on a fresh machine it is compiled here, once."""
        if self._warm:
            return
        # Imported in the worker: the window is painted meanwhile.
        from warpview.sim.jit.code_cache import open_cache

        self.is_compiling = open_cache().count() == 0
        from warpview.sim.engine_sm import warm_up

        def part(done: int, total: int) -> None:
            self.is_compiling = self.is_compiling or bool(total)
            reached = f", {done} of {total}" if total else ""
            if not progress(f"Preparing the simulator{reached}; only this once", done, total):
                raise Cancelled

        try:
            warm_up(part)
        finally:
            self.is_compiling = False
        import warpview.frontend.compiler  # noqa: F401 - after the simulator: a recorded run is shown without it

        self._warm = True

    def _launch(
        self, setup: Setup, engine: str, progress: Callable[[int, int], bool], traced: int | None = None,
        history_bytes: int = RUN_BYTES,
    ) -> Series:  # fmt: skip
        """Return all launches of a setup; ``traced`` is the only one on the engine, all of them if it is None."""
        entry, device = _entry(setup), _device(setup)
        if setup.program_launch is not None:
            run = self._programs.open(setup, device, engine, history_bytes, progress, self.ask_when_long)
            return Series((run,))
        options: RunOptions = {
            "engine": engine, "l1": not setup.bypass_l1, "history_bytes": history_bytes,
            "traced_block": setup.traced_block if history_bytes else 0,  # what is only measured is timed by the first
            "progress": progress, "too_long": self.ask_when_long,
        }  # fmt: skip
        if entry is None:
            program = self._compile(setup)
            values = arguments_from_texts(program, setup.arguments)
            step = Step(program, setup.grid, setup.block, values, setup.shared_bytes, setup.asked_cluster)
            series = simulate_series([step], device=device, **options)
            # The launch of an own file may be assumed: beside each finding stands what it was.
            words = ", ".join(f"{name} = {text}" for name, text in setup.arguments.items())
            return noted(series, f"launched with {words}") if words else series
        return simulate_preset(
            entry, setup.preset, device, _changes(setup, entry), predicate=setup.if_converted, traced=traced,
            compiler="nvrtc" if setup.by_nvidia else "warpview", **options,
        )  # fmt: skip

    def _compile(self, setup: Setup) -> Program:
        entry = _entry(setup)
        path = Path(setup.file_name)
        if entry is None and is_machine_code(setup.file_name):
            from warpview.ui.session import machine_code

            return machine_code.program_of(setup)
        if setup.by_nvidia:
            from warpview.run.nvrtc_program import compile_with_nvrtc
            from warpview.run.nvrtc_targets import architecture_of

            return compile_with_nvrtc(
                SourceText(setup.file_name, setup.text), setup.entry or None, dict(entry.defines) if entry else None,
                architecture_of(setup.device), include_folder=entry.path.parent if entry else path.parent,
            )  # fmt: skip
        return frontend.compile_source(
            SourceText(setup.file_name, setup.text),
            setup.entry or None,
            dict(entry.defines) if entry else None,
            predicate=setup.if_converted,
            include_dir=entry.path.parent if entry else path.parent,
        )


def _blocks(progress: Progress) -> Callable[[int, int], bool]:
    """Return a progress that says which block is being simulated."""
    return lambda done, total: progress(f"{SIMULATING}, block {done} of {total}", done, total)


def _measured(title: str, setup: Setup, series: Series) -> Measured:
    """Return the counters of all launches; those counted until a finding ended one are no measure of the kernel."""
    if series.launches[-1].aborted and series.findings:
        return Measured(title, setup.entry, setup.device, {}, f"ended early, {series.findings[-1].message}")
    found = [f"{finding.kind}: {finding.message}" for finding in series.findings]
    return Measured(title, setup.entry, setup.device, series.counters, "", series.row, tuple(found))


def _entry(setup: Setup) -> library.Entry | None:
    return next((e for e in library.kernels() if e.key == setup.variant), None)


def _changes(setup: Setup, entry: library.Entry) -> Changes:
    """Return what the setup has otherwise than its preset."""
    own = _preset(entry.preset(setup.preset))
    return Changes(
        grid=setup.grid if setup.grid != own.grid else None,
        block=setup.block if setup.block != own.block else None,
        shared_bytes=setup.shared_bytes if setup.shared_bytes != own.shared_bytes else None,
        cluster=setup.asked_cluster,
        arguments={n: spec for n, spec in setup.arguments.items() if spec != own.arguments.get(n)},
        source=SourceText(setup.file_name, setup.text) if setup.edited else None,
        any_result=setup.any_result and setup.edited,
    )


def _device(setup: Setup) -> Device:
    device = load_device(setup.device)
    return device.with_bank_width(8) if setup.wide_banks and 8 in device.shared_bank_widths else device


def _variant(entry: library.Entry) -> Variant:
    return Variant(
        entry.key, entry.family, entry.title, entry.teaches, "\n".join(entry.look_at), entry.kernel,
        entry.source.name, entry.source.text, tuple(_preset(p) for p in entry.presets.values()),
        entry.minimum_capability,
    )  # fmt: skip


def _preset(preset: library.Preset) -> LaunchPreset:
    arguments = {name: _spec(text) for name, text in preset.args.items() if not text.startswith("@")}
    grid, block = _dims(preset.grid), _dims(preset.block)
    stages = tuple(SeriesLaunch(x.kernel, _dims(x.grid), _dims(x.block), x.shared_bytes) for x in preset.launches)
    several = stages if len(stages) > 1 else ()
    return LaunchPreset(preset.name, preset.note, grid, block, preset.shared_bytes, arguments, several)


def _spec(text: str) -> str:
    """Return a manifest's input spec as the command line writes it: without the element type."""
    return text.partition(" ")[2] or text


def _dims(extents: Sequence[int]) -> Dim3:
    x, y, z = [*extents, 1, 1][:3]
    return (x, y, z)
