"""Run whole programs for the window, and keep the launches of the last one. Qt-free."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from warpview.devices import Device
from warpview.diagnostics import SourceText, WarpviewError, capitalised
from warpview.host import LaunchRecord, Limits, ProgramResult, run_program
from warpview.run.result import Run
from warpview.sim.launch import Cancelled, Options
from warpview.ui.session.backend import Output, ProgramRequest, Progress, Setup

Ask = Callable[[float], float]


class ProgramRuns:
    """Run programs, and keep the last one so that its launches can be opened."""

    def __init__(self) -> None:
        self._request: ProgramRequest | None = None
        self._result: ProgramResult | None = None

    def run(
        self, request: ProgramRequest, output: Output, progress: Progress, too_long: Ask | None = None
    ) -> ProgramResult:
        """Execute a program in a process of its own. Raises WarpviewError, CompileError, Cancelled, and OSError where
        the file for its standard input cannot be opened."""
        name = Path(request.files[0]).name

        def report(words: str) -> None:
            if not progress(capitalised(words), 0, 0):
                raise Cancelled

        def simulated(kernel: str, done: int, total: int) -> bool:
            return progress(f"{name}: {kernel}, block {done} of {total}", done, total)

        with ExitStack() as files:
            source = files.enter_context(open(request.input, "rb")) if request.input else subprocess.DEVNULL
            result = run_program(
                request.files, request.arguments, device=request.device, predicate=request.if_converted,
                limits=Limits(seconds=request.seconds), input=source, output=output, keep=request.keep,
                progress=simulated, cancelled=lambda: not progress(f"Running {name}", 0, 0), report=report,
                too_long=too_long, compiler=_compiler(request.by_nvidia),
            )  # fmt: skip
        self._request, self._result = request, result
        return result

    def open(
        self, setup: Setup, device: Device, engine: str, history_bytes: int, progress: Callable[[int, int], bool],
        too_long: Ask | None = None,
    ) -> Run:  # fmt: skip
        """Simulate a launch of the last program again, from the memory that it began with, as the setup says: on
        another device, in another shape, with the kernel as it has been edited. Raises WarpviewError."""
        record = self._record(setup)
        assert self._request is not None
        ran = (self._request.if_converted, self._request.by_nvidia)
        moved = setup.by_nvidia and device.key != record.device.key  # machine code is that of one device
        record = replace(record, device=device)
        if setup.edited or moved or (setup.if_converted, setup.by_nvidia) != ran:
            source = SourceText(setup.file_name, setup.text)
            record = record.with_source(source, predicate=setup.if_converted, compiler=_compiler(setup.by_nvidia))
        record = replace(
            record, grid=setup.grid, block=setup.block, shared_bytes=setup.shared_bytes, cluster=setup.asked_cluster
        )
        options = Options(progress=progress, cache_global_in_l1=not setup.bypass_l1, too_long=too_long)
        return record.open(engine, options, history_bytes, setup.traced_block if history_bytes else 0)

    def _record(self, setup: Setup) -> LaunchRecord:
        assert setup.program_launch is not None
        number, index = setup.program_launch
        if self._request is None or self._result is None or number != self._request.number:
            raise WarpviewError("the launches of that program are no longer kept: run the program again (Ctrl+F5)")
        return self._result.launches[index]


def _compiler(by_nvidia: bool) -> str:
    return "nvrtc" if by_nvidia else "warpview"
