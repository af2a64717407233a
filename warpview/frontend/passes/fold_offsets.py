"""Fold constant parts of addresses into the offset that every memory instruction adds for nothing.

``add t, i, 1; shl u, t, 2; ld.shared [u]`` becomes ``shl u, i, 2; ld.shared [u+4]``, so that the accesses around one
element share its address. Exact in the address's own width; through the widening of a signed 32-bit index it
relies, as compilers do, on signed sums that do not overflow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpview.frontend.ir import ArrayBounds, BasicBlock, Const, Function, Instr, Reg, Value, const, signed
from warpview.frontend.passes.liveness import terminator_reads
from warpview.frontend.passes.simplify import simplify
from warpview.isa.ops import MEMORY_OPS, Op
from warpview.isa.types import GLOBAL_SPACES, Type

_INTEGERS = frozenset({Type.U32, Type.S32, Type.U64, Type.S64})
_WITHOUT_ADDEND = {Op.MAD: Op.MUL, Op.MADWIDE: Op.MULWIDE}
_INNER = frozenset({Op.ADD, Op.SHL, Op.MUL, Op.MAD, Op.MULWIDE, Op.MADWIDE, Op.CVT})


@dataclass(frozen=True)
class Sum:
    """Stand for ``base + offset``; ``signed`` where the sum was written as a signed one, which may not overflow."""

    base: Value
    offset: int
    signed: bool = False


def fold_offsets(function: Function) -> None:
    """Move constants out of the address arithmetic of every block."""
    inner = _address_parts(function)
    for block in function.blocks:
        _Folder(function, inner).run(block)


def _address_parts(function: Function) -> set[Reg]:
    """Return temporaries that serve addresses only: read as one, or in arithmetic for one."""
    parts: set[Reg] = set()
    readers: dict[Reg, list[tuple[Instr, int]]] = {}
    barred: set[Value] = set()
    for block in function.blocks:
        barred.update(terminator_reads(block))
        for instr in block.instrs:
            barred.update((*instr.extra, instr.guard) if instr.guard is not None else instr.extra)
            for position, value in enumerate(instr.srcs):
                if isinstance(value, Reg):
                    readers.setdefault(value, []).append((instr, position))
            for dst in instr.dsts:
                if dst in parts:
                    barred.add(dst)  # assigned twice
                if not dst.name and dst.type in _INTEGERS and len(instr.dsts) == 1 and instr.guard is None:
                    parts.add(dst)
    parts -= {v for v in barred if isinstance(v, Reg)}
    work = [reg for reg in parts if not all(_serves(i, k, parts) for i, k in readers.get(reg, ()))]
    operands: dict[Reg, list[Reg]] = {}  # part -> the parts that it is computed from
    for reg in parts:
        for instr, _ in readers.get(reg, ()):
            for dst in instr.dsts if instr.op in _INNER else ():
                operands.setdefault(dst, []).append(reg)
    while work:
        reg = work.pop()
        if reg in parts:
            parts.remove(reg)
            work += operands.get(reg, ())
    return parts


def _serves(instr: Instr, position: int, parts: set[Reg]) -> bool:
    """Return whether an instruction uses the operand at ``position`` for an address only."""
    if instr.op in MEMORY_OPS:
        return position == 0
    return instr.op in _INNER and instr.guard is None and instr.dsts[0] in parts


class _Folder:
    """Walk one block, knowing for each part of an address its constant."""

    def __init__(self, function: Function, inner: set[Reg]) -> None:
        self.function = function
        self.inner = inner
        self.sums: dict[Value, Sum] = {}
        self.users: dict[Value, list[Value]] = {}  # base -> the sums over it
        self.out: list[Instr] = []

    def run(self, block: BasicBlock) -> None:
        for instr in block.instrs:
            if instr.op in MEMORY_OPS:
                instr = self._access(instr)
            elif instr.guard is None and len(instr.dsts) == 1:
                instr = self._arithmetic(instr)
            self.out.append(instr)
            for dst in instr.dsts:
                if dst not in self.inner:
                    self._forget(dst)
        block.instrs = self.out

    def _forget(self, reg: Reg) -> None:
        for part in self.users.pop(reg, ()):
            if part in self.sums and self.sums[part].base is reg:
                del self.sums[part]
        if reg.name:
            self.sums.pop(reg, None)

    def _split(self, value: Value) -> Sum:
        return self.sums.get(value, Sum(value, 0))

    def _access(self, instr: Instr) -> Instr:
        address = instr.srcs[0]
        total = self._split(address)
        base, imm = total.base, instr.imm + total.offset
        if isinstance(base, Const) and base.bits:
            imm += int(base.value)
            base = const(base.type, 0)
        imm = signed(imm, 64 if instr.space in GLOBAL_SPACES else 32)
        if base is address and imm == instr.imm:
            return instr
        return replace(instr, srcs=(base, *instr.srcs[1:]), imm=imm)

    def _arithmetic(self, instr: Instr) -> Instr:
        """Rewrite ``instr`` as (the same without constants) + constant, and remember the sum."""
        if instr.op == Op.ADD and instr.type in _INTEGERS:
            left, right = (self._split(v) for v in instr.srcs)
            if isinstance(right.base, Const):
                offset = left.offset + right.offset + int(Const(instr.type, right.base.bits).value)
                signed = instr.type.is_signed and (left.signed or not left.offset)
                return self._sum(instr, left.base, offset, signed)
            rest = replace(instr, srcs=(left.base, right.base), bounds=_shifted(instr, left.offset))
            return self._moved(instr, rest, left.offset + right.offset)
        if instr.op not in _INNER or instr.dsts[0] not in self.inner or instr.type not in _INTEGERS:
            return instr
        if instr.op == Op.SHL and isinstance(instr.srcs[1], Const) and instr.srcs[1].bits < 8 * instr.type.bytes:
            total = self._split(instr.srcs[0])
            rest = replace(instr, srcs=(total.base, instr.srcs[1]), bounds=_shifted(instr, total.offset))
            return self._moved(instr, rest, total.offset << instr.srcs[1].bits)
        if instr.op == Op.CVT:
            total = self._split(instr.srcs[0])
            if not (instr.stype == Type.S32 and instr.type.is_wide and total.signed):
                return instr
            return self._moved(instr, replace(instr, srcs=(total.base,)), total.offset)
        return self._product(instr)

    def _product(self, instr: Instr) -> Instr:
        """Return the parts of MUL, MAD and their widening forms by a constant factor."""
        if len(instr.srcs) < 2:
            return instr
        addend = self._split(instr.srcs[2]) if len(instr.srcs) == 3 else None
        offset = addend.offset if addend else 0
        factor_value, left = instr.srcs[1], self._split(instr.srcs[0])
        widens = instr.op in (Op.MULWIDE, Op.MADWIDE)
        if isinstance(factor_value, Const) and (not widens or (left.signed and instr.type.is_signed)):
            offset += left.offset * int(Const(instr.type, factor_value.bits).value)
        else:
            left = Sum(instr.srcs[0], 0)
        op, srcs = instr.op, (left.base, factor_value) + ((addend.base,) if addend else ())
        if addend and isinstance(addend.base, Const) and instr.dsts[0] in self.inner:
            offset += int(addend.base.value)
            op, srcs = _WITHOUT_ADDEND[op], srcs[:2]
        rest = replace(instr, op=op, srcs=srcs, bounds=_shifted(instr, left.offset))
        return self._moved(instr, rest, offset)

    def _moved(self, instr: Instr, rest: Instr, offset: int) -> Instr:
        """Put ``rest`` into a temporary, and return the sum of that and ``offset`` in place of ``instr``."""
        dst = instr.dsts[0]
        if offset == 0:
            return rest if rest.srcs != instr.srcs else instr  # constants that cancel each other
        if dst not in self.inner:
            return instr
        base = self.function.reg(dst.type)
        self.inner.add(base)
        self.out.append(simplify(replace(rest, dsts=(base,))))
        signed = instr.type.is_signed and instr.op != Op.SHL
        plus = Instr(Op.ADD, dst.type, (dst,), (base, const(dst.type, offset)), instr.span)
        return self._sum(plus, base, offset, signed)

    def _sum(self, instr: Instr, base: Value, offset: int, signed: bool) -> Instr:
        dst = instr.dsts[0]
        if dst in self.inner and base is not dst:
            self.sums[dst] = Sum(base, offset, signed)
            self.users.setdefault(base, []).append(dst)
        return instr


def _shifted(instr: Instr, offset: int) -> ArrayBounds | None:
    """Return the bounds of an instruction's index once ``offset`` is taken from it."""
    bounds = instr.bounds
    return bounds and replace(bounds, low=bounds.low - offset, high=bounds.high - offset)
