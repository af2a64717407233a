"""Parse expressions, with one function for each rule of the grammar."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import FUNCTION_TEMPLATE, TYPE_TEMPLATE, VARIABLE_TEMPLATE
from warpview.frontend.preprocess.literals import character_literal, literal_operator, number_literal, string_literal
from warpview.frontend.preprocess.operators import ASSIGNMENTS, PRECEDENCE
from warpview.frontend.preprocess.tokens import TokenKind, fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import DESTRUCTOR
from warpview.frontend.syntax.expressions import TYPE_PROPERTIES

CXX_CASTS = frozenset(("static_cast", "reinterpret_cast", "const_cast"))


class ExpressionRules(Rules):
    # ------------------------------------------------------------------------------------ the ladder
    def expression(self) -> s.Expression:
        """Parse assignment [, expression]; a bracketed one, in which '>' is an operator again."""
        closes, self.cursor.angle_closes = self.cursor.angle_closes, False
        result = self.assignment()
        while self.cursor.at(","):
            if self.cursor.ahead().text == "...":
                result = self._fold(result)
                break
            token = self.cursor.advance()
            result = s.Binary(token.span, ",", result, self.assignment())
        self.cursor.angle_closes = closes
        return result

    def template_value(self) -> s.Expression:
        """Return a template argument that is a value: an expression that ends at a bare '>'."""
        closes, self.cursor.angle_closes = self.cursor.angle_closes, True
        result = self.conditional()
        self.cursor.angle_closes = closes
        return result

    def assignment(self) -> s.Expression:
        """Parse conditional [= assignment], or an initialiser list."""
        if self.cursor.at("{"):
            return self.init_list()
        left = self.conditional()
        if self.cursor.token.kind is TokenKind.PUNCT and self.cursor.token.text in ASSIGNMENTS and not self._closes():
            token = self.cursor.advance()
            self.cursor.deeper()
            right = self.assignment()
            self.cursor.nesting -= 1
            return s.Assign(token.span, token.text[:-1], left, right)
        return left

    def conditional(self) -> s.Expression:
        """Parse binary [? expression : assignment]."""
        self.cursor.deeper()
        condition = self.binary(1)
        if self.cursor.at("?"):
            token = self.cursor.advance()
            then = self.expression()
            self.cursor.expect(":", "between the two values of '?'")
            condition = s.Conditional(token.span, condition, then, self.assignment())
            self.rules.unit.has_function_types |= isinstance(then, s.Name) and self.rules.is_function(then.name)
        self.cursor.nesting -= 1
        return condition

    def binary(self, minimum: int) -> s.Expression:
        """Parse unary {operator unary}, by precedence."""
        left = self._pointed_member()
        while True:
            token = self.cursor.token
            binding = PRECEDENCE.get(token.text, 0) if token.kind is TokenKind.PUNCT else 0
            if binding < minimum or self._closes():
                return left
            if self.cursor.ahead().text == "...":
                return self._fold(left)
            self.cursor.advance()
            left = s.Binary(token.span, token.text, left, self.binary(binding + 1))

    def _pointed_member(self) -> s.Expression:
        """Parse unary {.* unary | ->* unary}."""
        left = self.unary()
        while (token := self.cursor.accept(".*", "->*")) is not None:
            base = s.Unary(token.span, "*", left) if token.text == "->*" else left
            left = s.PointedMember(token.span, base, self.unary())
        return left

    def _fold(self, first: s.Expression | None) -> s.Fold:
        """Parse ``op ...`` behind the first operand, or ``... op``, and the last operand, where there is one."""
        if first is None:
            self.cursor.advance()
        token = self.cursor.advance()
        last = None
        if first is None or self.cursor.ahead().text == token.text:
            if first is not None:
                self.cursor.advance()
                self.cursor.advance()
            last = self.assignment() if token.text == "," else self.unary()
        else:
            self.cursor.expect("...", "after the operator")
        if token.kind is not TokenKind.PUNCT or (token.text not in PRECEDENCE and token.text != ","):
            fail(f"{token} cannot join the elements of a pack", token.span)
        return s.Fold(token.span, token.text, first, last)

    def expanded(self, pattern: s.Expression) -> s.Expression:
        """Parse [...] behind an element of a list: then it stands for one for each element of its packs."""
        dots = self.cursor.accept("...")
        return s.PackExpansion(dots.span, pattern) if dots else pattern

    def _closes(self) -> bool:
        return self.cursor.angle_closes and self.cursor.token.text in (">", ">>")

    def unary(self) -> s.Expression:
        """Parse prefix operators, sizeof, casts."""
        self.cursor.deeper()
        token = self.cursor.token
        if token.kind is TokenKind.PUNCT and token.text in ("+", "-", "!", "~", "*", "&", "++", "--"):
            self.cursor.advance()
            operand = self.unary()
            result: s.Expression = s.Unary(token.span, token.text, operand)
            # '+' makes a pointer of a function or lambda
            self.rules.unit.has_function_types |= token.text == "+" and isinstance(operand, (s.Lambda, s.Name))
        elif self.cursor.at("sizeof", "alignof", "__alignof__", "__alignof", *TYPE_PROPERTIES):
            result = self._size_of()
        elif self.cursor.at("(") and self._cast_ahead():
            result = self._c_cast()
        else:
            result = self.postfix()
        self.cursor.nesting -= 1
        return result

    def _size_of(self) -> s.Expression:
        token = self.cursor.advance()
        if self.cursor.accept("..."):
            self.cursor.expect("(", "after 'sizeof...'")
            name = self.cursor.name("the name of a pack")
            self.cursor.expect(")", "after the name of the pack")
            return s.PackLength(token.span, name.text)
        measure = token.text if token.text == "sizeof" or token.text in TYPE_PROPERTIES else "alignof"
        if self.cursor.at("(") and self._cast_ahead():
            self.cursor.advance()
            type = self.rules.types.type_name()
            self.cursor.expect(")", f"to close {token.text}")
            return s.SizeOf(token.span, type, measure)
        return s.SizeOf(token.span, self.unary(), measure)

    def _cast_ahead(self) -> bool:
        """Return whether '(' opens a type: ``(T)x``, but not ``(T(x))``."""
        self.cursor.position += 1
        found = self.rules.types.at_type()
        if found:
            length = self.rules.types.single_type_length()
            if length and self.cursor.ahead(length).text in ("(", "{"):
                found = self.cursor.ahead(length + 1).text in ("*", "&") and self.cursor.ahead(length + 2).text in (
                    ")",
                    "*",
                )
            elif length and self.cursor.ahead(length).text == "::":
                found = self.rules.types.is_member_type(length)
        self.cursor.position -= 1
        return found

    def _c_cast(self) -> s.Expression:
        token = self.cursor.advance()
        type = self.rules.types.type_name()
        self.cursor.expect(")", "to close the cast")
        if self.cursor.at("{"):
            return s.Construct(token.span, type, [self.init_list()], braces=True)
        return s.Cast(token.span, "c", type, self.unary())

    # -------------------------------------------------------------------------------------- postfix
    def postfix(self) -> s.Expression:
        """Parse primary { [index] | (arguments) | .member | ->member | ++ | -- }."""
        result = self.primary()
        while True:
            token = self.cursor.token
            if token.kind is not TokenKind.PUNCT:
                return result
            if token.text == "[":
                self.cursor.advance()
                result = s.Index(token.span, result, self.expression())
                self.cursor.expect("]", "to close the index")
            elif token.text == "(":
                result = s.Call(result.span, result, self.arguments())
            elif token.text in (".", "->"):
                result = self._member(result)
            elif token.text in ("++", "--"):
                self.cursor.advance()
                result = s.Postfix(token.span, token.text, result)
            elif token.text == "<<<":
                if not isinstance(result, s.Name):
                    fail("expected the name of a kernel before '<<<'", token.span)
                result = s.LaunchByKernel(result.span, result, self.launch_configuration(), self.arguments())
            else:
                return result

    def launch_configuration(self) -> list[s.Expression]:
        """Parse <<< expression, ... >>>."""
        self.cursor.advance()
        values = [self.template_value()]
        while self.cursor.accept(","):
            values.append(self.template_value())
        for _ in range(3):
            self.cursor.closing_angle()
        return values

    def _member(self, owner: s.Expression) -> s.Expression:
        """Parse .name, ->name and ->Base::name, which is a cast to the base class."""
        arrow = self.cursor.advance().text == "->"
        is_qualified = False
        says_template = self.cursor.accept("template") is not None
        following = self.cursor.ahead().text
        is_template = following == "<" and self.cursor.kind_of(self.cursor.token.text) == TYPE_TEMPLATE
        if following == "::" or is_template:
            base = self.cursor.name("the name of a base class")
            arguments = self.rules.types.template_arguments() if self.cursor.at("<") else None
            type = s.ReferenceType(base.span, s.NamedType(base.span, base.text, arguments))
            self.cursor.expect("::", "after the name of a base class")
            owner = s.Cast(base.span, "static_cast", type, s.Unary(base.span, "*", owner) if arrow else owner)
            arrow, is_qualified = False, True
        if destroyed := self.cursor.accept("~"):
            self.rules.types.specifiers()
            return s.Member(destroyed.span, owner, DESTRUCTOR, arrow)
        member = self.cursor.name("the name of a member")
        name = member.text
        if name == "operator":
            name += self.rules.types.operator_name()
        is_template = self.cursor.at("<") and (says_template or self._member_template(name))
        arguments = self.rules.types.template_arguments() if is_template else None
        return s.Member(member.span, owner, name, arrow, arguments, is_qualified)

    def _member_template(self, name: str) -> bool:
        """Return whether template arguments follow the name of a member: some struct has a function template of that
        name, and a call stands behind them."""
        if self.cursor.ahead(self.cursor.behind_arguments(0)).text != "(":
            return False
        return name in self.rules.members.templates or self.cursor.kind_of(name) == FUNCTION_TEMPLATE

    def arguments(self) -> list[s.Expression]:
        """Parse ( [assignment {, assignment}] )."""
        self.cursor.expect("(", "before the arguments")
        closes, self.cursor.angle_closes = self.cursor.angle_closes, False
        arguments: list[s.Expression] = []
        while not self.cursor.at(")"):
            arguments.append(self.expanded(self.assignment()))
            if not self.cursor.accept(","):
                break
        self.cursor.expect(")", "to close the arguments")
        self.cursor.angle_closes = closes
        return arguments

    # -------------------------------------------------------------------------------------- primary
    def primary(self) -> s.Expression:
        """Return a literal, a name, a parenthesised expression, a cast by name, a construction, a lambda."""
        token = self.cursor.token
        match token.kind:
            case TokenKind.NUMBER if "_" in token.text:
                return self._user_defined_literal()
            case TokenKind.NUMBER:
                self.cursor.advance()
                value, type = number_literal(token)
                return s.Literal(token.span, value, type)
            case TokenKind.CHAR:
                self.cursor.advance()
                return s.Literal(token.span, *character_literal(token))
            case TokenKind.STRING:
                text = self.string()
                suffix = self.cursor.token
                if suffix.kind is not TokenKind.NAME or not suffix.text.startswith("_"):
                    return text
                self.cursor.advance()
                length = s.Literal(token.span, len(text.characters) - 1, t.ULONG)
                return s.Call(token.span, s.Name(suffix.span, literal_operator(suffix.text)), [text, length])
            case TokenKind.NAME:
                return self._word()
        if self.cursor.accept("("):
            inner = self._fold(None) if self.cursor.at("...") else self.expression()
            self.cursor.expect(")", "to close the parenthesis")
            return inner
        if self.cursor.at("["):
            return self.rules.lambdas.closure()
        if self.cursor.at("::"):
            return self._construct() if self.rules.types.at_type() else self.qualified_name()
        self.cursor.unexpected("an expression")

    def _user_defined_literal(self) -> s.Expression:
        """Return the call that ``2_km`` is of ``operator""_km`` (C++17, 5.13.8)."""
        token = self.cursor.advance()
        digits, _, suffix = token.text.partition("_")
        value, _ = number_literal(replace(token, text=digits))
        literal = s.Literal(token.span, value, t.DOUBLE if isinstance(value, float) else t.ULONGLONG)
        return s.Call(token.span, s.Name(token.span, literal_operator(f"_{suffix}")), [literal])

    def string(self) -> s.StringLiteral:
        """Parse a string literal, or several side by side."""
        token = self.cursor.advance()
        text = string_literal(token)
        while self.cursor.token.kind is TokenKind.STRING:
            text += string_literal(self.cursor.advance())
        return s.StringLiteral(token.span, text)

    def _word(self) -> s.Expression:
        token = self.cursor.token
        if token.text in ("true", "false"):
            self.cursor.advance()
            return s.Literal(token.span, int(token.text == "true"), t.BOOL)
        if self.cursor.accept("nullptr"):
            return s.NullPointer(token.span)
        if self.cursor.accept("this"):
            return s.This(token.span)
        if token.text in CXX_CASTS:
            return self._cxx_cast()
        if token.text in ("new", "delete"):
            return self.rules.allocation.allocation()
        if token.text == "requires":
            return self.rules.concepts.requires_expression()
        if token.text in ("__func__", "__FUNCTION__") and self.rules.statements.function:
            return s.StringLiteral(self.cursor.advance().span, self.rules.statements.function)
        unsupported.refuse_word(token)
        if self.rules.types.at_type():
            return self._construct()
        return self.qualified_name()

    def _cxx_cast(self) -> s.Expression:
        token = self.cursor.advance()
        self.cursor.expect("<", f"after {token.text}")
        type = self.rules.types.type_name()
        self.cursor.closing_angle()
        self.cursor.expect("(", f"after {token.text}<...>")
        operand = self.expression()
        self.cursor.expect(")", f"to close {token.text}")
        return s.Cast(token.span, token.text, type, operand)

    def _construct(self) -> s.Expression:
        """Parse T(arguments), T{items} or T::name."""
        span, start = self.cursor.token.span, self.cursor.position
        found = self.rules.types.specifiers()
        if found.type is None:
            self.cursor.unexpected("an expression")
        if self.cursor.accept("::"):
            member = self.cursor.name("the name of a member")
            return s.Name(member.span, member.text, None, found.type)
        if self.cursor.at("{"):
            return s.Construct(span, found.type, [self.init_list()], braces=True)
        if self.cursor.at("("):
            return s.Construct(span, found.type, self.arguments(), braces=False)
        opening, name = (self.cursor.tokens[start - distance] for distance in (1, 2))
        if opening.text == "<" and name.kind is TokenKind.NAME:
            fail(f"unknown template '{name.text}'", name.span, "perhaps a header is not included")
        fail("expected a value, found a type", span)

    def qualified_name(self) -> s.Expression:
        """Parse [namespace::]name[<template arguments>]."""
        seen = self.rules.seen
        qualifier = "::" if self.cursor.accept("::") else ""
        token = self.cursor.name("a name")
        while self.cursor.at("::") and self.cursor.ahead().kind is TokenKind.NAME:
            self.cursor.advance()
            qualifier += token.text + "::"
            if qualifier.count("::") == 1:  # within another namespace it is no name of CUDA's
                self.cursor.refuse_type(token)
            self.cursor.accept("template")
            token = self.cursor.advance()
        if token.text == "operator":
            token = replace(token, text=token.text + self.rules.types.operator_name())
        kind = self.rules.types.qualified_kind(token.text, qualifier) if self.cursor.at("<") else None
        if kind in (FUNCTION_TEMPLATE, VARIABLE_TEMPLATE):
            named = s.Name(token.span, token.text, self.rules.types.template_arguments(), None, qualifier, seen)
            return s.Call(token.span, named, []) if kind == VARIABLE_TEMPLATE else named
        return s.Name(token.span, token.text, None, None, qualifier, seen)

    def init_list(self) -> s.InitList:
        """Parse { [.name =] value, ... }."""
        opening = self.cursor.expect("{", "before the values")
        self.cursor.deeper()
        closes, self.cursor.angle_closes = self.cursor.angle_closes, False
        items: list[tuple[str, s.Expression]] = []
        while not self.cursor.at("}"):
            name = ""
            if self.cursor.accept("."):
                name = self.cursor.name("the name of a member").text
                if not self.cursor.at("{"):
                    self.cursor.expect("=", "after the name of the member")
            items.append((name, self.expanded(self.assignment())))
            if not self.cursor.accept(","):
                break
        self.cursor.expect("}", "to close the values")
        self.cursor.angle_closes = closes
        self.cursor.nesting -= 1
        return s.InitList(opening.span, items)


def greatest(value: s.Expression) -> s.Expression:
    """Return the greatest of the values to which ``value...`` expands."""
    listed = s.InitList(value.span, [("", s.PackExpansion(value.span, value))])
    return s.Call(value.span, s.Name(value.span, "max", qualifier="std::"), [listed])
