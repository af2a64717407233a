"""Findings in the user's terms: what happened, where in the source, to which thread, at which address."""

from __future__ import annotations

import math
from dataclasses import dataclass

from warpview.diagnostics import Diagnostic, Span
from warpview.isa.ops import Op
from warpview.isa.program import Instruction, Program
from warpview.isa.types import Space
from warpview.sim.launch import Dim3, FindingKind, Launch, RawFinding
from warpview.sim.memory import DeviceMemory


@dataclass(frozen=True)
class Finding:
    """Something that went wrong while the kernel ran. ``count`` is how often it did at this place;
    block, thread and address are those of the first time."""

    kind: str
    message: str
    span: Span
    pc: int
    block: Dim3
    thread: Dim3
    address: int
    count: int = 1

    def render(self) -> str:
        """The finding as a compiler would print it, with the source line and a caret."""
        times = f" ({self.count} times)" if self.count > 1 else ""
        return Diagnostic(f"{self.kind}: {self.message}{times}", self.span).render()


def _coordinates(linear: int, extent: Dim3) -> Dim3:
    return linear % extent[0], linear // extent[0] % extent[1], linear // (extent[0] * extent[1])


def _dim(value: Dim3) -> str:
    return f"({value[0]}, {value[1]}, {value[2]})"


def _verb(instruction: Instruction) -> str:
    return {Op.LD: "reads", Op.ST: "writes"}.get(instruction.op, "updates")


def _place(raw: RawFinding, memory: DeviceMemory, program: Program) -> str:
    """An address in words: inside or beside which buffer or array."""
    space = Space(raw.space)
    if space != Space.GLOBAL:
        return f"{space} memory at byte {raw.address}{_array(raw.address, space, program)}"
    near = memory.nearest(raw.address)
    if near is None:
        return f"address {raw.address:#x}"
    if raw.address >= near.end:
        past = raw.address - near.end
        return f"{past} bytes past the end of '{near.name}' ({near.size} bytes)"
    if raw.address < near.base:
        return f"{near.base - raw.address} bytes before '{near.name}'"
    return f"byte {raw.address - near.base} of '{near.name}'"


def _array(offset: int, space: Space, program: Program) -> str:
    """Which declared array holds a byte of a memory space, or ends before it: ", that is 'tile[3][5]'"."""
    arrays = [v for v in program.variables if v.space == space and v.offset <= offset and v.element_bytes]
    if not arrays:
        return ""
    array = max(arrays, key=lambda v: v.offset)
    index = (offset - array.offset) // array.element_bytes
    elements = math.prod(array.dims)
    if elements and index >= elements:
        return f", beyond the {elements} elements of '{array.name}'"
    places = []
    for extent in reversed(array.dims[1:]):
        places.append(index % extent)
        index //= extent
    return f", that is '{array.name}{''.join(f'[{k}]' for k in (index, *reversed(places)))}'"


def _message(raw: RawFinding, instruction: Instruction, who: str, memory: DeviceMemory, program: Program) -> str:
    access = f"{who} {_verb(instruction)} {instruction.width} bytes"
    match raw.kind:
        case FindingKind.OUT_OF_BOUNDS:
            return f"{access}, {_place(raw, memory, program)}"
        case FindingKind.MISALIGNED:
            return f"{access} at address {raw.address:#x}, which is not a multiple of {instruction.width}"
        case FindingKind.NULL_POINTER:
            return f"{access} through a null pointer (address {raw.address:#x})"
        case FindingKind.UNINITIALISED:
            return f"{who} reads {_place(raw, memory, program)}, which nobody has written"
        case FindingKind.RACE:
            return (
                f"{who} {_verb(instruction)} {_place(raw, memory, program)}, which another warp of the block "
                "touched since the last barrier"
            )
        case FindingKind.BARRIER:
            return f"{who} waits at a barrier that other threads of its block never reach"
        case FindingKind.ENDLESS:
            return f"the warp of {who} used up its step budget: an endless loop, or a lock that is never released"
        case FindingKind.ASSERTION:
            return f"{who}: assertion failed: {program.asserts[instruction.imm].format}"
        case FindingKind.INACTIVE_LANE:
            return f"{who} reads a lane that does not take part"
        case FindingKind.DEADLOCK:
            return f"{who} waits for lanes of its own warp that never come"


KIND_NAMES = {
    FindingKind.OUT_OF_BOUNDS: "out of bounds",
    FindingKind.MISALIGNED: "misaligned access",
    FindingKind.NULL_POINTER: "null pointer",
    FindingKind.UNINITIALISED: "uninitialised read",
    FindingKind.RACE: "race",
    FindingKind.BARRIER: "barrier cannot complete",
    FindingKind.ENDLESS: "endless loop",
    FindingKind.ASSERTION: "assertion",
    FindingKind.INACTIVE_LANE: "inactive lane",
    FindingKind.DEADLOCK: "deadlock",
}


def describe(raw: RawFinding, program: Program, launch: Launch, memory: DeviceMemory) -> Finding:
    """A raw finding of an engine in the user's terms."""
    instruction = program.instructions[raw.pc]
    block, thread = _coordinates(raw.block, launch.grid), _coordinates(raw.thread, launch.block)
    who = f"thread {_dim(thread)} of block {_dim(block)}"
    message = _message(raw, instruction, who, memory, program)
    return Finding(KIND_NAMES[raw.kind], message, instruction.span, raw.pc, block, thread, raw.address, raw.count)
