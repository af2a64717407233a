"""Parse ``asm`` statements: of inline PTX barriers, fences and reads of special registers, each of which becomes a
call of a built-in function.

Such a function is named by its PTX instruction or register, which no name of C++ can be: ``bar.arrive``, ``%laneid``.
"""

from __future__ import annotations

import re

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.tokens import TokenKind, fail
from warpview.frontend.semantic import types as t

QUALIFIERS = ("volatile", "__volatile__", "inline", "__inline__")
CONSTRAINTS = frozenset({"r", "n"})  # of an input: a 32-bit register, a constant
OUTPUTS, INPUTS = 1, 2  # sections behind the text

# The PTX ISA, "Parallel Synchronization and Communication Instructions". ``bar`` is ``barrier.aligned``: all lanes of
# a warp have to execute it together, which devices up to compute capability 6.x ask of ``barrier``, too.
_SYNC = ("bar.sync", "bar.cta.sync", "barrier.sync", "barrier.cta.sync", "barrier.sync.aligned",
         "barrier.cta.sync.aligned")  # fmt: skip
_FENCES = {"cta": "__threadfence_block", "gl": "__threadfence", "gpu": "__threadfence", "sys": "__threadfence_system"}
# The function that an instruction becomes, and how many operands it may have.
INSTRUCTIONS: dict[str, tuple[str, int, int]] = {
    **dict.fromkeys(_SYNC, ("bar.sync", 1, 2)),
    **{name.replace("sync", "arrive"): ("bar.arrive", 2, 2) for name in _SYNC},
    "bar.warp.sync": ("__syncwarp", 1, 1),
    **{f"membar.{level}": (_FENCES[level], 0, 0) for level in ("cta", "gl", "sys")},
    **{
        f"fence.{order}.{scope}": (_FENCES[scope], 0, 0)
        for order in ("sc", "acq_rel")
        for scope in ("cta", "gpu", "sys")
    },
}
# The special registers that can be read, and the widths that PTX gives them (PTX ISA, "Special Registers").
REGISTERS = {"%laneid": 32, "%warpid": 32, "%clock": 32, "%clock64": 64, "%lanemask_lt": 32, "%lanemask_le": 32,
             "%lanemask_gt": 32, "%lanemask_ge": 32, "%lanemask_eq": 32}  # fmt: skip
_WIDTHS = {"=r": 32, "=l": 64}  # of a result, by its constraint
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class AssemblyRules(Rules):
    def statement(self) -> s.Statement:
        """Parse asm [volatile] ( "text" [: outputs [: inputs [: clobbers]]] ) ;"""
        token = self.cursor.advance()
        while self.cursor.accept(*QUALIFIERS):
            pass
        self.cursor.expect("(", "after 'asm'")
        text = self._text()
        outputs, inputs = self._operands()
        self.cursor.expect(")", "to close 'asm'")
        self.cursor.expect(";", "after 'asm (...)'")
        parts = [part.strip() for part in _COMMENT.sub(" ", text).split(";")]
        if outputs:
            return s.Compound(token.span, [self._read(p, outputs, token.span) for p in parts if p], token.span)
        calls = [self._call(part, inputs, token.span) for part in parts]
        return s.Compound(token.span, [call for call in calls if call is not None], token.span)

    def _text(self) -> str:
        if self.cursor.token.kind is not TokenKind.STRING:
            self.cursor.unexpected("the text of the instructions")
        return self.rules.expressions.string().value

    def _operands(self) -> tuple[list[tuple[int, s.Expression]], list[s.Expression]]:
        """Parse the sections behind the text, each after a colon: outputs, inputs, clobbers.

        Return the outputs, each with its width in bits, and the inputs.
        """
        outputs: list[tuple[int, s.Expression]] = []
        inputs: list[s.Expression] = []
        section = 0
        while colon := self.cursor.accept(":", "::"):
            section += len(colon.text)
            while self.cursor.token.kind is TokenKind.STRING:
                span = self.cursor.token.span
                constraint = self._text()
                if section == OUTPUTS and constraint not in _WIDTHS:
                    fail("inline PTX with a result is not supported, but for reads of special registers", span)
                if section == OUTPUTS:
                    outputs.append((_WIDTHS[constraint], self._value("a result")))
                if section == INPUTS:
                    if constraint not in CONSTRAINTS:
                        fail(f"an input of a barrier has the constraint 'r' or 'n', not '{constraint}'", span)
                    inputs.append(self._value("the value of an input"))
                if not self.cursor.accept(","):
                    break
        return outputs, inputs

    def _value(self, what: str) -> s.Expression:
        self.cursor.expect("(", f"before {what}")
        value = self.rules.expressions.expression()
        self.cursor.expect(")", f"to close {what}")
        return value

    def _read(self, instruction: str, outputs: list[tuple[int, s.Expression]], span: Span) -> s.Statement:
        """Return the assignment that ``mov.u32 %0, %laneid`` stands for."""
        name, _, rest = instruction.partition(" ")
        operands = [operand.strip().replace("%%", "%") for operand in rest.split(",")]
        number, register = operands if len(operands) == 2 else ("", "")
        width = REGISTERS.get(register)
        if name not in ("mov.u32", "mov.s32", "mov.b32", "mov.u64", "mov.s64", "mov.b64") or width is None:
            fail(f"inline PTX with a result is not supported, but for reads of {', '.join(REGISTERS)}", span)
        if not (number[1:].isdecimal() and number[0] == "%" and int(number[1:]) < len(outputs)):
            fail(f"there is no result {number} of this 'asm'", span)
        wide, target = outputs[int(number[1:])]
        if not name.endswith(str(width)) or wide != width:
            fail(f"'{register}' has {width} bits: mov.u{width} and the constraint '=r' or '=l' must agree", span)
        return s.ExpressionStatement(span, s.Assign(span, "", target, s.Call(span, s.Name(span, register), [])))

    def _call(self, instruction: str, inputs: list[s.Expression], span: Span) -> s.Statement | None:
        """Return the call that carries out an instruction; None for an empty one."""
        if not instruction:
            return None
        name, _, rest = instruction.partition(" ")
        if name not in INSTRUCTIONS:
            fail(f"inline PTX is not supported but for barriers and fences: '{name}'", span)
        function, least, most = INSTRUCTIONS[name]
        operands = [operand.strip() for operand in rest.split(",")] if rest.strip() else []
        if not least <= len(operands) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            fail(f"'{name}' takes {wanted} operands, {len(operands)} given", span)
        arguments = [self._operand(operand, inputs, span) for operand in operands]
        return s.ExpressionStatement(span, s.Call(span, s.Name(span, function), arguments))

    def _operand(self, text: str, inputs: list[s.Expression], span: Span) -> s.Expression:
        """Return the value of an operand: %0, %1, ... or a number."""
        if text.startswith("%") and text[1:].isdecimal():
            if int(text[1:]) >= len(inputs):
                fail(f"there is no input {text} of this 'asm'", span)
            return inputs[int(text[1:])]
        try:
            return s.Literal(span, int(text, 0) & 0xFFFFFFFF, t.UINT)
        except ValueError:
            fail(f"an operand must be %0, %1, ... or a number here, not '{text}'", span)
