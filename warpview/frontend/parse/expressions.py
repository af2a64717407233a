"""Parsing of expressions, one function a rule of the grammar."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.definitions import DefinitionParser
from warpview.frontend.parse.stream import FUNCTION_TEMPLATE, VALUE
from warpview.frontend.preprocess.literals import character_literal, number_literal, string_literal
from warpview.frontend.preprocess.tokens import Kind, fail
from warpview.frontend.semantic import types as t

# Binary operators by how tightly they bind.
PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
CXX_CASTS = frozenset(("static_cast", "reinterpret_cast", "const_cast"))


class ExpressionParser(DefinitionParser):
    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.angle_closes = False  # inside template arguments, where a bare '>' ends the expression

    def compound(self) -> s.Compound:
        raise NotImplementedError

    def parameters(self) -> list[s.Parameter]:
        raise NotImplementedError

    # ------------------------------------------------------------------------------------ the ladder
    def expression(self) -> s.Expression:
        """assignment [, expression]; a bracketed one, in which '>' is an operator again."""
        closes, self.angle_closes = self.angle_closes, False
        result = self.assignment()
        while self.at(","):
            token = self.advance()
            result = s.Binary(token.span, ",", result, self.assignment())
        self.angle_closes = closes
        return result

    def template_value(self) -> s.Expression:
        """A template argument that is a value: an expression that ends at a bare '>'."""
        closes, self.angle_closes = self.angle_closes, True
        result = self.conditional()
        self.angle_closes = closes
        return result

    def assignment(self) -> s.Expression:
        """conditional [= assignment], or an initialiser list."""
        if self.at("{"):
            return self.init_list()
        left = self.conditional()
        if self.token.kind is Kind.PUNCT and self.token.text in ASSIGNMENTS and not self._closes():
            token = self.advance()
            self.deeper()
            right = self.assignment()
            self.nesting -= 1
            return s.Assign(token.span, token.text[:-1], left, right)
        return left

    def conditional(self) -> s.Expression:
        """binary [? expression : assignment]."""
        self.deeper()
        condition = self.binary(1)
        if self.at("?"):
            token = self.advance()
            then = self.expression()
            self.expect(":", "between the two values of '?'")
            condition = s.Conditional(token.span, condition, then, self.assignment())
        self.nesting -= 1
        return condition

    def binary(self, minimum: int) -> s.Expression:
        """unary {operator unary}, by precedence."""
        left = self.unary()
        while True:
            token = self.token
            binding = PRECEDENCE.get(token.text, 0) if token.kind is Kind.PUNCT else 0
            if binding < minimum or self._closes():
                return left
            self.advance()
            left = s.Binary(token.span, token.text, left, self.binary(binding + 1))

    def _closes(self) -> bool:
        return self.angle_closes and self.token.text in (">", ">>", ">=", ">>=")

    def unary(self) -> s.Expression:
        """Prefix operators, sizeof, casts."""
        self.deeper()
        token = self.token
        if token.kind is Kind.PUNCT and token.text in ("+", "-", "!", "~", "*", "&", "++", "--"):
            self.advance()
            result: s.Expression = s.Unary(token.span, token.text, self.unary())
        elif self.at("sizeof", "alignof", "__alignof__", "__alignof"):
            result = self._size_of()
        elif self.at("(") and self._cast_ahead():
            result = self._c_cast()
        else:
            result = self.postfix()
        self.nesting -= 1
        return result

    def _size_of(self) -> s.Expression:
        token = self.advance()
        align = token.text != "sizeof"
        if self.at("(") and self._cast_ahead():
            self.advance()
            type = self.type_name()
            self.expect(")", f"to close {token.text}")
            return s.SizeOf(token.span, type, align)
        return s.SizeOf(token.span, self.unary(), align)

    def _cast_ahead(self) -> bool:
        """Whether '(' opens a type: ``(T)x``, but not ``(T(x))``."""
        self.position += 1
        found = self.at_type()
        if found:
            length = self._named_type_length()
            if length and self.ahead(length).text in ("(", "{"):
                found = self.ahead(length + 1).text in ("*", "&") and self.ahead(length + 2).text in (")", "*")
            elif length and self.ahead(length).text == "::":
                found = False
            elif self.token.text in ("int", "float", "double", "char", "unsigned", "bool", "short", "long"):
                found = self.ahead().text not in ("(", "{") or self.ahead(2).text in ("*", "&")
        self.position -= 1
        return found

    def _c_cast(self) -> s.Expression:
        token = self.advance()
        type = self.type_name()
        self.expect(")", "to close the cast")
        if self.at("{"):
            return s.Construct(token.span, type, [self.init_list()], braces=True)
        return s.Cast(token.span, "c", type, self.unary())

    # -------------------------------------------------------------------------------------- postfix
    def postfix(self) -> s.Expression:
        """primary { [index] | (arguments) | .member | ->member | ++ | -- }."""
        result = self.primary()
        while True:
            token = self.token
            if token.kind is not Kind.PUNCT:
                return result
            if token.text == "[":
                self.advance()
                result = s.Index(token.span, result, self.expression())
                self.expect("]", "to close the index")
            elif token.text == "(":
                result = s.Call(result.span, result, self.arguments())
            elif token.text in (".", "->"):
                self.advance()
                self.accept("template")
                member = self.name("the name of a member")
                arguments = self.template_arguments() if self.at("<") and self._member_template(member.text) else None
                result = s.Member(member.span, result, member.text, token.text == "->", arguments)
            elif token.text in ("++", "--"):
                self.advance()
                result = s.Postfix(token.span, token.text, result)
            elif token.text == "<<<":
                fail("dynamic parallelism is not supported: a kernel cannot launch a kernel", token.span)
            else:
                return result

    def _member_template(self, name: str) -> bool:
        return self.kind_of(name) == FUNCTION_TEMPLATE

    def arguments(self) -> list[s.Expression]:
        """( [assignment {, assignment}] )."""
        self.expect("(", "before the arguments")
        closes, self.angle_closes = self.angle_closes, False
        arguments: list[s.Expression] = []
        while not self.at(")"):
            arguments.append(self.assignment())
            if not self.accept(","):
                break
        self.expect(")", "to close the arguments")
        self.angle_closes = closes
        return arguments

    # -------------------------------------------------------------------------------------- primary
    def primary(self) -> s.Expression:
        """A literal, a name, a parenthesised expression, a cast by name, a construction, a lambda."""
        token = self.token
        match token.kind:
            case Kind.NUMBER:
                self.advance()
                value, type = number_literal(token)
                return s.Literal(token.span, value, type)
            case Kind.CHAR:
                self.advance()
                return s.Literal(token.span, *character_literal(token))
            case Kind.STRING:
                return self._string()
            case Kind.NAME:
                return self._word()
        if self.accept("("):
            inner = self.expression()
            self.expect(")", "to close the parenthesis")
            return inner
        if self.at("["):
            return self._lambda()
        if self.at("::"):
            return self._construct() if self.at_type() else self.qualified_name()
        self.unexpected("an expression")

    def _string(self) -> s.Expression:
        token = self.advance()
        text = string_literal(token)
        while self.token.kind is Kind.STRING:
            text += string_literal(self.advance())
        return s.StringLiteral(token.span, text)

    def _word(self) -> s.Expression:
        token = self.token
        if token.text in ("true", "false"):
            self.advance()
            return s.Literal(token.span, int(token.text == "true"), t.BOOL)
        if self.accept("nullptr"):
            return s.NullPointer(token.span)
        if self.accept("this"):
            return s.This(token.span)
        if token.text in CXX_CASTS:
            return self._cxx_cast()
        unsupported.refuse_word(token)
        if self.at_type():
            return self._construct()
        return self.qualified_name()

    def _cxx_cast(self) -> s.Expression:
        token = self.advance()
        self.expect("<", f"after {token.text}")
        type = self.type_name()
        self.closing_angle()
        self.expect("(", f"after {token.text}<...>")
        operand = self.expression()
        self.expect(")", f"to close {token.text}")
        return s.Cast(token.span, token.text, type, operand)

    def _construct(self) -> s.Expression:
        """T(arguments), T{items} or T::name."""
        span = self.token.span
        found = self.specifiers()
        if found.type is None:
            self.unexpected("an expression")
        if self.accept("::"):
            member = self.name("the name of a member")
            return s.Name(member.span, member.text, None, found.type)
        if self.at("{"):
            return s.Construct(span, found.type, [self.init_list()], braces=True)
        if self.at("("):
            return s.Construct(span, found.type, self.arguments(), braces=False)
        fail("a type cannot stand where a value is expected", span)

    def qualified_name(self) -> s.Expression:
        """[namespace::]name[<template arguments>]."""
        qualifier = "::" if self.accept("::") else ""
        token = self.name("a name")
        while self.at("::") and self.ahead().kind is Kind.NAME:
            self.advance()
            qualifier += token.text + "::"
            unsupported.refuse_type(token)
            self.accept("template")
            token = self.advance()
        if token.text == "operator":
            fail("operators cannot be called by name", token.span)
        arguments = None
        if self.at("<") and self.kind_of(token.text) == FUNCTION_TEMPLATE:
            arguments = self.template_arguments()
        return s.Name(token.span, token.text, arguments, None, qualifier)

    def init_list(self) -> s.InitList:
        """{ [.name =] value, ... }."""
        opening = self.expect("{", "before the values")
        self.deeper()
        closes, self.angle_closes = self.angle_closes, False
        items: list[tuple[str, s.Expression]] = []
        while not self.at("}"):
            name = ""
            if self.accept("."):
                name = self.name("the name of a member").text
                self.expect("=", "after the name of the member")
            items.append((name, self.assignment()))
            if not self.accept(","):
                break
        self.expect("}", "to close the values")
        self.angle_closes = closes
        self.nesting -= 1
        return s.InitList(opening.span, items)

    # --------------------------------------------------------------------------------------- lambdas
    def _lambda(self) -> s.Expression:
        opening = self.expect("[", "to start a lambda")
        by_reference = False
        captures: list[tuple[str, bool, s.Expression | None]] = []
        while not self.at("]"):
            reference = bool(self.accept("&"))
            if self.at(",", "]") or self.accept("="):
                by_reference = by_reference or reference
            else:
                name = self.advance().text if self.at("this") else self.name("a captured name").text
                captures.append((name, reference, self.assignment() if self.accept("=") else None))
            if not self.accept(","):
                break
        self.expect("]", "to close the captures")
        self.names.append({name: VALUE for name, _, _ in captures})
        while self.accept("__device__", "__host__"):
            pass
        parameters = self.parameters() if self.at("(") else []
        mutable = False
        while word := self.accept("mutable", "constexpr", "noexcept", "__device__", "__host__"):
            mutable = mutable or word.text == "mutable"
        result = self.type_name() if self.accept("->") else None
        if not self.at("{"):
            fail(f"expected '{{' to start the body of the lambda, found {self.token}", self.token.span)
        body = self.compound()
        self.names.pop()
        return s.Lambda(opening.span, by_reference, captures, parameters, result, body, mutable)
