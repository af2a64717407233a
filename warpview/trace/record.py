"""Run a launch on the cycle-level engine and keep its history."""

from __future__ import annotations

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.events import SmOptions
from warpview.sim.launch import Launch, Options, Outcome
from warpview.sim.memory import DeviceMemory
from warpview.sim.reference.multiprocessor import run_sm_reference
from warpview.sim.reference.replay import ReferenceReplay
from warpview.sim.snapshot import CountTrack
from warpview.trace.access import AccessDecoder
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
    options, sm = options or Options(), sm or SmOptions()
    before = memory.copy()
    run = run_sm_reference(program, device, launch, memory, options, sm)
    replay = ReferenceReplay(
        program, device, launch, before, options, run.events, run.started, run.result.resident_blocks
    )
    bases, ends = memory.bounds()
    decoder = AccessDecoder(program, device, launch, bases, ends, options.cache_global_in_l1)
    steps = run.events.cycle[:0]
    track = CountTrack(steps, run.outcome.counts[:0].reshape(0, *run.outcome.counts.shape))
    return run.outcome, Trace(program, device, launch, decoder, run.events, run.result, replay, track)
