"""Look up what instructions cost that go through the queue of memory instructions and accesses to nothing.

Each scheduler hands such instructions on one after the other, and reads their registers meanwhile: the longer, the more
there are. The multiprocessor takes one at a time from all schedulers into the pipe of shared memory and L1, shuffles
and numbers of threads and lanes among them, and accesses of which no lane takes part. Constants that are loaded into
registers, and what all threads of a block read alike, come from another unit (LSU and ADU among the pipelines of Nsight
Compute's documentation).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpview.devices import Device
from warpview.isa.ops import Op, Unit
from warpview.isa.program import Instruction, Program, Special

OF_THREADS = (Special.TID_X, Special.TID_Y, Special.TID_Z, Special.LANEID, Special.WARPID)
SPECIAL_REGISTER = ("S2R", "S2UR")  # not CS2R, which has a pipe of its own


def is_shuffle(instruction: Instruction) -> bool:
    native = instruction.native
    return instruction.op == Op.SHFL or (native is not None and native.mnemonic.startswith("SHFL"))


def reads_own_number(instruction: Instruction) -> bool:
    """Return whether an instruction of machine code reads the number of a thread, of a lane or of a warp."""
    native = instruction.native
    return native is not None and native.mnemonic.startswith(SPECIAL_REGISTER) and native.reads[:1] in _ROWS


_ROWS = [(int(row),) for row in OF_THREADS]


def reads_aside(instruction: Instruction) -> bool:
    """Return whether an instruction of machine code loads a constant or reads another special register."""
    native = instruction.native
    if native is None or reads_own_number(instruction):
        return False
    return native.mnemonic.startswith(("LDC", *SPECIAL_REGISTER))


def slots(instruction: Instruction, unit: Unit, device: Device) -> int:
    """Return the cycles that an instruction takes of the pipe where it accesses nothing."""
    if is_shuffle(instruction):
        return device.shuffle_slots
    if reads_own_number(instruction):
        return device.special_slots
    return device.unused_slots if unit == Unit.LSU else 0


def side_slots(instruction: Instruction, device: Device) -> int:
    """Return the cycles that an instruction takes of the unit of constants."""
    return device.side_slots if reads_aside(instruction) else 0


def handing_cycles(program: Program, units: Sequence[Unit], device: Device) -> list[int]:
    """Return for how long the queue of its scheduler hands each instruction on; 0 for those that do not enter it."""
    if not device.mio_register_cycles:
        return [0] * len(units)
    registers = {} if program.native is None else program.native.registers
    rows = {row for name, row in registers.items() if name[1:].isdigit()}
    return [
        _handing_cycles(instruction, unit, rows, device.mio_register_cycles)
        for instruction, unit in zip(program.instructions, units, strict=True)
    ]


def _handing_cycles(instruction: Instruction, unit: Unit, rows: set[int], each: int) -> int:
    if reads_own_number(instruction):
        return 1
    if reads_aside(instruction):
        return 0
    if unit != Unit.LSU and not is_shuffle(instruction):
        return 0
    if instruction.native is not None:
        return max(1, each * len(rows.intersection(instruction.native.reads)))
    words = sum(2 if kind.is_wide else 1 for kind in instruction.src_types)
    further = max(0, instruction.vec - 1) if instruction.op == Op.ST else 0
    return each * max(1, words + further)
