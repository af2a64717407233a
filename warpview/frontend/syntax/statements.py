"""Define the nodes of statements and of the declarations in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpview.frontend.syntax.nodes import EVERYTHING, Node, Seen
from warpview.frontend.syntax.types import EnumType

if TYPE_CHECKING:
    from warpview.diagnostics import Span
    from warpview.frontend.syntax.declarations import TemplateParameter
    from warpview.frontend.syntax.expressions import Expression
    from warpview.frontend.syntax.types import TypeSyntax


class Statement(Node):
    pass


@dataclass(eq=False)
class Compound(Statement):
    body: list[Statement]
    end: Span
    is_block: bool = True  # False for several declarations in one statement, which belong to the block around


@dataclass(eq=False)
class DeclaredVariable(Node):
    """Declare one name. ``storage`` holds specifiers such as __shared__, static, extern, constexpr."""

    name: str
    type: TypeSyntax
    storage: frozenset[str]
    initialiser: Expression | None = None
    arguments: list[Expression] | None = None  # of T x(a, b)
    align: Expression | None = None  # of __align__(n)
    double: str = ""  # what is wrong where a namespace has several variables of this name
    order: int = 0  # among the declarations of the file

    @property
    def first_value(self) -> Expression | None:
        """Return the initialiser, or the first argument of ``T x(a, b)``; None where nothing is written."""
        return self.initialiser or (self.arguments[0] if self.arguments else None)


@dataclass(eq=False)
class Declaration(Statement):
    variables: list[DeclaredVariable]

    @property
    def declared_names(self) -> set[str]:
        """Return the names of the variables."""
        return {variable.name for variable in self.variables}


@dataclass(eq=False)
class TypeDeclaration(Statement):
    """Represent ``typedef``, ``using``, or a struct or enum defined: ``name`` means ``type``."""

    name: str
    type: TypeSyntax
    template: list[TemplateParameter] | None = None
    double: str = ""  # what is wrong where a namespace has several types of this name
    order: int = 0

    @property
    def declared_names(self) -> set[str]:
        """Return the name of the type, and those of the constants of an enum that are known without its name."""
        constants = self.type.values if isinstance(self.type, EnumType) and not self.type.scoped else []
        return {self.name, *(name for name, *_ in constants)}


@dataclass(eq=False)
class Use(Statement):
    """Represent ``using a::name;``, ``using namespace a;``, which has no ``name``, or ``namespace name = a;``; of
    ``using enum a;`` the ``enum``."""

    qualifier: str  # 'a::'
    name: str = ""
    is_alias: bool = False
    declared_names: frozenset[str] = frozenset()  # none: it brings names that others declare
    seen: Seen = EVERYTHING
    enum: TypeSyntax | None = None


@dataclass(eq=False)
class DefaultPart(Statement):
    """Represent what a constructor does for a base class or member at a ``position`` that it does not mention."""

    position: int


@dataclass(eq=False)
class SetClass(Statement):
    """Represent what a constructor does behind the base classes of a struct with virtual functions."""


@dataclass(eq=False)
class StaticAssert(Statement):
    condition: Expression
    message: str


@dataclass(eq=False)
class ExpressionStatement(Statement):
    expression: Expression


@dataclass(eq=False)
class AssemblyOperand(Node):
    """Represent an operand of inline PTX: the letter of its constraint, and whether the text reads and writes it."""

    constraint: str
    value: Expression
    is_read: bool
    is_written: bool


@dataclass(eq=False)
class Assembly(Statement):
    """Represent inline PTX; in its ``text`` the operands are %0, %1, ..., ``%%`` is a percent sign and ``%=`` a number
    that no other statement has."""

    text: str
    operands: list[AssemblyOperand]


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
    """Represent ``for``; ``unroll`` is None as the compiler likes, 0 fully, else the number of copies asked for by the
    pragma."""

    initialiser: Statement | None
    condition: Expression | None
    step: Expression | None
    body: Statement
    unroll: Expression | None = None
    pragma: str = ""
    over_object: ObjectLoop | None = None


@dataclass(frozen=True, eq=False)
class ObjectLoop:
    """Hold what a range-based loop means where it is over an object with ``begin()`` and ``end()``, not an array; it is
    no node of the tree, which has its body once."""

    object: Expression
    loop: For
    loop_by_functions: For  # where ``begin(object)`` and ``end(object)`` are called


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
    """Represent ``case value:`` with what it labels, or ``default:`` where ``value`` is None."""

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
    in_brackets: bool = False  # all of the value


@dataclass(eq=False)
class Goto(Statement):
    label: str


@dataclass(eq=False)
class Label(Statement):
    name: str
    body: Statement
