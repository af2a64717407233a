"""Replace the joining of the parts that a word was split into by the word itself.

Fragments of matrices are arrays of elements in the source, and words where they are loaded and multiplied.
"""

from __future__ import annotations

from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import Const, Function, Instr, Reg, Value
from warpview.frontend.passes.simplify import move
from warpview.isa.ops import Op
from warpview.isa.types import Type

Byte = tuple[Reg, int] | int | None  # a byte of a register, a number, or unknown
Bytes = tuple[Byte, ...]  # of 32 bits, the lowest first
_UNKNOWN: Bytes = (None,) * 4
_WORDS = frozenset({Type.U32, Type.S32})
_LOWEST = {Type.U8: 1, Type.U16: 2}  # bytes of types that are widened by zeros


def join_bytes(function: Function) -> bool:
    """Replace within each block what puts a word together; True if anything changed."""
    changed = False
    for block in function.blocks:
        if any(instr.op == Op.PRMT for instr in block.instrs):
            checkpoint()
            before, block.instrs = block.instrs, _joined(block.instrs)
            changed |= any(new is not old for new, old in zip(block.instrs, before, strict=True))
    return changed


def _joined(instrs: list[Instr]) -> list[Instr]:
    known: dict[Reg, Bytes] = {}
    users: dict[Reg, set[Reg]] = {}  # registers of which bytes are known to be those of this one

    def bytes_of(value: Value) -> Bytes:
        if isinstance(value, Const):
            return tuple(value.bits >> 8 * k & 0xFF for k in range(4))
        if not isinstance(value, Reg):
            return _UNKNOWN
        return known.get(value) or _own(value)

    out = []
    for instr in instrs:
        found = _UNKNOWN if instr.guard is not None else _result(instr, [bytes_of(value) for value in instr.srcs])
        first = found[0]
        if instr.op == Op.PRMT and isinstance(first, tuple) and found == _own(first[0]):
            instr = move(instr, first[0])
        out.append(instr)
        for dst in instr.dsts:
            for user in users.pop(dst, ()):
                known.pop(user, None)
            known.pop(dst, None)
        named = [byte[0] for byte in found if isinstance(byte, tuple)]
        if named and instr.dsts[0] not in named:
            known[instr.dsts[0]] = found
            for reg in named:
                users.setdefault(reg, set()).add(instr.dsts[0])
    return out


def _own(reg: Reg) -> Bytes:
    """Return the bytes of a register of which nothing is known."""
    if reg.type in _WORDS:
        return tuple((reg, k) for k in range(4))
    lowest = _LOWEST.get(reg.type, 0)
    return tuple((reg, k) if k < lowest else 0 for k in range(4)) if lowest else _UNKNOWN


def _result(instr: Instr, sources: list[Bytes]) -> Bytes:
    """Return the bytes of a result, given those of the sources."""
    if len(instr.dsts) != 1 or instr.dsts[0].type not in (*_WORDS, *_LOWEST, Type.S8):
        return _UNKNOWN
    by = instr.srcs[-1].bits if instr.srcs and isinstance(instr.srcs[-1], Const) else None
    if instr.op == Op.MOV or (instr.op == Op.CVT and not instr.stype.is_wide and not instr.stype.is_float):
        return _narrowed(sources[0], instr.type)
    if instr.op == Op.SHR and instr.type == Type.U32 and by is not None and by % 8 == 0:
        return (*sources[0][by // 8 :], *(0,) * 4)[:4]
    if instr.op == Op.AND and by is not None:
        masks = [by >> 8 * k & 0xFF for k in range(4)]
        return tuple({0: 0, 0xFF: byte}.get(mask) for byte, mask in zip(sources[0], masks, strict=True))
    if instr.op == Op.PRMT and by is not None:
        chosen = [by >> 4 * k & 0xF for k in range(4)]
        both = sources[0] + sources[1]
        return tuple(both[k] if k < 8 else None for k in chosen)
    return _UNKNOWN


def _narrowed(source: Bytes, type_: Type) -> Bytes:
    """Return what a copy to a type keeps; of a signed byte the upper ones follow from the lowest."""
    if type_ in _WORDS:
        return source
    if type_ == Type.S8:
        return (source[0], None, None, None)
    return tuple(byte if k < _LOWEST[type_] else 0 for k, byte in enumerate(source)) if type_ in _LOWEST else _UNKNOWN
