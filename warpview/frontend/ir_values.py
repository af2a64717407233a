"""Define the operands of the intermediate representation: registers, constants, parameters, places in memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.isa.program import Special
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ir import StackFrame


@dataclass(frozen=True, eq=False)
class Reg:
    """Represent a virtual register; two are equal only if they are the same. ``name`` is that of a source variable, or
    ''."""

    type: Type
    id: int
    name: str = ""

    def __str__(self) -> str:
        return f"%{self.name or 't'}.{self.id}:{self.type}"


@dataclass(frozen=True)
class Const:
    """Hold a literal as its register bit pattern: 32 bits (narrow integers widened by their sign), or 64."""

    type: Type
    bits: int

    @property
    def value(self) -> int | float:
        """Return the number that the bits mean."""
        if self.type == Type.F32:
            return float(struct.unpack("<f", struct.pack("<I", self.bits))[0])
        if self.type == Type.F64:
            return float(struct.unpack("<d", struct.pack("<Q", self.bits))[0])
        width = 64 if self.type.is_wide else 32
        if self.type.is_signed and self.bits >> (width - 1):
            return self.bits - (1 << width)
        return self.bits

    def __str__(self) -> str:
        return f"{self.value}:{self.type}"


@dataclass(frozen=True)
class ParamValue:
    """Stand for the kernel parameter ``Function.params[index]``."""

    type: Type
    index: int

    def __str__(self) -> str:
        return f"param{self.index}:{self.type}"


@dataclass(frozen=True)
class SpecialValue:
    """Stand for a launch-dependent value such as threadIdx.x, readable as an operand.

    One that is volatile CUDA's headers ask for by volatile assembly: it is asked for again in each trip of a loop.
    """

    special: Special
    is_volatile: bool = False

    @property
    def type(self) -> Type:
        return Type.U32

    def __str__(self) -> str:
        return f"%{self.special.name.lower()}"


@dataclass(frozen=True)
class DeviceBase:
    """Stand for the base address of the program's ``__device__`` variables."""

    @property
    def type(self) -> Type:
        return Type.U64

    def __str__(self) -> str:
        return "%device"


@dataclass(eq=False)
class Slot:
    """Represent a local variable before it is known whether it can live in registers.

    ``types`` has the register type of each scalar part by byte offset; None where there are too many. Promotion
    gives the slot ``registers``, or an ``offset`` in local memory.
    """

    name: str
    size: int
    align: int
    types: dict[int, Type] | None
    span: Span
    registers: dict[int, Reg] | None = None
    offset: int = 0  # in local memory, or in its ``frame``
    frame: StackFrame | None = None


@dataclass(frozen=True)
class SlotAddress:
    """Stand for the address of a slot in local memory. Only lowering writes it; promotion replaces it."""

    slot: Slot

    @property
    def type(self) -> Type:
        return Type.U32

    def __str__(self) -> str:
        return f"&{self.slot.name or 't'}"


@dataclass(frozen=True)
class ArrayBounds:
    """Bound the bytes of the variable that an access is written to go to, ``low`` to ``high - 1`` of its space or,
    before promotion, of its ``slot``.

    With the name of a ``member`` array they are those of the array, from the address of its struct; of an instruction
    that scales an index, its first operand, they are the indices; of an access the index is known to be outside.
    """

    low: int
    high: int
    slot: Slot | None = None
    member: str = ""

    def placed(self) -> ArrayBounds | None:
        """Return the bounds within local memory, once the slot has its offset there; None on the stack."""
        if self.slot is None:
            return self
        if self.slot.frame is not None:
            return None
        return ArrayBounds(self.slot.offset + self.low, self.slot.offset + self.high)


@dataclass(frozen=True)
class DynamicShared:
    """Stand for the address of dynamic shared memory, which lies behind all that is static. Promotion replaces it."""

    @property
    def type(self) -> Type:
        return Type.U32

    def __str__(self) -> str:
        return "%dynamic_shared"


Value = Reg | Const | ParamValue | SpecialValue | DeviceBase | SlotAddress | DynamicShared


def const(type: Type, value: int | float) -> Const:
    """Return a literal of a type; integers wrap to its width, floats are rounded to it once."""
    if type == Type.PRED:
        return Const(type, int(bool(value)))
    if type == Type.F32:
        return Const(type, round_f32_bits(float(value)))
    if type == Type.F64:
        return Const(type, struct.unpack("<Q", struct.pack("<d", float(value)))[0])
    bits = 8 * type.bytes
    wrapped = int(value) & ((1 << bits) - 1)
    if type.is_signed and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    return Const(type, wrapped & ((1 << (64 if type.is_wide else 32)) - 1))


def round_f32_bits(value: float) -> int:
    """Return the F32 pattern nearest to ``value``; what is too large becomes an infinity."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if value > 0 else float("-inf"))
    return int(struct.unpack("<I", packed)[0])


def same_bits(constant: Const, type: Type) -> Const:
    """Return the constant of another type of the same size that has the same bits."""
    mask = (1 << (8 * type.bytes)) - 1
    if type.is_float:
        return Const(type, constant.bits & mask)
    bits = constant.bits & mask
    if type.is_signed and bits >> (8 * type.bytes - 1):
        bits -= 1 << (8 * type.bytes)
    return const(type, bits)


def signed(value: int, bits: int) -> int:
    """Return an integer wrapped to ``bits`` bits of two's complement."""
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half
