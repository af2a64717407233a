"""Dispatch the command ``warpview`` to its subcommands and turn errors into messages with exit code 2."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn

import typer
from rich.console import Console

from warpview.cli import access, calibrate, describe, occupancy, runs
from warpview.diagnostics import WarpviewError

app = typer.Typer(
    name="warpview",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command("list")(describe.list_kernels)
app.command("devices")(describe.list_devices)
app.command("show")(describe.show)
app.command("run")(runs.run)
app.command("compare")(runs.compare)
app.command("occupancy")(occupancy.occupancy)
app.command("access")(access.access)
app.command("calibrate")(calibrate.calibrate)

COMMANDS = frozenset({"list", "devices", "show", "run", "compare", "occupancy", "access", "calibrate"})


@app.callback()
def _warpview() -> None:
    """Show how a GPU executes a CUDA kernel, warp by warp. Without a command, the window opens."""


def main(argv: list[str] | None = None, report: runs.PageWriter | None = None) -> None:
    """Run a command and exit: 0 done, 2 for anything wrong with what was given. ``report`` writes a run as a page."""
    arguments = sys.argv[1:] if argv is None else argv
    _print_any_text()
    if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        fail(f"there is no command '{arguments[0]}'; commands are {', '.join(sorted(COMMANDS))}")
    try:
        try:
            app(args=arguments, prog_name="warpview", obj=report)
        finally:
            sys.stdout.flush()
    except WarpviewError as error:
        fail(str(error))
    except OSError as error:
        _give_up_output()
        fail(f"cannot write to the standard output: {error.strerror or error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _print_any_text() -> None:
    """Let the standard output show '?' for a character that its encoding lacks, such as × in ASCII; the standard error
    shows its number anyway."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _give_up_output() -> None:
    """Let what is still buffered for the standard output go nowhere, or the interpreter fails on it as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str) -> NoReturn:
    """Say what is wrong and exit with 2."""
    # Plain text: a caret under a source line must not be wrapped or taken for markup.
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"warpview: {message}", markup=False)
    sys.exit(2)
