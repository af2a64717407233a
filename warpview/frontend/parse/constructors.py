"""Parse constructors and destructors."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.words import STORAGE_WORDS
from warpview.frontend.preprocess.tokens import refuse
from warpview.frontend.semantic.bases import DESTRUCTOR
from warpview.frontend.semantic.types import VOID
from warpview.frontend.syntax.walk import same_syntax


class ConstructorRules(Rules):
    def special(self, struct: s.StructType, template: list[s.TemplateParameter] | None) -> bool:
        """Return a constructor or destructor: ``T(parameters) [: member(value), ...] { ... }``."""
        distance = 0
        while (word := self.cursor.ahead(distance).text) in STORAGE_WORDS:
            distance += 1
            if word == "explicit" and self.cursor.ahead(distance).text == "(":
                distance = self.cursor.behind_bracket(distance)
        if self.cursor.ahead(distance).text == "~":
            self._destructor(struct, distance)
            return True
        if not (self.cursor.ahead(distance).text == struct.name and self.cursor.ahead(distance + 1).text == "("):
            return False
        storage, explicit_if = set[str](), None
        while self.cursor.token.text in STORAGE_WORDS:
            if (condition := self.rules.types.explicit_condition()) is not None:
                explicit_if = condition
            else:
                storage.add(self.cursor.advance().text)
        token = self.cursor.advance()
        self.cursor.names.enter()
        parameters, template = self.rules.members.parameters(template)
        self.cursor.accept("noexcept")
        body = self._member_initialisers(struct) if self.cursor.accept(":") else []
        is_defaulted, block = False, None
        if self.cursor.accept("="):
            meant = self.cursor.advance().text
            is_defaulted = meant == "default" and not parameters
            end = self.cursor.expect(";", "after the constructor")
            struct.without_body.append((meant, [parameter.type for parameter in parameters]))
            if not is_defaulted:  # a copy, or none
                self.cursor.names.leave()
                return True
            block = s.Compound(token.span, [], end.span)
        elif not self.cursor.accept(";"):  # else it is defined behind the struct
            block = self.rules.statements.compound()
            block.body[:0] = body
        self.cursor.names.leave()
        struct.methods.append(
            s.FunctionDeclaration(
                token.span,
                struct.name,
                s.PlainType(token.span, VOID),
                parameters,
                block,
                frozenset(storage | ({"__device__"} if is_defaulted else set())),  # for whoever uses the struct
                template,
                is_defaulted=is_defaulted,
                explicit_if=explicit_if,
            )
        )
        return True

    def _member_initialisers(self, struct: s.StructType) -> list[s.Statement]:
        """Parse member(value), Base(values), ...; return assignments to what they name."""
        body: list[s.Statement] = []
        while True:
            while self.cursor.ahead().text == "::":
                self.cursor.advance()
                self.cursor.advance()
            member = self.cursor.name("the name of a member")
            span = member.span
            given = self.rules.types.template_arguments() if self.cursor.at("<") else None
            named = _alias_in(struct, member.text)
            bases = [base for base in struct.named_bases if base.name == (named.name if named else member.text)]
            if len(bases) > 1:
                bases = [base for base in bases if same_syntax(base.arguments, named.arguments if named else given)]
                if len(bases) != 1:
                    refuse("several base classes of this name are not told apart here", span)
            braces = self.cursor.at("{")
            values = self.rules.expressions.init_list() if braces else None
            arguments = [e for _, e in values.items] if values else self.rules.expressions.arguments()
            if bases or member.text == struct.name:
                type = bases[0] if bases else s.NamedType(span, struct.name)
                target: s.Expression = s.Unary(span, "*", s.This(span))
                if bases:
                    target = s.Cast(span, "static_cast", s.ReferenceType(span, type), target)
                listed: list[s.Expression] = [values] if values else arguments
                value: s.Expression = s.Construct(span, type, listed, braces)
            else:
                target = s.Member(span, s.This(span), member.text, arrow=True)
                is_one = len(arguments) == 1 and not isinstance(arguments[0], s.PackExpansion)
                value = values or (arguments[0] if is_one else s.InitList(span, [("", a) for a in arguments]))
            initialised: s.Expression = s.Assign(span, "", target, value, initialises=True)
            if self.cursor.accept("..."):
                initialised = s.PackExpansion(span, initialised)
            body.append(s.ExpressionStatement(span, initialised))
            if not self.cursor.accept(","):
                return body

    def _destructor(self, struct: s.StructType, distance: int) -> None:
        """Parse ~T() [qualifiers] (body | = default; | ;)."""
        start = self.cursor.ahead(distance).span
        storage = {self.cursor.advance().text for _ in range(distance)}
        struct.has_virtual |= "virtual" in storage
        self.cursor.advance()
        self.cursor.name("the name of the struct")
        self.cursor.skip_balanced()
        while self.cursor.accept("noexcept", "override", "final"):
            pass
        if self.cursor.accept("="):
            self.cursor.advance()
            end = self.cursor.expect(";", "after the destructor").span
            if "virtual" not in storage:
                return
            body: s.Compound | None = s.Compound(start, [], end)
        else:
            body = None if self.cursor.accept(";") else self.rules.statements.compound()
        self.rules.unit.has_destructors |= body is None or bool(body.body)
        nothing = s.PlainType(start, VOID)
        struct.methods.append(s.FunctionDeclaration(start, DESTRUCTOR, nothing, [], body, frozenset(storage)))


def _alias_in(struct: s.StructType, name: str) -> s.NamedType | None:
    """Return the class that a struct has given another name, as in ``typedef Base<T> Parent;``."""
    types = [member.type for member in struct.members if isinstance(member, s.TypeDeclaration) and member.name == name]
    return types[0] if types and isinstance(types[0], s.NamedType) else None
