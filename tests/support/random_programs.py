"""Make random programs with any control flow: jumps, divergent barriers and collectives, wild addresses.

They may hang, deadlock, race and fault; whatever happens, two engines must make the same of it. Floats never become
integers bit by bit, because the patterns of NaN are left open.
"""

from __future__ import annotations

from random import Random

import numpy as np

from support.workshop import TID, Kernel
from warpview.diagnostics import Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import BasicBlock, Reg, SpecialValue, Value, const
from warpview.isa.ops import (
    AtomOp,
    BarRedOp,
    Cmp,
    MatchMode,
    Op,
    ReduxOp,
    ShflMode,
    VoteMode,
)
from warpview.isa.program import Print, Program, Special
from warpview.isa.types import Space, Type

SHARED, LOCAL, CONSTANTS = 256, 64, bytes(range(1, 129))
BUFFERS = (512, 512, 256)  # bytes: integers, floats, and one that nobody has written
WORDS = (Type.U32, Type.S32)
INTEGERS = (*WORDS, Type.U64, Type.S64)
NARROW = (Type.U8, Type.S8, Type.U16, Type.S16)
FLOATS = (Type.F32, Type.F64)
TYPES = (*INTEGERS, *NARROW, *FLOATS)

BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.MIN, Op.MAX)
BITS = (Op.AND, Op.OR, Op.XOR)


def buffers() -> list[np.ndarray | int]:
    """Return the contents of the kernel's buffers, or the size of one that nobody has written."""
    rng = np.random.default_rng(5)
    return [
        rng.integers(0, 40, BUFFERS[0], dtype=np.uint8),
        rng.integers(-8, 8, BUFFERS[1] // 4).astype(np.float32),
        BUFFERS[2],
    ]


def random_program(random: Random) -> Program:
    """One program from a source of choices."""
    writer = Writer(random)
    return Kernel(writer.write, len(BUFFERS), SHARED, LOCAL, CONSTANTS).program()


class Writer:
    """Write one kernel: blocks of a few instructions, each ending anywhere."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tame = random.random() < 0.5  # addresses within bounds, collectives and barriers rarely

    def write(self, b: Builder, k: Kernel) -> None:
        self.b, self.k = b, k
        self.regs: dict[Type, list[Reg]] = {t: [b.reg(t) for _ in range(2)] for t in TYPES}
        self.preds = [b.reg(Type.PRED) for _ in range(3)]
        b.function.prints = [Print("%d %f\n", b.span), Print("%d\n", b.span)]
        b.function.asserts = [Print("assertion", b.span)]
        self.start()
        self.last = b.new_block("end")
        blocks = [b.new_block() for _ in range(self.random.randint(2, 8))]
        for n, block in enumerate(blocks):
            b.place(block)
            b.span = Span(b.span.source, n + 1, 1)
            for _ in range(self.random.randint(1, 5)):
                self.instruction()
            self.end(n, blocks)
        b.place(self.last)

    def start(self) -> None:
        """Fill registers that differ by lane, so that branches diverge."""
        for type_ in TYPES:
            for reg in self.regs[type_]:
                if type_ in WORDS:
                    self.b.emit(Op.MAD, type_, TID, const(type_, self.random.randrange(9)), self.number(type_), dst=reg)
                else:
                    value = self.b.emit(Op.AND, Type.U32, TID, const(Type.U32, self.random.choice([3, 7, 31])))
                    self.b.emit(Op.CVT, type_, value, stype=Type.U32, dst=reg)
        for pred in self.preds:
            self.compare(pred)

    def number(self, type_: Type) -> Value:
        if type_.is_float:
            return const(type_, self.random.choice([0.0, 1.0, -2.5, 0.1, 1e10]))
        return const(type_, self.random.choice([0, 1, 2, 3, 4, 8, 16, 31, 32, -1, 100]))

    def value(self, type_: Type) -> Value:
        if type_ == Type.U32 and self.random.random() < 0.3:
            return SpecialValue(self.random.choice(list(Special)))
        return self.number(type_) if self.random.random() < 0.25 else self.random.choice(self.regs[type_])

    def end(self, n: int, blocks: list[BasicBlock]) -> None:
        """Forward to anywhere; backward a few times, as the lane's values say, or now and then without end."""
        later = blocks[n + 1 :]
        roll = self.random.random()
        if roll < 0.3:
            back = self.random.choice(blocks[: n + 1])
            condition: Value = self.random.choice(self.preds)
            if self.random.random() < 0.95:
                condition = self.once_more(condition)
            self.b.branch(condition, back, self.random.choice(later) if later else self.last)
        elif roll < 0.7 and later:
            self.b.branch(self.random.choice(self.preds), self.random.choice(later), self.random.choice(later))
        elif roll < 0.75 and later:
            self.b.jump(self.random.choice(later))
        elif roll < 0.8:
            self.b.exit()

    def once_more(self, condition: Value) -> Value:
        """Count how often each lane comes by; true while the condition is, for a number of turns."""
        turns = self.b.reg(Type.U32)
        self.b.emit(Op.ADD, Type.U32, turns, const(Type.U32, 1), dst=turns)
        limit = self.b.emit(Op.AND, Type.U32, self.value(Type.U32), const(Type.U32, 3))
        few = self.b.emit(Op.SETP, Type.U32, turns, limit, mod=Cmp.LE)
        return self.b.emit(Op.AND, Type.PRED, few, condition) if self.random.random() < 0.5 else few

    def guard(self) -> dict[str, object]:
        if self.random.random() < 0.7:
            return {}
        return {"guard": self.random.choice(self.preds), "guard_negated": self.random.random() < 0.5}

    # ------------------------------------------------------------------------------------- instructions

    def instruction(self) -> None:
        common = [self.arithmetic, self.arithmetic, self.convert, self.compare, self.memory, self.memory, self.atomic]
        rare = [self.barrier, self.collective, self.collective, self.special]
        self.random.choice(common * (4 if self.tame else 1) + rare)()

    def arithmetic(self) -> None:
        type_ = self.random.choice(TYPES)
        dst = self.random.choice(self.regs[type_])
        choice = self.random.random()
        if choice < 0.15:
            self.b.emit(Op.SELP, type_, self.value(type_), self.value(type_), self.random.choice(self.preds), dst=dst,
                        **self.guard())  # fmt: skip
        elif choice < 0.3:
            self.b.emit(Op.MOV, type_, self.value(type_), dst=dst, **self.guard())
        elif choice < 0.45 and not type_.is_float:
            self.b.emit(self.random.choice(BITS), type_, self.value(type_), self.value(type_), dst=dst, **self.guard())
        elif choice < 0.55 and type_ in INTEGERS:
            op = self.random.choice([Op.SHL, Op.SHR])
            self.b.emit(op, type_, self.value(type_), self.value(Type.U32), dst=dst, **self.guard())
        elif choice < 0.65 and (type_ in INTEGERS or type_.is_float):
            op = Op.DIV if type_.is_float else self.random.choice([Op.DIV, Op.REM])
            self.b.emit(op, type_, self.value(type_), self.value(type_), dst=dst, **self.guard())
        elif choice < 0.75:
            op = Op.FMA if type_.is_float else Op.MAD
            self.b.emit(op, type_, *(self.value(type_) for _ in range(3)), dst=dst, **self.guard())
        else:
            op = self.random.choice(BINARY)
            self.b.emit(op, type_, self.value(type_), self.value(type_), dst=dst, **self.guard())

    def convert(self) -> None:
        to, source = self.random.choice(TYPES), self.random.choice(TYPES)
        dst = self.random.choice(self.regs[to])
        self.b.emit(Op.CVT, to, self.value(source), stype=source, dst=dst, **self.guard())

    def compare(self, dst: Reg | None = None) -> None:
        type_ = self.random.choice([Type.U32, Type.S32, Type.S32, *TYPES])
        dst = dst or self.random.choice(self.preds)
        self.b.emit(Op.SETP, type_, self.value(type_), self.value(type_), mod=self.random.choice(list(Cmp)), dst=dst)

    # ------------------------------------------------------------------------------------- memory

    def address(self, space: Space, size: int, buffer: int) -> Value:
        """Usually in bounds and aligned."""
        extent = {Space.SHARED: SHARED, Space.LOCAL: LOCAL, Space.CONST: len(CONSTANTS)}.get(space, BUFFERS[buffer])
        index = self.value(Type.U32)
        wild = not self.tame and self.random.random() < 0.1
        if not wild:
            index = self.b.emit(Op.AND, Type.U32, index, const(Type.U32, extent // size - 1))
        scale = const(Type.U32, size if not wild or self.random.random() < 0.5 else 1)
        if space in (Space.GLOBAL, Space.GENERIC):
            return self.b.emit(Op.MADWIDE, Type.U32, index, scale, self.k.pointer(buffer))
        return self.b.emit(Op.MUL, Type.U32, index, scale)

    def place(self, size: int, is_float: bool, writes: bool) -> tuple[Space, Value]:
        """Floats live in buffer 1 only; everything else stays away from there."""
        if is_float:
            return Space.GLOBAL, self.address(Space.GLOBAL, size, 1)
        spaces = [Space.GLOBAL, Space.SHARED, Space.SHARED, Space.LOCAL] + ([] if writes else [Space.CONST])
        space = self.random.choice(spaces)
        buffer = self.random.choice([0, 0, 2])
        if self.random.random() < 0.15:
            return Space.GENERIC, self.generic(size)
        return space, self.address(space, size, buffer)

    def generic(self, size: int) -> Value:
        """An address that may lie in a different space for each lane."""
        address = self.address(Space.GLOBAL, size, 0)
        for window in self.random.sample([1 << 40, 1 << 41], self.random.randint(1, 2)):
            offset = self.b.emit(Op.CVT, Type.U64, self.address(Space.LOCAL, size, 0), stype=Type.U32)
            other = self.b.emit(Op.ADD, Type.U64, offset, const(Type.U64, window))
            address = self.b.emit(Op.SELP, Type.U64, address, other, self.random.choice(self.preds))
        return address

    def memory(self) -> None:
        type_ = self.random.choice([Type.U32, *TYPES])
        if type_ == Type.F64:
            type_ = Type.F32  # the float buffer holds singles only
        writes = self.random.random() < 0.5
        vec = self.random.choice([1, 1, 1, 2, 4]) if type_.bytes <= 4 else self.random.choice([1, 1, 2])
        space, address = self.place(type_.bytes * vec, type_.is_float, writes)
        more = {"imm": 0 if self.tame else self.random.choice([0, 0, 0, 4, -8]), **self.guard()}
        if writes:
            self.b.store_vector(type_, space, address, tuple(self.value(type_) for _ in range(vec)), **more)
        elif vec == 1:
            read_only = self.random.random() < 0.2
            dst = self.random.choice(self.regs[type_])
            self.b.emit(Op.LD, type_, address, dst=dst, space=space, read_only=read_only, **more)
        else:
            loaded = self.b.load_vector(type_, vec, space, address, **more)
            self.b.mov(self.random.choice(self.regs[type_]), self.random.choice(loaded))

    def atomic(self) -> None:
        type_ = self.random.choice([*INTEGERS, Type.F32])
        if type_.is_float:
            ops = [AtomOp.ADD, AtomOp.EXCH]
        elif type_ == Type.U32:
            ops = list(AtomOp)
        else:
            ops = [op for op in AtomOp if op not in (AtomOp.INC, AtomOp.DEC, AtomOp.ADD_F16)]
        op = self.random.choice(ops)
        space = Space.GLOBAL if type_.is_float else self.random.choice([Space.GLOBAL, Space.SHARED])
        address = self.address(space, type_.bytes, 1 if type_.is_float else 0)
        operands = [self.value(type_) for _ in range(2 if op == AtomOp.CAS else 1)]
        if op == AtomOp.CAS or self.random.random() < 0.5:
            dst = self.random.choice(self.regs[type_])
            self.b.emit(Op.ATOM, type_, address, *operands, dst=dst, space=space, mod=op, **self.guard())
        else:
            self.b.effect(Op.RED, type_, address, *operands, space=space, mod=op, **self.guard())

    # ------------------------------------------------------------------------------------- threads together

    def barrier(self) -> None:
        if self.random.random() < 0.5:
            self.b.effect(Op.BAR_SYNC)
        else:
            dst = self.random.choice(self.regs[Type.U32])
            mode = self.random.choice(list(BarRedOp))
            self.b.emit(Op.BAR_RED, Type.U32, self.random.choice(self.preds), mod=mode, dst=dst)

    def members(self) -> Value:
        if self.random.random() < 0.1:
            return self.b.emit(Op.OR, Type.U32, self.value(Type.U32), const(Type.U32, 0x1111))
        if self.random.random() < 0.4:
            return self.b.emit(Op.ACTIVEMASK, Type.U32)
        return const(Type.U32, self.random.choice([0xFFFFFFFF, 0xFFFFFFFF, 0xFFFF, 0xFF00FF]))

    def collective(self) -> None:
        members = self.members()
        kind = self.random.randrange(5)
        if kind == 0:
            self.b.effect(Op.WARPSYNC, Type.U32, members, **self.guard())
        elif kind == 1:
            type_ = self.random.choice([*INTEGERS, *FLOATS])
            width = const(Type.U32, self.random.choice([32, 32, 16, 8, 2, 1]))
            self.b.emit(Op.SHFL, type_, self.value(type_), self.value(Type.U32), width, members,
                        mod=self.random.choice(list(ShflMode)), dst=self.random.choice(self.regs[type_]),
                        **self.guard())  # fmt: skip
        elif kind == 2:
            dst = self.random.choice(self.regs[Type.U32])
            mode = self.random.choice(list(VoteMode))
            self.b.emit(Op.VOTE, Type.U32, self.random.choice(self.preds), members, mod=mode, dst=dst, **self.guard())
        elif kind == 3:
            type_ = self.random.choice(INTEGERS)
            dst = self.random.choice(self.regs[Type.U32])
            mode = self.random.choice(list(MatchMode))
            self.b.emit(Op.MATCH, type_, self.value(type_), members, mod=mode, dst=dst, **self.guard())
        else:
            type_ = self.random.choice(WORDS)
            mode = self.random.choice(list(ReduxOp))
            dst = self.random.choice(self.regs[type_])
            self.b.emit(Op.REDUX, type_, self.value(type_), members, mod=mode, dst=dst, **self.guard())

    def special(self) -> None:
        kind = self.random.randrange(6)
        dst = self.random.choice(self.regs[Type.U32])
        if kind == 0:
            self.b.emit(Op.CLOCK, Type.U32, dst=dst, **self.guard())
        elif kind == 1:
            self.b.emit(Op.ACTIVEMASK, Type.U32, dst=dst, **self.guard())
        elif kind == 2:
            self.b.effect(Op.EXIT, guard=self.random.choice(self.preds), guard_negated=self.random.random() < 0.5)
        elif kind == 3:
            extra = (self.value(Type.S32), self.value(Type.F64))
            self.b.effect(Op.PRINTF, extra=extra, imm=self.random.randrange(2), **self.guard())
        elif kind == 4:
            self.b.effect(Op.MEMBAR)
        elif self.random.random() < 0.2:
            self.b.effect(Op.TRAP, guard=self.random.choice(self.preds))
