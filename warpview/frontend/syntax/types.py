"""Define the nodes of types, as they are written: the meaning of a name may depend on template arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from warpview.frontend.syntax.nodes import EVERYTHING, Node, Seen

if TYPE_CHECKING:
    from warpview.diagnostics import Span
    from warpview.frontend.semantic.types import CType
    from warpview.frontend.syntax.declarations import FunctionDeclaration, TemplateParameter
    from warpview.frontend.syntax.expressions import Expression
    from warpview.frontend.syntax.statements import Declaration, StaticAssert, TypeDeclaration, Use


class TypeSyntax(Node):
    pass


@dataclass(eq=False)
class PlainType(TypeSyntax):
    """Represent a type that needs no looking up."""

    type: CType


@dataclass(eq=False)
class NamedType(TypeSyntax):
    """Represent a typedef, template parameter, struct or class, by ``name``, perhaps with template arguments."""

    name: str
    arguments: list[TypeSyntax | Expression] | None = None
    scope: TypeSyntax | None = None  # of T::name
    qualifier: str = ""  # the namespace as written, 'cg::'
    seen: Seen = EVERYTHING


@dataclass(eq=False)
class AutoType(TypeSyntax):
    pass


@dataclass(eq=False)
class DecltypeAutoType(TypeSyntax):
    """Represent ``decltype(auto)``, the type that ``decltype`` has of the value of a variable or of a function."""


@dataclass(eq=False)
class DecltypeType(TypeSyntax):
    """Represent ``decltype(expression)``; a name in brackets of its own is an expression like others. One that
    ``decays`` is the type of the value."""

    expression: Expression
    in_brackets: bool = False
    decays: bool = False


@dataclass(eq=False)
class UnderlyingType(TypeSyntax):
    """Represent ``__underlying_type(T)``, the integer type that holds the values of an enum."""

    of: TypeSyntax


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
    rvalue: bool = False  # T&&


@dataclass(eq=False)
class ArrayType(TypeSyntax):
    of: TypeSyntax
    length: Expression | None


@dataclass(eq=False)
class FunctionType(TypeSyntax):
    result: TypeSyntax
    parameters: list[Parameter]
    is_const: bool = False  # of a function of a struct that leaves its object alone


@dataclass(eq=False)
class MemberPointerType(TypeSyntax):
    """Represent ``to owner::*``."""

    owner: TypeSyntax
    to: TypeSyntax


@dataclass(eq=False)
class PackType(TypeSyntax):
    """Represent ``of...``: the type of a parameter pack, or template arguments made of each type of a pack."""

    of: TypeSyntax


@dataclass(eq=False)
class Parameter(Node):
    name: str
    type: TypeSyntax
    default: Expression | None = None


@dataclass(eq=False)
class MemberDeclaration(Node):
    name: str
    type: TypeSyntax
    default: Expression | None = None
    align: Expression | None = None  # of alignas(n)
    width: Expression | None = None  # of a bit field
    packing: int = 0  # the greatest alignment of this member, 0 where there is none


PRIVATE, PROTECTED = "private", "protected"  # which code may name a member


@dataclass(eq=False)
class MemberSpecialisation(Node):
    """Represent a function that a struct template has for these arguments alone: ``template <> int A<int>::f()``."""

    arguments: list[TypeSyntax | Expression]
    function: FunctionDeclaration


@dataclass(eq=False)
class StructType(TypeSyntax):
    """Represent a struct or union with its members; ``align`` is that of ``__align__``, or None."""

    name: str
    is_union: bool
    fields: list[MemberDeclaration] = field(default_factory=list)
    align: Expression | None = None
    methods: list[FunctionDeclaration] = field(default_factory=list)
    members: list[Declaration | TypeDeclaration | Use] = field(default_factory=list)  # static constants, types, enums
    template: list[TemplateParameter] | None = None
    specialises: list[TypeSyntax | Expression] | None = None
    host_methods: set[str] = field(default_factory=set)
    bases: list[NamedType | PackType] = field(default_factory=list)  # no packs once they are written out
    friends: list[FunctionDeclaration] = field(default_factory=list)  # functions of the file defined in it
    inherits: set[str] = field(default_factory=set)  # names of base classes whose constructors count as its own
    # Names of functions of base classes that count as its own, with the names of those base classes.
    brought: dict[str, set[str]] = field(default_factory=dict)
    # The same base classes as written, where these are templates.
    brought_from: dict[str, list[TypeSyntax]] = field(default_factory=dict)
    hides_fields: bool = False  # some members with values are private or protected
    hidden: dict[str, str] = field(default_factory=dict)  # names of members to what they are: PRIVATE or PROTECTED
    has_friends: bool = False  # others may use them, too
    mutable: set[str] = field(default_factory=set)  # names of members that change in objects that are const
    asserts: list[StaticAssert] = field(default_factory=list)
    # Constructors that are "delete" or "default", with the types of their parameters.
    without_body: list[tuple[str, list[TypeSyntax]]] = field(default_factory=list)
    has_virtual: bool = False  # it declares virtual functions, those of the host among them
    is_defined: bool = True  # False where it is only declared
    is_final: bool = False
    packing: int = 0  # the greatest alignment of its members, 0 where there is none
    specialised_members: list[MemberSpecialisation] = field(default_factory=list)
    private_bases: set[str] = field(default_factory=set)  # names of base classes that are private or protected

    @property
    def member_names(self) -> set[str]:
        """Return the names of all that it declares itself, but for those of what it is brought."""
        own = {field.name for field in self.fields} | {method.name for method in self.methods}
        return own.union(*(member.declared_names for member in self.members))

    @property
    def named_bases(self) -> list[NamedType]:
        """Return the base classes; those of a pack as the pattern of it."""
        named = (base.of if isinstance(base, PackType) else base for base in self.bases)
        return [base for base in named if isinstance(base, NamedType)]


@dataclass(eq=False)
class EnumType(TypeSyntax):
    name: str
    scoped: bool
    underlying: TypeSyntax | None
    values: list[tuple[str, Expression | None, Span]]
