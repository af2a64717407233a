"""Parse PTX, as *Parallel Thread Execution ISA* has it, as far as compilers write it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import NoReturn

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ptx.syntax import (
    TYPES,
    PtxFunction,
    PtxInstruction,
    PtxLabel,
    PtxModule,
    PtxOperand,
    PtxVariable,
)
from warpview.isa.types import Type

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|//[^\n]*|/\*.*?\*/)|(?P<line>\n)|(?P<string>"[^"\n]*")
    |(?P<number>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|\d+U?)
    |(?P<word>[%$_.A-Za-z](?:[\w$.%]|::)*)|(?P<mark>[{}()\[\],;:+<>=@!|-])|(?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)
_PLACE = re.compile(r"(?:\.loc|inlined_at)\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"\n]*)"', re.MULTILINE)
_WHOLE_LINE = frozenset({".version", ".target", ".address_size", ".file", ".pragma", ".branchtargets"})
_LINKAGE = frozenset({".visible", ".extern", ".weak", ".common"})
_SPACES = frozenset({".global", ".const", ".shared", ".local", ".param"})
# Instructions whose operands have forms of their own.
_BITS_OF_FLOATS = ("0f", "0F", "0d", "0D")  # with which the bits of a float or double begin
_UNSUPPORTED = {
    **dict.fromkeys(("tex", "tld4", "txq", "istypep"), "textures"),
    **dict.fromkeys(("suld", "sust", "sured", "suq"), "surfaces"),
    **dict.fromkeys(("wgmma", "tcgen05"), "instructions of tensor cores"),
}  # fmt: skip
MOST_ALIGNED = 4096
MOST_BYTES = 64 << 20  # of one variable


class PtxToken:
    """Hold a token: its kind, its text, its line and column."""

    __slots__ = ("column", "kind", "line", "text")

    def __init__(self, kind: str, text: str, line: int, column: int) -> None:
        self.kind, self.text, self.line, self.column = kind, text, line, column


def parse(source: SourceText, lines_of: SourceText | None = None) -> PtxModule:
    """Return the module of a PTX text. With ``lines_of``, the CUDA source that it was compiled from, places are those
    that its ``.loc`` directives name. Raises CompileError."""
    return _Parser(source, lines_of).module()


def parse_inline(text: str, registers: Mapping[str, Type], span: Span) -> PtxFunction:
    """Return the instructions of inline PTX, all in one place, as a function that has these registers and those that
    the text declares. Raises CompileError."""
    parser = _Parser(SourceText("inline PTX", f"{text}\n}}"), None)
    parser.place = span
    function = PtxFunction("asm", False, span, registers=dict(registers))
    parser.body(function)
    if parser.token.kind != "end":
        parser.fail("a '}' without its '{'")
    if function.variables:
        parser.fail("variables in inline PTX are not supported", function.variables[0].span)
    return function


def _files_named(text: str, name: str) -> set[str]:
    """Return the numbers of the files of a line table that have this name, in whatever folder; all where none has."""
    files = {number: re.split(r"[/\\]", file)[-1] for number, file in _FILE.findall(text)}
    own = {number for number, file in files.items() if file == re.split(r"[/\\]", name)[-1]}
    return own or set(files)


def _tokens(source: SourceText) -> list[PtxToken]:
    found, line, start = [], 1, 0
    for match in _TOKEN.finditer(source.text):
        kind = match.lastgroup or "bad"
        if kind == "line":
            line, start = line + 1, match.end()
        elif kind == "space":
            breaks = match[0].count("\n")
            if breaks:
                line, start = line + breaks, match.start() + match[0].rindex("\n") + 1
        else:
            found.append(PtxToken(kind, match[0], line, match.start() - start + 1))
    found.append(PtxToken("end", "", line, 1))
    return found


class _Parser:
    def __init__(self, source: SourceText, lines_of: SourceText | None) -> None:
        self.source, self.lines_of = source, lines_of
        self.own_files = set() if lines_of is None else _files_named(source.text, lines_of.name)
        self.tokens, self.at = _tokens(source), 0
        self.place: Span | None = None  # of the last .loc

    # ---- tokens

    @property
    def token(self) -> PtxToken:
        return self.tokens[self.at]

    def advance(self) -> PtxToken:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def accept(self, text: str) -> bool:
        if self.token.text != text or self.token.kind in ("string", "end"):
            return False
        self.advance()
        return True

    def expect(self, text: str) -> PtxToken:
        if self.token.text != text:
            self.fail(f"'{text}' is expected, not '{self.token.text or 'the end of the file'}'")
        return self.advance()

    def span(self, token: PtxToken | None = None) -> Span:
        token = token or self.token
        return Span(self.source, token.line, token.column, max(1, len(token.text)))

    def fail(self, message: str, span: Span | None = None) -> NoReturn:
        raise CompileError([Diagnostic(message, span or self.span())])

    def skip_line(self) -> None:
        line = self.token.line
        while self.token.line == line and self.token.kind != "end":
            self.advance()

    def number(self) -> int:
        negative = self.accept("-")
        token = self.advance()
        if token.kind != "number":
            self.fail(f"a number is expected, not '{token.text}'", self.span(token))
        text = token.text.rstrip("U")
        try:
            value = int(text, 8) if text.isdigit() and text.startswith("0") else int(text, 0)
        except ValueError:
            self.fail(f"'{text[:40]}' is not a number", self.span(token))
        return -value if negative else value

    # ---- module

    def module(self) -> PtxModule:
        module = PtxModule()
        while self.token.kind != "end":
            checkpoint()
            text = self.token.text
            if text in _WHOLE_LINE:
                self.skip_line()
            elif text == ".section":
                self._skip_section()
            elif text in _LINKAGE:
                self.advance()
            elif text in (".entry", ".func"):
                self._function(module)
            elif text in _SPACES:
                module.variables += self._variables()
            else:
                self.fail(f"'{text}' is not understood here")
        return module

    def _skip_section(self) -> None:
        while not self.accept("}"):
            if self.token.kind == "end":
                self.fail("the section does not end")
            self.advance()

    def _function(self, module: PtxModule) -> None:
        is_entry = self.advance().text == ".entry"
        results = self._parameters() if self.token.text == "(" else []
        name = self.advance()
        function = PtxFunction(name.text, is_entry, self.span(name), results=results)
        if self.token.text == "(":
            function.parameters = self._parameters()
        while self.token.text.startswith("."):
            directive = self.advance().text
            sizes = []
            while self.token.kind == "number" or self.token.text == ",":
                sizes += [self.number()] if self.token.kind == "number" else []
                self.accept(",")
            if directive == ".maxntid":
                function.max_threads = math.prod(sizes)
        if self.accept(";"):
            module.functions.setdefault(name.text, function)  # declared only
            return
        self.place = None
        self.expect("{")
        self.body(function)
        module.functions[name.text] = function

    def _parameters(self) -> list[PtxVariable]:
        self.expect("(")
        found: list[PtxVariable] = []
        while not self.accept(")"):
            if self.token.text == ".reg":
                self.fail("parameters in registers are not supported")
            found += self._variables(end="")
            self.accept(",")
        return found

    def _variables(self, end: str = ";") -> list[PtxVariable]:
        """Parse one declaration of a variable, with its initial value."""
        space, type_, align, token = self.advance().text[1:], Type.U8, 0, self.token
        if space not in ("global", "const", "shared", "local", "param"):
            self.fail(f"'{space}' is no space of variables")
        while self.token.text.startswith("."):
            part = self.advance().text[1:]
            if part == "align":
                align = self.number()
            elif part in TYPES:
                type_ = TYPES[part]
            elif part not in ("ptr", "global", "const", "shared", "local"):
                self.fail(f"variables of type '.{part}' are not supported", self.span(token))
        if not 0 <= align <= MOST_ALIGNED:
            self.fail(f"an alignment of {align} bytes", self.span(token))
        name = self.advance()
        count, is_array = 1, False
        while self.accept("["):
            is_array = True
            count *= 0 if self.token.text == "]" else self.number()
            self.expect("]")
        size = count * type_.bytes
        if not 0 <= size <= MOST_BYTES:
            self.fail(f"'{name.text}' is too large", self.span(name))
        data = self._initial(type_, size) if self.accept("=") else b""
        if end:
            self.expect(end)
        variable = PtxVariable(
            name.text, space, type_, size, max(align, type_.bytes), self.span(name), data, is_array
        )  # fmt: skip
        return [variable]

    def _initial(self, type_: Type, size: int) -> bytes:
        values, depth = bytearray(), 0
        while True:
            if self.accept("{"):
                depth += 1
            elif self.accept("}"):
                depth -= 1
            elif self.token.text != ",":
                bits = self._bits()
                values += (bits & ((1 << 8 * type_.bytes) - 1)).to_bytes(type_.bytes, "little")
            else:
                self.advance()
            if depth == 0:
                return bytes(values[:size]).ljust(size, b"\0")

    def _bits(self) -> int:
        token = self.token
        if token.kind == "number" and token.text[:2] in _BITS_OF_FLOATS:
            return int(self.advance().text[2:], 16)
        if token.kind not in ("number",) and token.text != "-":
            self.fail(f"the address of '{token.text}' as an initial value, as of virtual functions, is not supported")
        return self.number()

    # ---- body

    def body(self, function: PtxFunction) -> None:
        """Parse what stands between the braces of a function."""
        depth = 1  # of braces: a call has its own, with parameters that no other call sees
        while depth:
            checkpoint()
            text = self.token.text
            if self.token.kind == "end":
                self.fail(f"the body of '{function.name}' does not end")
            elif self.accept("{"):
                depth += 1
                self._rename_block()
            elif self.accept("}"):
                depth -= 1
            elif text == ".loc":
                self._location()
            elif text == ".reg" or text.startswith(".reg."):
                self._registers(function)
            elif text in _SPACES:
                function.variables += self._variables()
            elif text in _WHOLE_LINE:
                self.skip_line()
            elif text == ".callprototype":
                self.fail("a call through a pointer to a function is not supported in PTX", self.place)
            elif text.startswith("."):
                self.fail(f"'{text}' is not supported")
            elif self.tokens[self.at + 1].text == ":":
                function.body.append(PtxLabel(self.advance().text))
                self.advance()
            else:
                function.body.append(self._instruction())

    def _rename_block(self) -> None:
        """Give the registers and labels that the block which starts here declares names that no other block has."""
        end, depth = self.at, 1
        own: set[str] = set()
        while depth and self.tokens[end].kind != "end":
            token = self.tokens[end]
            depth += (token.text == "{") - (token.text == "}")
            if token.text == ".reg" or token.text.startswith(".reg."):
                declared = takewhile(lambda other: other.text != ";", self.tokens[end + 1 :])
                own |= {other.text for other in declared if other.kind == "word" and other.text[0] != "."}
            elif token.kind == "word" and self.tokens[end + 1].text == ":":
                own.add(token.text)
            end += 1
        for token in self.tokens[self.at : end]:
            if token.text in own:
                token.text += f"@{self.at}"

    def _location(self) -> None:
        found = _PLACE.findall(self.source.line(self.token.line))  # of the code, and of the call that it is inlined at
        self.skip_line()
        own = [int(line) for file, line in found if not self.own_files or file in self.own_files]
        line = next((number for number in own if number), 0)
        if self.lines_of is not None and line:  # else it is code of a header, which the line before uses
            text = self.lines_of.line(line)
            first = len(text) - len(text.lstrip()) + 1
            self.place = Span(self.lines_of, line, first, max(1, len(text.strip())))

    def _registers(self, function: PtxFunction) -> None:
        first = self.advance()
        kind = self.advance() if first.text == ".reg" else first  # else in one word, as .reg.b32
        name = kind.text.removeprefix(".reg")[1:]
        if name not in TYPES:
            self.fail(f"registers of type '.{name}' are not supported", self.span(kind))
        type_ = TYPES[name]
        while not self.accept(";"):
            name = self.advance().text
            if self.accept("<"):
                self.number()
                self.expect(">")
                name += "<"
            function.registers[name] = type_
            if not self.accept(",") and self.token.text != ";":
                self.fail("';' is expected")

    def _instruction(self) -> PtxInstruction:
        guard = None
        if self.accept("@"):
            negated = self.accept("!")
            guard = PtxOperand("name", self.advance().text, negated=negated)
        token = self.advance()
        if token.kind != "word":
            self.fail(f"an instruction is expected, not '{token.text}'", self.span(token))
        opcode, *modifiers = token.text.split(".")
        if opcode in _UNSUPPORTED:
            self.fail(f"{_UNSUPPORTED[opcode]} are not supported ('{token.text}')", self.place or self.span(token))
        operands = []
        while not self.accept(";"):
            operands.append(self._operand())
            if not self.accept(",") and self.token.text != ";":
                self.fail("';' is expected")
        span = self.place or self.span(token)
        return PtxInstruction(opcode, tuple(modifiers), tuple(operands), span, guard)

    def _operand(self, within: bool = False) -> PtxOperand:
        if within and self.token.text in ("{", "(", "["):
            self.fail("an operand within an operand")
        if self.token.text in "{(" and self.token.kind == "mark":
            close = {"{": "}", "(": ")"}[self.advance().text]
            parts = []
            while not self.accept(close):
                parts.append(self._operand(within=True))
                self.accept(",")
            return PtxOperand("list", parts=tuple(parts))
        if self.accept("["):
            base = self._operand(within=True)
            offset = 0
            if self.accept("+"):
                offset = self.number()
            self.expect("]")
            return PtxOperand("address", value=offset, parts=(base,))
        negated = self.accept("!")
        token = self.token
        if token.kind == "number" and token.text[:2] in _BITS_OF_FLOATS:
            self.advance()
            return PtxOperand("f32" if token.text[1] in "fF" else "f64", token.text, int(token.text[2:], 16))
        if token.kind == "number" or token.text == "-":
            return PtxOperand("int", token.text, self.number())
        if token.kind != "word":
            self.fail(f"an operand is expected, not '{token.text}'")
        first = PtxOperand("name", self.advance().text, negated=negated)
        if self.accept("|"):
            return PtxOperand("pair", parts=(first, self._operand(within=True)))
        return first
