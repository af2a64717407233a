"""``warpview run`` and ``warpview compare`` launch kernels and write their counters as tables and files."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from warpview import library
from warpview.cli import programs
from warpview.cli.profilers import print_caches, print_nsight_comparison, print_visual_profile
from warpview.cli.tables import console, counter_tables, formatted, selected_counters
from warpview.devices import Device, load_device
from warpview.diagnostics import LaunchError, WarpviewError
from warpview.files import write_file
from warpview.frontend import kernels_in
from warpview.frontend.lower.launches import LaunchInfo
from warpview.host import has_main
from warpview.isa.program import Program
from warpview.profile import export
from warpview.profile.counters import Counter, counters_of
from warpview.profile.lines import lines_csv
from warpview.run import Changes, Run, Series, Step, argument_from_text, compile, launch_entry, simulate_series

Kernel = Annotated[str, typer.Argument(help="A library kernel (see `warpview list`), a .cu or a .cubin file.")]
KernelName = Annotated[
    str | None, typer.Option("--kernel", "-k", help="Kernel in the file, with template arguments: 'reduce<128>'.")
]
DeviceOption = Annotated[str, typer.Option("--device", "-d", help="A device key (see `warpview devices`) or file.")]
Extent = Annotated[str | None, typer.Option(metavar="X[,Y[,Z]]", help="Blocks in the grid.")]
Block = Annotated[str | None, typer.Option(metavar="X[,Y[,Z]]", help="Threads in a block.")]
Shared = Annotated[int | None, typer.Option("--shared", help="Dynamic shared memory a block, bytes.")]
Arguments = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        "-a",
        metavar="NAME=SPEC",
        help="A kernel argument: a number, or KIND:COUNT[:PARAMETER] for a buffer with KIND one of zeros, iota, "
        "constant, hash, uniform, blank; or file:PATH.npy.",
    ),
]
PresetName = Annotated[str, typer.Option("--preset", "-p", help="Which launch of a library kernel: step or full.")]
Engine = Annotated[str, typer.Option("--engine", "-e", help="'profile' counts; 'sm' gives cycles and time as well.")]
Registers = Annotated[
    int | None, typer.Option("--registers", min=1, help="Registers a thread, instead of the estimate.")
]
Defines = Annotated[list[str] | None, typer.Option("--define", "-D", metavar="NAME[=VALUE]", help="A macro.")]
Predicate = Annotated[
    bool, typer.Option("--as-compiled", help="Turn short branches into predicated instructions, as nvcc does.")
]
Compiler = Annotated[
    str, typer.Option("--compiler", help="'warpview', or 'nvrtc': NVIDIA's own machine code (warpview[nvidia]).")
]
NoFma = Annotated[bool, typer.Option("--no-fma", help="Do not contract a * b + c into one instruction.")]
NoCheck = Annotated[bool, typer.Option("--no-check", help="Do not look for races and uninitialised reads.")]
BypassL1 = Annotated[
    bool, typer.Option("--no-l1", help="Send global loads around the L1 of CC 2.x, as nvcc's -dlcm=cg does.")
]
BankWidth = Annotated[
    int | None, typer.Option("--bank-width", help="Bytes a shared-memory bank on CC 3.x: 4 (usual) or 8.")
]
ProgramArguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="[-- ARGUMENT...]", help="Arguments of the program, where the file has a `main`."),
]
Timeline = Annotated[
    Path | None,
    typer.Option("--timeline", help="Write a program's copies and kernels with their times to this .csv or .json."),
]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", min=0, help="Seconds that a program's host part may take; 0: no limit.")
]
LaunchNumber = Annotated[
    int | None, typer.Option("--launch", min=1, help="Which launch of a program the tables and files are about.")
]
With = Annotated[
    list[Path] | None, typer.Option("--with", help="A further .cu or .cpp file of a program; may be repeated.")
]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write the counters to this CSV file, one row a run.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the counters to this JSON file.")]
Lines = Annotated[
    Path | None,
    typer.Option("--lines", help="Write the counters of every source line and instruction to this CSV file."),
]
Page = Annotated[
    Path | None,
    typer.Option("--report", help="Write the run as one HTML page: pictures, source with heat, counters (engine sm)."),
]
Counters = Annotated[str | None, typer.Option("--counters", "-c", help="Which counters to show, comma-separated.")]
All = Annotated[bool, typer.Option("--all", help="Show every counter.")]
NamesOption = Annotated[
    str, typer.Option("--names", help="Counter names: warpview, nsight (Nsight Compute) or visual_profiler.")
]
VisualProfiler = Annotated[
    bool, typer.Option("--visual-profiler", help="Also show the run as the Visual Profiler did (up to CC 3.x).")
]
Caches = Annotated[bool, typer.Option("--caches", help="Also show cache hits and misses (with --engine sm).")]
Nsight = Annotated[
    Path | None, typer.Option("--nsight", help="Also compare with a CSV export of Nsight Compute (ncu --csv).")
]


Progressed = Callable[[int, int], bool]
# Returns a run as an HTML page: run, title, what it teaches. The pictures are the window's, so main passes it in.
PageWriter = Callable[[Run, str, str], str]


@dataclass(frozen=True)
class LaunchOptions:
    """These options apply to every launch of a command."""

    preset: str
    engine: str
    kernel: str | None = None
    grid: str | None = None
    block: str | None = None
    shared: int | None = None
    arguments: tuple[str, ...] = ()
    registers: int | None = None
    defines: tuple[str, ...] = ()
    predicate: bool = False
    fma: bool = True
    check: bool = True
    l1: bool = True
    bank_width: int | None = None
    compiler: str = "warpview"


def run(
    context: typer.Context,
    kernel: Kernel,
    program_arguments: ProgramArguments = None,
    name: KernelName = None,
    device: DeviceOption = "h200",
    grid: Extent = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    preset: PresetName = "full",
    engine: Engine = "profile",
    registers: Registers = None,
    define: Defines = None,
    as_compiled: Predicate = False,
    compiler: Compiler = "warpview",
    no_fma: NoFma = False,
    no_check: NoCheck = False,
    no_l1: BypassL1 = False,
    bank_width: BankWidth = None,
    csv: Csv = None,
    json: Json = None,
    lines: Lines = None,
    report: Page = None,
    counters: Counters = None,
    all_counters: All = False,
    names: NamesOption = "warpview",
    visual_profiler: VisualProfiler = False,
    nsight: Nsight = None,
    caches: Caches = False,
    timeline: Timeline = None,
    time_limit: TimeLimit = 0.0,
    launch_number: LaunchNumber = None,
    with_files: With = None,
) -> None:
    """Launch one kernel and print its counters; run a .cu file that has a `main` as a program."""
    engine = engine if report is None else "sm"  # the page shows steps
    settings = LaunchOptions(
        preset, engine, name, grid, block, shared, tuple(arg or ()), registers, tuple(define or ()),
        as_compiled, not no_fma, not no_check, not no_l1, bank_width, compiler,
    )  # fmt: skip
    shown = selected_counters(counters, all_counters)
    naming = _names(names)
    exit_code = None
    if _is_program(kernel, settings):
        options = programs.ProgramOptions(
            _device(device, settings), _defines(settings.defines), settings.check, settings.fma, settings.predicate,
            time_limit, timeline,
        )  # fmt: skip
        program = programs.execute([Path(kernel), *(with_files or [])], program_arguments or [], options)
        _save([Series(program.runs)] if program.runs else [], csv, json, naming)
        if launch_number is None:
            raise typer.Exit(program.exit_code)
        result, exit_code, csv, json = programs.series_of(program, launch_number, engine), program.exit_code, None, None
    elif program_arguments:
        raise WarpviewError(f"'{program_arguments[0]}': arguments are for a program, a .cu file that has a main")
    else:
        result = _launch(kernel, device, settings)
    out = console()
    for title in _titles(result):
        out.print(title)
    _print_counters([device], [result.row], shown, naming)
    if visual_profiler:
        print_visual_profile(result.launches[0])
    if caches:
        print_caches(result.launches[0])
    if nsight is not None:
        print_nsight_comparison(result.launches[0], nsight)
    for launch in result.launches:
        out.print("".join(launch.output), end="", markup=False)
        if launch.output_dropped:
            kept, dropped = formatted(len(launch.output)), formatted(launch.output_dropped)
            out.print(f"({dropped} more printf calls are not shown: the first {kept} of a launch are kept)")
    if lines is not None:
        first = result.launches[0]
        _write("--lines", lines, lines_csv(first.program, first.counts, counters_of(first.device), naming))
    if report is not None:
        _write_page(context.obj, report, result.launches[0], kernel)
    _save([result], csv, json, naming)
    raise typer.Exit(_report(result, kernel, preset) if exit_code is None else exit_code)


def _is_program(kernel: str, settings: LaunchOptions) -> bool:
    """Return whether a file is run as a program: it has a ``main``, and no option says how to launch one kernel of
    it."""
    alone = settings.kernel or settings.grid or settings.block or settings.arguments
    return kernel.endswith((".cu", ".cpp", ".cc")) and not alone and has_main(Path(kernel))


def compare(
    kernels: Annotated[list[str], typer.Argument(help="Library kernels or .cu files.")],
    devices: Annotated[str, typer.Option("--devices", "-d", help="Device keys, comma-separated.")] = "h200",
    preset: PresetName = "full",
    engine: Engine = "profile",
    as_compiled: Predicate = False,
    csv: Csv = None,
    json: Json = None,
    counters: Counters = None,
    all_counters: All = False,
    names: NamesOption = "warpview",
) -> None:
    """Launch several kernels, or one on several devices, and set their counters side by side."""
    shown = selected_counters(counters, all_counters)
    naming = _names(names)
    settings = LaunchOptions(preset, engine, predicate=as_compiled)
    keys = [key.strip() for key in devices.split(",") if key.strip()]
    runs, titles, code = [], [], 0
    for kernel in kernels:
        for key in keys:
            result = _launch(kernel, key, settings)
            runs.append(result)
            titles.append("\n".join(part for part in (_short(kernel), key) if part))
            code = max(code, _report(result, kernel, preset))
    _print_counters(titles, [result.row for result in runs], shown, naming)
    _save(runs, csv, json, naming)
    raise typer.Exit(code)


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
    if len(series.launches) > 1:
        shape += f" and {len(series.launches) - 1} more launches; counters are of all of them"
    return [f"[bold]{first.program.kernel}[/] on [bold]{first.device.name}[/]  {shape}"]


def _names(names: str) -> export.Names:
    if names not in get_args(export.Names):
        raise WarpviewError(f"--names: there is no '{names}'; use {', '.join(get_args(export.Names))}")
    return cast(export.Names, names)


def _short(kernel: str) -> str:
    return Path(kernel).stem if kernel.endswith(".cu") else kernel.rpartition("/")[2]


def _device(key: str, settings: LaunchOptions) -> Device:
    chip = load_device(key)
    return chip if settings.bank_width is None else chip.with_bank_width(settings.bank_width)


def _launch(kernel: str, device: str, settings: LaunchOptions) -> Series:
    """Launch a kernel, with a progress bar where it takes long."""
    chip = _device(device, settings)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True, console=console(), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"{_short(kernel)} on {device}", total=None)

        def progress(done: int, total: int) -> bool:
            bar.update(task, completed=done, total=total)
            return True

        if kernel.endswith((".cu", ".cuh", ".cubin")):
            return _launch_file(Path(kernel), chip, settings, progress)
        changes = Changes(
            grid=_extents(settings.grid, "--grid"),
            block=_extents(settings.block, "--block"),
            shared_bytes=settings.shared,
            arguments=_assignments(settings.arguments, "--arg"),
            defines=_defines(settings.defines),
            kernel=settings.kernel,
        )
        return launch_entry(
            library.entry(kernel), settings.preset, chip, changes, engine=settings.engine, check=settings.check,
            registers=settings.registers, fma=settings.fma, predicate=settings.predicate, l1=settings.l1,
            progress=progress, compiler=settings.compiler,
        )  # fmt: skip


def _launch_file(path: Path, device: Device, settings: LaunchOptions, progress: Progressed) -> Series:
    program = compile(
        path, settings.kernel, _defines(settings.defines), fma=settings.fma, predicate=settings.predicate,
        compiler=settings.compiler, device=device,
    )  # fmt: skip
    for warning in program.warnings:
        typer.echo(warning.render(), err=True)
    grid, block = _extents(settings.grid, "--grid"), _extents(settings.block, "--block")
    written = _written_launch(program)
    if written is not None:
        grid, block = grid or written.grid, block or written.block
    if grid is None or block is None:
        raise LaunchError(f"say how to launch {program.kernel}: --grid and --block")
    texts = _assignments(settings.arguments, "--arg")
    texts = {**_written_arguments(program, written), **texts}
    arguments = {name: argument_from_text(program, name, text) for name, text in texts.items()}
    return simulate_series(
        [Step(program, grid, block, arguments, settings.shared or 0)], device=device, engine=settings.engine,
        check=settings.check, registers=settings.registers, l1=settings.l1, progress=progress,
    )  # fmt: skip


def _written_arguments(program: Program, launch: LaunchInfo | None) -> dict[str, str]:
    """Return the numbers that a launch in the file's text passes, by parameter; nothing else is guessed."""
    if launch is None:
        return {}
    names = list(dict.fromkeys(param.name for param in program.params))
    scalars = {param.name for param in program.params if not param.is_pointer and not param.field}
    values = dict(zip(names, launch.arguments, strict=False))
    taken = {name: repr(value) for name, value in values.items() if name in scalars and value is not None}
    if taken:
        said = ", ".join(f"{name} = {value}" for name, value in taken.items())
        typer.echo(f"from the launch in line {launch.span.line}: {said}", err=True)
    return taken


def _written_launch(program: Program) -> LaunchInfo | None:
    """Return the launch of the kernel that the file's host code holds, where its grid and block are plain numbers."""

    def spelled(name: str) -> str:
        return name.replace(" ", "")

    kernels = kernels_in(program.source, include_dir=Path(program.source.name).parent)
    launches = [
        launch for kernel in kernels for launch in kernel.launches if spelled(launch.kernel) == spelled(program.kernel)
    ]
    return next((launch for launch in launches if launch.grid and launch.block), None)


def _extents(text: str | None, option: str) -> tuple[int, ...] | None:
    """Return '64', '16,16' or '16x16' as numbers."""
    if text is None:
        return None
    parts = re.split(r"[,x]", text)
    if not all(part.strip().isdecimal() for part in parts):
        raise WarpviewError(f"{option}: '{text}' is not one to three whole numbers such as 16,16")
    return tuple(int(part) for part in parts)


def _assignments(texts: Sequence[str], option: str) -> dict[str, str]:
    result = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise WarpviewError(f"{option}: '{text}' is not NAME=VALUE")
        result[name.strip()] = value.strip()
    return result


def _defines(texts: Sequence[str]) -> dict[str, object]:
    """Return the macros of -D NAME and -D NAME=VALUE, as a compiler takes them."""
    pairs: Mapping[str, str] = _assignments([text if "=" in text else f"{text}=1" for text in texts], "--define")
    return dict(pairs)


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


def _report(result: Series, kernel: str, preset: str) -> int:
    """Print the findings; return 1 where the launch was ended early or a library kernel's result is not numpy's."""
    errors = console()
    for finding in result.findings:
        errors.print(finding.render(), markup=False, soft_wrap=True)
    wrong = result.mismatch
    if wrong:
        errors.print(f"{kernel} ({preset}): {wrong}", markup=False)
    return 1 if result.launches[-1].aborted or wrong else 0
