"""Write the class that a lambda is as a base class: a member that is the lambda, and an operator() that calls it."""

from __future__ import annotations

from dataclasses import replace

from warpview.frontend import syntax as s
from warpview.frontend.semantic import types as t

FUNCTION = "(function)"  # the name of the member


def class_of(closure: t.Closure) -> s.StructType:
    """Return the class of a lambda as it could be written."""
    syntax = closure.key
    assert isinstance(syntax, s.Lambda)
    template = list(syntax.template or [])
    parameters = [_parameter(p, position, template) for position, p in enumerate(syntax.parameters)]
    span = syntax.span
    call = s.Call(span, s.Name(span, FUNCTION), [*map(_forwarded, parameters)])
    body, result = s.Compound(span, [s.Return(span, call)], span), syntax.result or s.AutoType(span)
    operator = s.FunctionDeclaration(
        span, "operator()", result, parameters, body,
        frozenset({"__device__"}), template or None, is_const=not syntax.mutable, constraints=syntax.constraints,
    )  # fmt: skip
    member = s.MemberDeclaration(span, FUNCTION, s.PlainType(span, closure))
    return s.StructType(span, "lambda", False, [member], methods=[operator])


def _parameter(parameter: s.Parameter, position: int, template: list[s.TemplateParameter]) -> s.Parameter:
    """Return a parameter with a name, and with a template parameter in place of ``auto``, which is added."""
    type = _named(parameter.type, template)
    if isinstance(type, s.PackType) and template:
        template[-1].pack = True
    return replace(parameter, name=parameter.name or f"(argument {position})", type=type)


def _named(type: s.TypeSyntax, template: list[s.TemplateParameter]) -> s.TypeSyntax:
    """Return a type with a new template parameter in place of ``auto``."""
    match type:
        case s.AutoType():
            name = f"(auto {len(template) + 1})"
            template.append(s.TemplateParameter(type.span, name, None))
            return s.NamedType(type.span, name)
        case s.QualifiedType(of=of) | s.PackType(of=of):
            return replace(type, of=_named(of, template))
        case s.PointerType(to=to) | s.ReferenceType(to=to):
            return replace(type, to=_named(to, template))
    return type


def _forwarded(parameter: s.Parameter) -> s.Expression:
    """Return a parameter as it is passed on to the lambda."""
    span, name = parameter.span, s.Name(parameter.span, parameter.name)
    type = s.ReferenceType(span, s.DecltypeType(span, name), rvalue=True)
    value = s.Cast(span, "static_cast", type, name)
    return s.PackExpansion(span, value) if isinstance(parameter.type, s.PackType) else value
