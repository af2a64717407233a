"""warpview shows how a GPU executes a CUDA kernel, warp by warp.

import warpview as wv
program = wv.compile("reduce.cu", kernel="reduce<128>")
run = wv.simulate(program, grid=64, block=128, args=[a, out, n], shared_bytes=512, device="h200")
run.counters["global_ld_sectors"]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpview.devices import Device, devices, occupancy
    from warpview.diagnostics import CompileError, Diagnostic, LaunchError, WarpviewError
    from warpview.host import HostFinding, LaunchRecord, ProgramResult, run_program
    from warpview.library import kernels
    from warpview.profile.counters import COUNTERS
    from warpview.run import Run, Series, Step, compile, simulate, simulate_preset, simulate_series
    from warpview.sim.arguments.binding import Buffer, Uninitialised
    from warpview.sim.checks.findings import Finding
    from warpview.sim.launch import Cancelled

__all__ = [
    "COUNTERS",
    "Buffer",
    "Cancelled",
    "CompileError",
    "Device",
    "Diagnostic",
    "Finding",
    "HostFinding",
    "LaunchError",
    "LaunchRecord",
    "ProgramResult",
    "Run",
    "Series",
    "Step",
    "Uninitialised",
    "WarpviewError",
    "compile",
    "devices",
    "kernels",
    "occupancy",
    "run_program",
    "simulate",
    "simulate_preset",
    "simulate_series",
]

# Imported at first use, so that a command that only lists kernels starts at once.
_HOMES = {
    "warpview.devices": ("Device", "devices", "occupancy"),
    "warpview.diagnostics": ("CompileError", "Diagnostic", "LaunchError", "WarpviewError"),
    "warpview.host": ("HostFinding", "LaunchRecord", "ProgramResult", "run_program"),
    "warpview.library": ("kernels",),
    "warpview.profile.counters": ("COUNTERS",),
    "warpview.run": ("Run", "Series", "Step", "compile", "simulate", "simulate_preset", "simulate_series"),
    "warpview.sim.arguments.binding": ("Buffer", "Uninitialised"),
    "warpview.sim.checks.findings": ("Finding",),
    "warpview.sim.launch": ("Cancelled",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'warpview' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME_OF[name]), name)
