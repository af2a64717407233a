"""Lower inline PTX: its operands become registers, and its instructions what they become in a PTX module."""

from __future__ import annotations

import re
from dataclasses import replace

from warpview.diagnostics import CompileError, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.lower.part import LoweringPart
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.ptx.functions import PtxFunctions
from warpview.frontend.ptx.lowering import PtxCall
from warpview.frontend.ptx.memory import ModuleMemory
from warpview.frontend.ptx.parser import parse_inline
from warpview.frontend.ptx.syntax import PtxFunction, PtxModule
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.values import Lvalue, Value
from warpview.frontend.verify import IrError, verify_instructions

# The types of registers by constraint (Inline PTX Assembly in CUDA, "Constraints").
TYPES = {"h": t.USHORT, "r": t.UINT, "l": t.ULONG, "f": t.FLOAT, "d": t.DOUBLE}


class InlineAssembly(LoweringPart):
    _carry: ir.Reg | None = None  # the flag of the thread, which one statement sets and the next one reads

    def statement(self, node: s.Assembly) -> None:
        """Lower a statement: read the operands, execute the text, write the results."""
        text, registers, results = node.text, dict[str, ir.Reg](), list[tuple[Lvalue, Value, Span]]()
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
        self._execute(text, registers, node.span)
        for place, value, span in results:
            self.low.memory.store(place, self.low.conversions.convert(value, place.type, span, explicit=True), span)

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
            code: PtxFunction = parse_inline(text, {name: register.type for name, register in registers.items()}, span)
            call = PtxCall(PtxFunctions(PtxModule()), code, function, ModuleMemory(PtxModule(), {}), builder)
            call.registers.update(registers)
            call.carry = self._carry
            call.lower()
            self._carry = call.carry
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
