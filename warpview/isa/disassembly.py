"""Write instructions as text in the manner of PTX, with the names of the source's variables and parameters."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Sequence

from warpview.isa.matrices import PRODUCTS
from warpview.isa.modes import BarrierScope, CopyGroup
from warpview.isa.ops import CLUSTER_BARRIERS, Approximation, AtomOp, Half, HalfFn, MathFn, MemoryScope, Op, OpKind
from warpview.isa.program import NONE, Instruction, Program, Special
from warpview.isa.textures import Fetch, Level, Shape, TextureOperation
from warpview.isa.types import Space, Type

_CLASS = {
    Type.PRED: "p", Type.U8: "rs", Type.S8: "rs", Type.U16: "rs", Type.S16: "rs", Type.U32: "r", Type.S32: "r",
    Type.U64: "rd", Type.S64: "rd", Type.F32: "f", Type.F64: "fd",
}  # fmt: skip
_ADDRESS_AT_END = re.compile(r"0x[0-9a-f]+$")  # of a branch in machine code
# Operand positions that hold a set of lanes, shown in hexadecimal.
MASK_OPERANDS = {Op.SHFL: 3, Op.VOTE: 1, Op.MATCH: 1, Op.REDUX: 1, Op.WARPSYNC: 0, Op.MOVM: 1}
# Operands that PTX writes and that are the same every time.
_IMPLIED = {Op.BAR_SYNC: "0", Op.BAR_RED: "0", Op.CLOCK: "%clock"}

_SHAPES = {
    Shape.LINE: "1d", Shape.PLANE: "2d", Shape.VOLUME: "3d", Shape.CUBE: "cube", Shape.LINES: "a1d",
    Shape.PLANES: "a2d", Shape.CUBES: "acube",
}  # fmt: skip
_LEVELS = {Level.FINEST: "", Level.GIVEN: ".level", Level.GRADIENTS: ".grad"}


def special_name(special: Special) -> str:
    """Return the name of a special register, such as ``%tid.x``."""
    return "%" + special.name.lower().replace("_", ".")


def literal(type: Type, bits: int) -> str:
    """Return a constant's bits as a number of a type."""
    if type == Type.F32:
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        return next(text for digits in range(1, 18) if _same_f32(text := f"{value:.{digits}g}", bits))
    if type == Type.F64:
        return repr(struct.unpack("<d", struct.pack("<Q", bits))[0])
    width = 64 if type.is_wide else 32
    return str(bits - (1 << width) if type.is_signed and bits >> (width - 1) else bits)


def _same_f32(text: str, bits: int) -> bool:
    value = float(text)
    if value != value:
        return True
    try:
        return bool(struct.unpack("<I", struct.pack("<f", value))[0] == bits)
    except OverflowError:  # rounded up beyond the largest F32
        return False


def labels(program: Program) -> dict[int, str]:
    """Return a label for each instruction that a branch goes to, numbered in program order."""
    targets = sorted({i.target for i in program.instructions if i.target != NONE})
    return {target: f"L{n}" for n, target in enumerate(targets, start=1)}


def disassemble(program: Program) -> list[str]:
    """Return one text an instruction; branches name their target's label (see ``labels``)."""
    names = OperandNames(program)
    return [names.text(i) for i in program.instructions]


def listing(program: Program) -> str:
    """Return the whole program with its labels."""
    marks = labels(program)
    lines = []
    for index, text in enumerate(disassemble(program)):
        if index in marks:
            lines.append(f"{marks[index]}:")
        lines.append(f"    {text}")
    return "\n".join(lines)


_SCOPES = {MemoryScope.DEVICE: "gl", MemoryScope.BLOCK: "cta", MemoryScope.SYSTEM: "sys"}


def mnemonic(instruction: Instruction) -> str:
    """Return the operation with its modifiers and types."""
    op, type = instruction.op, instruction.type
    name = instruction.info.mnemonic
    suffix = _type_suffix(instruction)
    if op in (Op.LD, Op.ST):
        return ".".join(filter(None, _access_parts(instruction, name)))
    if op in (Op.ATOM, Op.RED):
        scope = "" if instruction.scope == MemoryScope.DEVICE else f".{_SCOPES[instruction.scope]}"
        return f"{name}{scope}.{instruction.space}.{AtomOp(instruction.mod).name.lower()}.{type}"
    if op == Op.CVT16:
        how = Half(instruction.mod)
        return f"cvt.{type}.{how.format}" if type.is_float else f"cvt.{how.rounding}.{how.format}.{instruction.stype}"
    if op in (Op.OP16, Op.FMA16):
        return HalfFn(instruction.mod).name.lower().replace("_", ".rn." if op == Op.FMA16 else ".")
    if op in (Op.MATH1, Op.MATH2):
        return f"{MathFn(instruction.mod).name.lower()}.{type}"
    if op in (Op.APPROX1, Op.APPROX2):
        return f"{Approximation(instruction.mod).ptx}.{type}"
    if op == Op.CVT:
        return f"cvt{_rounding(instruction)}.{type}.{instruction.stype}"
    if op == Op.MEMBAR:
        return f"{name}.{_SCOPES[MemoryScope(instruction.mod)]}"
    if op == Op.CP_ASYNC:
        kind = CopyGroup(instruction.mod)
        return f"{name}.{kind.name.lower()}" + (f" {instruction.imm}" if kind == CopyGroup.WAIT_GROUP else "")
    if op == Op.BAR_SYNC and instruction.mod == BarrierScope.GRID:
        return f"{name}.grid"
    if op in (Op.BRA, Op.EXIT, Op.BAR_SYNC, Op.WARPSYNC, Op.PRINTF, Op.TRAP, Op.NOP, *CLUSTER_BARRIERS):
        return name
    if op in (Op.MUL, Op.DIV):
        name += ".rn" if type.is_float and op == Op.DIV else "" if type.is_float or op == Op.DIV else ".lo"
    if instruction.info.kind == OpKind.COLLECTIVE:
        name += ".sync"
    if instruction.info.modes is not None:
        name += "." + instruction.info.modes(instruction.mod).name.lower().replace("_", ".")
    if op == Op.TEX:
        name = fetch_name(TextureOperation.of(instruction.imm))
    return name if op in (Op.BAR_NAMED, Op.MMA) else name + suffix


def fetch_name(operation: TextureOperation) -> str:
    """Return the name of a fetch from a texture, with the components that it gives, as PTX has it."""
    shape, letters = _SHAPES[operation.shape], "".join("rgba"[k] for k in operation.components)
    if operation.fetch == Fetch.GATHER:
        return f"tld4.{'rgba'[operation.gathered]}.{shape}"
    if operation.fetch == Fetch.QUERY:
        return "txq.level." + ".".join(("width", "height", "depth")[k] for k in operation.components)
    return f"tex{_LEVELS[operation.level]}.{shape}.{letters}"


def _type_suffix(instruction: Instruction) -> str:
    op, type = instruction.op, instruction.type
    if type == Type.PRED:
        return ".pred"
    if op in (Op.VOTE, Op.ACTIVEMASK):
        return ".b32"
    return f".b{8 * type.bytes}" if instruction.info.untyped else f".{type}"


def _access_parts(instruction: Instruction, name: str) -> list[str]:
    return [
        name,
        "" if instruction.cached else f"relaxed.{_SCOPES[instruction.scope]}" if instruction.relaxed else "volatile",
        "" if instruction.space == Space.GENERIC else str(instruction.space),
        "nc" if instruction.read_only else "",
        f"v{instruction.vec}" if instruction.vec > 1 else "",
        str(instruction.type),
    ]


def _rounding(instruction: Instruction) -> str:
    to, of = instruction.type, instruction.stype
    if of.is_float and not to.is_float:
        return ".rzi"
    return ".rn" if to.is_float and (not of.is_float or of.bytes > to.bytes) else ""


class OperandNames:
    """Make the names of a program's rows and labels, and the texts that have them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.labels = labels(program)
        self.rows: tuple[dict[int, str], dict[int, str]] = ({int(s): special_name(s) for s in Special}, {})
        for param in program.params:
            name = param.name + param.field
            self.rows[param.type.is_wide][param.row] = name
        if program.device_row != NONE:
            self.rows[1][program.device_row] = "__device__"
        if program.native is not None:
            self.rows[0].update({row: name for name, row in program.native.registers.items()})
        seen: Counter[str] = Counter()
        for variable in program.variables:
            rows = self.rows[variable.type.is_wide]
            first = program.first_virtual64 if variable.type.is_wide else program.first_virtual32
            if variable.row >= first and variable.row not in rows:
                seen[variable.name] += 1
                again = f".{seen[variable.name]}" if seen[variable.name] > 1 else ""
                rows[variable.row] = f"%{variable.name}{again}"
        self._number_the_rest()

    def _number_the_rest(self) -> None:
        """Count registers without a name in their class: %r1, %r2, %f1, ..."""
        counts: Counter[str] = Counter()
        for rows, types in zip(self.rows, (self.program.row_types32, self.program.row_types64), strict=True):
            constants = self.program.constants64 if rows is self.rows[1] else self.program.constants32
            for row, type in enumerate(types):
                if row not in rows and row not in constants:
                    counts[_CLASS[type]] += 1
                    rows[row] = f"%{_CLASS[type]}{counts[_CLASS[type]]}"

    def text(self, instruction: Instruction) -> str:
        """Return an instruction as text, such as ``@!%p1 bra L3``; machine code as its assembler writes it."""
        if instruction.native is not None:
            return self._native_text(instruction, instruction.native.text)
        guard = ""
        if instruction.guard != NONE:
            guard = f"@{'!' if instruction.guard_negated else ''}{self.operand(instruction.guard, Type.PRED)} "
        return f"{guard}{mnemonic(instruction)} {', '.join(self._operands(instruction))}".rstrip()

    def _native_text(self, instruction: Instruction, text: str) -> str:
        """Return the text of machine code; a branch names the label of its target in place of the address."""
        if instruction.target == NONE:
            return text
        return _ADDRESS_AT_END.sub(self.labels[instruction.target], text)

    def operand(self, row: int, type: Type) -> str:
        """Return a name, a literal, or a numbered register of its class."""
        constant = self._constant(row, type)
        return self.rows[type.is_wide][row] if constant is None else literal(type, constant)

    def _constant(self, row: int, type: Type) -> int | None:
        return (self.program.constants64 if type.is_wide else self.program.constants32).get(row)

    def _operands(self, instruction: Instruction) -> list[str]:
        op = instruction.op
        if op == Op.BRA:
            return [self.labels[instruction.target]]
        parts = []
        if instruction.dst_type is not None:
            parts.append(self._vector(instruction.result_rows, instruction.dst_type))
        if op in _IMPLIED:
            parts.append(_IMPLIED[op])
        if op in (Op.PRINTF, Op.TRAP):
            parts.append(f"#{instruction.imm}")
        if op == Op.ST:
            parts.append(self._address(instruction))
            parts.append(self._vector(instruction.srcs[1:], instruction.type))
            return parts
        if op == Op.MMA:
            return parts + self._matrices(instruction)
        for position, (row, type) in enumerate(zip(instruction.srcs, instruction.src_types, strict=True)):
            if position == 0 and instruction.space != Space.NONE:
                parts.append(self._address(instruction))
            elif MASK_OPERANDS.get(op) == position and (mask := self._constant(row, Type.U32)) is not None:
                parts.append(f"0x{mask:x}")
            else:
                parts.append(self.operand(row, type))
        return parts + [self.operand(row, type) for row, type in instruction.extra]

    def _vector(self, rows: Sequence[int], type: Type) -> str:
        names = [self.operand(row, type) for row in rows]
        return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"

    def _matrices(self, instruction: Instruction) -> list[str]:
        """Return the registers of A, B and C; all lanes take part, so that the mask need not be told."""
        product, rows = PRODUCTS[instruction.mod], instruction.srcs
        parts = ((rows[: product.a], product.operand_type), (rows[product.a : -product.d - 1], product.operand_type))
        of_c = rows[-product.d - 1 : -1], product.type
        return [self._vector(part, type_) for part, type_ in (*parts, of_c)]

    def _address(self, instruction: Instruction) -> str:
        row, type = instruction.srcs[0], instruction.src_types[0]
        constant = self._constant(row, type)
        if constant is not None:
            return f"[{constant + instruction.imm}]"
        return f"[{self.operand(row, type)}{f'{instruction.imm:+d}' if instruction.imm else ''}]"
