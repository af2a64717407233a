"""Write types, template parameters and the signatures of overloaded kernels as text."""

from __future__ import annotations

from warpview.frontend import syntax as s


def spelled(type: s.TypeSyntax) -> str:
    """Return a type as C++ writes it, without ``__restrict__``; an array is the pointer that it is as a parameter."""
    match type:
        case s.PlainType(type=plain):
            return str(plain)
        case s.NamedType(name=name, arguments=arguments, scope=scope, qualifier=qualifier):
            before = qualifier if scope is None else f"{spelled(scope)}::"
            return before + name + ("" if arguments is None else f"<{', '.join(map(_argument, arguments))}>")
        case s.QualifiedType(of=of):
            words = ["const"] * type.const + ["volatile"] * type.volatile
            return " ".join([spelled(of), *words] if isinstance(of, s.PointerType) else [*words, spelled(of)])
        case s.PointerType(to=to):
            return f"{spelled(to)}*"
        case s.ArrayType(of=of):
            return f"{spelled(of)}*"
        case s.ReferenceType(to=to):
            return spelled(to) + ("&&" if type.rvalue else "&")
        case s.PackType(of=of):
            return f"{spelled(of)}..."
    return "auto"


def described(parameter: s.TemplateParameter) -> str:
    """Return a template parameter with its default, such as ``int BLOCK = 128``."""
    kind = "typename" if parameter.type is None else spelled(parameter.type)
    default = "" if parameter.default is None else f" = {_argument(parameter.default)}"
    return f"{kind}{'...' if parameter.pack else ''} {parameter.name}{default}"


def _argument(argument: s.TypeSyntax | s.Expression) -> str:
    if isinstance(argument, s.TypeSyntax):
        return spelled(argument)
    if isinstance(argument, s.Literal):
        return str(argument.value)
    span = argument.span
    return span.source.line(span.line)[span.column - 1 :][: span.length]


def signature_of(parameters: list[s.Parameter]) -> str:
    """Return the types of parameters as a name has them that tells overloads apart: ``(const int*, int)``."""
    return f"({', '.join(spelled(_unqualified(parameter.type)) for parameter in parameters)})"


def _unqualified(type: s.TypeSyntax) -> s.TypeSyntax:
    """Return the type that a caller sees: whether a parameter itself may change says nothing to it."""
    return type.of if isinstance(type, s.QualifiedType) else type


def split_signature(name: str) -> tuple[str, str]:
    """Return a kernel's name, with its template arguments, and the signature behind it, '' where it has none."""
    name = name.strip()
    depth = 0
    for position in range(len(name) - 1, -1, -1):
        depth += (name[position] == ")") - (name[position] == "(")
        if depth == 0:
            return (name[:position].strip(), name[position:]) if name[position] == "(" else (name, "")
    return name, ""
