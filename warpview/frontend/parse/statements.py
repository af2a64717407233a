"""Parse statements and the declarations that may stand among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warpview.diagnostics import Refusal, Span
from warpview.frontend import syntax as s
from warpview.frontend import unsupported
from warpview.frontend.parse.attributes import Specifiers
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import TYPE, VALUE, fail_too_deep
from warpview.frontend.parse.unnamed_unions import unnamed_union
from warpview.frontend.parse.words import RESERVED
from warpview.frontend.preprocess.tokens import TokenKind, fail, refuse
from warpview.frontend.suggest import nearest
from warpview.frontend.syntax.walk import is_auto, is_deduced

# The tokens that may stand behind ``T (*name)`` in a declaration; behind a conversion T(*name) stand others.
BEHIND_DECLARATOR = frozenset(("=", ";", ",", "[", "(", "{", ":"))

MOST_TESTS = 1000  # of a chain of else and if


class StatementRules(Rules):
    function = ""  # whose body is being parsed

    def function_body(self, name: str) -> s.Compound:
        """Parse the body of a function of this name."""
        around, self.function = self.function, name
        body = self.compound()
        self.function = around
        return body

    def compound(self) -> s.Compound:
        """Parse { statement... }."""
        opening = self.cursor.expect("{", "to start a block")
        self.cursor.names.enter()
        body: list[s.Statement] = []
        while not self.cursor.at_closing_brace("this block", opening.span):
            statement = self.statement()
            body += statement.body if isinstance(statement, s.Compound) and not statement.is_block else [statement]
        self.cursor.names.leave()
        return s.Compound(opening.span, body, self.cursor.advance().span)

    def statement(self) -> s.Statement:
        self.cursor.deeper()
        result = self._statement()
        self.cursor.nesting -= 1
        return result

    def _statement(self) -> s.Statement:
        while self.cursor.at("[") and self.cursor.ahead().text == "[":  # attributes change nothing
            self.cursor.skip_balanced()
        token = self.cursor.token
        if token.kind is TokenKind.PRAGMA:
            return self.rules.loops.pragma()
        if token.kind is TokenKind.PUNCT and token.text == "{":
            return self.compound()
        if self.cursor.accept(";"):
            return s.Empty(token.span)
        if token.kind is TokenKind.NAME:
            if handler := _KEYWORDS.get(token.text):
                return handler(self)
            unsupported.refuse_word(token)
            if token.text == "else":
                fail("this 'else' has no 'if': a ';' or a second statement stands before it", token.span)
            if self.cursor.ahead().text == ":" and self.cursor.ahead(2).text != ":" and token.text not in RESERVED:
                self.cursor.advance()
                self.cursor.advance()
                return s.Label(token.span, token.text, self._labelled())
        if (token.kind is TokenKind.NAME or token.text == "::") and self.declares():
            return self.declaration()
        expression = self.rules.expressions.expression()
        self.cursor.expect(";", "after the statement")
        return s.ExpressionStatement(token.span, expression)

    def assembly(self) -> s.Statement:
        """Parse inline PTX."""
        return self.rules.assembly.statement()

    def declares(self) -> bool:
        """Return whether a declaration starts here rather than an expression such as ``T(3)``."""
        if not self.rules.types.at_type():
            self.refuse_unknown_type()
            return False
        length = self.rules.types.single_type_length()
        after = self.cursor.ahead(length).text
        if length and after == "::":  # T::value, T::function(), or T::type and what it declares
            behind = length + 2
            while self.cursor.ahead(behind).text == "::":
                behind += 2
            behind += self.cursor.ahead(behind).text in ("*", "&")
            return self.cursor.ahead(behind).kind is TokenKind.NAME
        if not length or after not in ("(", "{"):
            return True
        points = self.cursor.ahead(length + 1).text in ("*", "&") or self.rules.pointers.to_member_length(length + 1)
        is_declarator = after == "(" and points
        inside, following = self._brackets(length)
        return bool(is_declarator) and "," not in inside and following in BEHIND_DECLARATOR

    def _brackets(self, distance: int) -> tuple[set[str], str]:
        """Return the texts of the tokens in the brackets that open at ``distance``, without those of brackets within,
        and of the one behind them."""
        depth, inside = 0, set[str]()
        while (text := self.cursor.ahead(distance).text) not in ("", ";"):
            depth += {"(": 1, ")": -1}.get(text, 0)
            inside |= {text} if depth == 1 else set()
            distance += 1
            if not depth:
                break
        return inside, self.cursor.ahead(distance).text

    def refuse_unknown_type(self, parameter: bool = False) -> None:
        """``foo x`` with an unknown foo is a declaration with a wrong type, not a missing semicolon.

        Nothing but a type can stand where a ``parameter`` starts, whatever follows: ``foo* x``, ``foo<3> x``.
        """
        distance = 0
        while self.cursor.ahead(distance + 1).text == "::" and self.cursor.ahead(distance + 2).kind is TokenKind.NAME:
            distance += 2
        token, after = self.cursor.ahead(distance), self.cursor.ahead(distance + 1)
        self.cursor.refuse_type(self.cursor.token)
        self.cursor.refuse_type(token)
        if (
            token.kind is TokenKind.NAME
            and token.text not in RESERVED
            and (parameter or (after.kind is TokenKind.NAME and after.text not in RESERVED and not after.starts_line))
        ):
            if token.text in self.rules.unreadable:
                unsupported.fail_unreadable(token.text, self.rules.unreadable[token.text], token.span)
            fail(f"unknown type '{token.text}'", token.span, nearest(token.text, self.cursor.names.known_types(TYPE)))

    # ------------------------------------------------------------------------------------ declarations
    def declaration(self) -> s.Statement:
        """Parse specifiers declarator [= value] {, declarator [= value]} ;"""
        found = self.rules.types.specifiers()
        if "typedef" in found.storage:
            fail("'typedef' must come first", found.span)
        if "__global__" in found.storage:
            fail("a kernel cannot be defined within a function", found.span, "is a '}' missing before it?")
        if found.defined and self.cursor.accept(";"):
            return unnamed_union(found, self.cursor) or found.defined
        if found.type is None:
            self.cursor.unexpected("a type")
        is_function = "extern" in found.storage or self.cursor.ahead(2).text == ")"
        if is_function and self.cursor.token.kind is TokenKind.NAME and self.cursor.ahead().text == "(":
            return self._function_within_block(found)
        base = found.type
        if found.defined and base is found.defined.type:
            base = s.NamedType(found.span, found.defined.name)
        variables = self.init_declarators(found, base)
        self.cursor.expect(";", "after the declaration")
        declaration = s.Declaration(found.span, variables)
        if found.defined:
            return s.Compound(found.span, [found.defined, declaration], found.span, is_block=False)
        return declaration

    def _function_within_block(self, found: Specifiers) -> s.Statement:
        """Parse [extern] type name(parameters); within a block: the function is one of the namespace around."""
        name = self.cursor.advance().text
        self.rules.unit.declared_in_blocks.add(name)
        self.cursor.names.enter()
        self.rules.parameters.parse()
        self.cursor.names.leave()
        self.cursor.expect(";", "after the declaration of the function")
        return s.Use(found.span, f"::{self.rules.namespace}", name)

    def init_declarators(self, found: Specifiers, base: s.TypeSyntax) -> list[s.DeclaredVariable]:
        if is_deduced(base) and self.cursor.ahead(int(self.cursor.at("&", "&&"))).text == "[":
            return self._structured_binding(found, base)
        variables = [self.init_declarator(found, base)]
        while self.cursor.accept(","):
            variables.append(self.init_declarator(found, base))
        return variables

    def _structured_binding(self, found: Specifiers, base: s.TypeSyntax) -> list[s.DeclaredVariable]:
        """Parse auto [name, ...] = value: the object, and references to its parts."""
        reference = self.cursor.accept("&", "&&")
        span = self.cursor.expect("[", "before the names").span
        names = [self.cursor.name("a name")]
        while self.cursor.accept(","):
            names.append(self.cursor.name("a name"))
        self.cursor.expect("]", "behind the names")
        whole = f"[{', '.join(name.text for name in names)}]"
        type = s.ReferenceType(span, base, reference.text == "&&") if reference else base
        variables = [self.variable(found, type, whole, span)]
        for position, name in enumerate(names):
            self.cursor.declare(name.text, VALUE)
            part = s.BoundPart(name.span, s.Name(span, whole), position, len(names))
            type = s.ReferenceType(span, s.AutoType(span))
            variables.append(s.DeclaredVariable(name.span, name.text, type, frozenset(), part))
        return variables

    def init_declarator(self, found: Specifiers, base: s.TypeSyntax) -> s.DeclaredVariable:
        type, name, span = self.rules.types.declarator(base)
        if not name:
            self.cursor.unexpected("a name")
        return self.variable(found, type, name, span)

    def variable(self, found: Specifiers, type: s.TypeSyntax, name: str, span: Span) -> s.DeclaredVariable:
        """Parse [= value | {values} | (arguments)], after the declarator."""
        self.cursor.declare(name, VALUE)
        if {"__shared__", "__constant__"} <= found.storage:
            fail(f"'{name}' can be in shared or in constant memory, not in both", span)
        if "constexpr" in found.storage:
            type = _constant(type)
        align = self.rules.attributes.behind(found).align
        variable = s.DeclaredVariable(span, name, type, frozenset(found.storage), align=align)
        if self.cursor.accept("="):
            in_brackets = isinstance(type, s.DecltypeAutoType) and self.cursor.in_brackets(";")
            variable.initialiser = self.rules.expressions.assignment()
            if isinstance(type, s.DecltypeAutoType):
                variable.type = s.DecltypeType(type.span, variable.initialiser, in_brackets)
        elif self.cursor.at("{"):
            variable.initialiser = _only_value(type, self.rules.expressions.init_list())
        elif self.cursor.at("("):
            variable.arguments = self.rules.expressions.arguments()
        return variable

    def typedef(self) -> s.Statement:
        """Parse typedef type name;"""
        self.cursor.advance()
        found = self.rules.types.specifiers()
        if found.type is None:
            self.cursor.unexpected("a type")
        type, name, span = self.rules.types.declarator(found.type)
        if not name:
            self.cursor.unexpected("a name")
        if self.cursor.at("("):
            type = self.rules.types.function_type(type)
        self.cursor.declare(name, TYPE)
        if self.rules.attributes.behind().align is not None:
            refuse("a typedef with an alignment of its own is not supported", span)
        self.cursor.expect(";", "after the typedef")
        return s.TypeDeclaration(span, name, type)

    def using(self) -> s.Statement:
        """Parse using name = type; using enum type; or using [namespace] a::name;"""
        token = self.cursor.advance()
        if self.cursor.accept("enum"):
            enum = self.rules.types.type_name()
            self.cursor.expect(";", "after 'using enum'")
            return s.Use(token.span, "", seen=self.rules.seen, enum=enum)
        if self.cursor.token.kind is TokenKind.NAME and self.cursor.ahead().text == "=":
            name = self.cursor.advance()
            self.cursor.advance()
            type = self.rules.types.type_name()
            if self.cursor.at("("):
                type = self.rules.types.function_type(type)
            self.cursor.declare(name.text, TYPE)
            self.cursor.expect(";", "after the declaration")
            return s.TypeDeclaration(name.span, name.text, type)
        return self.rules.namespaces.using_names(token)

    def static_assert(self) -> s.Statement:
        token = self.cursor.advance()
        self.cursor.expect("(", "after static_assert")
        condition = self.rules.expressions.assignment()
        message = ""
        if self.cursor.accept(","):
            text = self.rules.expressions.assignment()
            message = text.value if isinstance(text, s.StringLiteral) else ""
        self.cursor.expect(")", "to close static_assert")
        self.cursor.expect(";", "after static_assert")
        return s.StaticAssert(token.span, condition, message)

    # ---------------------------------------------------------------------------------------- selection
    def if_statement(self, tests: int = 1) -> s.Statement:
        """Parse if [constexpr] ( [init;] condition ) statement [else statement], the test of a chain of that number."""
        token = self.cursor.advance()
        if tests > MOST_TESTS:
            fail_too_deep(token.span)
        is_constexpr = bool(self.cursor.accept("constexpr"))
        self.cursor.expect("(", "after 'if'")
        self.cursor.names.enter()
        initialiser: s.Statement | None = None
        condition = self.condition()
        if self.cursor.at(";"):
            self.cursor.advance()
            initialiser = _as_statement(condition)
            condition = self.condition()
        self.cursor.expect(")", "to close the condition")
        then = self.statement()
        other = None
        if self.cursor.accept("else"):  # a chain of tests is no deeper nesting
            other = self.if_statement(tests + 1) if self.cursor.at("if") else self.statement()
        self.cursor.names.leave()
        return s.If(token.span, initialiser, condition, then, other, is_constexpr)

    def condition(self) -> s.Expression | s.Declaration:
        """Parse an expression, or the declaration of a variable whose value is the condition."""
        if not self.declares():
            return self.rules.expressions.expression()
        found = self.rules.types.specifiers()
        if found.type is None:
            self.cursor.unexpected("a type")
        return s.Declaration(found.span, self.init_declarators(found, found.type))

    def switch_statement(self) -> s.Statement:
        """Parse switch ( [init;] condition ) statement; the condition may declare a variable."""
        token = self.cursor.advance()
        self.cursor.expect("(", "after 'switch'")
        self.cursor.names.enter()
        before: list[s.Statement] = []
        condition = self.condition()
        if self.cursor.accept(";"):
            before.append(_as_statement(condition))
            condition = self.condition()
        if isinstance(condition, s.Declaration):
            before.append(condition)
            condition = s.Name(condition.span, condition.variables[-1].name)
        self.cursor.expect(")", "to close the condition")
        switch = s.Switch(token.span, condition, self.statement())
        self.cursor.names.leave()
        return s.Compound(token.span, [*before, switch], self.cursor.ahead(-1).span) if before else switch

    def case_statement(self) -> s.Statement:
        token = self.cursor.advance()
        value = None
        if token.text == "case":
            value = self.rules.expressions.conditional()
            if self.cursor.at("..."):
                refuse("ranges of case values are not supported", self.cursor.token.span, Refusal.ANYHOW)
        self.cursor.expect(":", f"after '{token.text}'")
        return s.Case(token.span, value, self._labelled())

    def _labelled(self) -> s.Statement:
        """Read the statement behind a label; an empty one where the block ends."""
        return s.Empty(self.cursor.token.span) if self.cursor.at("}") else self.statement()

    # --------------------------------------------------------------------------------------------- jumps
    def break_statement(self) -> s.Statement:
        token = self.cursor.advance()
        self.cursor.expect(";", "after 'break'")
        return s.Break(token.span)

    def continue_statement(self) -> s.Statement:
        token = self.cursor.advance()
        self.cursor.expect(";", "after 'continue'")
        return s.Continue(token.span)

    def return_statement(self) -> s.Statement:
        token = self.cursor.advance()
        in_brackets = self.cursor.in_brackets(";")
        value = None if self.cursor.at(";") else self.assignment_or_list()
        self.cursor.expect(";", "after 'return'")
        return s.Return(token.span, value, in_brackets)

    def assignment_or_list(self) -> s.Expression:
        return self.rules.expressions.init_list() if self.cursor.at("{") else self.rules.expressions.expression()

    def goto_statement(self) -> s.Statement:
        token = self.cursor.advance()
        label = self.cursor.name("a label")
        self.cursor.expect(";", "after 'goto'")
        return s.Goto(token.span, label.text)


def _constant(type: s.TypeSyntax) -> s.TypeSyntax:
    """Return the type of an object that is constexpr; the elements of an array are what is const about it."""
    if isinstance(type, s.ArrayType):
        return replace(type, of=_constant(type.of))
    return type if isinstance(type, s.ReferenceType) else s.QualifiedType(type.span, type, const=True)


def _only_value(type: s.TypeSyntax, values: s.InitList) -> s.Expression:
    """Return what ``{values}`` behind the name of a variable gives it: to ``auto x{value}`` the value itself."""
    is_one = is_auto(type) and len(values.items) == 1 and not values.items[0][0]
    return values.items[0][1] if is_one else values


def _as_statement(start: s.Expression | s.Declaration) -> s.Statement:
    """Return what stands before the condition of a statement, as one of its own."""
    return start if isinstance(start, s.Declaration) else s.ExpressionStatement(start.span, start)


_KEYWORDS: dict[str, Callable[[StatementRules], s.Statement]] = {
    "if": StatementRules.if_statement,
    "for": lambda rules: rules.rules.loops.for_statement(),
    "while": lambda rules: rules.rules.loops.while_statement(),
    "do": lambda rules: rules.rules.loops.do_statement(),
    "switch": StatementRules.switch_statement,
    "case": StatementRules.case_statement,
    "default": StatementRules.case_statement,
    "break": StatementRules.break_statement,
    "continue": StatementRules.continue_statement,
    "return": StatementRules.return_statement,
    "goto": StatementRules.goto_statement,
    "typedef": StatementRules.typedef,
    "using": StatementRules.using,
    "namespace": lambda rules: rules.rules.namespaces.alias(),
    "static_assert": StatementRules.static_assert,
    "_Static_assert": StatementRules.static_assert,
    **dict.fromkeys(("asm", "__asm__", "__asm"), StatementRules.assembly),
}
