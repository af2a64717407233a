"""Name addresses as elements of buffers, of ``__device__`` variables and of declared arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

from warpview.isa.members import StructMember
from warpview.isa.program import NONE, Program, Variable
from warpview.isa.types import Space, Type
from warpview.sim.launch import Launch
from warpview.sim.memory import DEVICE_VARIABLES, GUARD, DeviceMemory


def signed(number: int, bits: int) -> int:
    """Return a number of so many bits as a signed one."""
    number %= 1 << bits
    return number - (1 << bits) if number >> (bits - 1) else number


def declared_array(program: Program, space: Space, offset: int) -> Variable | None:
    """Return the declared array of a space that holds a byte, or else the last one before it, or the first."""
    known = program.constant_symbols if space == Space.CONST else program.variables
    arrays = sorted((v for v in known if v.space == space and v.element_bytes), key=lambda v: v.offset)
    before = [v for v in arrays if v.offset <= offset]
    return before[-1] if before else arrays[0] if arrays else None


def is_null(program: Program, launch: Launch, address: int) -> bool:
    """Return whether an address below all buffers comes from a null pointer. Where no pointer of the launch is null it
    lies that far before a buffer."""
    pointers = [int(launch.uniform64[param.row]) for param in program.params if param.is_pointer]
    return address < GUARD or not pointers or not all(pointers)


def index_text(array: Variable | StructMember, byte: int, width: int) -> str:
    """Return the indices of a byte of an array, such as "[3][5]", "" for a scalar, and of an array of structs the
    member, such as "[3].x", unless an access to ``width`` bytes there has all of an element."""
    index, byte = divmod(byte, array.element_bytes)
    places = []
    for extent in reversed(array.dims[1:]):
        places.append(index % extent)
        index //= extent
    indices = "".join(f"[{k}]" for k in (index, *reversed(places))) if array.dims else ""
    return indices + member_text(array.members, byte, width, array.element_bytes)


def member_text(members: Sequence[StructMember], byte: int, width: int, size: int) -> str:
    """Return the name of what lies at a byte of a struct of ``size`` bytes, such as ".second" or ".tile[3]"; "" for all
    of it, and where it has no member."""
    before = [member for member in members if member.offset <= byte]
    if not before or (byte == 0 and width >= size):
        return ""
    last = max(before, key=lambda member: member.offset)
    return f".{last.name}{index_text(last, byte - last.offset, width)}"


def element_type(program: Program, memory: DeviceMemory, address: int) -> Type | None:
    """Return the type of the elements of the buffer that an address lies in, where the kernel's parameter tells it."""
    near = memory.nearest(address)
    param = near and next((p for p in program.params if p.name == near.name and p.is_pointer), None)
    return param.element if param else None


def global_place(program: Program, memory: DeviceMemory, address: int, width: int, accessed: int) -> str:
    """Return the element of a buffer or ``__device__`` variable that an address of global memory lies in, or its
    member that an access to ``accessed`` bytes has there. ``width`` is the size of an element where nothing else is
    known."""
    near = memory.nearest(address)
    if near is None or not near.base <= address < near.end:
        return f"address {address:#x}"
    byte = address - near.base
    param = next((p for p in program.params if p.name == near.name and p.is_pointer), None)
    if param is not None:
        size = param.element_bytes or width
        rest = f" + {byte % size} bytes" if byte % size and byte % size % width else ""
        return f"{near.name}[{byte // size}]{member_text(param.members, byte % size, accessed, size) or rest}"
    together = program.device_row != NONE and near.name == DEVICE_VARIABLES
    if together or program.native is None:  # in a whole program the offset of a variable is its address
        for variable in program.device_symbols:
            at = address - variable.offset - (near.base if together else 0)
            if 0 <= at < math.prod(variable.dims or (1,)) * variable.element_bytes:
                return variable.name + index_text(variable, at, accessed)
    return f"{near.name}[{byte // width}]"
