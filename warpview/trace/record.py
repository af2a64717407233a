"""Run a launch on the cycle-level engine and keep its history."""

from __future__ import annotations

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.history.events import SmOptions
from warpview.sim.launch import Launch, Options, Outcome
from warpview.sim.memory import DeviceMemory
from warpview.trace.access_decoder import AccessDecoder
from warpview.trace.trace import Trace


def record(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options | None = None,
    sm: SmOptions | None = None,
) -> tuple[Outcome, Trace]:
    """Run the whole grid, one multiprocessor of it cycle by cycle; ``memory`` is written."""
    # The compiled code is loaded at first use: a program that only reads traces does not wait for it.
    from warpview.sim.engine_sm import run_sm

    options = options or Options()
    run = run_sm(program, device, launch, memory, options, sm)
    decoder = AccessDecoder(program, device, launch, tuple(memory.allocations), options.cache_global_in_l1)
    return run.outcome, Trace(program, device, launch, decoder, run.events, run.result, run.replay, run.track)
