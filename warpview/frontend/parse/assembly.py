"""Parse ``asm`` statements: inline PTX.

A statement of nothing but barriers, fences and reads of special registers becomes calls of built-in functions, each
named by its PTX instruction or register, which no name of C++ can be: ``bar.arrive``, ``%laneid``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
    **{
        f"barrier.cluster.arrive{order}{aligned}": (f"__cluster_barrier_arrive{relaxed}", 0, 0)
        for order, relaxed in (("", ""), (".release", ""), (".relaxed", "_relaxed"))
        for aligned in ("", ".aligned")
    },
    **{
        f"barrier.cluster.wait{order}{aligned}": ("__cluster_barrier_wait", 0, 0)
        for order in ("", ".acquire")
        for aligned in ("", ".aligned")
    },
    **{f"membar.{level}": (_FENCES[level], 0, 0) for level in ("cta", "gl", "sys")},
    **{
        f"fence.{order}.{scope}": (_FENCES[scope], 0, 0)
        for order in ("sc", "acq_rel")
        for scope in ("cta", "gpu", "sys")
    },
}
# The special registers that can be read, and the widths that PTX gives them (PTX ISA, "Special Registers").
CLUSTER_REGISTERS = ("%cluster_ctarank", "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z")
REGISTERS = {
    **dict.fromkeys(CLUSTER_REGISTERS, 32), "%laneid": 32, "%warpid": 32, "%smid": 32, "%clock": 32, "%clock64": 64,
    "%globaltimer": 64,
    "%lanemask_lt": 32, "%lanemask_le": 32, "%lanemask_gt": 32, "%lanemask_ge": 32, "%lanemask_eq": 32,
}  # fmt: skip
_MOVES = ("mov.u32", "mov.s32", "mov.b32", "mov.u64", "mov.s64", "mov.b64")
_READ = re.compile(rf"(?:{'|'.join(map(re.escape, _MOVES))})\s+[^,]+,\s*%%?([\w.]+)")
_WIDTHS = {"=r": 32, "=l": 64}  # of a result, by its constraint
_OUTPUT, _LETTERS = ("=", "+", "=&", "+&"), {True: (*"hrlfd",), False: (*"hrlfdn",)}  # of constraints
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Operand(NamedTuple):
    """Hold a result or an input of an ``asm`` statement, with its constraint and its place."""

    constraint: str
    value: s.Expression
    span: Span


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
        text = _COMMENT.sub(" ", text)
        parts = [part for part in (part.strip() for part in text.split(";")) if part]
        if all(self._is_call(part) for part in parts):
            done = [self._instruction(part, outputs, inputs, token.span) for part in parts]
            return s.Compound(token.span, done, token.span)
        return self._assembly(text, outputs, inputs, token.span)

    def _assembly(self, text: str, outputs: list[Operand], inputs: list[Operand], span: Span) -> s.Assembly:
        """Return the statement of any other PTX."""
        operands = []
        for number, operand in enumerate((*outputs, *inputs)):
            is_output = number < len(outputs)
            access, letter = operand.constraint[:-1], operand.constraint[-1:]
            if access not in (_OUTPUT if is_output else ("",)) or letter not in _LETTERS[is_output]:
                fail(f"the constraint '{operand.constraint}' of 'asm' is not supported here", operand.span)
            operands.append(s.AssemblyOperand(operand.span, letter, operand.value, "=" not in access, is_output))
        return s.Assembly(span, text, operands)

    def _is_call(self, text: str) -> bool:
        """Return whether an instruction is one of those that become calls."""
        read = _READ.fullmatch(text)
        return text.split(maxsplit=1)[0] in INSTRUCTIONS or (read is not None and f"%{read[1]}" in REGISTERS)

    def _text(self) -> str:
        if self.cursor.token.kind is not TokenKind.STRING:
            self.cursor.unexpected("the text of the instructions")
        return self.rules.expressions.string().value

    def _operands(self) -> tuple[list[Operand], list[Operand]]:
        """Parse the sections behind the text, each after a colon: outputs, inputs, clobbers; return the first two."""
        sections: dict[int, list[Operand]] = {OUTPUTS: [], INPUTS: []}
        section = 0
        while colon := self.cursor.accept(":", "::"):
            section += len(colon.text)
            while self.cursor.token.kind is TokenKind.STRING or self.cursor.at("["):
                if self.cursor.at("["):  # a name of the operand
                    self.cursor.skip_balanced()
                span, constraint = self.cursor.token.span, self._text()
                if section in sections:
                    sections[section].append(Operand(constraint, self._value(), span))
                if not self.cursor.accept(","):
                    break
        return sections[OUTPUTS], sections[INPUTS]

    def _value(self) -> s.Expression:
        self.cursor.expect("(", "before an operand of 'asm'")
        value = self.rules.expressions.expression()
        self.cursor.expect(")", "to close an operand of 'asm'")
        return value

    def _instruction(self, text: str, outputs: list[Operand], inputs: list[Operand], span: Span) -> s.Statement:
        """Return the statement that a barrier, a fence or the read of a register stands for."""
        name, *rest = text.split(maxsplit=1)
        operands = [operand.strip() for operand in rest[0].split(",")] if rest else []
        if name in INSTRUCTIONS:
            return self._call(name, operands, inputs, span)
        target, register = (operand.replace("%%", "%") for operand in operands)
        return self._read(name, target, register, outputs, span)

    def _read(self, name: str, number: str, register: str, outputs: list[Operand], span: Span) -> s.Statement:
        """Return the assignment that ``mov.u32 %0, %laneid`` stands for."""
        width = REGISTERS[register]
        if not (number[1:].isdecimal() and number[0] == "%" and int(number[1:]) < len(outputs)):
            fail(f"there is no result {number} of this 'asm'", span)
        constraint, target, _ = outputs[int(number[1:])]
        if not name.endswith(str(width)) or _WIDTHS.get(constraint) != width:
            fail(f"'{register}' has {width} bits: mov.u{width} and the constraint '=r' or '=l' must agree", span)
        return s.ExpressionStatement(span, s.Assign(span, "", target, s.Call(span, s.Name(span, register), [])))

    def _call(self, name: str, operands: list[str], inputs: list[Operand], span: Span) -> s.Statement:
        """Return the call that carries out a barrier or fence."""
        function, least, most = INSTRUCTIONS[name]
        for constraint, _, place in inputs:
            if constraint not in CONSTRAINTS:
                fail(f"an input of a barrier has the constraint 'r' or 'n', not '{constraint}'", place)
        if not least <= len(operands) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            fail(f"'{name}' takes {wanted} operands, {len(operands)} given", span)
        arguments = [self._operand(operand, inputs, span) for operand in operands]
        return s.ExpressionStatement(span, s.Call(span, s.Name(span, function), arguments))

    def _operand(self, text: str, inputs: list[Operand], span: Span) -> s.Expression:
        """Return the value of an operand: %0, %1, ... or a number."""
        if text.startswith("%") and text[1:].isdecimal():
            if int(text[1:]) >= len(inputs):
                fail(f"there is no input {text} of this 'asm'", span)
            return inputs[int(text[1:])].value
        try:
            return s.Literal(span, int(text, 0) & 0xFFFFFFFF, t.UINT)
        except ValueError:
            fail(f"an operand must be %0, %1, ... or a number here, not '{text}'", span)
