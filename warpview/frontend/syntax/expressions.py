"""Define the nodes of expressions, as they are written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from warpview.frontend.syntax.facts import remembered
from warpview.frontend.syntax.nodes import EVERYTHING, Node, Seen

if TYPE_CHECKING:
    from warpview.frontend.semantic.types import CType
    from warpview.frontend.syntax.declarations import TemplateParameter
    from warpview.frontend.syntax.statements import Compound
    from warpview.frontend.syntax.types import Parameter, TypeSyntax


class Expression(Node):
    pass


@dataclass(eq=False)
class Literal(Expression):
    """Represent a number, character or bool."""

    value: int | float
    type: CType


@dataclass(eq=False)
class StringLiteral(Expression):
    value: str  # bytes that are no UTF-8 are surrogates, as in file names of Python

    @property
    def printable(self) -> str:
        """Return the text with a mark in place of what is no UTF-8."""
        return self.characters[:-1].decode("utf-8", "replace")

    @property
    def characters(self) -> bytes:
        """Return the elements of the array that it is, with the zero at its end."""
        return self.value.encode("utf-8", "surrogateescape") + b"\0"


@dataclass(eq=False)
class NullPointer(Expression):
    pass


@dataclass(eq=False)
class Name(Expression):
    name: str
    arguments: list[TypeSyntax | Expression] | None = None
    scope: TypeSyntax | None = None  # of T::name
    qualifier: str = ""  # the namespace as written, 'cg::'
    seen: Seen = EVERYTHING


@dataclass(eq=False)
class This(Expression):
    pass


@dataclass(eq=False)
class Unary(Expression):
    """``operator`` is one of + - ! ~ * & ++ --."""

    operator: str
    operand: Expression


@dataclass(eq=False)
class Postfix(Expression):
    """``operator`` is ++ or --."""

    operator: str
    operand: Expression


@dataclass(eq=False)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False)
class Assign(Expression):
    """``operator`` is '' for plain assignment, else that of a compound one ('+' for +=); ``initialises`` where a
    constructor gives a member its first value."""

    operator: str
    target: Expression
    value: Expression
    initialises: bool = False


@dataclass(eq=False)
class Conditional(Expression):
    condition: Expression
    then: Expression
    other: Expression


@dataclass(eq=False)
class Call(Expression):
    callee: Expression
    arguments: list[Expression]


def in_pairs(call: Call) -> Call:
    """Return ``max({a, b, c})`` as ``max(max(a, b), c)``, and so for min; any other call as it is."""
    callee, listed = call.callee, call.arguments[0] if len(call.arguments) == 1 else None
    if not (isinstance(callee, Name) and callee.name in ("min", "max") and isinstance(listed, InitList)):
        return call
    return _nested(call, listed) if listed.items else call


@remembered
def _nested(call: Call, listed: InitList) -> Call:
    """Return a call with values in a list as calls with two of them each, the same one each time."""
    values = [value for _, value in listed.items]
    nested = Call(call.span, call.callee, (values * 2)[:2])
    for value in values[2:]:
        nested = Call(call.span, call.callee, [nested, value])
    return nested


@dataclass(eq=False)
class LaunchByKernel(Expression):
    """Represent ``kernel<<<configuration>>>(arguments)`` in a kernel."""

    kernel: Name
    configuration: list[Expression]
    arguments: list[Expression]


@dataclass(eq=False)
class Index(Expression):
    base: Expression
    index: Expression


@dataclass(eq=False)
class Member(Expression):
    """Represent ``base.name`` or, with ``arrow``, ``base->name``; ``is_qualified`` where a class is named before it."""

    base: Expression
    name: str
    arrow: bool
    arguments: list[TypeSyntax | Expression] | None = None
    is_qualified: bool = False


@dataclass(eq=False)
class PointedMember(Expression):
    """Represent ``base.*pointer``; ``base->*pointer`` is that of ``*base``."""

    base: Expression
    pointer: Expression


@dataclass(eq=False)
class BoundPart(Expression):
    """Represent the member or element of an object that one of ``count`` names in ``auto [a, b] = object`` means."""

    base: Expression
    position: int
    count: int


@dataclass(eq=False)
class Cast(Expression):
    """``style`` is 'c', or the name of a C++ cast."""

    style: str
    type: TypeSyntax
    operand: Expression


@dataclass(eq=False)
class Construct(Expression):
    """Represent ``T(a, b)`` or ``T{a, b}``."""

    type: TypeSyntax
    arguments: list[Expression]
    braces: bool


@dataclass(eq=False)
class ConstructAt(Expression):
    """Represent ``new (place) T``, whose value is a pointer to the object; without ``values`` it is constructed by
    default, as a variable is."""

    place: Expression
    type: TypeSyntax
    values: Construct | None


COPIED_THIS = "*this"  # the name of what a lambda captures by that
# Properties of types that GCC and NVIDIA's compilers know by name.
TYPE_PROPERTIES = frozenset({"__has_trivial_destructor", "__is_class", "__is_empty", "__is_enum", "__is_polymorphic",
                             "__is_trivially_copyable", "__is_union"})  # fmt: skip


@dataclass(eq=False)
class SizeOf(Expression):
    """Represent what ``measure`` says of a type or of an expression's type: ``sizeof``, ``alignof``, ``length``, the
    number of elements that a range-based loop passes through, or one of TYPE_PROPERTIES."""

    of: TypeSyntax | Expression
    measure: str = "sizeof"


class PackExpression(Expression):
    """Represent what a parameter pack is needed for: none is left where packs are written out."""


@dataclass(eq=False)
class PackExpansion(PackExpression):
    """Represent ``pattern...``: a value for each element of the packs that the pattern names."""

    pattern: Expression


@dataclass(eq=False)
class PackLength(PackExpression):
    """Represent ``sizeof...(name)``."""

    name: str


@dataclass(eq=False)
class Fold(PackExpression):
    """Represent ``(first op ... op last)``, in which one of the two names packs, and the other may be left out."""

    operator: str
    first: Expression | None
    last: Expression | None


@dataclass(eq=False)
class InitList(Expression):
    """Represent ``{a, .b = c}``; a name is '' where none is given."""

    items: list[tuple[str, Expression]]


@dataclass(eq=False)
class Lambda(Expression):
    """Represent a lambda; also a function of the file that is used as a value, under its ``name``."""

    by_reference: bool
    captures: list[tuple[str, bool, Expression | None]]  # name, by reference, initialiser
    parameters: list[Parameter]
    result: TypeSyntax | None
    body: Compound
    mutable: bool = False
    name: str = "lambda"
    captures_all: bool = False  # that it names
    template: list[TemplateParameter] | None = None
    constraints: list[Expression] = field(default_factory=list)  # behind its parameters


@dataclass(eq=False)
class Requirement(Node):
    """Represent what one line of a list of requirements asks for: that an expression is valid, and its type such as a
    ``concept`` takes, that a type is there, or that a ``condition`` holds."""

    expression: Expression | None = None
    concept: Name | None = None
    type: TypeSyntax | None = None
    condition: Expression | None = None


@dataclass(eq=False)
class Requires(Expression):
    """Represent ``requires (parameters) { requirements }``, which is true where all are met."""

    parameters: list[Parameter]
    requirements: list[Requirement]


def applied(concept: Name, type: TypeSyntax) -> Expression:
    """Return the constraint that a concept is which stands before a type, or behind an expression of it."""
    return Call(concept.span, replace(concept, arguments=[type, *(concept.arguments or [])]), [])
