"""The syntax tree: what the parser writes and lowering reads. Every node keeps its place.

Nodes are compared by identity, because facts learnt about a declaration (that it must live in memory, say) are
kept by node. Types are still syntax here: what a name means may depend on template arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from warpview.diagnostics import CompileError, Span
from warpview.frontend.types import CType


@dataclass(eq=False)
class Node:
    span: Span


CONVERSION = "operator (conversion)"  # the name of a struct's functions that convert it to another type


# ------------------------------------------------------------------------------------------------ types
class TypeSyntax(Node):
    pass


@dataclass(eq=False)
class PlainType(TypeSyntax):
    """A type that needs no looking up."""

    type: CType


@dataclass(eq=False)
class NamedType(TypeSyntax):
    """A typedef, template parameter, struct or class, by ``name``, perhaps with template arguments."""

    name: str
    arguments: list[TypeSyntax | Expression] | None = None
    scope: TypeSyntax | None = None  # of T::name


@dataclass(eq=False)
class AutoType(TypeSyntax):
    pass


@dataclass(eq=False)
class DecltypeType(TypeSyntax):
    expression: Expression


@dataclass(eq=False)
class QualifiedType(TypeSyntax):
    of: TypeSyntax
    const: bool = False
    volatile: bool = False


@dataclass(eq=False)
class PointerType(TypeSyntax):
    to: TypeSyntax
    restrict: bool = False


@dataclass(eq=False)
class ReferenceType(TypeSyntax):
    to: TypeSyntax


@dataclass(eq=False)
class ArrayType(TypeSyntax):
    of: TypeSyntax
    length: Expression | None


@dataclass(eq=False)
class FunctionType(TypeSyntax):
    result: TypeSyntax
    parameters: list[Parameter]


@dataclass(eq=False)
class Parameter(Node):
    name: str
    type: TypeSyntax
    default: Expression | None = None


@dataclass(eq=False)
class Field(Node):
    name: str
    type: TypeSyntax
    default: Expression | None = None


@dataclass(eq=False)
class StructType(TypeSyntax):
    """A struct or union with its members; ``align`` is that of ``__align__``, or None."""

    name: str
    is_union: bool
    fields: list[Field] = field(default_factory=list)
    align: Expression | None = None
    methods: list[FunctionDeclaration] = field(default_factory=list)
    members: list[Declaration | TypeDeclaration] = field(default_factory=list)  # static constants, types
    template: list[TemplateParameter] | None = None
    specialises: list[TypeSyntax | Expression] | None = None
    host_methods: set[str] = field(default_factory=set)


@dataclass(eq=False)
class EnumType(TypeSyntax):
    name: str
    scoped: bool
    underlying: TypeSyntax | None
    values: list[tuple[str, Expression | None, Span]]


# ------------------------------------------------------------------------------------------ expressions
class Expression(Node):
    pass


@dataclass(eq=False)
class Literal(Expression):
    """A number, character or bool."""

    value: int | float
    type: CType


@dataclass(eq=False)
class StringLiteral(Expression):
    value: str


@dataclass(eq=False)
class NullPointer(Expression):
    pass


@dataclass(eq=False)
class Name(Expression):
    name: str
    arguments: list[TypeSyntax | Expression] | None = None
    scope: TypeSyntax | None = None  # of T::name
    qualifier: str = ""  # the namespace as written, 'cg::'


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
    """``operator`` is '' for plain assignment, else that of a compound one ('+' for +=)."""

    operator: str
    target: Expression
    value: Expression


@dataclass(eq=False)
class Conditional(Expression):
    condition: Expression
    then: Expression
    other: Expression


@dataclass(eq=False)
class Call(Expression):
    callee: Expression
    arguments: list[Expression]


@dataclass(eq=False)
class Index(Expression):
    base: Expression
    index: Expression


@dataclass(eq=False)
class Member(Expression):
    """``base.name`` or, with ``arrow``, ``base->name``."""

    base: Expression
    name: str
    arrow: bool
    arguments: list[TypeSyntax | Expression] | None = None


@dataclass(eq=False)
class Cast(Expression):
    """``style`` is 'c', or the name of a C++ cast."""

    style: str
    type: TypeSyntax
    operand: Expression


@dataclass(eq=False)
class Construct(Expression):
    """``T(a, b)`` or ``T{a, b}``."""

    type: TypeSyntax
    arguments: list[Expression]
    braces: bool


@dataclass(eq=False)
class SizeOf(Expression):
    """``sizeof`` (or ``alignof``) of a type or of an expression's type."""

    of: TypeSyntax | Expression
    align: bool = False


@dataclass(eq=False)
class InitList(Expression):
    """``{a, .b = c}``; a name is '' where none is given."""

    items: list[tuple[str, Expression]]


@dataclass(eq=False)
class Lambda(Expression):
    by_reference: bool
    captures: list[tuple[str, bool, Expression | None]]  # name, by reference, initialiser
    parameters: list[Parameter]
    result: TypeSyntax | None
    body: Compound
    mutable: bool = False


# ------------------------------------------------------------------------------------------- statements
class Statement(Node):
    pass


@dataclass(eq=False)
class Compound(Statement):
    body: list[Statement]
    end: Span


@dataclass(eq=False)
class Variable(Node):
    """One declared name. ``storage`` holds specifiers such as __shared__, static, extern, constexpr."""

    name: str
    type: TypeSyntax
    storage: frozenset[str]
    initialiser: Expression | None = None
    arguments: list[Expression] | None = None  # of T x(a, b)
    align: Expression | None = None  # of __align__(n)


@dataclass(eq=False)
class Declaration(Statement):
    variables: list[Variable]


@dataclass(eq=False)
class TypeDeclaration(Statement):
    """``typedef``, ``using``, or a struct or enum defined: ``name`` means ``type``."""

    name: str
    type: TypeSyntax
    template: list[TemplateParameter] | None = None


@dataclass(eq=False)
class StaticAssert(Statement):
    condition: Expression
    message: str


@dataclass(eq=False)
class ExpressionStatement(Statement):
    expression: Expression


@dataclass(eq=False)
class Empty(Statement):
    pass


@dataclass(eq=False)
class If(Statement):
    initialiser: Statement | None
    condition: Expression | Declaration
    then: Statement
    other: Statement | None
    is_constexpr: bool


@dataclass(eq=False)
class For(Statement):
    """``unroll``: None as the compiler likes, 0 fully, else the number of copies asked for by the pragma."""

    initialiser: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    unroll: Expression | None = None
    pragma: str = ""


@dataclass(eq=False)
class While(Statement):
    condition: Expression
    body: Statement


@dataclass(eq=False)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@dataclass(eq=False)
class Switch(Statement):
    condition: Expression
    body: Statement


@dataclass(eq=False)
class Case(Statement):
    """``case value:`` with what it labels, or ``default:`` where ``value`` is None."""

    value: Expression | None
    body: Statement


@dataclass(eq=False)
class Break(Statement):
    pass


@dataclass(eq=False)
class Continue(Statement):
    pass


@dataclass(eq=False)
class Return(Statement):
    value: Expression | None


@dataclass(eq=False)
class Goto(Statement):
    label: str


@dataclass(eq=False)
class Label(Statement):
    name: str
    body: Statement


# ------------------------------------------------------------------------------------------- file scope
@dataclass(eq=False)
class TemplateParameter(Node):
    """``type`` is None for a type parameter (``typename T``), else that of the value."""

    name: str
    type: TypeSyntax | None
    default: TypeSyntax | Expression | None = None
    pack: bool = False


@dataclass(eq=False)
class FunctionDeclaration(Node):
    """A function of the device. ``specialises`` are the arguments of an explicit specialisation."""

    name: str
    result: TypeSyntax
    parameters: list[Parameter]
    body: Compound | None
    specifiers: frozenset[str]
    template: list[TemplateParameter] | None = None
    specialises: list[TypeSyntax | Expression] | None = None
    launch_bounds: list[Expression] = field(default_factory=list)

    @property
    def is_kernel(self) -> bool:
        return "__global__" in self.specifiers


@dataclass(eq=False)
class LaunchSyntax(Node):
    """``kernel<<<grid, block, shared>>>`` in host code; ``host`` is the function that holds it."""

    kernel: str
    configuration: list[Expression]
    host: list[Declaration]


@dataclass(eq=False)
class Unit:
    """A source file. ``skipped`` maps names from host code that could not be read to the reason."""

    functions: list[FunctionDeclaration] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    types: list[TypeDeclaration] = field(default_factory=list)
    asserts: list[StaticAssert] = field(default_factory=list)
    launches: list[LaunchSyntax] = field(default_factory=list)
    host_functions: set[str] = field(default_factory=set)
    refused: dict[str, tuple[Span, CompileError]] = field(default_factory=dict)  # kernels that cannot be compiled
    end: Span | None = None
