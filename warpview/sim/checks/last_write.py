"""Find which access wrote some bytes of global memory last, by executing a launch again with a watch on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.sim.checks.access_log import LogKind, LogRecord
from warpview.sim.checks.race_check import MAX_RECORDS, AccessRecorder, Watch
from warpview.sim.engine import execution_of, warm_up
from warpview.sim.jit.machine import LaunchContext
from warpview.sim.launch import Launch, Options
from warpview.sim.memory import DeviceMemory

WRITES = (LogKind.WRITE, LogKind.ATOMIC)
NO_WORDS = np.zeros(0, dtype=np.int64)


def last_write(
    program: Program,
    device: Device,
    launch: Launch,
    memory: DeviceMemory,
    options: Options,
    blocks: NDArray[np.int64],
    address: int,
    size: int,
) -> LogRecord | None:
    """Execute the ``blocks`` of a launch in their order and return the last store or atomic to any of ``size`` bytes
    from ``address``; None where there was none. ``memory`` is changed in place, as by the launch."""
    warm_up()
    plain = replace(options, check=False, races=False, progress=None)
    common = LaunchContext.of(program, device, launch, memory, plain)
    execution = execution_of(common, blocks, 1)
    words = np.arange(address // 4, (address + size - 1) // 4 + 1)
    watch = Watch(words, NO_WORDS, blocks)
    # The log is by words: where other elements share the word, all of its records are looked through.
    is_whole = address % 4 == 0 and size % 4 == 0
    recorder = AccessRecorder(execution.workers[0].machine, watch, WRITES, 0 if is_whole else MAX_RECORDS)
    execution.execute()
    if is_whole:
        return recorder.latest()
    hits = [r for r in recorder.log().records if r.address < address + size and address < r.address + r.size]
    return hits[-1] if hits else None
