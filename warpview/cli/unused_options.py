"""Refuse options of ``warpview run`` that would do nothing for what it is given."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from warpview.devices import Device
from warpview.diagnostics import WarpviewError
from warpview.profile.counters import Counter
from warpview.profile.export import ExportRow
from warpview.sim.rules.codes import caches_loads

_OF_PROGRAMS = {
    "timeline": "--timeline", "launch_number": "--launch", "with_files": "--with", "time_limit": "--time-limit",
}  # fmt: skip


def refuse_unused(context: typer.Context, device: Device, is_program: bool, is_file: bool) -> None:
    """Raise WarpviewError for an option that was given and has no effect: one of programs for a kernel, one of library
    kernels for a file, ``--tolerance`` without ``--expect``, ``--no-l1`` where no load can bypass the L1."""
    unused = {} if is_program else {name: (text, "is for a program, a .cu file whose main runs")
                                    for name, text in _OF_PROGRAMS.items()}  # fmt: skip
    if is_file:
        unused["preset"] = "--preset", "is for a library kernel: say how to launch a file with --grid and --block"
    if not context.params["expect"]:
        unused["tolerance"] = "--tolerance", "says how exact --expect is, which is not given"
    if caches_loads(device, True) == caches_loads(device, False):
        unused["no_l1"] = "--no-l1", f"changes nothing on {device.name}, where loads cannot be told to bypass it"
    for name, (option, why) in unused.items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise WarpviewError(f"{option} {why}")


def refuse_unknown(asked: Sequence[Counter], row: ExportRow, engine: str) -> None:
    """Raise WarpviewError where a run knows none of the counters that were asked for."""
    if any(row.counters.get(counter.key) is not None for counter in asked):
        return
    names = ", ".join(counter.key for counter in asked)
    needs = ": times and cycles need --engine sm" if engine != "sm" else ""
    raise WarpviewError(f"--counters: this run has no value for {names}{needs}")
