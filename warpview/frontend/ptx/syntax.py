"""Represent a PTX module as it is written: variables, functions, instructions."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.diagnostics import Span
from warpview.isa.types import Type

# The types of the PTX ISA; bit types are unsigned here, and numbers of 16 bits patterns of their own size.
TYPES = {
    "b8": Type.U8, "u8": Type.U8, "s8": Type.S8, "b16": Type.U16, "u16": Type.U16, "s16": Type.S16, "b32": Type.U32,
    "u32": Type.U32, "s32": Type.S32, "b64": Type.U64, "u64": Type.U64, "s64": Type.S64, "f32": Type.F32,
    "f64": Type.F64, "pred": Type.PRED, "f16": Type.U16, "bf16": Type.U16, "f16x2": Type.U32, "bf16x2": Type.U32,
}  # fmt: skip
PtxShape = tuple[tuple[int, ...], tuple[int, ...]]  # the bytes of each result and of each parameter of a function
HALVES = frozenset({"f16", "bf16", "f16x2", "bf16x2"})


@dataclass(frozen=True)
class PtxOperand:
    """Describe an operand.

    ``kind`` is "name", "int", "decimal", "f32", "f64", "address" (``parts`` is its base; of a texture, coordinates),
    "list" (braces or parentheses) or "pair" (``a|b``); ``value`` is a number's bits, or the offset of an address; the
    text of a decimal fraction has its sign.
    """

    kind: str
    text: str = ""
    value: int = 0
    parts: tuple[PtxOperand, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class PtxInstruction:
    """Describe one instruction: its opcode, its modifiers, and the lines it came of."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[PtxOperand, ...]
    span: Span
    guard: PtxOperand | None = None

    @property
    def types(self) -> tuple[Type, ...]:
        """Return the types among the modifiers, in their order."""
        return tuple(TYPES[m] for m in self.modifiers if m in TYPES)

    @property
    def name(self) -> str:
        """Return the opcode with its modifiers."""
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class PtxLabel:
    """Name the place of the next instruction."""

    name: str


@dataclass(frozen=True)
class PtxAddress:
    """Describe the eight initial bytes of a variable from ``offset`` on: the address of a variable or a function, and
    ``further`` bytes."""

    offset: int
    name: str
    further: int = 0


@dataclass(frozen=True)
class PtxVariable:
    """Describe a variable or a parameter: ``size`` bytes (0: open), with its initial bytes, and the addresses among
    them."""

    name: str
    space: str
    type: Type
    size: int
    align: int
    span: Span
    data: bytes = b""
    is_array: bool = False
    addresses: tuple[PtxAddress, ...] = ()


@dataclass
class PtxFunction:
    """Hold a kernel or a function. ``registers`` are declared types by prefix or name; the body is in order."""

    name: str
    is_entry: bool
    span: Span
    parameters: list[PtxVariable] = field(default_factory=list)
    results: list[PtxVariable] = field(default_factory=list)
    registers: dict[str, Type] = field(default_factory=dict)
    variables: list[PtxVariable] = field(default_factory=list)
    prototypes: dict[str, PtxShape] = field(default_factory=dict)  # of calls through pointers, by their labels
    body: list[PtxInstruction | PtxLabel] = field(default_factory=list)
    max_threads: int = 0

    @property
    def shape(self) -> PtxShape:
        """Return what a pointer to the function must fit."""
        return tuple(v.size for v in self.results), tuple(v.size for v in self.parameters)


@dataclass
class PtxModule:
    """Hold the functions and the variables of a PTX text."""

    functions: dict[str, PtxFunction] = field(default_factory=dict)
    variables: list[PtxVariable] = field(default_factory=list)


def operation_type(type_: Type) -> Type:
    """Return the type in which values of a type are computed: integers of less than 32 bits in 32."""
    return {Type.U8: Type.U32, Type.S8: Type.S32, Type.U16: Type.U32, Type.S16: Type.S32}.get(type_, type_)
