"""Parsing of statements and of the declarations that may stand among them."""

from __future__ import annotations

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.expressions import ExpressionParser
from warpview.frontend.parse.stream import TYPE, VALUE
from warpview.frontend.parse.types import RESERVED, Specifiers
from warpview.frontend.preprocess.tokens import Kind, fail


class StatementParser(ExpressionParser):
    def compound(self) -> s.Compound:
        """{ statement... }."""
        opening = self.expect("{", "to start a block")
        self.names.append({})
        body: list[s.Statement] = []
        while not self.at("}"):
            if self.token.kind is Kind.END:
                fail("this block is never closed", opening.span, "a '}' is missing")
            body.append(self.statement())
        self.names.pop()
        return s.Compound(opening.span, body, self.advance().span)

    def statement(self) -> s.Statement:
        self.deeper()
        result = self._statement()
        self.nesting -= 1
        return result

    def _statement(self) -> s.Statement:
        token = self.token
        if token.kind is Kind.PRAGMA:
            return self._pragma()
        if token.kind is Kind.PUNCT and token.text == "{":
            return self.compound()
        if self.accept(";"):
            return s.Empty(token.span)
        if token.kind is Kind.NAME:
            if handler := _KEYWORDS.get(token.text):
                result: s.Statement = handler(self)
                return result
            unsupported.refuse_word(token)
            if self.ahead().text == ":" and self.ahead(2).text != ":" and token.text not in RESERVED:
                self.advance()
                self.advance()
                return s.Label(token.span, token.text, self._labelled())
            if self._declares():
                return self.declaration()
        expression = self.expression()
        self.expect(";", "after the statement")
        return s.ExpressionStatement(token.span, expression)

    def _declares(self) -> bool:
        """Whether a declaration starts here rather than an expression such as ``T(3)``."""
        if not self.at_type():
            self._refuse_unknown_type()
            return False
        length = self._named_type_length()
        return not (length and self.ahead(length).text == "(" and self.ahead(length + 1).text not in ("*", "&"))

    def _refuse_unknown_type(self, parameter: bool = False) -> None:
        """``foo x`` with an unknown foo is a declaration with a wrong type, not a missing semicolon.

        Nothing but a type can stand where a ``parameter`` starts, whatever follows: ``foo* x``, ``foo<3> x``.
        """
        distance = 0
        while self.ahead(distance + 1).text == "::" and self.ahead(distance + 2).kind is Kind.NAME:
            distance += 2
        token, after = self.ahead(distance), self.ahead(distance + 1)
        unsupported.refuse_type(self.token)
        unsupported.refuse_type(token)
        if (
            token.kind is Kind.NAME
            and token.text not in RESERVED
            and (parameter or (after.kind is Kind.NAME and after.text not in RESERVED and not after.starts_line))
        ):
            from warpview.frontend.suggest import nearest

            known = [n for scope in self.names for n, kind in scope.items() if kind == TYPE]
            fail(f"unknown type '{token.text}'", token.span, nearest(token.text, known))

    # ------------------------------------------------------------------------------------ declarations
    def declaration(self) -> s.Statement:
        """specifiers declarator [= value] {, declarator [= value]} ;"""
        found = self.specifiers()
        if "typedef" in found.storage:
            fail("'typedef' must come first", found.span)
        if found.defined and self.accept(";"):
            return found.defined
        if found.type is None:
            self.unexpected("a type")
        if "extern" in found.storage and self.token.kind is Kind.NAME and self.ahead().text == "(":
            return self._function_within_block(found)
        variables = self.init_declarators(found, found.type)
        self.expect(";", "after the declaration")
        declaration = s.Declaration(found.span, variables)
        if found.defined:
            return s.Compound(found.span, [found.defined, declaration], found.span)
        return declaration

    def _function_within_block(self, found: Specifiers) -> s.Statement:
        """extern type name(parameters); within a block: the function is one of the file, nothing is kept."""
        self.advance()
        self.names.append({})
        self.parameters()
        self.names.pop()
        self.expect(";", "after the declaration of the function")
        return s.Compound(found.span, [], found.span)

    def init_declarators(self, found: Specifiers, base: s.TypeSyntax) -> list[s.Variable]:
        variables = [self.init_declarator(found, base)]
        while self.accept(","):
            variables.append(self.init_declarator(found, base))
        return variables

    def init_declarator(self, found: Specifiers, base: s.TypeSyntax) -> s.Variable:
        type, name, span = self.declarator(base)
        if not name:
            if self.at("[") and isinstance(base, s.AutoType):
                fail("structured bindings are not supported", self.token.span)
            self.unexpected("a name")
        return self.variable(found, type, name, span)

    def variable(self, found: Specifiers, type: s.TypeSyntax, name: str, span: Span) -> s.Variable:
        """[= value | {values} | (arguments)], after the declarator."""
        self.declare(name, VALUE)
        variable = s.Variable(span, name, type, frozenset(found.storage), align=found.align)
        if self.accept("="):
            variable.initialiser = self.assignment()
        elif self.at("{"):
            variable.initialiser = self.init_list()
        elif self.at("("):
            variable.arguments = self.arguments()
        return variable

    def typedef(self) -> s.Statement:
        """typedef type name;"""
        self.advance()
        found = self.specifiers()
        if found.type is None:
            self.unexpected("a type")
        type, name, span = self.declarator(found.type)
        if not name:
            self.unexpected("a name")
        if self.at("("):
            fail("function types are not supported", self.token.span)
        self.declare(name, TYPE)
        self.expect(";", "after the typedef")
        return s.TypeDeclaration(span, name, type)

    def using(self) -> s.Statement:
        """using name = type; other using declarations only bring in names, which are all visible anyway."""
        token = self.advance()
        if self.token.kind is Kind.NAME and self.ahead().text == "=":
            name = self.advance()
            self.advance()
            type = self.type_name()
            self.declare(name.text, TYPE)
            self.expect(";", "after the declaration")
            return s.TypeDeclaration(name.span, name.text, type)
        while not self.at(";") and self.token.kind is not Kind.END:
            self.advance()
        self.expect(";", "after 'using'")
        return s.Empty(token.span)

    def namespace_alias(self) -> s.Statement:
        token = self.advance()
        self.name("a name")
        self.expect("=", "after the name")
        while self.token.kind is Kind.NAME or self.at("::"):
            self.advance()
        self.expect(";", "after the namespace")
        return s.Empty(token.span)

    def static_assert(self) -> s.Statement:
        token = self.advance()
        self.expect("(", "after static_assert")
        condition = self.assignment()
        message = ""
        if self.accept(","):
            text = self.assignment()
            message = text.value if isinstance(text, s.StringLiteral) else ""
        self.expect(")", "to close static_assert")
        self.expect(";", "after static_assert")
        return s.StaticAssert(token.span, condition, message)

    def parameters(self) -> list[s.Parameter]:
        """( type name [= default], ... )."""
        self.expect("(", "before the parameters")
        result: list[s.Parameter] = []
        if self.at("void") and self.ahead().text == ")":
            self.advance()
        while not self.at(")"):
            result.append(self._parameter())
            if not self.accept(","):
                break
        self.expect(")", "to close the parameters")
        return result

    def _parameter(self) -> s.Parameter:
        if self.at("..."):
            fail("functions with variable arguments are not supported", self.token.span)
        found = self.specifiers()
        if found.type is None:
            self._refuse_unknown_type(parameter=True)
            self.unexpected("the type of a parameter")
        type, name, span = self.declarator(found.type)
        if self.at("("):
            fail("pointers to functions are not supported", self.token.span)
        if name:
            self.declare(name, VALUE)
        return s.Parameter(span, name, type, self.assignment() if self.accept("=") else None)

    # ---------------------------------------------------------------------------------------- selection
    def if_statement(self) -> s.Statement:
        """if [constexpr] ( [init;] condition ) statement [else statement]."""
        token = self.advance()
        is_constexpr = bool(self.accept("constexpr"))
        self.expect("(", "after 'if'")
        self.names.append({})
        initialiser: s.Statement | None = None
        condition = self._condition()
        if self.at(";"):
            self.advance()
            initialiser = (
                condition if isinstance(condition, s.Declaration) else s.ExpressionStatement(token.span, condition)
            )
            condition = self._condition()
        self.expect(")", "to close the condition")
        then = self.statement()
        other = self.statement() if self.accept("else") else None
        self.names.pop()
        return s.If(token.span, initialiser, condition, then, other, is_constexpr)

    def _condition(self) -> s.Expression | s.Declaration:
        if not self._declares():
            return self.expression()
        found = self.specifiers()
        if found.type is None:
            self.unexpected("a type")
        return s.Declaration(found.span, self.init_declarators(found, found.type))

    def switch_statement(self) -> s.Statement:
        token = self.advance()
        self.expect("(", "after 'switch'")
        condition = self.expression()
        self.expect(")", "to close the condition")
        return s.Switch(token.span, condition, self.statement())

    def case_statement(self) -> s.Statement:
        token = self.advance()
        value = None
        if token.text == "case":
            value = self.conditional()
            if self.at("..."):
                fail("ranges of case values are not supported", self.token.span)
        self.expect(":", f"after '{token.text}'")
        return s.Case(token.span, value, self._labelled())

    def _labelled(self) -> s.Statement:
        """What a label stands before; nothing where the block ends."""
        return s.Empty(self.token.span) if self.at("}") else self.statement()

    # ---------------------------------------------------------------------------------------- iteration
    def _pragma(self) -> s.Statement:
        """#pragma unroll [(count)] before a loop; before anything else it has no effect."""
        pragma = self.advance()
        count: s.Expression | None = None
        if self.at("("):
            self.advance()
            count = self.expression()
            self.expect(")", "to close the pragma's argument")
        statement = self.statement()
        if isinstance(statement, s.For):
            statement.unroll, statement.pragma = count, pragma.text
        return statement

    def for_statement(self) -> s.Statement:
        """for ( [init] ; [condition] ; [step] ) statement."""
        token = self.advance()
        self.expect("(", "after 'for'")
        self.names.append({})
        initialiser: s.Statement | None = None
        if not self.accept(";"):
            if self._declares():
                found = self.specifiers()
                if found.type is None:
                    self.unexpected("a type")
                initialiser = s.Declaration(found.span, self.init_declarators(found, found.type))
                if self.at(":"):
                    fail("loops over a range are not supported", self.token.span)
            else:
                initialiser = s.ExpressionStatement(self.token.span, self.expression())
            self.expect(";", "after the start of the loop")
        condition = None if self.at(";") else self.expression()
        self.expect(";", "after the loop condition")
        step = None if self.at(")") else self.expression()
        self.expect(")", "to close the head of the loop")
        body = self.statement()
        self.names.pop()
        return s.For(token.span, initialiser, condition, step, body)

    def while_statement(self) -> s.Statement:
        token = self.advance()
        self.expect("(", "after 'while'")
        condition = self.expression()
        self.expect(")", "to close the condition")
        return s.While(token.span, condition, self.statement())

    def do_statement(self) -> s.Statement:
        token = self.advance()
        body = self.statement()
        self.expect("while", "after the body of 'do'")
        self.expect("(", "after 'while'")
        condition = self.expression()
        self.expect(")", "to close the condition")
        self.expect(";", "after 'do ... while (...)'")
        return s.DoWhile(token.span, body, condition)

    # --------------------------------------------------------------------------------------------- jumps
    def break_statement(self) -> s.Statement:
        token = self.advance()
        self.expect(";", "after 'break'")
        return s.Break(token.span)

    def continue_statement(self) -> s.Statement:
        token = self.advance()
        self.expect(";", "after 'continue'")
        return s.Continue(token.span)

    def return_statement(self) -> s.Statement:
        token = self.advance()
        value = None if self.at(";") else self.assignment_or_list()
        self.expect(";", "after 'return'")
        return s.Return(token.span, value)

    def assignment_or_list(self) -> s.Expression:
        return self.init_list() if self.at("{") else self.expression()

    def goto_statement(self) -> s.Statement:
        token = self.advance()
        label = self.name("a label")
        self.expect(";", "after 'goto'")
        return s.Goto(token.span, label.text)


_KEYWORDS = {
    "if": StatementParser.if_statement,
    "for": StatementParser.for_statement,
    "while": StatementParser.while_statement,
    "do": StatementParser.do_statement,
    "switch": StatementParser.switch_statement,
    "case": StatementParser.case_statement,
    "default": StatementParser.case_statement,
    "break": StatementParser.break_statement,
    "continue": StatementParser.continue_statement,
    "return": StatementParser.return_statement,
    "goto": StatementParser.goto_statement,
    "typedef": StatementParser.typedef,
    "using": StatementParser.using,
    "namespace": StatementParser.namespace_alias,
    "static_assert": StatementParser.static_assert,
    "_Static_assert": StatementParser.static_assert,
}
