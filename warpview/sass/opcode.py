"""Describe opcodes of NVIDIA's instruction set, and keep tables of them: one row for each.

A row's ``operands`` are words, in the order of NVIDIA's assembly; each says what stands there and where its bits are:

============  ===================================================================================================
``d``         destination register; ``ud`` a uniform one
``a b c``     sources: a at bit 24; b and c by the form of the opcode, as register, uniform register, immediate or
              constant; ``ua ub uc`` are uniform registers in the register forms
``u v``       destination predicates; ``p q r`` source predicates
``i``         the immediate of 32 bits
``m``         an address: register, uniform register, offset; ``x`` an address in constant memory
``s``         the values of a store or atomic; ``t`` the second value of a compare-and-swap
``y``         an address in shared memory that LDGSTS writes to
``z Z``       the metadata of a sparse matrix, and the number of the lane that has it
``e``         a second destination register, and ``o`` the descriptor of a texture
``B``         a convergence barrier; ``L`` a branch target; ``S`` a special register; ``n N`` small numbers;
              ``I`` an immediate of 64 bits; ``h`` the uniform predicate of a
              branch; ``J`` b of SEL.64
============  ===================================================================================================

A digit after a register says how many of 32 bits it spans. ``meaning`` names the functions that carry the operation
out, in the reference and in the jit. The names of opcodes are those of NVIDIA's *CUDA Binary Utilities*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from warpview.isa.ops import Op, Unit
from warpview.isa.types import Space
from warpview.sass.modifiers import Modifier

# Forms of an arithmetic opcode (bits 9 to 11): where b and c are.
REGISTERS, C_IMMEDIATE, C_CONSTANT, B_IMMEDIATE, B_CONSTANT, B_UNIFORM, C_UNIFORM = range(1, 8)
ALL_ARCHITECTURES, TO_HOPPER, BLACKWELL = range(75, 1000), range(75, 100), range(100, 1000)
AMPERE_AND_ADA, BEFORE_HOPPER = range(80, 90), range(75, 90)
ONLY_HOPPER, FROM_HOPPER = range(90, 100), range(90, 1000)
FORMS = (REGISTERS, C_IMMEDIATE, C_CONSTANT, B_IMMEDIATE, B_CONSTANT, B_UNIFORM, C_UNIFORM)


@dataclass(frozen=True, eq=False)  # a row is itself alone: its hash is asked for at each word that is decoded
class Opcode:
    """Describe a row of the table. ``codes`` are the values of the low 12 bits; ``op`` and ``space`` the class that
    memory rules, counters and views know; ``architectures`` those that have the opcode (90 for sm_90)."""

    name: str
    codes: tuple[int, ...]
    operands: tuple[str, ...]
    modifiers: tuple[Modifier, ...]
    meaning: str
    unit: Unit
    op: Op
    space: Space
    is_arithmetic: bool
    explanation: str
    architectures: range

    @cached_property
    def has_third_source(self) -> bool:
        """Return whether there is a source c."""
        return any(word.lstrip("u").startswith("c") for word in self.operands)


class OpcodeTable:
    """Collect the rows of one part of the instruction set, in ``opcodes``, for some architectures."""

    def __init__(self, architectures: range = ALL_ARCHITECTURES) -> None:
        self.opcodes: list[Opcode] = []
        self.architectures = architectures

    def row(
        self,
        name: str,
        codes: Iterable[int],
        operands: str,
        meaning: str,
        explanation: str,
        *modifiers: Modifier,
        unit: Unit = Unit.ALU,
        op: Op = Op.NATIVE,
        space: Space = Space.NONE,
        arithmetic: bool = False,
    ) -> None:
        """Add an opcode."""
        words = tuple(operands.split())
        self.opcodes.append(
            Opcode(name, tuple(codes), words, modifiers, meaning, unit, op, space, arithmetic, explanation,
                   self.architectures)
        )  # fmt: skip

    def arithmetic(
        self, name: str, base: int, operands: str, meaning: str, explanation: str, *modifiers: Modifier,
        unit: Unit = Unit.ALU, forms: Iterable[int] = FORMS,
    ) -> None:  # fmt: skip
        """Add an arithmetic opcode in its forms."""
        codes = [base | form << 9 for form in forms]
        self.row(name, codes, operands, meaning, explanation, *modifiers, unit=unit, arithmetic=True)

    def memory(
        self, name: str, codes: tuple[int, ...], operands: str, explanation: str, op: Op, space: Space,
        *modifiers: Modifier,
    ) -> None:  # fmt: skip
        """Add an opcode that accesses memory."""
        self.row(name, codes, operands, "memory", explanation, *modifiers, unit=Unit.LSU, op=op, space=space)
