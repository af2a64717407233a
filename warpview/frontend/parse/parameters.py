"""Parse the parameters of functions and lambdas."""

from __future__ import annotations

from warpview.diagnostics import Refusal
from warpview.frontend import syntax as s
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import VALUE
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.syntax.walk import is_deduced


class ParameterRules(Rules):
    def parse(
        self, template: list[s.TemplateParameter] | None = None, of_lambda: bool = False
    ) -> list[s.Parameter]:  # fmt: skip
        """Parse ( type name [= default], ... ). An ellipsis at the end is a pack of parameters, whose types are a pack
        that is added to the ``template`` parameters, where these are given, as are those that ``auto`` stands for."""
        self.cursor.expect("(", "before the parameters")
        result: list[s.Parameter] = []
        if self.cursor.at("void") and self.cursor.ahead().text == ")":
            self.cursor.advance()
        while not self.cursor.at(")"):
            result.append(self._ellipsis(template) if self.cursor.at("...") else self._parameter(template, of_lambda))
            _check_last(result)
            if not (self.cursor.accept(",") or self.cursor.at("...")):
                break
        self.cursor.expect(")", "to close the parameters")
        return result

    def _ellipsis(self, template: list[s.TemplateParameter] | None) -> s.Parameter:
        span = self.cursor.advance().span
        if template is None:
            refuse("an ellipsis is not supported here", span, Refusal.ANYHOW)
        template.append(s.TemplateParameter(span, s.ELLIPSIS, None, pack=True))
        return s.Parameter(span, "", s.PackType(span, s.NamedType(span, s.ELLIPSIS, None)), None)

    def _parameter(self, template: list[s.TemplateParameter] | None, of_lambda: bool) -> s.Parameter:
        found = self.rules.types.specifiers()
        if found.type is None:
            self.rules.statements.refuse_unknown_type(parameter=True)
            self.cursor.unexpected("the type of a parameter")
        is_template = found.concept is not None or (is_deduced(found.type) and not of_lambda)
        if is_template and template is not None:
            found.type = self.rules.concepts.invented(found.type, found.concept, template)
        type, name, span = self.rules.types.declarator(found.type)
        if is_template and template:
            template[-1].pack = isinstance(type, s.PackType)
        if self.cursor.at("("):
            type = self.rules.types.function_type(type)
        if name:
            self.cursor.declare(name, VALUE)
        self.rules.attributes.behind()
        return s.Parameter(span, name, type, self.rules.expressions.assignment() if self.cursor.accept("=") else None)


def _check_last(parameters: list[s.Parameter]) -> None:
    """Check that the last of some parameters has a name of its own, and a default value where one before it has."""
    *before, last = parameters
    if last.name and any(last.name == other.name for other in before):
        fail(f"two parameters have the name '{last.name}'", last.span)
    if before and before[-1].default is not None and last.default is None and not isinstance(last.type, s.PackType):
        fail("a parameter behind one with a default value needs one, too", last.span)
