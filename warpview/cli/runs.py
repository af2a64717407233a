"""Launch kernels and write their counters as tables and files: ``warpview run`` and ``warpview compare``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from warpview import library
from warpview.cli import options, programs
from warpview.cli.expectations import expected_files, print_replay, print_verdicts, print_writers
from warpview.cli.launching import LaunchOptions, chosen_device, launch, macros, short_name
from warpview.cli.long_launch import share_of
from warpview.cli.profilers import print_caches, print_nsight_comparison, print_visual_profile
from warpview.cli.tables import console, counter_tables, listed, selected_counters
from warpview.cli.text_launch import launch_as_written
from warpview.cli.unused_options import refuse_unknown, refuse_unused
from warpview.diagnostics import WarpviewError
from warpview.files import MACHINE_CODE, write_file
from warpview.host import HostPartError, NoCompiler, has_main
from warpview.profile import export
from warpview.profile.counters import Counter, counters_of
from warpview.profile.lines import lines_csv
from warpview.profile.shown import formatted
from warpview.run import Run, Series, sample_words
from warpview.run.compilation import KERNEL_SUFFIXES
from warpview.run.options import RunOptions
from warpview.trace.words import and_more

# Returns a run as an HTML page: run, title, what it teaches. The pictures are the window's, so main passes it in.
PageWriter = Callable[[Run, str, str], str]


def run(
    context: typer.Context,
    kernel: options.Kernel,
    program_arguments: options.ProgramArguments = None,
    name: options.KernelName = None,
    device: options.DeviceOption = "h200",
    grid: options.Extent = None,
    block: options.Block = None,
    cluster: options.Cluster = None,
    shared: options.Shared = None,
    arg: options.Arguments = None,
    preset: options.PresetName = "large",
    engine: options.Engine = "profile",
    registers: options.Registers = None,
    define: options.Defines = None,
    as_compiled: options.Predicate = False,
    compiler: options.Compiler = "warpview",
    no_fma: options.NoFma = False,
    no_check: options.NoCheck = False,
    sample: options.Sample = 100.0,
    expect: options.Expect = None,
    tolerance: options.Tolerance = None,
    who_wrote: options.WhoWrote = None,
    replay: options.ReplayOption = False,
    why: options.Why = False,
    no_l1: options.BypassL1 = False,
    bank_width: options.BankWidth = None,
    csv: options.Csv = None,
    json: options.Json = None,
    lines: options.Lines = None,
    report: options.Page = None,
    counters: options.Counters = None,
    all_counters: options.All = False,
    names: options.NamesOption = "warpview",
    visual_profiler: options.VisualProfiler = False,
    nsight: options.Nsight = None,
    caches: options.Caches = False,
    timeline: options.Timeline = None,
    time_limit: options.TimeLimit = 0.0,
    launch_number: options.LaunchNumber = None,
    with_files: options.With = None,
) -> None:
    """Launch one kernel and print its counters; run a .cu file that has a `main` as a program."""
    simulated: RunOptions = {
        "engine": engine if report is None else "sm",
        "check": not no_check,
        "registers": registers,
        "l1": not no_l1,
        "expect": expected_files(expect or []),
        "tolerance": tolerance,
        "sample": share_of(sample),
    }
    settings = LaunchOptions(
        preset, simulated, name, grid, block, shared, tuple(arg or ()), tuple(define or ()), as_compiled, not no_fma,
        bank_width, compiler, cluster=cluster,
    )  # fmt: skip
    outputs = RunOutputs(
        selected_counters(counters, all_counters), _names(names), csv, json, visual_profiler, caches, nsight, lines,
        report, tuple(who_wrote or ()), replay, why,
    )  # fmt: skip
    is_program = _is_program(kernel, settings)
    refuse_unused(context, chosen_device(device, settings), is_program, kernel.endswith(KERNEL_SUFFIXES))
    if is_program:
        files = [Path(kernel), *(with_files or [])]
        own = _program_options(device, settings, time_limit, timeline)
        outcome = _run_program(files, program_arguments or [], device, own, settings, launch_number, outputs)
    elif program_arguments:
        raise WarpviewError(f"'{program_arguments[0]}': arguments are for a program, a .cu file that has a main")
    else:
        outcome = RunOutcome(launch(kernel, device, settings), outputs)
    raise typer.Exit(_show(device, kernel, outcome, context.obj))


@dataclass(frozen=True)
class RunOutputs:
    """Say what ``warpview run`` prints and writes of a launch."""

    counters: Sequence[Counter]
    names: export.Names
    csv: Path | None
    json: Path | None
    visual_profiler: bool
    caches: bool
    nsight: Path | None
    lines: Path | None
    report: Path | None
    who_wrote: tuple[str, ...]
    replay: bool
    why: bool


@dataclass(frozen=True)
class RunOutcome:
    """Hold the launches that ``warpview run`` shows, and what it shows of them.

    ``exit_code`` is that of a program; where it is None, the findings decide, and it is ``least_code`` at least.
    """

    series: Series | None
    outputs: RunOutputs
    exit_code: int | None = None
    least_code: int = 0


def _run_program(
    files: list[Path], arguments: list[str], device: str, own: programs.ProgramOptions, settings: LaunchOptions,
    launch_number: int | None, outputs: RunOutputs,
) -> RunOutcome:  # fmt: skip
    """Run a program and print what it answers; where it cannot be compiled, launch one kernel as the text says."""
    try:
        program = programs.execute(files, arguments, own)
    except (NoCompiler, HostPartError) as problem:
        series = launch_as_written(files[0], device, settings, launch_number or 1, problem)
        return RunOutcome(series, outputs, least_code=2 if isinstance(problem, HostPartError) else 0)
    _save([Series(program.runs)] if program.runs else [], outputs.csv, outputs.json, outputs.names)
    programs.print_answers(program, launch_number, outputs.who_wrote, outputs.replay, outputs.why)
    chosen = None if launch_number is None else programs.series_of(program, launch_number, settings.run["engine"])
    answered = replace(outputs, csv=None, json=None, who_wrote=(), replay=False, why=False)
    return RunOutcome(chosen, answered, programs.exit_code(program))


def _show(device: str, kernel: str, outcome: RunOutcome, page: PageWriter | None) -> int:
    """Print and write what is wanted of the launches; return the exit code of the command."""
    series, outputs, code = outcome.series, outcome.outputs, outcome.exit_code
    if series is None:
        return code or 0
    refuse_unknown(outputs.counters, series.row, series.launches[0].engine)
    _print_series(device, series, outputs.counters, outputs.names)
    first = series.launches[0]
    if outputs.visual_profiler:
        print_visual_profile(first)
    if outputs.caches:
        print_caches(first)
    if outputs.nsight is not None:
        print_nsight_comparison(first, outputs.nsight)
    _print_output(series)
    _save([series], outputs.csv, outputs.json, outputs.names)
    if outputs.lines is not None:
        table = lines_csv(first.program, first.counts, counters_of(first.device), outputs.names)
        _write("--lines", outputs.lines, table)
    if outputs.report is not None:
        _write_page(page, outputs.report, first, kernel)
    print_writers(series, outputs.who_wrote)
    if code is None:
        code = max(outcome.least_code, _report(series))
    if outputs.replay:
        print_replay(series)
    if outputs.why:
        print_verdicts(series)
    return code


def _program_options(
    device: str, settings: LaunchOptions, time_limit: float, timeline: Path | None
) -> programs.ProgramOptions:
    return programs.ProgramOptions(
        chosen_device(device, settings), macros(settings.defines), settings.run["check"], settings.fma,
        settings.predicate, time_limit, timeline, settings.run["sample"], settings.run["expect"],
        settings.run["tolerance"], settings.compiler,
    )  # fmt: skip


def _print_series(device: str, series: Series, counters: Sequence[Counter], names: export.Names) -> None:
    """Print what was launched and its counters."""
    for title in _titles(series):
        console().print(title)
    _print_counters([device], [series.row], counters, names)


def _print_output(series: Series) -> None:
    """Print what the kernels printed, and how much of it was not kept."""
    out = console()
    for run in series.launches:
        out.print("".join(run.output), end="", markup=False)
        if run.output_dropped:
            kept, dropped = formatted(len(run.output)), formatted(run.output_dropped)
            out.print(f"({dropped} more printf calls are not shown: the first {kept} of a launch are kept)")


def _is_program(kernel: str, settings: LaunchOptions) -> bool:
    """Return whether a file is run as a program: it has a ``main``, and no option says how to launch one kernel of
    it."""
    alone = settings.kernel or settings.grid or settings.block or settings.arguments
    return kernel.endswith((".cu", ".cpp", ".cc")) and not alone and has_main(Path(kernel))


def compare(
    kernels: Annotated[list[str], typer.Argument(help="Library kernels or .cu files.")],
    devices: Annotated[str, typer.Option("--devices", "-d", help="Device keys, comma-separated.")] = "h200",
    preset: options.PresetName = "large",
    engine: options.Engine = "profile",
    compilers: options.Compilers = None,
    as_compiled: options.Predicate = False,
    grid: options.Extent = None,
    block: options.Block = None,
    shared: options.Shared = None,
    arg: options.Arguments = None,
    csv: options.Csv = None,
    json: options.Json = None,
    counters: options.Counters = None,
    all_counters: options.All = False,
    names: options.NamesOption = "warpview",
) -> None:
    """Launch several kernels, or one on several devices or by both compilers, and set their counters side by side."""
    shown = selected_counters(counters, all_counters)
    naming = _names(names)
    settings = LaunchOptions(
        preset, {"engine": engine}, None, grid, block, shared, tuple(arg or ()), predicate=as_compiled
    )
    keys, given = listed("--devices", devices), None if compilers is None else listed("--compiler", compilers)
    compared = [
        (kernel, key, compiler)
        for kernel, key in product(kernels, keys)
        for compiler in (given or [_compiler_for_times(kernel, key) if engine == "sm" else "warpview"])
    ]
    names_code = {compiler for _, _, compiler in compared} != {"warpview"}
    runs, titles, code = [], [], 0
    for kernel, key, compiler in compared:
        result = launch(kernel, key, replace(settings, compiler=compiler))
        runs.append(result)
        titles.append("\n".join([short_name(kernel), key, *([compiler] if names_code else [])]))
        code = max(code, _report(result))
    _print_counters(titles, [result.row for result in runs], shown, naming)
    _save(runs, csv, json, naming)
    raise typer.Exit(code)


def _compiler_for_times(kernel: str, device: str) -> str:
    """Return the compiler whose code has the most trustworthy times: NVIDIA's own, where it is there."""
    from warpview.run.nvrtc_targets import is_compiled_for

    return "nvrtc" if Path(kernel).suffix not in MACHINE_CODE and is_compiled_for(device) else "warpview"


def _print_counters(
    titles: Sequence[str], rows: Sequence[export.ExportRow], counters: Sequence[Counter], names: export.Names
) -> None:
    out = console()
    for table in counter_tables(titles, rows, counters, names, out.width):
        out.print(table)


def _titles(series: Series) -> list[str]:
    """Return the headings that say what was launched on which device."""
    first = series.launches[0]
    shape = f"grid {first.row.launch['grid']}, block {first.row.launch['block']}"
    if first.launch.cluster_blocks > 1:
        shape += f", clusters of {'x'.join(map(str, first.launch.cluster))}"
    if len(series.launches) > 1:
        shape += f"{and_more(len(series.launches), 'launch')}; counters are of all of them"
    if series.sample < 1:
        shape += f"; {sample_words(series)}"
    is_ptx = first.program.source.name.endswith(".ptx")
    code = "" if not first.program.is_compiled else " from PTX" if is_ptx else " as compiled by NVIDIA"
    return [f"[bold]{first.program.kernel}[/]{code} on [bold]{first.device.name}[/]  {shape}"]


def _names(names: str) -> export.Names:
    if names not in get_args(export.Names):
        raise WarpviewError(f"--names: there is no '{names}'; use {', '.join(get_args(export.Names))}")
    return cast(export.Names, names)


def _save(runs: Sequence[Series], csv: Path | None, json: Path | None, names: export.Names) -> None:
    rows = [launch.row for series in runs for launch in series.launches]
    if csv is not None:
        _write("--csv", csv, export.to_csv(rows, names))
    if json is not None:
        _write("--json", json, export.to_json(rows, names))


def _write_page(page: PageWriter | None, path: Path, run: Run, kernel: str) -> None:
    """Write the run as a page, under the title and with the words that the library has for its kernel."""
    if page is None:
        raise WarpviewError("--report: pages are written by the command `warpview`")
    known = next((entry for entry in library.kernels() if entry.key == kernel), None)
    _write("--report", path, page(run, known.title if known else "", known.teaches if known else ""))


def _write(option: str, path: Path, text: str) -> None:
    try:
        write_file(path, text)
    except WarpviewError as error:
        raise WarpviewError(f"{option}: {error}") from None


def _report(result: Series) -> int:
    """Print the findings; return 1 where one is an error, such as a race or a wrong result."""
    errors = console()
    for finding in result.findings:
        errors.print(finding.render(), markup=False, soft_wrap=True)
    return int(any(finding.severity == "error" for finding in result.findings))
