"""Parse ``asm`` statements: of inline PTX the barriers and fences, each of which becomes a call of a built-in function.

Such a function is named by its PTX instruction, which no name of C++ can be: ``bar.arrive``.
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
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class AssemblyRules(Rules):
    def statement(self) -> s.Statement:
        """Parse asm [volatile] ( "text" [: outputs [: inputs [: clobbers]]] ) ;"""
        token = self.cursor.advance()
        while self.cursor.accept(*QUALIFIERS):
            pass
        self.cursor.expect("(", "after 'asm'")
        text = self._text()
        inputs = self._operands()
        self.cursor.expect(")", "to close 'asm'")
        self.cursor.expect(";", "after 'asm (...)'")
        calls = [self._call(part.strip(), inputs, token.span) for part in _COMMENT.sub(" ", text).split(";")]
        return s.Compound(token.span, [call for call in calls if call is not None], token.span)

    def _text(self) -> str:
        if self.cursor.token.kind is not TokenKind.STRING:
            self.cursor.unexpected("the text of the instructions")
        return self.rules.expressions.string().value

    def _operands(self) -> list[s.Expression]:
        """Parse the sections behind the text, each after a colon: outputs, inputs, clobbers. Return the inputs."""
        inputs: list[s.Expression] = []
        section = 0
        while colon := self.cursor.accept(":", "::"):
            section += len(colon.text)
            while self.cursor.token.kind is TokenKind.STRING:
                span = self.cursor.token.span
                constraint = self._text()
                if section == OUTPUTS:
                    fail("inline PTX with a result is not supported", span)
                if section == INPUTS:
                    if constraint not in CONSTRAINTS:
                        fail(f"an input of a barrier has the constraint 'r' or 'n', not '{constraint}'", span)
                    self.cursor.expect("(", "before the value of an input")
                    inputs.append(self.rules.expressions.expression())
                    self.cursor.expect(")", "to close the value of an input")
                if not self.cursor.accept(","):
                    break
        return inputs

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
