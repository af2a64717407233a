"""Load the simulator for a command, and say so where it must be compiled first."""

from __future__ import annotations

from itertools import count

import typer


def load_simulator() -> None:
    """Load the simulator. The first start after an installation compiles it, for up to a few minutes."""
    from warpview.sim.jit import machine_code

    calls = count()

    def compiling(done: int, total: int) -> None:
        if next(calls) == 0:
            typer.echo("warpview: compiling the simulator (once)", err=True)

    machine_code.load(compiling)
