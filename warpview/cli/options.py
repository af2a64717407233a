"""Define the arguments and options of ``warpview run`` and ``warpview compare``: their names and their help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from warpview import library
from warpview.library.inputs import KINDS

Kernel = Annotated[str, typer.Argument(help="A library kernel (see `warpview list`), a .cu, a .cubin or a .ptx file.")]
KernelName = Annotated[
    str | None, typer.Option("--kernel", "-k", help="Kernel in the file, with template arguments: 'reduce<128>'.")
]
DeviceOption = Annotated[str, typer.Option("--device", "-d", help="A device key (see `warpview devices`) or file.")]
Extent = Annotated[str | None, typer.Option(metavar="X[,Y[,Z]]", help="Blocks in the grid.")]
Block = Annotated[str | None, typer.Option(metavar="X[,Y[,Z]]", help="Threads per block.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="X[,Y[,Z]]", help="Blocks in a thread block cluster, from compute capability 9.0 on."),
]
Shared = Annotated[int | None, typer.Option("--shared", help="Dynamic shared memory per block, in bytes.")]
Arguments = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        "-a",
        metavar="NAME=SPEC",
        help="A kernel argument: a number, or KIND:COUNT[:PARAMETER] for a buffer with KIND one of "
        f"{', '.join(KINDS)}, blank; or file:PATH.npy. A struct is given field by field: view.size=64.",
    ),
]
PresetName = Annotated[
    str,
    typer.Option(
        "--preset", "-p", callback=library.preset_key,
        help="Which launch of a library kernel: small or large (or step and full, their keys in the manifest).",
    ),
]  # fmt: skip
Engine = Annotated[str, typer.Option("--engine", "-e", help="'profile' counts; 'sm' gives cycles and time as well.")]
Registers = Annotated[
    int | None, typer.Option("--registers", min=1, help="Registers per thread, instead of the estimate.")
]
Defines = Annotated[list[str] | None, typer.Option("--define", "-D", metavar="NAME[=VALUE]", help="Define a macro.")]
Predicate = Annotated[
    bool, typer.Option("--as-compiled", help="Turn short branches into predicated instructions, as nvcc does.")
]
Compiler = Annotated[
    str,
    typer.Option(
        "--compiler", help=r"'warpview', or 'nvrtc': NVIDIA's own machine code (pip install 'warpview\[nvidia]')."
    ),
]
Compilers = Annotated[
    str | None,
    typer.Option(
        "--compiler",
        help="'warpview', or 'nvrtc': NVIDIA's own machine code; or both, comma-separated. Left out: with --engine sm "
        "'nvrtc' for a device that it compiles for, if it is installed, else 'warpview'.",
    ),
]
NoFma = Annotated[bool, typer.Option("--no-fma", help="Do not contract a * b + c into one instruction.")]
NoCheck = Annotated[bool, typer.Option("--no-check", help="Do not check for races and uninitialised reads.")]
Sample = Annotated[
    float,
    typer.Option(
        "--sample", metavar="PERCENT", help="Execute only this percentage of the blocks; the counters are estimates."
    ),
]
Expect = Annotated[
    list[str] | None,
    typer.Option("--expect", metavar="NAME=FILE.npy", help="Compare an array with a file after the run."),
]
Tolerance = Annotated[
    float | None,
    typer.Option("--tolerance", min=0, help="Error that --expect allows, relative to values above 1."),
]
WhoWrote = Annotated[
    list[str] | None,
    typer.Option("--who-wrote", metavar="NAME[INDEX]", help="Tell which thread wrote an element last, and where."),
]
ReplayOption = Annotated[
    bool, typer.Option("--replay", help="Execute a launch that has races in an order that changes its result.")
]
Why = Annotated[
    bool, typer.Option("--why", help="Tell what limits the launch, its costly lines, and what could be gained.")
]
BypassL1 = Annotated[
    bool, typer.Option("--no-l1", help="Let global loads bypass the L1 of CC 2.x, as with nvcc -Xptxas -dlcm=cg.")
]
BankWidth = Annotated[
    int | None, typer.Option("--bank-width", help="Bytes per shared-memory bank on CC 3.x: 4 (default) or 8.")
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
    int | None, typer.Option("--launch", min=1, help="The launch of a program that the tables and files describe.")
]
With = Annotated[
    list[Path] | None, typer.Option("--with", help="A further .cu or .cpp file of a program; may be repeated.")
]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write the counters to this CSV file, one row per run.")]
Json = Annotated[Path | None, typer.Option("--json", help="Write the counters to this JSON file.")]
Lines = Annotated[
    Path | None,
    typer.Option("--lines", help="Write the counters of every source line and instruction to this CSV file."),
]
Page = Annotated[
    Path | None,
    typer.Option("--report", help="Write the run as one HTML page: pictures, source with heat, counters, times."),
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
