"""Find where undefined values matter: execute the launch again and follow each of them (sim/jit/undefined.py)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.isa.types import Space
from warpview.sim.checks.flow import may_read_undefined
from warpview.sim.engine import execution_of, warm_up
from warpview.sim.jit.machine import LaunchContext
from warpview.sim.launch import FindingKind, Launch, Options, RawFinding, shared_memory_bytes
from warpview.sim.memory import DeviceMemory

MOST_BLOCKS = 256  # in which undefined values are followed: a launch takes one core then
MOST_STEPS = 1 << 20  # of a warp


def may_matter(program: Program, memory: DeviceMemory) -> bool:
    """Return whether a launch may come across an undefined value at all."""
    if program.native is not None:
        return False
    has_memory = program.local_bytes or program.static_shared_bytes or program.uses_dynamic_shared
    return bool(has_memory or memory.written is not None or may_read_undefined(program))


def undefined_values(
    program: Program, device: Device, launch: Launch, memory: DeviceMemory, options: Options
) -> list[RawFinding]:
    """Execute the first ``MOST_BLOCKS`` blocks of a launch and return where undefined values matter; ``memory`` is
    changed in place. Of a launch whose blocks wait for one another all are executed, or none where they are more.

    ``other`` of a finding is where the value was read; without an instruction its address is the register's row. What
    a texture fetch reads is not followed: it is reported at the fetch, without ``other``.
    """
    warm_up()
    chosen = replace(options, check=True, races=False, source_checks=False, follow_undefined=True, progress=None)
    chosen = replace(chosen, step_budget=min(chosen.step_budget, MOST_STEPS))
    common = LaunchContext.of(program, device, launch, memory, chosen)
    if common.waits_for_blocks and launch.n_blocks > MOST_BLOCKS:
        return []
    execution = execution_of(common, np.arange(min(launch.n_blocks, MOST_BLOCKS), dtype=np.int64), 1)
    execution.execute()
    found = [f for f in execution.outcome().findings if f.kind == FindingKind.UNINITIALISED]
    return [_with_origin(common, finding) for finding in found]


def _with_origin(common: LaunchContext, finding: RawFinding) -> RawFinding:
    """Return a finding whose space is that of the read that its value comes from."""
    if finding.other is None:
        return finding
    at, address = finding.other.pc, finding.address
    space = common.program.instructions[at].space if at >= 0 else Space.NONE
    if space == Space.GENERIC:  # the place of the read is within its space, which it does not tell
        shared_bytes = shared_memory_bytes(common.program, common.launch)
        in_global = any(a.base <= address < a.end for a in common.memory.allocations)
        space = Space.GLOBAL if in_global else Space.SHARED if address < shared_bytes else Space.LOCAL
    return replace(finding, space=space, other=replace(finding.other, address=finding.address))
