"""Infer the memory that pointers point into, as LLVM's InferAddressSpaces does.

Lowering keeps pointers whose target it does not know as 64-bit generic addresses; ``CVT`` from 32 to 64 bits with a
``space`` makes one from an address in that space. A register that only ever holds generic addresses of one space can
hold the address in that space instead: accesses through it name the space, and those of shared, local and constant
memory need 32 bits only. What stays generic is converted by adding the space's window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import Const, DeviceBase, Function, Instr, ParamValue, Reg, SpecialValue, Value, const
from warpview.frontend.preprocess.tokens import fail
from warpview.isa.ops import ATOMIC_OPS, Cmp, Op
from warpview.isa.program import Special
from warpview.isa.types import CONST_WINDOW, LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW, Space, Type

WINDOWS = {Space.SHARED: SHARED_WINDOW, Space.LOCAL: LOCAL_WINDOW, Space.CONST: CONST_WINDOW}
_ACCESSES = frozenset({Op.LD, Op.ST}) | ATOMIC_OPS
_LONGS = frozenset({Type.U64, Type.S64})

Spaces = Mapping[Value, Space]


def infer_spaces(function: Function) -> None:
    """Replace generic addresses by addresses in their space wherever one space is all that can be meant."""
    spaces = _inferred(function)
    narrow: dict[Value, Reg] = {
        reg: function.reg(Type.U32, reg.name)
        for reg, space in spaces.items()
        if isinstance(reg, Reg) and space in WINDOWS
    }
    rewriter = _Rewriter(function, spaces, narrow)
    for block in function.blocks:
        checkpoint()
        block.instrs = [new for instr in block.instrs for new in rewriter.rewrite(instr)]
    for slot in function.slots:
        if slot.registers is not None:
            slot.registers = {offset: narrow.get(reg, reg) for offset, reg in slot.registers.items()}


def generic_constant(bits: int, space: Space) -> Const:
    """Return the generic address of an address in a space."""
    return const(Type.U64, bits + WINDOWS.get(space, 0))


def check_access(op: Op, space: Space, span: Span) -> None:
    """Refuse a store to constant memory, and an atomic operation on it or on local memory."""
    if op in ATOMIC_OPS and space in (Space.LOCAL, Space.CONST):
        fail("atomic functions work on global and shared memory only", span)
    if op == Op.ST and space == Space.CONST:
        fail("__constant__ memory cannot be written by a kernel", span)


# ------------------------------------------------------------------------------------------- what points where
def _inferred(function: Function) -> dict[Value, Space]:
    """Return the space of each 64-bit register that holds addresses of one space only."""
    definitions: dict[Reg, list[Instr]] = {}
    users: dict[Value, set[Reg]] = {}
    for block in function.blocks:
        for instr in block.instrs:
            for dst in instr.dsts:
                if dst.type in _LONGS:
                    definitions.setdefault(dst, []).append(instr)
                    for value in instr.srcs:
                        users.setdefault(value, set()).add(dst)
    params = {i for i, p in enumerate(function.params) if p.is_pointer}
    found: dict[Value, Space] = {}  # absent: nothing known yet; GENERIC: no single space
    work = list(definitions)
    while work:
        reg = work.pop()
        # Joined with what was found before: a sum of two that depend on it may take back what it was.
        space = _joined([found.get(reg), *(_space_of(i, found, params) for i in definitions[reg])])
        if space is not None and found.get(reg) != space:
            found[reg] = space
            work += [user for user in users.get(reg, ()) if user in definitions]
    return {reg: space for reg, space in found.items() if space != Space.GENERIC}


def _joined(spaces: list[Space | None]) -> Space | None:
    """Return the space of a register that is written with addresses of several; None while nothing is known."""
    known = {space for space in spaces if space is not None}
    if not known:
        return None
    null = Space.NONE in known
    known.discard(Space.NONE)
    if not known:
        return Space.NONE
    if len(known) > 1 or (null and known != {Space.GLOBAL}):
        return Space.GENERIC
    return known.pop()


def _space_of(instr: Instr, found: Spaces, params: set[int]) -> Space | None:
    """Return the space that the result of an instruction points into: NONE for null, GENERIC where it is not known."""

    def of(value: Value) -> Space | None:
        match value:
            case Reg():
                return found.get(value)
            case ParamValue(index=index):
                return Space.GLOBAL if index in params else Space.GENERIC
            case DeviceBase():
                return Space.GLOBAL
            case Const(bits=bits):
                return _space_of_constant(bits)
        return Space.GENERIC

    match instr.op:
        case Op.MOV:
            return of(instr.srcs[0])
        case Op.CVT if instr.space != Space.NONE:
            return instr.space
        case Op.MADWIDE:
            return of(instr.srcs[2])
        case Op.ADD:
            left, right = (of(v) for v in instr.srcs)
            if isinstance(instr.srcs[1], Const):
                return left
            if left == Space.GENERIC:
                return right
            return left if right == Space.GENERIC else None if left is None or right is None else Space.GENERIC
    return Space.GENERIC


def _space_of_constant(bits: int) -> Space:
    if bits == 0:
        return Space.NONE
    for space, window in WINDOWS.items():
        if window <= bits < window + (1 << 24):
            return space
    return Space.GENERIC


def _is_shared(value: Value) -> bool:
    return isinstance(value, Const) and value.type in _LONGS and _space_of_constant(value.bits) == Space.SHARED


# ------------------------------------------------------------------------------------------------- rewriting
class _Rewriter:
    """Rewrite instructions so that pointers into one space are held as addresses in that space."""

    def __init__(self, function: Function, spaces: Spaces, narrow: Mapping[Value, Reg]) -> None:
        self.function = function
        self.spaces = spaces
        self.narrow = narrow

    def rewrite(self, instr: Instr) -> Iterator[Instr]:
        if instr.op in _ACCESSES and instr.space == Space.GENERIC:
            instr = self._access(instr)
            check_access(instr.op, instr.space, instr.span)
        dst = instr.dsts[0] if instr.dsts else None
        if dst is not None and dst in self.narrow:
            yield from self._definition(instr, self.narrow[dst])
        elif instr.op == Op.SETP and self._compares_narrow(instr):
            yield from self._comparison(instr)
        elif instr.op == Op.SUB and len(instr.dsts) == 1 and all(v in self.narrow for v in instr.srcs):
            difference = self.function.reg(Type.S32)
            yield replace(instr, type=Type.S32, dsts=(difference,), srcs=tuple(self.narrow[v] for v in instr.srcs))
            yield Instr(Op.CVT, Type.S64, instr.dsts, (difference,), instr.span, stype=Type.S32)
        elif instr.op == Op.CVT and instr.space != Space.NONE:
            yield from self._generic(instr, instr.dsts[0], instr.srcs[0], instr.space)
        else:
            yield from self._widened(instr)

    def _access(self, instr: Instr) -> Instr:
        """Return the access with the space of its pointer, where that is known."""
        address = instr.srcs[0]
        space = self.spaces.get(address)
        if isinstance(address, Const):
            space = _space_of_constant(address.bits)
            if space in WINDOWS:
                local = const(Type.U32, address.bits - WINDOWS[space])
                return replace(instr, space=space, srcs=(local, *instr.srcs[1:]))
        if space is None or space == Space.NONE:
            return replace(instr, space=Space.GLOBAL) if space is not None else instr
        base = self.narrow.get(address, address)
        return replace(instr, space=space, srcs=(base, *instr.srcs[1:]))

    def _definition(self, instr: Instr, dst: Reg) -> Iterator[Instr]:
        """Yield the instruction that computes a pointer, in 32 bits."""
        space = self.spaces[instr.dsts[0]]
        source = instr.srcs[0]
        match instr.op:
            case Op.CVT:
                yield Instr(Op.MOV, Type.U32, (dst,), (source,), instr.span)
            case Op.MOV:
                yield Instr(Op.MOV, Type.U32, (dst,), (self._in_space(source, space),), instr.span)
            case Op.MADWIDE:
                base = self._in_space(instr.srcs[2], space)
                yield replace(instr, op=Op.MAD, type=Type.U32, dsts=(dst,), srcs=(*instr.srcs[:2], base))
            case _:
                pointer, index = instr.srcs
                if self._points(index) and not self._points(pointer):
                    pointer, index = index, pointer
                if isinstance(index, Const):
                    short: Value = const(Type.U32, index.bits)
                else:
                    short = self.function.reg(Type.U32)
                    yield Instr(Op.CVT, Type.U32, (short,), (index,), instr.span, stype=index.type)
                address = self._in_space(pointer, space)
                yield replace(instr, type=Type.U32, dsts=(dst,), srcs=(address, short), bounds=None)

    def _points(self, value: Value) -> bool:
        return value in self.narrow or (isinstance(value, Const) and _space_of_constant(value.bits) in WINDOWS)

    def _in_space(self, value: Value, space: Space) -> Value:
        if isinstance(value, Const):
            return const(Type.U32, value.bits - WINDOWS[space])
        assert isinstance(value, Reg)
        return self.narrow[value]

    def _compares_narrow(self, instr: Instr) -> bool:
        left, right = instr.srcs
        if left not in self.narrow and right not in self.narrow:
            return False
        spaces = {self.spaces.get(v) for v in (left, right) if v in self.narrow}
        others = [v for v in (left, right) if v not in self.narrow]
        return len(spaces) == 1 and all(isinstance(v, Const) and self._comparable(v, spaces) for v in others)

    @staticmethod
    def _comparable(constant: Const, spaces: set[Space | None]) -> bool:
        return constant.bits == 0 or _space_of_constant(constant.bits) in spaces

    def _comparison(self, instr: Instr) -> Iterator[Instr]:
        """Yield the comparison of two pointers into one space, or of one with the null pointer."""
        null = next((v for v in instr.srcs if isinstance(v, Const) and v.bits == 0), None)
        if null is not None:
            holds = instr.mod in (Cmp.NE, Cmp.GT if null is instr.srcs[1] else Cmp.LT)
            holds = holds or instr.mod == (Cmp.GE if null is instr.srcs[1] else Cmp.LE)
            yield Instr(Op.MOV, Type.PRED, instr.dsts, (const(Type.PRED, holds),), instr.span)
            return
        space = next(self.spaces[v] for v in instr.srcs if v in self.narrow)
        yield replace(instr, type=Type.U32, srcs=tuple(self._in_space(v, space) for v in instr.srcs))

    def _widened(self, instr: Instr) -> Iterator[Instr]:
        """Yield any other use of pointers, which needs their generic addresses."""
        names: dict[Value, Reg] = {}
        for value in instr.reads:
            if value in names:
                continue
            if value in self.narrow:
                names[value] = self.function.reg(Type.U64)
                yield from self._generic(instr, names[value], self.narrow[value], self.spaces[value])
            elif self.function.names_blocks and instr.op != Op.OR and _is_shared(value):  # which names a block already
                names[value] = self.function.reg(Type.U64)
                yield from self._generic(instr, names[value], self._in_space(value, Space.SHARED), Space.SHARED)
        yield instr.renamed(names) if names else instr

    def _generic(self, instr: Instr, dst: Reg, source: Value, space: Space) -> Iterator[Instr]:
        """Yield the generic address of an address in a space; one of shared memory may name the block in its
        cluster."""
        if space == Space.SHARED and self.function.names_blocks:
            named = self.function.reg(Type.U32)
            rank, shift = SpecialValue(Special.CLUSTER_RANK), const(Type.U32, 1 << RANK_SHIFT)
            yield Instr(Op.MAD, Type.U32, (named,), (rank, shift, source), instr.span)
            source = named
        if isinstance(source, Const):
            yield Instr(Op.MOV, Type.U64, (dst,), (generic_constant(source.bits, space),), instr.span)
            return
        wide = self.function.reg(Type.U64)
        yield Instr(Op.CVT, Type.U64, (wide,), (source,), instr.span, stype=Type.U32)
        yield Instr(Op.ADD, Type.U64, (dst,), (wide, const(Type.U64, WINDOWS[space])), instr.span)
