"""Parse loops, and the pragma that unrolls them."""

from __future__ import annotations

from dataclasses import replace

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t

RANGE = " "  # the name of the object that a range-based loop is over, where it has none
INDEX = ""  # the name of a range-based loop's counter: no name of C++, and none that a view shows


class LoopRules(Rules):
    def pragma(self) -> s.Statement:
        """Parse #pragma unroll [(count)] before a loop; before anything else it has no effect."""
        pragma = self.cursor.advance()
        count: s.Expression | None = None
        if self.cursor.at("("):
            self.cursor.advance()
            count = self.rules.expressions.expression()
            self.cursor.expect(")", "to close the pragma's argument")
        statement = self.rules.statements.statement()
        if isinstance(statement, s.For):
            statement.unroll, statement.pragma = count, pragma.text
        return statement

    def for_statement(self) -> s.Statement:
        """Parse for ( [init] ; [condition] ; [step] ) statement, or for ( declaration : array ) statement."""
        token = self.cursor.advance()
        self.cursor.expect("(", "after 'for'")
        self.cursor.names.enter()
        initialiser: s.Statement | None = None
        if not self.cursor.accept(";"):
            if self.rules.statements.declares():
                initialiser = self._declaration()
                if self.cursor.at(":"):
                    return self._over_array(token.span, initialiser.variables)
            else:
                initialiser = s.ExpressionStatement(self.cursor.token.span, self.rules.expressions.expression())
            self.cursor.expect(";", "after the start of the loop")
            if self.rules.statements.declares():  # an element of what a range-based loop goes over (C++20, 8.6.5)
                loop = self._over_array(token.span, self._declaration().variables)
                return s.Compound(token.span, [initialiser, loop], self.cursor.token.span)
        condition = None if self.cursor.at(";") else self.rules.statements.condition()
        self.cursor.expect(";", "after the loop condition")
        step = None if self.cursor.at(")") else self.rules.expressions.expression()
        self.cursor.expect(")", "to close the head of the loop")
        body = self.rules.statements.statement()
        self.cursor.names.leave()
        if isinstance(condition, s.Declaration):
            body = _declared_in_body(condition, body)
            condition = None
        return s.For(token.span, initialiser, condition, step, body)

    def _declaration(self) -> s.Declaration:
        found = self.rules.types.specifiers()
        if found.type is None:
            self.cursor.unexpected("a type")
        return s.Declaration(found.span, self.rules.statements.init_declarators(found, found.type))

    def while_statement(self) -> s.Statement:
        token = self.cursor.advance()
        self.cursor.expect("(", "after 'while'")
        self.cursor.names.enter()
        condition = self.rules.statements.condition()
        self.cursor.expect(")", "to close the condition")
        body = self.rules.statements.statement()
        self.cursor.names.leave()
        if isinstance(condition, s.Declaration):
            body = _declared_in_body(condition, body)
            condition = s.Literal(token.span, 1, t.BOOL)
        return s.While(token.span, condition, body)

    def do_statement(self) -> s.Statement:
        token = self.cursor.advance()
        body = self.rules.statements.statement()
        self.cursor.expect("while", "after the body of 'do'")
        self.cursor.expect("(", "after 'while'")
        condition = self.rules.expressions.expression()
        self.cursor.expect(")", "to close the condition")
        self.cursor.expect(";", "after 'do ... while (...)'")
        return s.DoWhile(token.span, body, condition)

    def _over_array(self, span: Span, variables: list[s.DeclaredVariable]) -> s.Statement:
        """Parse the rest of a range-based loop, : array ) statement, and return the loop that it stands for."""
        colon = self.cursor.expect(":", "before what the loop goes over")
        array = self.rules.expressions.init_list() if self.cursor.at("{") else self.rules.expressions.expression()
        self.cursor.expect(")", "to close the head of the loop")
        if not isinstance(array, (s.Name, s.Member, s.Index)):  # an object that the loop itself keeps or refers to
            type: s.TypeSyntax = s.ReferenceType(span, s.AutoType(span), rvalue=True)
            if isinstance(array, s.InitList):
                if not array.items:
                    fail("the list of values to loop over is empty", colon.span)
                type = s.ArrayType(span, s.DecltypeType(span, array.items[0][1], decays=True), None)
            made = s.DeclaredVariable(span, RANGE, type, frozenset(), array)
            loop = self._over(span, s.Name(array.span, RANGE), variables)
            return s.Compound(span, [s.Declaration(span, [made]), loop], loop.body.span)
        return self._over(span, array, variables)

    def _over(self, span: Span, array: s.Expression, variables: list[s.DeclaredVariable]) -> s.For:
        """Parse the body, and return the loop over the array's indices or, beside it, over an object's iterators."""
        body = self.rules.statements.statement()
        self.cursor.names.leave()
        index = s.Name(span, INDEX)
        element = s.Index(array.span, array, index)
        start = s.DeclaredVariable(span, INDEX, s.PlainType(span, t.UINT), frozenset(), s.Literal(span, 0, t.UINT))
        variables[0].initialiser = element
        inside = s.Compound(span, [s.Declaration(span, variables), body], body.span)
        counted = s.Binary(span, "<", index, s.SizeOf(array.span, array, "length"))
        loop = s.For(span, s.Declaration(span, [start]), counted, s.Unary(span, "++", index), inside)
        loop.over_object = s.ObjectLoop(
            array, *(_by_iterators(span, array, variables, body, by_functions) for by_functions in (False, True))
        )
        return loop


def _by_iterators(
    span: Span, container: s.Expression, variables: list[s.DeclaredVariable], body: s.Statement, by_functions: bool
) -> s.For:  # fmt: skip
    """Return the loop from ``begin()`` to ``end()`` of an object (C++17, 9.5.4), which may be functions of its
    namespace; the variables behind the first one
    name parts of that."""
    variable, *parts = variables
    first, last = (_range_end(span, container, name, by_functions) for name in ("begin", "end"))
    iterator = s.Name(span, INDEX)
    element = replace(variable, initialiser=s.Unary(span, "*", iterator))
    start = s.DeclaredVariable(span, INDEX, s.AutoType(span), frozenset(), first)
    inside = s.Compound(span, [s.Declaration(span, [element, *parts]), body], body.span)
    goes_on = s.Binary(span, "!=", iterator, last)
    return s.For(span, s.Declaration(span, [start]), goes_on, s.Unary(span, "++", iterator), inside)


def _range_end(span: Span, container: s.Expression, name: str, by_functions: bool) -> s.Call:
    if by_functions:
        return s.Call(span, s.Name(span, name), [container])
    return s.Call(span, s.Member(span, container, name, False), [])


def _declared_in_body(condition: s.Declaration, body: s.Statement) -> s.Compound:
    """Return the body of a loop whose condition declares a variable, which each turn does again (C++17, 9.5.1)."""
    holds = s.Name(condition.span, condition.variables[-1].name)
    leave = s.If(condition.span, None, s.Unary(holds.span, "!", holds), s.Break(holds.span), None, False)
    return s.Compound(condition.span, [condition, leave, body], body.span)
