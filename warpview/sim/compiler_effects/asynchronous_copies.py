"""Find the asynchronous copies of a program: an instruction of machine code, or a load and a store as written.

NVIDIA's compiler writes one instruction for both where the device has that: the warp goes on, and waits for the groups
of its copies that it names.
"""

from __future__ import annotations

from typing import NamedTuple

from warpview.devices import Device
from warpview.isa.native import SpecialAtomic
from warpview.isa.ops import Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.compiler_effects.absorbed_operations import straight_code
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written

SIZES = frozenset({4, 8, 16})  # bytes a lane (PTX ISA, cp.async); others are loaded and stored


class AsynchronousCopies(NamedTuple):
    """Hold the instructions that copy, and those that have nothing left to do: stores, and waits for groups where a
    device has no such copies."""

    copying: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()


def is_bulk(instruction: Instruction) -> bool:
    """Return whether an instruction is a bulk copy."""
    return instruction.native is not None and instruction.native.bulk is not None


def tells_barrier(instruction: Instruction) -> bool:
    """Return whether an instruction tells a barrier in shared memory when the copies of its warp so far are there."""
    if instruction.native is not None:
        return instruction.native.mnemonic.startswith("ARRIVES.LDGSTSBAR")
    return instruction.asynchronous and instruction.op == Op.RED


def asks_barrier(instruction: Instruction) -> bool:
    """Return whether an instruction asks a barrier in shared memory, which may have been told so, for its phase."""
    if instruction.native is not None:
        return instruction.op == Op.MBARRIER and instruction.native.extra == SpecialAtomic.CHECK
    return instruction.asynchronous and instruction.relaxed


def asynchronous_copies(program: Program, device: Device) -> AsynchronousCopies:
    """Return the asynchronous copies of a program on a device."""
    code = program.instructions
    if program.native is not None:
        copies = (n for n, i in enumerate(code) if i.native is not None and i.native.copy_target is not None)
        return AsynchronousCopies(frozenset(copies))
    if not device.copies_to_shared:
        return AsynchronousCopies(absent=frozenset(n for n, i in enumerate(code) if _only_orders(i)))
    pairs = _pairs(program)
    return AsynchronousCopies(frozenset(pairs.values()), frozenset(pairs))


def _only_orders(instruction: Instruction) -> bool:
    """Return whether an instruction does nothing but to say what waits for copies."""
    return instruction.op == Op.CP_ASYNC or tells_barrier(instruction)


def _pairs(program: Program) -> dict[int, int]:
    """Return the load of each store that is a copy with it, which alone reads what that has loaded."""
    code, found = program.instructions, dict[int, int]()
    for block in straight_code(program):
        loads: dict[Row, int] = {}
        for n in block:
            instruction = code[n]
            stored = rows_read(instruction)[1:] if _copies(instruction, Op.ST, Space.SHARED) else ()
            given = {loads[row] for row in stored if row in loads}
            if len(given) == 1:
                found[n] = given.pop()
            is_load = _copies(instruction, Op.LD, Space.GLOBAL)
            for row in rows_written(instruction):
                loads.pop(row, None)
                if is_load:
                    loads[row] = n
    return found


def _copies(instruction: Instruction, op: Op, space: Space) -> bool:
    """Return whether an instruction is that part of a copy."""
    is_part = instruction.asynchronous and instruction.op == op and instruction.space == space
    return is_part and instruction.width in SIZES
