"""Resolve the types in the source: names, templates, structs, enums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from warpview.diagnostics import CompileError, Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail, refuse
from warpview.frontend.semantic import checks, packs
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.concepts import UnclearConstraint
from warpview.frontend.semantic.constant_operations import converted
from warpview.frontend.semantic.deduction import Found, match_arguments, specialised_length
from warpview.frontend.semantic.inheritance import lineage
from warpview.frontend.semantic.partial_ordering import most_specialised
from warpview.frontend.semantic.scopes import (
    LazyType,
    Scope,
    TemplateArgument,
    TypeSymbol,
    as_symbol,
    kind_of,
    kind_of_argument,
)
from warpview.frontend.semantic.specialisations import with_own_members
from warpview.frontend.semantic.values import NULL, Value, constants_of
from warpview.frontend.unsupported import fail_unreadable

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

MAX_ARRAY_BYTES = 1 << 32
MAX_TEMPLATE_DEPTH = 64

_GROUPS = {
    "thread_block": t.Group("block"),
    "grid_group": t.Group("grid"),
    "coalesced_group": t.Group("coalesced"),
    "thread_group": t.Group("any"),
}
_OPERATORS = {name: t.Struct(t.StructInfo(f"cooperative_groups::{name}"))
              for name in ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")}  # fmt: skip


class TypeResolver:
    """Turn types as written into types, in the current scope."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self.template_depth = 0

    # ------------------------------------------------------------------------------------------- types
    def resolve(self, syntax: s.TypeSyntax) -> t.CType:
        """Return the type that ``syntax`` means in the current scope."""
        match syntax:
            case s.PlainType(type=type):
                return type
            case s.NamedType():
                return self._named(syntax)
            case s.QualifiedType(of=of, const=const, volatile=volatile):
                return _qualified(self.resolve(of), const, volatile)
            case s.PointerType(to=to, restrict=restrict):
                return t.Pointer(self.resolve(to), restrict)
            case s.ReferenceType(to=to, rvalue=rvalue):
                target = self.resolve(to)
                return target if isinstance(target, t.Reference) else t.Reference(target, rvalue)
            case s.ArrayType():
                return self._array(syntax)
            case s.FunctionType(result=result, parameters=parameters):
                given = self.resolve(result)
                given = given if isinstance(given, t.Reference) else t.plain(given)
                return t.FunctionSignature(given, self.parameter_types(parameters), syntax.is_const)
            case s.MemberPointerType(owner=of, to=to):
                owner = t.plain(self.resolve(of))
                if not isinstance(owner, t.Struct):
                    fail(f"'{owner}' has no members to point to", syntax.span)
                return t.member_pointer(owner, self.resolve(to))
            case s.DecltypeType():
                return self._type_of(syntax)
            case s.UnderlyingType(of=of):
                enum = t.plain(self.resolve(of))
                return enum.underlying if isinstance(enum, t.Enum) else fail(f"'{enum}' is no enum", syntax.span)
            case s.StructType():
                return self.semantics.definitions.define_struct(syntax, self.names.scope)
            case s.EnumType():
                return self.semantics.definitions.define_enum(syntax, self.names.scope)
            case s.AutoType():
                fail("'auto' is not allowed here", syntax.span)
            case s.PackType():
                checks.fail_no_pack(syntax.span)
        refuse("this type is not supported", syntax.span)

    def parameter_types(self, parameters: list[s.Parameter]) -> tuple[t.CType, ...]:
        """Return the types of parameters as they tell one function from another."""
        types = [self.resolve(parameter.type) for parameter in parameters]
        return tuple(type if isinstance(type, t.Reference) else t.decayed(type) for type in types)

    def _type_of(self, syntax: s.DecltypeType) -> t.CType:
        """Return the type that a name is declared with, or that of an expression: a reference where it is an object
        (C++17, 10.1.7.2)."""
        operand = self.semantics.typer.checked_operand(syntax.expression)
        if syntax.decays:
            return t.decayed(operand.type)
        if isinstance(syntax.expression, s.Name | s.Member) and not syntax.in_brackets:
            return self._declared_type(syntax.expression) or operand.type
        return t.Reference(operand.type) if operand.is_lvalue else t.plain(operand.type)

    def _declared_type(self, e: s.Name | s.Member) -> t.CType | None:
        """Return the type that the declaration of a member or of a reference says; None for anything else."""
        if isinstance(e, s.Name):
            return None if e.scope or e.qualifier else self.names.scope.declared_reference(e.name)
        struct = t.decayed(self.semantics.typer.type_of(e.base))
        struct = struct.to if isinstance(struct, t.Pointer) else struct
        field = struct.field(e.name) if isinstance(struct, t.Struct) else None
        declared = field.type if field is not None else None
        return declared.to if isinstance(declared, t.BitMember) else declared

    def _array(self, syntax: s.ArrayType) -> t.CType:
        of = self.resolve(syntax.of)
        if isinstance(of, t.Array) and of.length is None:
            fail("the length of this dimension is missing", syntax.of.span, "only the first one may be left out")
        if syntax.length is None:
            return t.Array(of, None)
        if isinstance(of, t.Reference):
            fail("arrays of references are not allowed", syntax.span)
        length = self.semantics.evaluator.integer(syntax.length, "the length of an array")
        if length < 0 or (length == 0 and not is_own_header(syntax.span.source)):
            fail(f"an array cannot have {length} elements", syntax.length.span)
        if length * max(1, of.size) > MAX_ARRAY_BYTES:
            fail("this array is too large", syntax.length.span)
        return t.Array(of, length)

    def _named(self, syntax: s.NamedType) -> t.CType:
        if syntax.scope is not None:
            return self._member_type(syntax, syntax.scope)
        symbol = self.names.find_type(syntax)
        if isinstance(symbol, TypeSymbol):
            return symbol.type
        if isinstance(symbol, LazyType):
            return self.lazy_type(symbol, syntax)
        name = syntax.name
        if name in t.VECTORS:
            return t.Struct(t.VECTORS[name])
        if name in t.RUNTIME_STRUCTS:
            return t.Struct(t.RUNTIME_STRUCTS[name])
        if name in t.TYPEDEFS:
            return t.TYPEDEFS[name]
        if name in _GROUPS:
            return _GROUPS[name]
        if name == "thread_block_tile" and syntax.arguments:
            return t.Group("tile", int(self.template_number(syntax.arguments[0])))
        if name in _OPERATORS:
            return _OPERATORS[name]
        self.names.unknown(name, "type", syntax.span)

    def _member_type(self, syntax: s.NamedType, scope: s.TypeSyntax) -> t.CType:
        owner = t.plain(self.resolve(scope))
        if isinstance(owner, t.Struct):
            self.names.check_accessible(owner, syntax.name, syntax.span)
        for struct, _ in lineage(owner) if isinstance(owner, t.Struct) else ():
            members = struct.info.syntax.members if isinstance(struct.info.syntax, s.StructType) else []
            for member in members:
                if isinstance(member, s.TypeDeclaration) and member.name == syntax.name:
                    known = scope_of(struct).names.get(syntax.name)
                    if isinstance(known, LazyType):
                        return self.lazy_type(known, syntax)
                    with self.names.scoped(scope_of(struct)):
                        return self.resolve(member.type)
        fail(f"'{owner}' has no type '{syntax.name}'", syntax.span)

    def lazy_type(self, symbol: LazyType, use: s.NamedType) -> t.CType:
        """Return a type declared at file scope, with its template arguments if it is a template."""
        declaration = symbol.declaration
        if declaration.template is not None and use.arguments is None:
            fail(f"'{declaration.name}' is a template: give its arguments in <...>", use.span)
        if declaration.template is not None and declaration.name in self.names.unreadable:  # a specialisation
            fail_unreadable(declaration.name, self.names.unreadable[declaration.name], use.span)
        given = self.template_values(use.arguments or [])
        if packs.has_packs(declaration):
            declaration = packs.written_out(declaration, packs.argument_length(declaration, len(given)))
        scope = Scope(symbol.scope)
        if declaration.template is not None:
            self.bind_template(declaration.template, given, scope, use.span, declaration.name)
        key = tuple(self.key_of(v) for v in scope.names.values())
        if key in symbol.resolved:
            return symbol.resolved[key]
        is_template = declaration.template is not None
        once, level = checks.being_defined(symbol, is_template), self.deeper(use.span, int(is_template))
        with once, level, self.names.scoped(scope):
            if isinstance(declaration.type, s.StructType):
                arguments = list(scope.names.values())
                syntax, scope = self._specialised(symbol, declaration, scope)
                if syntax.specialised_members:
                    syntax = with_own_members(self.semantics, declaration, syntax, arguments, symbol.scope)
                if not syntax.is_defined and not is_template and syntax.name not in self.names.unreadable:
                    return symbol.resolved.setdefault(
                        key, t.Struct(t.StructInfo(syntax.name, syntax=syntax, scope=scope))
                    )
                if not syntax.is_defined:
                    self._undefined(syntax.name, use.span)
                with self.names.scoped(scope):
                    return self.semantics.definitions.define_struct(syntax, scope, symbol, key, arguments)
            if isinstance(declaration.type, s.EnumType):
                symbol.resolved[key] = self.semantics.definitions.define_enum(declaration.type, symbol.scope)
            else:
                symbol.resolved[key] = self.resolve(declaration.type)
        return symbol.resolved[key]

    def _undefined(self, name: str, span: Span) -> NoReturn:
        """Stop at a struct without a definition, or say why its definition could not be read."""
        if name in self.names.unreadable:
            fail_unreadable(name, self.names.unreadable[name], span)
        fail(f"'{name}' is declared but never defined for these template arguments", span)

    def _specialised(
        self, symbol: LazyType, declaration: s.TypeDeclaration, scope: Scope
    ) -> tuple[s.StructType, Scope]:  # fmt: skip
        """Return the specialisation of a struct template that fits its arguments: the most specialised one, and one
        without packs first."""
        actual: list[object] = list(scope.names.values())
        fitting: list[tuple[s.StructType, Scope]] = []
        for syntax in sorted(symbol.specialisations, key=lambda x: (packs.has_packs(x), len(x.template or ()))):
            if packs.has_packs(syntax):
                with self.names.scoped(symbol.scope):
                    length = specialised_length(syntax, actual, self.names.find_type)
                syntax = packs.written_out(syntax, length)
            specialises = syntax.specialises or []
            parameters = syntax.template or []
            inner = Scope(symbol.scope)
            found = self.matched(specialises, actual, parameters, symbol.scope)
            if found is None or any(p.name not in found for p in parameters):
                continue
            whole = Scope(inner)
            try:
                self.bind_template(parameters, [found[p.name] for p in parameters], inner, syntax.span, syntax.name)
                with self.names.scoped(inner):
                    given = self.template_values(specialises)
            except CompileError as error:  # it is none for these arguments (C++17, 17.8.2)
                if error.is_unsupported or isinstance(error, UnclearConstraint):
                    raise
                continue
            with self.names.scoped(inner):
                if packs.has_packs(symbol.declaration) and len(given) != len(actual):
                    continue
                self.bind_template(declaration.template or [], given, whole, syntax.span, syntax.name)
            if [self.key_of(v) for v in whole.names.values()] == [self.key_of(v) for v in actual]:
                fitting.append((syntax, inner))
        if fitting:
            return most_specialised(self.semantics, fitting, symbol.scope)
        assert isinstance(declaration.type, s.StructType)
        return declaration.type, scope

    def matched(
        self, written: list[s.TypeSyntax | s.Expression], actual: list[object], parameters: list[s.TemplateParameter],
        scope: Scope,
    ) -> Found | None:  # fmt: skip
        """Return the template parameters for which arguments as written in a scope are the actual ones."""
        with self.names.scoped(scope):
            return match_arguments(written, actual, {p.name for p in parameters}, self.names.find_type)

    @contextmanager
    def deeper(self, span: Span, levels: int = 1) -> Iterator[None]:
        """Count templates within templates, which must end."""
        self.template_depth += levels
        if self.template_depth > MAX_TEMPLATE_DEPTH:
            fail("templates are nested infinitely", span)
        try:
            yield
        finally:
            self.template_depth -= levels

    # ------------------------------------------------------------------------------- template arguments
    def template_values(self, arguments: list[s.TypeSyntax | s.Expression]) -> list[TemplateArgument]:
        """Return template arguments: types, and constants."""
        return [self._template_type(a) if isinstance(a, s.TypeSyntax) else self.template_constant(a) for a in arguments]

    def _template_type(self, argument: s.TypeSyntax) -> t.CType | LazyType:
        """Return a template argument that is a type, or a template of types by its bare name."""
        if isinstance(argument, s.NamedType) and argument.arguments is None and argument.scope is None:
            symbol = self.names.find_type(argument)
            if isinstance(symbol, LazyType) and symbol.declaration.template is not None:
                return symbol
        return self.resolve(argument)

    def template_constant(self, expression: s.Expression) -> Value:
        """Return the value that a template argument comes to: a number, a lambda or a null pointer."""
        if isinstance(expression, s.NullPointer):
            return Value(t.NULLPTR, address=NULL)
        return self.semantics.evaluator.required(expression, "a template argument")

    def template_number(self, argument: s.TypeSyntax | s.Expression) -> int:
        if isinstance(argument, s.TypeSyntax):
            fail("a number is needed here, not a type", argument.span)
        return self.semantics.evaluator.integer(argument, "a template argument")

    def bind_template(
        self, parameters: list[s.TemplateParameter], given: Sequence[TemplateArgument | None], scope: Scope,
        span: Span, name: str,
    ) -> None:  # fmt: skip
        """Declare template parameters in ``scope`` with what was given for them (None: nothing), or their defaults."""
        if len(given) > len(parameters):
            fail(f"'{name}' takes {len(parameters)} template arguments, {len(given)} given", span)
        for position, parameter in enumerate(parameters):
            with self.names.scoped(scope):
                value = given[position] if position < len(given) else None
                if value is not None:
                    argument = value
                elif parameter.default is not None:
                    argument = self.template_values([parameter.default])[0]
                else:
                    fail(f"'{name}' needs a template argument for '{parameter.name}'", span)
                self.bind_parameter(parameter, argument, scope, span)
        for parameter in parameters:
            self.semantics.concepts.check(parameter.constraints, scope, span)

    def bind_parameter(
        self, parameter: s.TemplateParameter, argument: TemplateArgument, scope: Scope, span: Span
    ) -> None:
        if parameter.type is None:
            wanted, given = kind_of(parameter), kind_of_argument(argument)
            if wanted != given:
                fail(f"template parameter '{parameter.name}' is {wanted}, but {given} is given", span)
            scope.names[parameter.name] = as_symbol(argument)
        else:
            if not isinstance(argument, Value):
                fail(f"template parameter '{parameter.name}' is a value, but a type is given", span)
            if not isinstance(parameter.type, s.AutoType):
                type = self.resolve(parameter.type)
                is_integer = (scalar := t.arithmetic(type)) is not None and not scalar.is_float
                if is_integer and isinstance(argument.constant, float):
                    fail(f"template parameter '{parameter.name}' is {t.with_article(type)}, not a 'float'", span)
                argument = converted(self.semantics.evaluator.numbered(argument, span, type), type, span)
            scope.names[parameter.name] = argument

    @staticmethod
    def key_of(symbol: object) -> object:
        """Return a key that is equal for equal template arguments."""
        if isinstance(symbol, TypeSymbol):
            return t.identity(symbol.type)
        if isinstance(symbol, Value):
            return (symbol.type, constants_of(symbol)) if symbol.object is None else symbol.object.syntax
        return symbol


def _qualified(type: t.CType, const: bool, volatile: bool) -> t.CType:
    if isinstance(type, t.Array):
        return t.Array(_qualified(type.of, const, volatile), type.length)
    if isinstance(type, t.Reference):
        return type
    return replace(type, const=type.const or const, volatile=type.volatile or volatile)


def scope_of(type: t.CType) -> Scope:
    """Return the names that a struct's definition sees."""
    struct = t.plain(type)
    assert isinstance(struct, t.Struct)
    assert isinstance(struct.info.scope, Scope)
    return struct.info.scope
