"""Parse concepts and constraints (C++20, 13.5 and 7.5.7)."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import VARIABLE_TEMPLATE
from warpview.frontend.preprocess.operators import PRECEDENCE
from warpview.frontend.preprocess.tokens import TokenKind
from warpview.frontend.semantic.types import BOOL


class ConceptRules(Rules):
    def concept(self, template: list[s.TemplateParameter]) -> s.FunctionDeclaration:
        """Parse concept name = constraint; as a function without parameters, which each use of the name calls."""
        self.cursor.advance()
        name = self.cursor.name("the name of the concept")
        self.cursor.expect("=", "after the name of the concept")
        self.cursor.names.around[name.text] = VARIABLE_TEMPLATE
        value = self._constraint()
        self.cursor.expect(";", "after the concept")
        body = s.Compound(name.span, [s.Return(name.span, value)], name.span)
        result = s.PlainType(name.span, BOOL)
        return s.FunctionDeclaration(name.span, name.text, result, [], body, frozenset({"constexpr"}), template)

    def clause(self) -> list[s.Expression]:
        """Parse [requires constraint]."""
        return [self._constraint()] if self.cursor.accept("requires") else []

    def _constraint(self) -> s.Expression:
        closes, self.cursor.angle_closes = self.cursor.angle_closes, False
        constraint = self.rules.expressions.binary(PRECEDENCE["||"])
        self.cursor.angle_closes = closes
        return constraint

    def type_constraint(self) -> s.Name | None:
        """Parse [namespace::]concept[<arguments>], whose first template argument is what it stands before; None where
        nothing of that kind is here."""
        length = self._name_length()
        if not length:
            return None
        span = self.cursor.token.span
        *qualifier, name = [self.cursor.advance().text for _ in range(length)]
        arguments = self.rules.types.template_arguments() if self.cursor.at("<") else []
        return s.Name(span, name, arguments, None, "".join(qualifier), self.rules.seen)

    def _name_length(self) -> int:
        """Return the number of tokens of [namespace::]concept; 0 where no concept is named here."""
        length, qualifier = 1, ""
        while self.cursor.ahead(length - 1).kind is TokenKind.NAME and self.cursor.ahead(length).text == "::":
            qualifier += f"{self.cursor.ahead(length - 1).text}::"
            length += 2
        name = self.cursor.ahead(length - 1)
        if name.kind is not TokenKind.NAME:
            return 0
        return length if self.rules.types.qualified_kind(name.text, qualifier) == VARIABLE_TEMPLATE else 0

    def constrained_auto(self) -> s.Name | None:
        """Parse concept auto, the type of whatever satisfies a concept; return the concept, None where none is here."""
        if not self.at_constrained_auto():
            return None
        concept = self.type_constraint()
        self.cursor.advance()
        return concept

    def at_constrained_auto(self) -> bool:
        """Return whether concept auto is here. Nothing is parsed, which would take a '>>' apart."""
        length = self._name_length()
        return length > 0 and self.cursor.ahead(self.cursor.behind_arguments(length)).text == "auto"

    def invented(
        self, type: s.TypeSyntax, concept: s.Name | None, template: list[s.TemplateParameter]
    ) -> s.TypeSyntax:  # fmt: skip
        """Add the template parameter that ``[concept] auto`` is as the type of a parameter (C++20, 9.3.4.6); return
        the type with its name."""
        name = f"(auto {len(template) + 1})"
        named = s.NamedType(type.span, name)
        constraints = [] if concept is None else [s.applied(concept, named)]
        template.append(s.TemplateParameter(type.span, name, None, constraints=constraints))
        return (
            s.QualifiedType(type.span, named, type.const, type.volatile) if isinstance(type, s.QualifiedType) else named
        )

    def requires_expression(self) -> s.Expression:
        """Parse requires [(parameters)] { requirement... }."""
        token = self.cursor.advance()
        closes, self.cursor.angle_closes = self.cursor.angle_closes, False
        self.cursor.names.enter()
        parameters = self.rules.parameters.parse() if self.cursor.at("(") else []
        self.cursor.expect("{", "before the requirements")
        self.cursor.deeper()
        requirements: list[s.Requirement] = []
        while not self.cursor.at_closing_brace("this list of requirements", token.span):
            requirements.append(self._requirement())
        self.cursor.advance()
        self.cursor.nesting -= 1
        self.cursor.names.leave()
        self.cursor.angle_closes = closes
        return s.Requires(token.span, parameters, requirements)

    def _requirement(self) -> s.Requirement:
        """Parse one of: expression; typename type; {expression} [noexcept] [-> concept]; requires constraint;"""
        requirement = s.Requirement(self.cursor.token.span)
        if self.cursor.at("typename"):
            requirement.type = self.rules.types.type_name()
        elif self.cursor.at("requires"):
            requirement.condition = self.clause()[0]
        elif self.cursor.accept("{"):
            requirement.expression = self.rules.expressions.expression()
            self.cursor.expect("}", "behind the expression")
            self.cursor.accept("noexcept")
            if self.cursor.accept("->"):
                requirement.concept = self.type_constraint()
                if requirement.concept is None:
                    self.cursor.unexpected("a concept")
        else:
            requirement.expression = self.rules.expressions.expression()
        self.cursor.expect(";", "after the requirement")
        return requirement
