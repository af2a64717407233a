"""Make random structured functions; all end, and store every variable at the end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.ir import Function, ParamValue, Reg, SpecialValue, Value, const
from warpview.isa.ops import OPS, AtomOp, Cmp, Op, ShflMode, VoteMode
from warpview.isa.program import Param, Special, operand_type
from warpview.isa.types import Space, Type

SPAN = Span(SourceText("random.cu", ""), 1, 1)
THREADS = 64
WORDS = (Type.S32, Type.U32)
LONGS = (Type.S64, Type.U64)
TYPES = (Type.S32, Type.U32, Type.S64, Type.F32, Type.U8, Type.PRED)
SHARED_WORDS = THREADS
RESULT_BYTES = 8 * 2 * THREADS * 12  # of all variables of all threads
READ_ONLY_BYTES = 4 * (12 * THREADS + 64)  # after the results: nobody writes there
TOP = 3  # levels of nesting


class RandomFunction:
    """Write one function from a seeded source of choices."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        params = [Param("out", "int*", Type.U64, -1, True), Param("n", "int", Type.S32, -1)]
        self.function = Function("random", SPAN.source, SPAN, params, static_shared_bytes=4 * SHARED_WORDS)
        self.b = Builder(self.function)
        self.variables: dict[Type, list[Reg]] = {t: [] for t in TYPES}
        self.fresh = 0
        self.loops: list[tuple] = []
        # Votes and shuffles see which lanes are together, and a return may keep lanes apart for good.
        self.collective = self.random.random() < 0.5

    def build(self) -> Function:
        for k, type in enumerate(TYPES * 2):
            variable = self.b.reg(type, f"v{k}")
            self.variables[type].append(variable)
        for variable in [v for group in self.variables.values() for v in group]:
            if self.random.random() < 0.8:
                self.assign(variable)
        self.statements(TOP)
        slot = 0
        for type, variables in self.variables.items():
            for variable in variables:
                value: Value = variable
                if type == Type.PRED:
                    value = self.b.emit(Op.SELP, Type.U32, const(Type.U32, 1), const(Type.U32, 0), variable)
                row = self.b.emit(Op.ADD, Type.S32, self.global_index(), const(Type.S32, 2 * THREADS * slot))
                self.b.effect(Op.ST, value.type, self.element(row, 8), value, space=Space.GLOBAL)
                slot += 1
        self.b.exit()
        return self.function

    # ---------------------------------------------------------------------------------------- values

    def pick(self, *choices: Callable[[], Value]) -> Value:
        return self.random.choice(choices)()

    def constant(self, type: Type) -> Value:
        number = self.random.choice([0, 1, 2, 3, 4, 8, 31, -1, 7, 100, 1 << 20])
        return const(type, number / 4 if type.is_float else number)

    def variable(self, type: Type) -> Value:
        return self.random.choice(self.variables[type])

    def value(self, type: Type, depth: int = 2) -> Value:
        if depth == 0 or self.random.random() < 0.3:
            if type == Type.U32 and self.random.random() < 0.4:
                return SpecialValue(self.random.choice([Special.TID_X, Special.LANEID, Special.CTAID_X]))
            if type == Type.S32 and self.random.random() < 0.2:
                return ParamValue(Type.S32, 1)
            return self.pick(lambda: self.constant(type), lambda: self.variable(type), lambda: self.variable(type))
        if type == Type.PRED:
            return self.predicate(depth)
        if type == Type.F32:
            op = self.random.choice([Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.ABS, Op.MIN])
            return self.emit(op, type, depth)
        if type == Type.U8:
            return self.b.emit(Op.CVT, Type.U8, self.value(Type.S32, depth - 1), stype=Type.S32)
        return self.integer(type, depth)

    def integer(self, type: Type, depth: int) -> Value:
        ops = [Op.ADD, Op.SUB, Op.MUL, Op.MAD, Op.DIV, Op.REM, Op.AND, Op.OR, Op.XOR, Op.NOT, Op.SHL, Op.SHR, Op.MIN]
        kind = self.random.random()
        if kind < 0.1:
            return self.b.emit(
                Op.SELP,
                type,
                self.value(type, depth - 1),
                self.value(type, depth - 1),
                self.value(Type.PRED, depth - 1),
            )
        if kind < 0.2 and type.is_wide:
            return self.b.emit(Op.CVT, type, self.value(Type.S32, depth - 1), stype=self.random.choice(WORDS))
        if kind < 0.3 and type.is_wide:
            return self.emit(self.random.choice([Op.MULWIDE, Op.MADWIDE]), self.random.choice(WORDS), depth)
        if kind < 0.35 and not type.is_wide:
            return self.b.emit(Op.MOV, type, self.value(Type.U8, depth - 1))
        if kind < 0.4 and type == Type.S32:
            return self.b.emit(Op.CVT, type, self.value(Type.F32, depth - 1), stype=Type.F32)
        return self.emit(self.random.choice(ops), type, depth)

    def emit(self, op: Op, type: Type, depth: int) -> Value:
        srcs = [operand_type(c, type, Type.U32, Space.NONE) for c in OPS[op].srcs]
        values = [self.value(Type.S64 if t in LONGS else t, depth - 1) for t in srcs]
        return self.b.emit(op, type, *values)

    def predicate(self, depth: int) -> Value:
        if self.random.random() < 0.3:
            op = self.random.choice([Op.AND, Op.OR, Op.XOR])
            return self.b.emit(op, Type.PRED, self.value(Type.PRED, depth - 1), self.value(Type.PRED, depth - 1))
        if self.random.random() < 0.2:
            return self.b.emit(Op.NOT, Type.PRED, self.value(Type.PRED, depth - 1))
        if self.random.random() < 0.2:
            number = self.b.emit(
                Op.SELP, Type.S32, const(Type.S32, 1), const(Type.S32, 0), self.value(Type.PRED, depth - 1)
            )
            return self.b.emit(Op.SETP, Type.S32, number, const(Type.S32, 0), mod=self.random.choice([Cmp.EQ, Cmp.NE]))
        type = self.random.choice([Type.S32, Type.U32, Type.S64, Type.F32])
        mod = self.random.choice(list(Cmp))
        return self.b.emit(Op.SETP, type, self.value(type, depth - 1), self.value(type, depth - 1), mod=mod)

    # ------------------------------------------------------------------------------------ statements

    def assign(self, variable: Reg) -> None:
        value = self.value(variable.type)
        if self.random.random() < 0.8:
            self.b.mov(variable, value)
        else:
            guard = self.value(Type.PRED, 1)
            self.b.emit(
                Op.MOV, variable.type, value, dst=variable, guard=guard, guard_negated=self.random.random() < 0.5
            )

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            kinds = [self.assignment, self.assignment, self.memory]
            if self.collective and depth == TOP:
                kinds.append(self.together)
            if depth:
                kinds += [lambda: self.branch(depth - 1), lambda: self.loop(depth - 1), lambda: self.leave(depth)]
            self.random.choice(kinds)()

    def assignment(self) -> None:
        self.assign(self.random.choice(self.variables[self.random.choice(TYPES)]))

    def branch(self, depth: int) -> None:
        then, other, after = (self.b.new_block(x) for x in ("then", "else", "after"))
        two_sided = self.random.random() < 0.5
        self.b.branch(self.value(Type.PRED), then, other if two_sided else after)
        self.b.place(then)
        self.statements(depth)
        if two_sided:
            self.b.jump(after)
            self.b.place(other)
            self.statements(depth)
        self.b.place(after)

    def loop(self, depth: int) -> None:
        """At most a few turns, a different number for different lanes."""
        b = self.b
        self.fresh += 1
        counter = b.reg(Type.S32, f"i{self.fresh}")
        b.mov(counter, const(Type.S32, 0))
        limit = b.emit(Op.AND, Type.S32, self.value(Type.S32, 1), const(Type.S32, 3))
        head, body, step, after = (b.new_block(x) for x in ("head", "body", "step", "after"))
        at_top = self.random.random() < 0.7
        b.place(head)
        if at_top:
            b.branch(b.emit(Op.SETP, Type.S32, counter, limit, mod=Cmp.LT), body, after)
            b.place(body)
        self.loops.append((step, after))
        self.statements(depth)
        self.loops.pop()
        b.place(step)
        b.mov(counter, b.emit(Op.ADD, Type.S32, counter, const(Type.S32, 1)))
        if at_top:
            b.jump(head)
        else:
            b.branch(b.emit(Op.SETP, Type.S32, counter, limit, mod=Cmp.LT), head, after)
        b.place(after)

    def leave(self, depth: int) -> None:
        """A conditional break, continue or return."""
        go, stay = self.b.new_block("go"), self.b.new_block("stay")
        self.b.branch(self.value(Type.PRED), go, stay)
        self.b.place(go)
        if self.loops and (self.collective or self.random.random() < 0.9):
            self.b.jump(self.random.choice(self.loops[-1]))
        elif self.collective:
            self.assignment()
        else:
            self.b.exit()
        self.b.place(stay)

    def global_index(self) -> Value:
        return self.b.emit(
            Op.MAD, Type.U32, SpecialValue(Special.CTAID_X), SpecialValue(Special.NTID_X), SpecialValue(Special.TID_X)
        )

    def element(self, index: Value, width: int) -> Value:
        wide = self.b.emit(Op.CVT, Type.S64, index, stype=Type.S32)
        scaled = self.b.emit(Op.MUL, Type.S64, wide, const(Type.S64, width))
        return self.b.emit(Op.ADD, Type.U64, ParamValue(Type.U64, 0), scaled)

    def memory(self) -> None:
        """Own words of global and shared memory, some of them a fixed distance away."""
        b = self.b
        near = b.emit(Op.ADD, Type.S32, SpecialValue(Special.TID_X), const(Type.S32, self.random.choice([0, 1, -1, 4])))
        shared = b.emit(Op.SHL, Type.U32, SpecialValue(Special.TID_X), const(Type.U32, 2))
        word = self.variables[Type.S32][0]
        kind = self.random.randrange(4)
        if kind == 0:
            address = b.emit(Op.SHL, Type.U32, SpecialValue(Special.TID_X), const(Type.U32, 2))
            b.effect(Op.ST, Type.S32, address, self.value(Type.S32, 1), space=Space.SHARED)
        elif kind == 1:
            b.emit(Op.LD, Type.S32, shared, dst=word, space=Space.SHARED, imm=0)
        elif kind == 2:
            address = self.element(self.global_index(), 8)
            b.emit(Op.ATOM, Type.S32, address, self.value(Type.S32, 1), mod=AtomOp.ADD, space=Space.GLOBAL)
        else:
            scaled = b.emit(Op.MUL, Type.S32, near, const(Type.S32, 12))
            index = b.emit(Op.ADD, Type.S32, scaled, const(Type.S32, 24))
            b.emit(Op.LD, Type.S32, self.element(index, 4), dst=word, space=Space.GLOBAL, imm=RESULT_BYTES + 8)

    def together(self) -> None:
        """A vote or a shuffle over all lanes of the warp."""
        b, word = self.b, self.variables[Type.S32][0]
        mask = b.emit(Op.ACTIVEMASK, Type.U32)
        if self.random.random() < 0.5:
            b.emit(Op.VOTE, Type.U32, self.value(Type.PRED, 1), mask, dst=word, mod=VoteMode.BALLOT)
        else:
            b.emit(Op.SHFL, Type.S32, self.value(Type.S32, 1), const(Type.U32, 1), const(Type.U32, 32), mask, dst=word,
                   mod=ShflMode.UP)  # fmt: skip
