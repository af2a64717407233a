"""Parse PTX, as *Parallel Thread Execution ISA* has it, as far as compilers write it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import islice, takewhile
from string import digits

from warpview.diagnostics import Refusal, SourceText, Span
from warpview.frontend.interruption import checkpoint
from warpview.frontend.ptx.refused import WITH_OTHER_OPERANDS, refusal_of
from warpview.frontend.ptx.syntax import (
    TYPES,
    PtxAddress,
    PtxFunction,
    PtxInstruction,
    PtxLabel,
    PtxModule,
    PtxOperand,
    PtxShape,
    PtxVariable,
)
from warpview.frontend.ptx.tokens import PtxTokens
from warpview.isa.types import Type

_PLACE = re.compile(r"(?:\.loc|inlined_at)\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"\n]*)"', re.MULTILINE)
_WHOLE_LINE = frozenset({".version", ".target", ".address_size", ".file", ".pragma", ".branchtargets"})
_LINKAGE = frozenset({".visible", ".extern", ".weak", ".common"})
_SPACES = frozenset({".global", ".const", ".shared", ".local", ".param"})
_DECIMAL = re.compile(r"\.|^\d+[eE]")  # what no integer has
_BITS_OF_FLOATS = ("0f", "0F", "0d", "0D")  # with which the bits of a float or double begin
MOST_ALIGNED = 4096
MOST_BYTES = 64 << 20  # of one variable


def parse(source: SourceText, lines_of: SourceText | None = None) -> PtxModule:
    """Return the module of a PTX text. With ``lines_of``, the CUDA source that it was compiled from, places are those
    that its ``.loc`` directives name. Raises CompileError."""
    return _Parser(source, lines_of).module()


def parse_inline(text: str, registers: Mapping[str, Type], span: Span, depth: int = 0) -> tuple[PtxFunction, int]:
    """Return the instructions of inline PTX, all in one place, as a function that has these registers and those that
    the text declares, and how many blocks are open behind it, of which statements before have opened ``depth``. Raises
    CompileError."""
    parser = _Parser(SourceText("inline PTX", text), None)
    parser.place = span
    function = PtxFunction("asm", False, span, registers=dict(registers))
    while parser.token.kind != "end":
        depth += parser.part(function)
        if depth < 0:
            parser.fail("a '}' without its '{'")
    if function.variables:
        parser.fail("variables in inline PTX are not supported", function.variables[0].span, Refusal.FRONT_END)
    return function, depth


def _files_named(text: str, name: str) -> set[str]:
    """Return the numbers of the files of a line table that have this name, in whatever folder; all where none has."""
    files = {number: re.split(r"[/\\]", file)[-1] for number, file in _FILE.findall(text)}
    own = {number for number, file in files.items() if file == re.split(r"[/\\]", name)[-1]}
    return own or set(files)


class _Parser(PtxTokens):
    def __init__(self, source: SourceText, lines_of: SourceText | None) -> None:
        super().__init__(source)
        self.lines_of = lines_of
        self.own_files = set() if lines_of is None else _files_named(source.text, lines_of.name)
        self.place: Span | None = None  # of the last .loc

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
            elif part == "attribute":  # .managed: the host may name it, too
                self._skip_parentheses()
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
        data, addresses = self._initial(type_, size) if self.accept("=") else (b"", ())
        if end:
            self.expect(end)
        variable = PtxVariable(
            name.text, space, type_, size, max(align, type_.bytes), self.span(name), data, is_array, addresses
        )
        return [variable]

    def _skip_parentheses(self) -> None:
        self.expect("(")
        while not self.accept(")"):
            if self.token.kind == "end":
                self.fail("')' is missing")
            self.advance()

    def _initial(self, type_: Type, size: int) -> tuple[bytes, tuple[PtxAddress, ...]]:
        """Parse the initial value of a variable of a type and of so many bytes."""
        values, depth, addresses = bytearray(), 0, list[PtxAddress]()
        while True:
            if self.accept("{"):
                depth += 1
            elif self.accept("}"):
                depth -= 1
            elif self.token.text != ",":
                if self.token.kind == "word" or self.tokens[self.at + 1].text == "(":
                    addresses += self._address(len(values), type_)
                    bits = 0
                else:
                    bits = self._bits()
                values += (bits & ((1 << 8 * type_.bytes) - 1)).to_bytes(type_.bytes, "little")
            else:
                self.advance()
            if depth == 0:
                return bytes(values[:size]).ljust(size, b"\0"), tuple(addresses)

    def _bits(self) -> int:
        if self.token.kind == "number" and self.token.text[:2] in _BITS_OF_FLOATS:
            return int(self.advance().text[2:], 16)
        return self.number()

    def _address(self, offset: int, type_: Type) -> list[PtxAddress]:
        """Parse an address as an initial value: all of it, or one of its bytes, as ``0xFF00(generic(v)+4)``, of which
        the first one stands for all."""
        span = self.span()
        mask = self.number() if self.token.kind == "number" else 0
        if type_.bytes != (1 if mask else 8):
            self.fail("a part of an address as an initial value is not supported", span)
        if mask:
            self.expect("(")
        is_generic = self.accept("generic")
        if is_generic:
            self.expect("(")
        name = self.advance().text
        if is_generic:
            self.expect(")")
        further = self.number() if self.accept("+") or self.token.text == "-" else 0
        if mask:
            self.expect(")")
        return [PtxAddress(offset, name, further)] if mask in (0, 0xFF) else []

    def _prototype(self) -> PtxShape:
        """Parse what a pointer to a function must fit."""
        self.expect(".callprototype")
        results = self._parameters() if self.token.text == "(" else []
        self.advance()  # its name, which says nothing
        parameters = self._parameters() if self.token.text == "(" else []
        while not self.accept(";"):
            if self.token.kind == "end":
                self.fail("the prototype does not end")
            self.advance()
        return tuple(v.size for v in results), tuple(v.size for v in parameters)

    # ---- body

    def body(self, function: PtxFunction) -> None:
        """Parse what stands between the braces of a function."""
        depth = 1  # of braces: a call has its own, with parameters that no other call sees
        while depth:
            if self.token.kind == "end":
                self.fail(f"the body of '{function.name}' does not end")
            depth += self.part(function)

    def part(self, function: PtxFunction) -> int:
        """Parse a brace, a directive, a label or an instruction; return how many more blocks are open behind it."""
        checkpoint()
        text = self.token.text
        if self.accept("{"):
            self._rename_block()
            return 1
        if self.accept("}"):
            return -1
        if text == ".loc":
            self._location()
        elif text == ".reg" or text.startswith(".reg."):
            self._registers(function)
        elif text in _SPACES:
            function.variables += self._variables()
        elif text in _WHOLE_LINE:
            self.skip_line()
        elif text.startswith("."):
            self.fail(f"'{text}' is not supported")
        elif self.tokens[self.at + 1].text == ":":
            self._label(function)
        else:
            function.body.append(self._instruction())
        return 0

    def _label(self, function: PtxFunction) -> None:
        name = self.advance().text
        self.advance()
        if self.token.text == ".callprototype":
            function.prototypes[name] = self._prototype()
        else:
            function.body.append(PtxLabel(name))

    def _rename_block(self) -> None:
        """Give the registers and labels that the block which starts here declares names that no other block has, unless
        a later statement of inline PTX ends it, to which they are known."""
        end, depth = self.at, 1
        own: set[str] = set()  # of registers that are declared as name<count> the name, which a number follows
        while depth and self.tokens[end].kind != "end":
            token = self.tokens[end]
            depth += (token.text == "{") - (token.text == "}")
            if token.text == ".reg" or token.text.startswith(".reg."):
                declared = takewhile(lambda other: other.text != ";", islice(self.tokens, end + 1, None))
                own |= {other.text for other in declared if other.kind == "word" and other.text[0] != "."}
            elif token.kind == "word" and self.tokens[end + 1].text == ":":
                own.add(token.text)
            end += 1
        for token in self.tokens[self.at : end] if depth == 0 else ():
            if token.text in own or (token.kind == "word" and token.text.rstrip(digits) in own):
                token.text = f"@{self.at}:{token.text}"

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
        if opcode in WITH_OTHER_OPERANDS:
            what = f"{WITH_OTHER_OPERANDS[opcode]} are not supported ('{token.text}')"
            self.fail(what, self.place or self.span(token), refusal_of(opcode))
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
            found = PtxOperand("list", parts=tuple(parts))
            if self.accept("|"):
                return PtxOperand("pair", parts=(found, self._operand(within=True)))
            return found
        if self.accept("["):
            base = [self._operand(within=True)]
            offset = 0
            if self.accept("+"):
                offset = self.number()
            if self.accept(","):  # coordinates in a texture
                base.append(self._operand())
            self.expect("]")
            return PtxOperand("address", value=offset, parts=tuple(base))
        negated = self.accept("!")
        if self.token.text == "-" and self.tokens[self.at + 1].kind == "word":  # of vmad alone
            negated = self.accept("-")
        token = self.token
        if token.kind == "number" and token.text[:2] in _BITS_OF_FLOATS:
            self.advance()
            return PtxOperand("f32" if token.text[1] in "fF" else "f64", token.text, int(token.text[2:], 16))
        digits = self.tokens[self.at + 1] if token.text == "-" else token
        if digits.kind == "number" and _DECIMAL.search(digits.text):
            return PtxOperand("decimal", "-" * self.accept("-") + self.advance().text)
        if token.kind == "number" or token.text == "-":
            return PtxOperand("int", token.text, self.number())
        if token.kind != "word":
            self.fail(f"an operand is expected, not '{token.text}'")
        first = PtxOperand("name", self.advance().text, negated=negated)
        if self.accept("|"):
            return PtxOperand("pair", parts=(first, self._operand(within=True)))
        return first
