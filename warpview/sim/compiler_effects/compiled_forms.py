"""Enter what NVIDIA's compiler makes of single instructions of code as written into their costs: atomics that are
carried out once for a warp, and operations that become many instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.ops import ATOMIC_OPS, Op
from warpview.isa.program import Program
from warpview.sim.compiler_effects.merged_atomics import merged_atomics
from warpview.sim.compiler_effects.written_out_operations import sequence_of


def enter_forms(costs: dict[str, NDArray[Any]], program: Program, device: Device) -> None:
    """Change the latencies, occupancies and stalls of a program, and add what tells of its atomics. Machine code stays
    as it is, and so does code for devices whose times are those of the code as it is written."""
    for name in ("merged_bytes", "merged_later", "spins"):
        costs[name] = np.zeros(len(program.instructions), dtype=np.int32)
    if program.native is not None or not device.unrolls_loops:
        return
    for n, instruction in enumerate(program.instructions):
        if instruction.op in (Op.MULWIDE, Op.MADWIDE) and device.wide_product_cycles:  # IMAD.WIDE
            costs["occupancy"][n] = max(costs["occupancy"][n], device.wide_product_cycles)
            costs["following"][n] += device.wide_product_cycles - 1
            costs["held"][n] += device.wide_product_slots - 1
        sequence = sequence_of(program, instruction, device)
        if sequence is not None and instruction.op in ATOMIC_OPS:
            costs["spins"][n], costs["held"][n] = sequence.latency, sequence.instructions - 1
        elif sequence is not None:
            costs["latency"][n], costs["occupancy"][n] = sequence.latency, sequence.cycles
            costs["following"][n] = sequence.latency if sequence.branches else sequence.instructions
            costs["held"][n] = sequence.instructions - 1
    for merged in merged_atomics(program, device):
        costs["following"][merged.at] += merged.before
        costs["held"][merged.at] += merged.slots
        costs["merged_bytes"][merged.at] = program.instructions[merged.at].type.bytes * merged.lanes
        costs["merged_later"][merged.at] = merged.before + merged.after
