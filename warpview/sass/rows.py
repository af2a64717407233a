"""Locate registers, predicates, constants and immediates among the rows of the 32-bit register file."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.isa.native import ConstantWord
from warpview.isa.program import N_SPECIAL
from warpview.sass import fields as f
from warpview.sass.operation import OperandKind, SassOperand, SassOperation

MOST_SPAN = 8
PREDICATE_COUNT = 7
COPIED_WORDS = 4  # at most, by a lane of an asynchronous copy


@dataclass
class Rows:
    """Hand out the rows of one program. Uniform rows come first: zeros, a one, immediates, words of constant
    memory."""

    registers: int  # R0 to R(n-1)
    uniform_registers: int
    barriers: int = 0  # B0 to B(n-1)
    copied_words: int = 0  # that a lane of an asynchronous copy may have
    zero: int = N_SPECIAL
    one: int = N_SPECIAL + MOST_SPAN
    constants: dict[int, int] = field(default_factory=dict)  # row -> bits
    words: list[ConstantWord] = field(default_factory=list)
    _immediates: dict[tuple[int, ...], int] = field(default_factory=dict)
    _words: dict[tuple[int, int, int], int] = field(default_factory=dict)
    first: int = 0  # the first row that is a register; set by ``close``

    def __post_init__(self) -> None:
        self._next = self.one + 1
        self.constants |= {self.zero + k: 0 for k in range(MOST_SPAN)} | {self.one: 1}

    @classmethod
    def of(cls, operations: list[SassOperation], registers: int) -> Rows:
        """Return the rows that operations need; constants are added as they are met."""
        most, uniform, barriers = registers, 0, 0
        for operation in operations:
            for operand in operation.operands.values():
                if operand.is_zero:
                    continue
                if operand.kind in (OperandKind.REGISTER, OperandKind.ADDRESS) and operand.index != f.RZ:
                    most = max(most, operand.index + operand.span)
                if operand.kind == OperandKind.BARRIER:
                    barriers = max(barriers, operand.index + 1)
                if operand.kind == OperandKind.UNIFORM:
                    uniform = max(uniform, operand.index + operand.span)
                in_uniform = operand.kind == OperandKind.ADDRESS or operand.indexed_by == OperandKind.UNIFORM
                if operand.uniform is not None and in_uniform:
                    uniform = max(uniform, operand.uniform + 2)
        has_copies = any(o.row.name == "LDGSTS" or o.row.meaning in ("bulk", "scatter") for o in operations)
        return cls(most, uniform, barriers, COPIED_WORDS if has_copies else 0)

    # ---------------------------------------------------------------------------------------- uniform rows

    def immediate(self, *words: int) -> int:
        """Return the first of the rows that hold these words."""
        if words not in self._immediates:
            assert not self.first, "registers have rows behind those of the constants"
            self._immediates[words] = self._next
            self.constants |= {self._next + k: word for k, word in enumerate(words)}
            self._next += len(words)
        return self._immediates[words]

    def constant(self, bank: int, offset: int, span: int) -> int:
        """Return the first of the rows that hold ``span`` words of constant memory."""
        key = (bank, offset, span)
        if key not in self._words:
            assert not self.first, "registers have rows behind those of the constants"
            self._words[key] = self._next
            self.words += [ConstantWord(self._next + k, bank, offset + 4 * k) for k in range(span)]
            self._next += span
        return self._words[key]

    def close(self) -> None:
        """End the constants: registers follow."""
        self.first = self._next

    # ---------------------------------------------------------------------------------------- registers
    # Rows of registers are counted from 0 until ``close`` has fixed where they begin; see ``RegisterLayout``.


@dataclass(frozen=True)
class RegisterLayout:
    """Locate the rows of registers, which follow the uniform rows."""

    rows: Rows

    @property
    def sink(self) -> int:
        """Return rows that nobody reads: the destinations RZ and URZ."""
        return self.rows.first + self.rows.registers

    @property
    def uniform(self) -> int:
        return self.sink + MOST_SPAN

    @property
    def predicates(self) -> int:
        return self.uniform + self.rows.uniform_registers

    @property
    def uniform_predicates(self) -> int:
        return self.predicates + PREDICATE_COUNT

    @property
    def barriers(self) -> int:
        """Return the row of the members of the first barrier. Behind the row of each follows one that says whether
        BMOV has set the barrier, since when nobody has gone on there."""
        return self.uniform_predicates + PREDICATE_COUNT

    @property
    def result(self) -> int:
        """Return the row that a barrier's reduction leaves its result in."""
        return self.barriers + 2 * self.rows.barriers

    @property
    def staging(self) -> int:
        """Return the rows through which an asynchronous copy goes."""
        return self.result + 1

    @property
    def count(self) -> int:
        return self.staging + self.rows.copied_words

    def row(self, operand: SassOperand) -> int:
        """Return the first row of a register, predicate or barrier that is a source."""
        kind, index = operand.kind, operand.index
        if kind is OperandKind.ADDRESS or (kind is OperandKind.REGISTER and index != f.RZ):
            return self.rows.first + index
        if operand.is_zero:
            return self.rows.zero
        if operand.is_true:
            return self.rows.one
        if kind is OperandKind.BARRIER:
            return self.barriers + 2 * index
        if kind is OperandKind.UNIFORM:
            return self.uniform + index
        starts = {
            OperandKind.PREDICATE: self.predicates,
            OperandKind.UNIFORM_PREDICATE: self.uniform_predicates,
        }
        return starts[kind] + index

    def destination(self, operand: SassOperand) -> int:
        """Return the first row of a destination; the sink for RZ."""
        if operand.is_zero:
            return self.sink
        return self.row(operand)

    def names(self) -> dict[str, int]:
        """Return row by the name of the register."""
        named = {f"R{k}": self.rows.first + k for k in range(self.rows.registers)}
        named |= {f"UR{k}": self.uniform + k for k in range(self.rows.uniform_registers)}
        named |= {f"P{k}": self.predicates + k for k in range(PREDICATE_COUNT)}
        named |= {f"UP{k}": self.uniform_predicates + k for k in range(PREDICATE_COUNT)}
        return named | {f"B{k}": self.barriers + 2 * k for k in range(self.rows.barriers)}
