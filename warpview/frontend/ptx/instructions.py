"""Lower the instructions of PTX: those of the table, and those that need code of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Const, DeviceBase, SpecialValue, Value, const
from warpview.frontend.ptx import (
    bits,
    clusters,
    comparisons,
    conversions,
    copies,
    extremes,
    halves,
    hints,
    matrices,
    memory_barriers,
    spaces,
    table,
    textures,
    video,
    warps,
)
from warpview.frontend.ptx.carries import has_carry, with_carry
from warpview.frontend.ptx.double_rounding import rounded_double_quotient, rounded_double_sum
from warpview.frontend.ptx.memory import unsupported
from warpview.frontend.ptx.refused import refusal_of
from warpview.frontend.ptx.rounding import DIRECTED, QUOTIENTS, SUMS, flushed, rounded_quotient, rounded_sum
from warpview.frontend.ptx.syntax import TYPES, PtxInstruction, operation_type
from warpview.frontend.ptx.system_calls import trap
from warpview.frontend.ptx.table import ROWS
from warpview.isa.modes import AtomOp, Clock, Cmp
from warpview.isa.ops import MathFn, Op
from warpview.isa.program import Special
from warpview.isa.types import RANK_SHIFT, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

Handler = Callable[["PtxCall", PtxInstruction], None]
# Which take halves among their types, or tell themselves which they take.
_WITH_HALVES = frozenset({"atom", "red", "set", "setp", "mma", "wmma", "cp"})
# A product, a sum or a difference that does not say how it is rounded may become one operation with another.
_CONTRACTED, _UNROUNDED = ("add", "sub", "mul"), frozenset({*table.ROUNDINGS, *DIRECTED, "ftz"})
_WIDE = {Type.U16: Type.U32, Type.S16: Type.S32, Type.U32: Type.U64, Type.S32: Type.S64}


def lower(low: PtxCall, ins: PtxInstruction) -> None:
    """Append what an instruction becomes. Raises CompileError where it is not supported."""
    if Type.F64 in ins.types:
        low.require(features.DOUBLES)
    ins = hints.without_policy(ins)
    handler = with_carry if has_carry(ins) else HANDLERS.get(ins.opcode)
    if halves.has_halves(ins) and ins.opcode not in _WITH_HALVES:
        (halves.convert if ins.opcode == "cvt" else halves.compute)(low, ins)
    elif extremes.are_special(ins):
        extremes.choose(low, ins)
    elif handler is not None:
        handler(low, ins)
    elif ins.opcode in ROWS:
        _simple(low, ins)
    else:
        raise unsupported(f"'{ins.name}'", low.span, refusal_of(ins.opcode))


def special_register(low: PtxCall, name: str) -> Value | None:
    """Return the value of a special register that the launch does not fill in; None where there is no such name."""
    lane = SpecialValue(Special.LANEID)
    if name == "WARP_SZ":
        return const(Type.U32, 32)
    if name.startswith(("%clock", "%globaltimer")):
        return _clock(low, name)
    if name in ("%envreg1", "%envreg2"):
        return _barrier_word(low, upper=name == "%envreg1")
    if not name.startswith("%lanemask_"):
        return None
    which = name.removeprefix("%lanemask_")
    if which not in table.ORDERED:
        return None
    ones = {"eq": 1, "le": 2, "gt": 2}.get(which, 1)
    power = low.emit(Op.SHL, Type.U32, const(Type.U32, ones), lane)
    if which == "eq":
        return power
    below = low.emit(Op.SUB, Type.U32, power, const(Type.U32, 1))
    return low.emit(Op.NOT, Type.U32, below) if which in ("gt", "ge") else below


def _clock(low: PtxCall, name: str) -> Value | None:
    """Return what a clock counts: cycles or nanoseconds, all 64 bits or one of their halves."""
    unit = Clock.NANOSECONDS if name.startswith("%globaltimer") else Clock.CYCLES
    if name in ("%clock64", "%globaltimer"):
        return low.emit(Op.CLOCK, Type.U64, mod=unit)
    if name in ("%clock", "%globaltimer_lo"):
        return low.emit(Op.CLOCK, Type.U32, mod=unit)
    if name not in ("%clock_hi", "%globaltimer_hi"):
        return None
    upper = low.emit(Op.SHR, Type.U64, low.emit(Op.CLOCK, Type.U64, mod=unit), const(Type.U32, 32))
    return low.emit(Op.CVT, Type.U32, upper, stype=Type.U64)


def _barrier_word(low: PtxCall, upper: bool) -> Value:
    """Return the upper or the lower word of the address of the grid's barrier, which the driver puts into environment
    registers; see ``sass.grid_barrier``."""
    low.require(features.GRID_SYNC)
    low.function.polls_grid = True
    place = const(Type.U64, low.memory.grid_barrier(low.span))
    address = low.emit(Op.ADD, Type.U64, DeviceBase(), place)
    if upper:
        address = low.emit(Op.SHR, Type.U64, address, const(Type.U32, 32))
    return low.emit(Op.CVT, Type.U32, address, stype=Type.U64)


def _type(low: PtxCall, ins: PtxInstruction) -> Type:
    """Return the type of an instruction. Refuse types and roundings that the operations do not have."""
    known = {*TYPES, *table.ROUNDINGS, *table.FORMS, "ftz"}
    if ins.types and ins.types[-1].is_float and ins.opcode in (*SUMS, *QUOTIENTS):
        known |= DIRECTED
    if not ins.types or not known.issuperset(ins.modifiers):
        low.refuse(f"'{ins.name}'")
    return ins.types[-1]


def _simple(low: PtxCall, ins: PtxInstruction) -> None:
    row, type_ = ROWS[ins.opcode], _type(low, ins)
    op = row.floating if type_.is_float else row.integer
    is_high = ins.opcode.endswith("24") and "lo" not in ins.modifiers
    if len(ins.operands) != row.sources + 1:
        low.reject(f"'{ins.name}' with {len(ins.operands)} operands")
    if op is None or is_high:
        low.refuse(f"'{ins.name}'")
    computed = operation_type(type_)
    sources = [low.read(operand, type_) for operand in ins.operands[1:]]
    if op in (Op.SHL, Op.SHR):
        sources[1] = low.read(ins.operands[2], Type.U32)
    if op in (Op.ADD, Op.SUB) and type_ == Type.S32 and "sat" in ins.modifiers:
        low.write(ins.operands[0], _saturated(low, op, sources))
        return
    if ins.opcode in ("mul", "mad") and not type_.is_float and "lo" not in ins.modifiers:
        _product(low, ins, type_, sources)
        return
    if op in (Op.CLZ,) and type_.bytes < 4:
        low.refuse(f"'{ins.name}'")
    function = table.approximation(ins.opcode, ins.modifiers) if type_ == Type.F32 else None
    if function is not None:
        op = Op.APPROX1 if row.sources == 1 else Op.APPROX2
    elif op == Op.APPROX1:
        low.refuse(f"'{ins.name}'")
    else:
        sources = [flushed(low, ins, source) for source in sources]
    direction = next((m for m in ins.modifiers if m in DIRECTED), "")
    if direction:
        sums, quotients = (
            (rounded_double_sum, rounded_double_quotient) if type_.is_wide else (rounded_sum, rounded_quotient)
        )
        result: Value = (sums if ins.opcode in SUMS else quotients)(low, ins.opcode, direction, sources)
    else:
        contracts = type_.is_float and ins.opcode in _CONTRACTED and _UNROUNDED.isdisjoint(ins.modifiers)
        result = low.emit(op, computed, *sources, mod=function or 0, contracts=contracts)
    result = flushed(low, ins, result) if function is None else result
    if "sat" in ins.modifiers:
        if not type_.is_float:
            low.refuse(f"'{ins.name}'")
        result = low.emit(Op.MAX, type_, result, const(type_, 0.0))
        result = low.emit(Op.MIN, type_, result, const(type_, 1.0))
    low.write(ins.operands[0], result)


def _saturated(low: PtxCall, op: Op, sources: list[Value]) -> Value:
    """Return a sum of signed words limited to what a word holds."""
    wide = [low.emit(Op.CVT, Type.S64, source, stype=Type.S32) for source in sources]
    found = low.emit(Op.MAX, Type.S64, low.emit(op, Type.S64, *wide), const(Type.S64, -(1 << 31)))
    found = low.emit(Op.MIN, Type.S64, found, const(Type.S64, (1 << 31) - 1))
    return low.emit(Op.CVT, Type.S32, found, stype=Type.S64)


def _product(low: PtxCall, ins: PtxInstruction, type_: Type, sources: list[Value]) -> None:
    """Lower mul and mad in their wide and their high form."""
    is_high = "hi" in ins.modifiers
    if not is_high and type_.bytes == 4:
        wide = _WIDE[type_]
        if ins.opcode == "mad":
            sources[2] = low.read(ins.operands[3], wide)
            result = low.emit(Op.MADWIDE, type_, *sources)
        else:
            result = low.emit(Op.MULWIDE, type_, *sources)
    elif not is_high and type_.bytes == 2:
        result = low.emit(Op.MUL, _WIDE[type_], *sources[:2])
        if ins.opcode == "mad":
            result = low.emit(Op.ADD, _WIDE[type_], result, low.read(ins.operands[3], _WIDE[type_]))
    elif is_high:
        if type_.bytes == 2:
            wide = _WIDE[type_]
            result = low.emit(Op.SHR, wide, low.emit(Op.MUL, wide, *sources[:2]), const(Type.U32, 16))
        else:
            result = low.emit(Op.MULHI, type_, *sources[:2])
        if ins.opcode == "mad":
            result = low.emit(Op.ADD, operation_type(type_), result, sources[2])
    else:
        low.refuse(f"'{ins.name}'")
    low.write(ins.operands[0], result)


def _mov(low: PtxCall, ins: PtxInstruction) -> None:
    target, source = ins.operands
    type_ = ins.types[-1]
    if source.kind == "list":
        _pack(low, ins, type_)
    elif target.kind == "list":
        _unpack(low, ins, type_)
    else:
        low.write(target, low.read(source, type_))


def _pack(low: PtxCall, ins: PtxInstruction, type_: Type) -> None:
    """Lower mov of several registers into one."""
    parts = ins.operands[1].parts
    bits = 8 * type_.bytes // len(parts)
    wide = Type.U64 if type_.is_wide else Type.U32
    part_type = {8: Type.U8, 16: Type.U16, 32: Type.U32}.get(bits)
    if part_type is None:
        low.refuse(f"'{ins.name}'")
    result: Value | None = None
    for k, part in enumerate(parts):
        value = low.read(part, part_type)
        if wide == Type.U64:
            value = low.emit(Op.CVT, wide, value, stype=part_type)
        if k:
            value = low.emit(Op.SHL, wide, value, const(Type.U32, k * bits))
        result = value if result is None else low.emit(Op.OR, wide, result, value)
    assert result is not None
    low.write(ins.operands[0], result)


def _unpack(low: PtxCall, ins: PtxInstruction, type_: Type) -> None:
    """Lower mov of one register into several."""
    parts = ins.operands[0].parts
    bits = 8 * type_.bytes // len(parts)
    wide = Type.U64 if type_.is_wide else Type.U32
    source = low.read(ins.operands[1], wide)
    for k, part in enumerate(parts):
        value = low.emit(Op.SHR, wide, source, const(Type.U32, k * bits)) if k else source
        if part.text != "_":
            if wide == Type.U64:
                value = low.emit(Op.CVT, Type.U32, value, stype=Type.U64)
            low.write(part, value)


def _cvta(low: PtxCall, ins: PtxInstruction) -> None:
    target, source = ins.operands
    value = low.read(source, Type.U64)
    space = next((m for m in ins.modifiers if m in ("shared", "local", "const", "global")), "")
    if space in ("shared", "const") and "to" not in ins.modifiers and not isinstance(value, Const):
        # An offset in the space, or its generic address already: its low half is the same.
        from warpview.frontend.ptx.memory import SPACES

        narrow = low.emit(Op.CVT, Type.U32, value, stype=Type.U64)
        if low.function.names_blocks and space == "shared":  # which the conversion does once more
            narrow = low.emit(Op.AND, Type.U32, narrow, const(Type.U32, (1 << RANK_SHIFT) - 1))
        value = low.emit(Op.CVT, Type.U64, narrow, stype=Type.U32, space=SPACES[space])
    low.write(target, value)


def _selp(low: PtxCall, ins: PtxInstruction) -> None:
    type_ = ins.types[-1]
    a, b = (low.read(operand, type_) for operand in ins.operands[1:3])
    low.write(ins.operands[0], low.emit(Op.SELP, operation_type(type_), a, b, low.read(ins.operands[3], Type.PRED)))


def _slct(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower slct: the first source where the third is at least zero."""
    if len(ins.types) != 2 or ins.types[1] not in (Type.S32, Type.F32):
        low.refuse(f"'{ins.name}'")
    type_, of = ins.types
    a, b, c = low.read(ins.operands[1], type_), low.read(ins.operands[2], type_), low.read(ins.operands[3], of)
    chosen = low.emit(Op.SETP, of, flushed(low, ins, c), const(of, 0.0 if of.is_float else 0), mod=Cmp.GE)
    low.write(ins.operands[0], low.emit(Op.SELP, operation_type(type_), a, b, chosen))


def _copysign(low: PtxCall, ins: PtxInstruction) -> None:
    type_ = ins.types[-1]
    sign, magnitude = (low.read(operand, type_) for operand in ins.operands[1:])
    low.write(ins.operands[0], low.emit(Op.MATH2, type_, magnitude, sign, mod=MathFn.COPYSIGN))


def _load(low: PtxCall, ins: PtxInstruction) -> None:
    low.accesses.load(ins)


def _store(low: PtxCall, ins: PtxInstruction) -> None:
    low.accesses.store(ins)


def _atomic(low: PtxCall, ins: PtxInstruction) -> None:
    name = next((m for m in ins.modifiers if m in table.ATOMICS), "")
    if not name or not ins.types:
        low.refuse(f"'{ins.name}'")
    op, type_ = table.ATOMICS[name], ins.types[-1]
    if halves.has_halves(ins):
        if op != AtomOp.ADD or ins.modifiers[-1] not in ("f16", "f16x2"):
            low.refuse(f"'{ins.name}'")
        op = AtomOp.ADD_F16
    low.require(features.atomic(op, type_, "shared" in ins.modifiers))
    low.accesses.atomic(ins, op, ins.opcode == "atom")


def _nanosleep(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower nanosleep to nothing: it may take no time at all (PTX ISA: the duration lies in [0, 2t])."""
    low.require(features.NANOSLEEP)


HANDLERS: dict[str, Handler] = {
    "mov": _mov, "cvt": conversions.convert, "cvta": _cvta, "set": comparisons.choose, "setp": comparisons.compare,
    "selp": _selp, "slct": _slct, "bfe": bits.extract_field, "bfi": bits.insert_field, "bfind": bits.find_highest,
    "bmsk": bits.make_mask, "prmt": bits.permute,
    "cnot": bits.invert_logically, "szext": bits.extend_sign, "shf": bits.funnel_shift, "lop3": bits.combine_three,
    "dp4a": bits.dot_product, "dp2a": bits.dot_product,
    "copysign": _copysign, "atom": _atomic, "red": _atomic, "bar": warps.barrier, "barrier": warps.barrier,
    "membar": warps.fence, "fence": warps.fence, "shfl": warps.shuffle, "vote": warps.vote, "match": warps.match,
    "redux": warps.reduce, "activemask": warps.active_mask, "ld": _load, "ldu": _load, "st": _store, "trap": trap,
    "nanosleep": _nanosleep, "prefetch": hints.prefetch, "prefetchu": hints.prefetch,
    "createpolicy": hints.make_policy, "discard": hints.manage_lines, "applypriority": hints.manage_lines,
    "griddepcontrol": hints.depend, "elect": warps.elect,
    "mma": matrices.multiply, "wmma": matrices.multiply, "movmatrix": matrices.transpose,
    "tex": textures.fetch, "tld4": textures.fetch, "ldmatrix": matrices.load, "stmatrix": matrices.store,
    "cp": copies.copy, "isspacep": spaces.is_in_space, "mapa": clusters.map_address,
    "getctarank": clusters.rank_of_address, "mbarrier": memory_barriers.operate,
    **dict.fromkeys(video.OPCODES, video.compute),
}  # fmt: skip
