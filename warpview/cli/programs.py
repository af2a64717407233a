"""Run a whole program and list its launches: ``warpview run FILE.cu`` for a file with a ``main``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from numpy.typing import ArrayLike
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from warpview.cli.expectations import element_of, print_replay, print_verdicts
from warpview.cli.long_launch import LongLaunch
from warpview.cli.simulator import load_simulator
from warpview.cli.tables import console
from warpview.devices import Device
from warpview.diagnostics import WarpviewError
from warpview.files import write_file
from warpview.host import LaunchRecord, Limits, ProgramResult, run_program
from warpview.host.export import launch_lines, timeline_text
from warpview.profile.shown import formatted
from warpview.run import Series
from warpview.sim.checks.findings import RACES, WRONG_RESULTS

MOST_LISTED = 40  # launches; of a longer list its beginning and its end


@dataclass(frozen=True)
class ProgramOptions:
    """Collect the options of a run that apply to whole programs."""

    device: Device
    defines: Mapping[str, object]
    check: bool = True
    fma: bool = True
    predicate: bool = False
    seconds: float = 0.0
    timeline: Path | None = None
    sample: float = 1.0
    expect: Mapping[str, ArrayLike] | None = None
    tolerance: float | None = None
    compiler: str = "warpview"


def execute(files: Sequence[Path], arguments: Sequence[str], options: ProgramOptions) -> ProgramResult:
    """Run a program with this terminal as its input and output; what warpview has to say goes to the error output.

    Raises WarpviewError and CompileError where it cannot run.
    """
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    load_simulator()
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True, console=errors, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=None, visible=False)

        def progress(kernel: str, done: int, total: int) -> bool:
            bar.update(task, description=kernel, completed=done, total=total, visible=done < total)
            return True

        result = run_program(
            files, arguments, device=options.device, defines=options.defines, check=options.check, fma=options.fma,
            predicate=options.predicate, limits=Limits(seconds=options.seconds), input=None, collect=False,
            progress=progress, report=lambda text: errors.print(f"warpview: {text}", markup=False),
            sample=options.sample, too_long=LongLaunch(bar).ask, expect=options.expect, tolerance=options.tolerance,
            compiler=options.compiler,
        )  # fmt: skip
    _print_launches(result, errors)
    if options.timeline is not None:
        try:
            write_file(options.timeline, timeline_text(options.timeline, result))
        except WarpviewError as error:
            raise WarpviewError(f"--timeline: {error}") from None
    return result


def _print_launches(result: ProgramResult, errors: Console) -> None:
    """List the launches, then what is wrong with kernels and host code."""
    sys.stdout.flush()
    lines = launch_lines(result)
    count = len(lines)
    if count > MOST_LISTED:
        half = MOST_LISTED // 2
        lines = [*lines[:half], f"  ... {count - 2 * half} more", *lines[-half:]]
    errors.print(f"{count} launch{'' if count == 1 else 'es'} on {result.device.name}", markup=False)
    for line in lines:
        errors.print(line, markup=False)
    _print_remarks(result, errors)
    seen = set()
    for record in result.launches:
        for finding in record.run.findings:
            if (finding.kind, finding.span) not in seen:
                seen.add((finding.kind, finding.span))
                errors.print(f"launch {record.index + 1}: {finding.render()}", markup=False)
    for host_finding in result.host_findings:
        errors.print(host_finding.render(), markup=False)


def _print_remarks(result: ProgramResult, errors: Console) -> None:
    """Print the warnings of the compiled kernels, once each, and how much of what they printed was not kept."""
    for text in dict.fromkeys(w.render() for record in result.launches for w in record.program.warnings):
        errors.print(text, markup=False)
    for record in result.launches:
        if record.run.output_dropped:
            kept, dropped = formatted(len(record.run.output)), formatted(record.run.output_dropped)
            text = f"{dropped} more printf calls are not shown: the first {kept} of a launch are kept"
            errors.print(f"launch {record.index + 1}: {text}", markup=False)


def exit_code(result: ProgramResult) -> int:
    """Return the program's own exit code; 1 where that is 0 and an array is not as expected."""
    wrong = any(finding.kind in WRONG_RESULTS for record in result.launches for finding in record.run.findings)
    return result.exit_code or int(wrong)


def series_of(result: ProgramResult, number: int, engine: str) -> Series:
    """Return launch ``number``, counted from 1, by itself; simulated again where the engine "sm" is asked for.

    Raises WarpviewError where there is none of that number or its memory was not kept.
    """
    if number > len(result.launches):
        raise WarpviewError(f"--launch: there is no launch {number}: the program has {len(result.launches)}")
    record = result.launches[number - 1]
    if engine != "sm":
        return Series((record.run,))
    try:
        return Series((record.open(),))
    except ValueError as error:
        raise WarpviewError(f"--launch: {error}") from None


def asked_launch(result: ProgramResult, number: int | None) -> LaunchRecord:
    """Return launch ``number``, counted from 1; where none is named, the last that has races, or else the
    longest.

    Raises WarpviewError where the program has launched nothing.
    """
    if number is not None and number <= len(result.launches):
        return result.launches[number - 1]
    if not result.launches:
        raise WarpviewError("the program has launched no kernel")
    racing = [r for r in result.launches if any(finding.kind in RACES for finding in r.run.findings)]
    return racing[-1] if racing else max(result.launches, key=lambda record: record.time_us or 0.0)


def print_answers(result: ProgramResult, number: int | None, elements: Sequence[str], replay: bool, why: bool) -> None:
    """Print who wrote elements, an order with another result, and what limits a launch, each with its launch."""
    for text in elements:
        name, index = element_of(text)
        found = result.who_wrote(name, index)
        words = f"no kernel wrote '{text.strip()}'" if found is None else f"launch {found[0].index + 1}: {found[1]}"
        console().print(words, markup=False)
    if replay or why:
        record = asked_launch(result, number)
        console().print(f"launch {record.index + 1}:", markup=False)
        series = Series((record.run,))
        if replay:
            print_replay(series)
        if why:
            print_verdicts(series)
