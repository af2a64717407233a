"""Define the nodes of declarations at file scope: functions, templates, launches in host code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from warpview.frontend.syntax.nodes import Node

if TYPE_CHECKING:
    from warpview.diagnostics import CompileError, Diagnostic, Span
    from warpview.frontend.syntax.expressions import Expression
    from warpview.frontend.syntax.statements import (
        Compound,
        Declaration,
        DeclaredVariable,
        StaticAssert,
        TypeDeclaration,
        Use,
    )
    from warpview.frontend.syntax.types import Parameter, TypeSyntax


CONVERSION = "operator (conversion)"  # the name of a struct's functions that convert it to another type


ELLIPSIS = "..."  # the name of the pack of types that a variadic function takes


@dataclass(eq=False)
class TemplateParameter(Node):
    """Represent a template parameter: ``type`` is None for a type parameter (``typename T``) or a template of types
    (``template <typename> class T``), else that of the value; a ``pack`` stands for any number of arguments."""

    name: str
    type: TypeSyntax | None
    default: TypeSyntax | Expression | None = None
    pack: bool = False
    is_template: bool = False
    constraints: list[Expression] = field(default_factory=list)  # on what is given for it and those before it


@dataclass(eq=False)
class FunctionDeclaration(Node):
    """Declare a function of the device. ``specialises`` are the arguments of an explicit specialisation."""

    name: str
    result: TypeSyntax
    parameters: list[Parameter]
    body: Compound | None
    specifiers: frozenset[str]
    template: list[TemplateParameter] | None = None
    specialises: list[TypeSyntax | Expression] | None = None
    launch_bounds: list[Expression] = field(default_factory=list)
    cluster_dims: list[Expression] = field(default_factory=list)
    is_const: bool = False  # a function of a struct that leaves its object alone
    reference: str = ""  # '&' or '&&' behind a function of a struct: which objects it takes
    is_pure: bool = False  # a virtual function that each class which objects are made of has one in place of
    is_defaulted: bool = False  # a constructor without parameters, or ==, that the source asks the compiler for
    double: str = ""  # what is wrong where a namespace has several functions of this name and parameters
    order: int = 0  # among the declarations of the file
    specialised_at: int = 0  # the same of a specialisation, which is known from its template on
    constraints: list[Expression] = field(default_factory=list)  # behind its parameters
    explicit_if: Expression | None = None  # the condition of ``explicit(condition)``

    @property
    def is_specialisation(self) -> bool:
        """Return whether a template is defined here for some template arguments, written or deduced ones."""
        return self.specialises is not None or self.template == []

    @property
    def has_ellipsis(self) -> bool:
        """Return whether the function takes any further arguments."""
        return any(parameter.name == ELLIPSIS for parameter in self.template or ())

    @property
    def all_constraints(self) -> list[Expression]:
        """Return the constraints on the function and on its template parameters."""
        return [*self.constraints, *(c for parameter in self.template or () for c in parameter.constraints)]

    @property
    def is_kernel(self) -> bool:
        return "__global__" in self.specifiers


@dataclass(eq=False)
class LaunchSyntax(Node):
    """Represent ``kernel<<<grid, block, shared>>>`` in host code; ``host`` is the function that holds it."""

    kernel: str
    configuration: list[Expression]
    host: list[Declaration]
    arguments: list[Expression | None] = field(default_factory=list)
    """None where one cannot be read"""
    qualifier: str = ""  # the namespace of the kernel as written


@dataclass(eq=False)
class TranslationUnit:
    """Hold the declarations of a source file. ``skipped`` maps names from host code that could not be read to the
    reason."""

    functions: list[FunctionDeclaration] = field(default_factory=list)
    variables: list[DeclaredVariable] = field(default_factory=list)
    types: list[TypeDeclaration] = field(default_factory=list)
    asserts: list[StaticAssert] = field(default_factory=list)
    launches: list[LaunchSyntax] = field(default_factory=list)
    host_functions: set[str] = field(default_factory=set)
    host_code: list[tuple[Span, Span]] = field(default_factory=list)  # first and last token of each stretch
    host_errors: list[Diagnostic] = field(default_factory=list)  # warnings of syntax that is wrong in any C++
    refused: dict[str, tuple[Span, CompileError]] = field(default_factory=dict)  # kernels that cannot be compiled
    uses: list[Use] = field(default_factory=list)
    deduction_guides: list[FunctionDeclaration] = field(default_factory=list)  # by the name of the class
    namespaces: dict[Node, str] = field(default_factory=dict)  # of declarations, as 'outer::inner::'
    inline_namespaces: set[str] = field(default_factory=set)  # and unnamed ones
    has_operators: bool = False  # some struct or the file itself defines operators
    has_destructors: bool = False  # some struct has a destructor that does something
    declared_in_blocks: set[str] = field(default_factory=set)  # names of functions that blocks declare
    lacks_files: bool = False  # some #include names a file that was not found
    has_function_types: bool = False  # somewhere a pointer to a function is declared, or the type of one
    end: Span | None = None

    @property
    def placed(self) -> list[list[Node]]:
        """Return the lists of nodes that a namespace can hold."""
        return [cast("list[Node]", x) for x in (
            self.functions, self.variables, self.types, self.asserts, self.launches, self.uses, self.deduction_guides
        )]  # fmt: skip
