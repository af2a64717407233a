"""Lower the instructions of PTX that fetch from textures."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from warpview.frontend.ir import Instr, Value, const
from warpview.frontend.ptx.syntax import PtxInstruction, PtxOperand
from warpview.isa.ops import Op
from warpview.isa.textures import COORDINATES, LAYERED, Fetch, Level, Shape, TextureOperation
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_SHAPES = {
    "1d": Shape.LINE, "2d": Shape.PLANE, "3d": Shape.VOLUME, "cube": Shape.CUBE, "a1d": Shape.LINES,
    "a2d": Shape.PLANES, "acube": Shape.CUBES,
}  # fmt: skip
_LEVELS = {"level": Level.GIVEN, "grad": Level.GRADIENTS}
_TYPES = {"f32": Type.F32, "s32": Type.U32, "u32": Type.U32}
_GATHERED = "rgba"
_ALL = (0, 1, 2, 3)
_OFFSET_BITS = {Fetch.GATHER: (6, 8)}  # of each axis, and from one to the next


def fetch(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower tex and tld4."""
    modifiers = list(ins.modifiers)
    gathered = _GATHERED.index(modifiers.pop(0)) if ins.opcode == "tld4" else 0
    level = _LEVELS[modifiers.pop(0)] if modifiers[0] in _LEVELS else Level.FINEST
    geometry, vector, given, taken = modifiers
    result, place, *further = ins.operands
    if vector != "v4" or place.kind != "address" or len(place.parts) != 2:
        low.refuse(f"'{ins.name}'")
    is_element = taken == "s32"
    if (is_element and geometry != "1d") or (level == Level.GRADIENTS and "cube" in geometry):
        low.refuse(f"'{ins.name}'")
    kind = Fetch.GATHER if ins.opcode == "tld4" else Fetch.ELEMENT if is_element else Fetch.SAMPLE
    operation = TextureOperation(kind, _SHAPES[geometry], _ALL, gathered, level=level)
    words = _coordinates(low, operation, place.parts[1]) + _of_level(low, operation, further)
    if len(further) > (0, 1, 2)[level]:
        operation = TextureOperation(kind, operation.shape, _ALL, gathered, level=level, has_offsets=True)
        words.append(_offsets(low, further[-1], *_OFFSET_BITS.get(kind, (4, 4))))
    _emit(low, ins, operation, (low.read(place.parts[0], Type.U32), *words), _TYPES[given], result)


def _emit(
    low: PtxCall, ins: PtxInstruction, operation: TextureOperation, sources: tuple[Value, ...], type_: Type,
    result: PtxOperand,
) -> None:  # fmt: skip
    if result.kind == "pair":  # with a predicate that says whether no texel is missing
        low.write(result.parts[1], const(Type.PRED, 1))
        result = result.parts[0]
    results = tuple(low.function.reg(type_) for _ in _ALL)
    low.append(Instr(Op.TEX, type_, results, sources, ins.span, imm=operation.number, vec=len(_ALL)))
    for target, value in zip(result.parts, results, strict=True):
        low.write(target, value)


def _coordinates(low: PtxCall, operation: TextureOperation, place: PtxOperand) -> list[Value]:
    """Return the coordinates, of which PTX repeats the last one where there are three."""
    types = [Type.F32] * COORDINATES[operation.shape]
    if operation.shape in LAYERED or operation.fetch == Fetch.ELEMENT:
        types[0] = Type.U32
    parts = place.parts or (place,)
    return [low.read(part, type_) for part, type_ in zip(parts, types, strict=False)]


def _of_level(low: PtxCall, operation: TextureOperation, further: list[PtxOperand]) -> list[Value]:
    """Return the level, or the gradients: of each coordinate along x and along y."""
    if operation.level == Level.GIVEN:
        return [low.read(further[0], Type.F32)]
    if operation.level == Level.FINEST:
        return []
    pairs = zip(*(operand.parts or (operand,) for operand in further[:2]), strict=True)
    return [low.read(part, Type.F32) for part in list(chain(*pairs))[: 2 * operation.dimensions]]


def _offsets(low: PtxCall, operand: PtxOperand, bits: int, step: int) -> Value:
    """Return offsets in texels, which are literals, in one word, as machine code has them."""
    total = 0
    for k, part in enumerate(operand.parts or (operand,)):
        value = low.constant(part)
        if value is None:
            low.refuse("an offset that is no literal")
        total |= (value & (1 << bits) - 1) << step * k if k < 3 else 0
    return const(Type.U32, total)
