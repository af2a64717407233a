"""Lower inline PTX: its operands become registers, and its instructions what they become in a PTX module."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field, replace

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.ptx.functions import PtxFunctions
from warpview.frontend.ptx.lowering import PtxCall
from warpview.frontend.ptx.memory import ModuleMemory
from warpview.frontend.ptx.parser import parse_inline
from warpview.frontend.ptx.syntax import PtxModule
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.verify import IrError, verify_instructions
from warpview.isa.types import Type

# The types of registers by constraint (Inline PTX Assembly in CUDA, "Constraints").
TYPES = {"h": t.USHORT, "r": t.UINT, "l": t.ULONG, "f": t.FLOAT, "d": t.DOUBLE}


@dataclass
class _OpenBlocks:
    """Hold the blocks of PTX that statements have opened and later ones end, and the registers that they declare."""

    depth: int = 0
    types: dict[str, Type] = field(default_factory=dict)
    registers: dict[str, ir.Reg] = field(default_factory=dict)


class InlineAssembly(LoweringPart):
    _carry: ir.Reg | None = None  # the flag of the thread, which one statement sets and the next one reads
    _open: _OpenBlocks = _OpenBlocks()
    _count: int = 0  # of the statements that are lowered, those of an inlined function or an unrolled loop each time

    def statement(self, node: s.Assembly) -> None:
        """Lower a statement: read the operands, execute the text, write the results."""
        text, registers, results = self._numbered(node.text), dict[str, ir.Reg](), list[tuple[Lvalue, Value, Span]]()
        for number, operand in enumerate(node.operands):
            if operand.constraint == "n":
                what = "an operand with the constraint 'n'"
                constant = self.low.semantics.evaluator.folded_integer(operand.value, what)
                text = re.sub(rf"%{number}(?!\d)", str(constant), text)
                continue
            type = TYPES[operand.constraint]
            register = registers[f"%{number}"] = self.context.function.reg(type.register)
            place = self._place(operand) if operand.is_written else None
            if operand.is_read:
                value = (
                    self.low.memory.load(place, operand.span) if place else self.low.expressions.rvalue(operand.value)
                )
                self._check(value.type, type, operand)
                value = self.low.conversions.convert(value, type, operand.span, explicit=True)
                self.context.builder.mov(register, value.scalar_operand)
            if place is not None:
                self._check(place.type, type, operand)
                results.append((place, Value(type, register), operand.span))
        self._execute(text, registers, self.context.builder.span)  # which is not within a header of our own
        for place, value, span in results:
            self.low.memory.store(place, self.low.conversions.convert(value, place.type, span, explicit=True), span)

    def _numbered(self, text: str) -> str:
        """Return the text of a statement with its number in place of ``%=``, and with single percent signs."""
        number = str(self._count)
        self._count += 1
        return re.sub("%[%=]", lambda found: "%" if found[0] == "%%" else number, text)

    def _place(self, operand: s.AssemblyOperand) -> Lvalue:
        place = self.low.expressions.lvalue(operand.value)
        if not isinstance(place, Lvalue):
            fail("a result of 'asm' needs an object to be written to", operand.span)
        return place

    def _check(self, type: t.CType, register: t.Scalar, operand: s.AssemblyOperand) -> None:
        """Refuse an operand whose bits are not those of its register, as nvcc does."""
        plain = t.plain(type)
        scalar = t.ULONG if isinstance(plain, t.Pointer) else t.arithmetic(plain)
        if scalar is None or (scalar.size, scalar.is_float) != (register.size, register.is_float):
            fail(f"{t.with_article(type)} does not fit the constraint '{operand.constraint}' of 'asm'", operand.span)

    def _execute(self, text: str, registers: dict[str, ir.Reg], span: Span) -> None:
        builder, function = self.context.builder, self.context.function
        block, first, blocks = builder.block, len(builder.block.instrs), len(function.blocks)
        try:
            types = self._open.types | {name: register.type for name, register in registers.items()}
            code, depth = parse_inline(text, types, span, self._open.depth)
            call = PtxCall(PtxFunctions(PtxModule()), code, function, ModuleMemory(PtxModule(), {}), builder)
            call.registers.update(self._open.registers | registers)
            call.carry = self._carry
            call.lower()
            self._carry = call.carry
            self._open = self._left_open(depth, call, registers)
            verify_instructions(function, block, first)
            for written in function.blocks[blocks:]:
                verify_instructions(function, written)
        except CompileError as error:
            found = error.diagnostics[0]
            raise CompileError([replace(found, message=f"inline PTX: {found.message}", span=span)]) from None
        except IrError:
            fail(f"inline PTX: an operand of '{' '.join(text.split())}' has the size of another type", span)
        if builder.closed:
            builder.place(builder.new_block("unreachable"))

    def _left_open(self, depth: int, call: PtxCall, operands: Container[str]) -> _OpenBlocks:
        """Return the blocks that are open behind a statement, with all registers but those of its operands."""
        if depth == 0:
            return _OpenBlocks()
        types = {name: type for name, type in call.code.registers.items() if name not in operands}
        registers = {name: register for name, register in call.registers.items() if name not in operands}
        return _OpenBlocks(depth, types, registers)
