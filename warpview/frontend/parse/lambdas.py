"""Parse lambda expressions."""

from __future__ import annotations

from warpview.frontend import syntax as s
from warpview.frontend.parse.deduced_results import written_result
from warpview.frontend.parse.name_tables import NameTable
from warpview.frontend.parse.rules import Rules
from warpview.frontend.parse.stream import VALUE
from warpview.frontend.preprocess.tokens import fail

Capture = tuple[str, bool, s.Expression | None]  # a name, whether by reference, its initial value


class LambdaRules(Rules):
    def closure(self) -> s.Expression:
        """Parse [captures] <template parameters> (parameters) mutable -> type { body }."""
        opening = self.cursor.expect("[", "to start a lambda")
        captures, captures_all, by_reference = self._captures()
        self.cursor.names.enter(NameTable((name, VALUE) for name, _, _ in captures))
        while self.cursor.accept("__device__", "__host__"):
            pass
        template = self.rules.definitions.template_parameters() if self.cursor.at("<") else None
        further: list[s.TemplateParameter] = []
        parameters = self.rules.parameters.parse(further, of_lambda=True) if self.cursor.at("(") else []
        template = [*(template or ()), *further] if further else template
        mutable = False
        while word := self.cursor.accept("mutable", "constexpr", "consteval", "noexcept", "__device__", "__host__"):
            mutable = mutable or word.text == "mutable"
        result = self.rules.types.type_name() if self.cursor.accept("->") else None
        constraints = self.rules.concepts.clause()
        if not self.cursor.at("{"):
            fail(f"expected '{{' to start the body of the lambda, found {self.cursor.token}", self.cursor.token.span)
        body = self.rules.statements.function_body("operator()")
        result = None if result is None else written_result(result, body)
        self.cursor.names.leave()
        return s.Lambda(
            opening.span, by_reference, captures, parameters, result, body, mutable, captures_all=captures_all,
            template=template, constraints=constraints,
        )  # fmt: skip

    def _named_capture(self, reference: bool, known: set[str], by_default: str) -> Capture:
        """Parse this, name [= value], name... or ...name = values: the last two are one for each element of a pack. The
        name is none of those that are ``known``, and captured in another way than ``by_default``."""
        dots = self.cursor.accept("...")
        token = self.cursor.advance() if self.cursor.at("this") else self.cursor.name("a captured name")
        value = self.rules.expressions.assignment() if self.cursor.accept("=") else None
        if token.text in known:
            fail(f"'{token.text}' is captured twice", token.span)
        if value is None and token.text != "this" and by_default == "=&"[reference]:
            fail(f"'{by_default}' captures '{token.text}' already", token.span)
        if self.cursor.accept("..."):
            dots, value = token, s.Name(token.span, token.text)
        return token.text, reference, s.PackExpansion(token.span, value) if dots and value else value

    def _captures(self) -> tuple[list[Capture], bool, bool]:
        """Parse the captures up to the bracket behind them; return those that are named, and whether all others are
        captured, and by reference."""
        by_reference = captures_all = False
        captures: list[Capture] = []
        while not self.cursor.at("]"):
            reference = bool(self.cursor.accept("&"))
            if self.cursor.at("*") and self.cursor.ahead().text == "this":
                span = self.cursor.advance().span
                captures.append((s.COPIED_THIS, False, s.Unary(span, "*", s.This(self.cursor.advance().span))))
            elif self.cursor.at(",", "]") or self.cursor.accept("="):
                by_reference, captures_all = by_reference or reference, True
            else:
                by_default = "=&"[by_reference] if captures_all else ""
                captures.append(self._named_capture(reference, {name for name, *_ in captures}, by_default))
            if not self.cursor.accept(","):
                break
        self.cursor.expect("]", "to close the captures")
        return captures, captures_all, by_reference
