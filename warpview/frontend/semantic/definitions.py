"""Define structs and enums: their layout, and the names that their members have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import checks
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.bases import (
    CLASS,
    brought_bases,
    empty_parts,
    free_offset,
    is_constructed,
    is_layout_pod,
    is_made_of_template,
    is_polymorphic,
    struct_of,
)
from warpview.frontend.semantic.closure_classes import class_of
from warpview.frontend.semantic.constructors import inherit_constructors
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, LazyVariable, Scope, TypeSymbol
from warpview.frontend.semantic.struct_layout import StructLayout
from warpview.frontend.semantic.type_resolution import scope_of
from warpview.frontend.semantic.values import Value, number

if TYPE_CHECKING:
    from warpview.frontend.semantic.analysis import Semantics

_EMPTY_LIBRARY_BASES = frozenset(("unary_function", "binary_function"))  # of the standard library and Thrust


class Definitions:
    """Lay structs out and number the constants of enums, in the current scope."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.names = semantics.names
        self._of_lambdas: dict[object, t.Struct] = {}

    def define_struct(
        self, syntax: s.StructType, scope: Scope, symbol: LazyType | None = None, key: object = (),
        arguments: Sequence[object] = (),
    ) -> t.Struct:  # fmt: skip
        """Return the layout of a struct, as C lays it out; ``symbol`` is what declares it at file scope, with template
        ``arguments`` that ``key`` tells from others."""
        name = syntax.name if symbol is None else symbol.qualified_name
        if syntax.inherits:  # constructors whose parameters have the types of this one's base classes
            syntax = replace(syntax, methods=[*syntax.methods], inherits={*syntax.inherits})
        info = t.StructInfo(name, is_union=syntax.is_union, syntax=syntax, template=symbol, arguments=tuple(arguments))
        struct = t.Struct(info)
        if symbol is not None:
            symbol.resolved[key] = struct
        inner = scope.child()
        inner.names.setdefault(syntax.name, TypeSymbol(struct))
        info.scope = inner
        if not is_made_of_template(syntax):  # else each instance has friends of its own
            self.names.namespaces.made |= dict.fromkeys(syntax.friends, inner)
        with self.names.scoped(inner):
            for member in syntax.members:
                self.declare_member(member, inner)
            for method in syntax.methods:
                if "static" in method.specifiers:
                    functions = inner.names.setdefault(method.name, FunctionSet(method.name, owner=struct))
                    if isinstance(functions, FunctionSet):
                        functions.declarations.append(method)
            self._inherit(info, syntax, scope)
            self._name_inherited(syntax, info)
            inherit_constructors(syntax, info, self._as_resolved)
            info.is_polymorphic = syntax.has_virtual or any(is_polymorphic(base.type) for base in info.bases)
            layout = self._layout(syntax, info.bases)
            align = max(layout.align, self._given_alignment(syntax.align, syntax.span))
        info.stored, fields, size = layout.finish(), layout.fields, layout.size
        info.unnamed = tuple(layout.unnamed)
        info.fields, info.align = tuple(fields), align
        self._choose(struct, syntax, inner)
        info.empty = empty_parts(info)
        members = [struct_of(part.type) for part in (*info.bases, *info.fields)]
        info.holds_class = info.is_polymorphic or any(member.holds_class for member in members if member is not None)
        info.holds_bits = info.stored is not None or any(member.holds_bits for member in members if member is not None)
        info.size = max(1, -(-size // align) * align)
        info.is_pod = is_layout_pod(syntax, fields)
        info.is_constructed = is_constructed(struct)
        info.size_as_base = (info.size if info.is_pod else size) if fields else 0
        self.semantics.classes.check_overriding(struct)
        with self.names.scoped(inner):
            evaluator, conditional = self.semantics.evaluator, [m for m in syntax.methods if m.explicit_if is not None]
            info.explicit = frozenset(m for m in conditional if m.explicit_if and evaluator.number(m.explicit_if))
            for assertion in syntax.asserts:
                checks.check_assertion(assertion, self.semantics.evaluator.number(assertion.condition))
        return struct

    def _name_inherited(self, syntax: s.StructType, info: t.StructInfo) -> None:
        """Let a using-declaration that takes the constructors of a base class by an alias name the class itself."""
        for alias in syntax.inherits - {base.name for base in syntax.named_bases}:
            type = self.semantics.types.resolve(s.NamedType(syntax.span, alias))
            meant = [at for base, at in zip(info.bases, info.base_positions, strict=True) if t.same(base.type, type)]
            syntax.inherits |= {syntax.named_bases[at].name for at in meant}
            syntax.inherits.remove(alias)

    def _as_resolved(self, function: s.FunctionDeclaration, owner: t.CType) -> s.FunctionDeclaration:
        """Return a constructor of a base class with types for its parameters that mean the same elsewhere; those of a
        template depend on its arguments and stay as they are written."""
        if function.template is not None:
            return function
        parameters: list[s.Parameter] = []
        with self.names.scoped(scope_of(owner)):
            for parameter in function.parameters:
                type = self.semantics.types.resolve(parameter.type)
                span, to = parameter.type.span, type.to if isinstance(type, t.Reference) else type
                known: s.TypeSyntax = s.PlainType(span, to)
                if isinstance(type, t.Reference):
                    known = s.ReferenceType(span, known, type.rvalue)
                parameters.append(replace(parameter, type=known))
        return replace(function, parameters=parameters)

    def _choose(self, struct: t.Struct, syntax: s.StructType, scope: Scope) -> None:
        """Let names that a using-declaration takes from one of several base classes mean that one's members."""
        for name in syntax.brought_from:
            for base in brought_bases(struct, syntax, name)[:1]:
                member = base.type.field(name) if isinstance(base.type, t.Struct) else None
                if member is not None:
                    struct.info.chosen[name] = replace(member, offset=base.offset + member.offset)
                elif name in scope_of(base.type).names:
                    scope.names[name] = scope_of(base.type).names[name]

    def _inherit(self, info: t.StructInfo, syntax: s.StructType, scope: Scope) -> None:
        """Lay out the base classes of a struct, and make the names of their members visible in it."""
        bases: list[t.StructField] = []
        empty: set[tuple[int, int]] = set()
        size = 0
        positions: list[int] = []
        resolved = [self._base(written, scope) for written in syntax.named_bases]
        primary = next((type for type in resolved if type is not None and type.info.is_polymorphic), None)
        if primary is not None:
            size = primary.info.size_as_base
        elif syntax.has_virtual:
            size = t.ULONG.size
        for position, type in enumerate(resolved):
            if type is None:
                continue
            offset = -(-size // type.align) * type.align if type.info.fields else 0
            offset = 0 if type is primary else offset
            offset = free_offset(type, offset, type.align, empty)
            empty.update((part, offset) for part in type.info.empty)
            bases.append(t.StructField("", type, offset))
            positions.append(position)
            size = max(size, offset + type.info.size_as_base)
            assert isinstance(info.scope, Scope)
            for name, symbol in scope_of(type).names.items():
                info.scope.names.setdefault(name, symbol)
        info.bases, info.base_positions = tuple(bases), tuple(positions)

    def _base(self, written: s.NamedType, scope: Scope) -> t.Struct | None:
        """Return a base class; None for an empty one of a library."""
        with self.names.scoped(scope):
            if written.name in _EMPTY_LIBRARY_BASES and self.names.find_type(written) is None:
                return None
            type = t.plain(self.semantics.types.resolve(written))
        if isinstance(type, t.Closure):
            return self._class_of_lambda(type)
        if not isinstance(type, t.Struct) or type.info.size == 0:
            fail(f"'{type}' cannot be a base class here", written.span)
        if isinstance(type.info.syntax, s.StructType) and type.info.syntax.is_final:
            fail(f"'{type}' is final and cannot be a base class", written.span)
        return type

    def _class_of_lambda(self, closure: t.Closure) -> t.Struct:
        """Return the class that a lambda is as a base class, the same one each time."""
        if closure.key not in self._of_lambdas:
            assert isinstance(closure.key, s.Lambda)
            made = self.names.closures.get(closure.key)
            scope = self.names.file_scope if made is None else made.scope
            struct = self.define_struct(class_of(closure), Scope(scope))
            struct.info.function = closure
            self._of_lambdas[closure.key] = struct
        return self._of_lambdas[closure.key]

    def declare_member(self, member: s.Declaration | s.TypeDeclaration | s.Use, scope: Scope) -> None:
        """Declare a type, a static constant or the names of an enum in a struct."""
        if isinstance(member, s.Use):
            self.names.use(member)
        elif isinstance(member, s.TypeDeclaration) and isinstance(member.type, s.EnumType):
            self.define_enum(member.type, scope)
        elif isinstance(member, s.TypeDeclaration):
            _declare_type(member, scope)
        else:
            for variable in member.variables:
                scope.names[variable.name] = LazyVariable(variable, scope)

    def _layout(self, syntax: s.StructType, bases: tuple[t.StructField, ...]) -> StructLayout:
        """Return the layout of the members, behind those of base classes."""
        layout = StructLayout(syntax.is_union, [], syntax.packing)
        if syntax.has_virtual and not any(is_polymorphic(base.type) for base in bases):
            layout.add(CLASS, t.ULONG, 1, syntax.span)
        for base in bases:
            assert isinstance(base.type, t.Struct)
            layout.fields += [t.StructField(f.name, f.type, base.offset + f.offset) for f in base.type.info.fields]
            layout.bits = max(layout.bits, 8 * (base.offset + base.type.info.size_as_base))
            layout.align = max(layout.align, base.type.align)
            layout.empty.update((part, base.offset) for part in base.type.info.empty)
        for field in syntax.fields:
            type = self.semantics.types.resolve(field.type)
            if isinstance(type, t.Reference):
                type = t.ReferenceMember(type.to)
            is_kept = isinstance(type, t.Group) and type.kind not in t.KNOWN_GROUPS
            if isinstance(type, t.Void) or is_kept or (isinstance(type, t.Array) and type.length is None):
                fail(f"a member cannot have the type '{type}'", field.span)
            checks.check_complete(type, field.span)
            if field.width is not None:
                width = self.semantics.evaluator.integer(field.width, "the width of a bit field")
                layout.add_bits(field.name, type, width, self._is_signed(type), field.span, field.packing)
            else:
                given = self._given_alignment(field.align, field.span)
                layout.add(field.name, type, given, field.span, field.packing)
        return layout

    @staticmethod
    def _is_signed(type: t.CType) -> bool:
        """Return whether the bits of a type are signed: those of an enum without a type of its own are where one of
        its constants is negative."""
        scalar = t.arithmetic(type)
        if isinstance(type, t.Enum) and isinstance(type.definition, s.EnumType) and isinstance(type.home, Scope):
            values = [type.home.names.get(f"{type.name}::{name}") for name, _, _ in type.definition.values]
            numbers = [value.constant for value in values if isinstance(value, Value)]
            if type.definition.underlying is None and not type.scoped:
                return any(number is not None and number < 0 for number in numbers)
        return scalar is not None and scalar.is_signed

    def _given_alignment(self, written: s.Expression | None, span: Span) -> int:
        """Return the alignment that ``alignas`` gives; 1 where there is none."""
        if written is None:
            return 1
        return checks.checked_alignment(self.semantics.evaluator.integer(written, "an alignment"), span)

    def define_enum(self, syntax: s.EnumType, scope: Scope) -> t.Enum:
        """Return the constants of an enum; those of an unscoped one are visible around it."""
        underlying = t.plain(self.semantics.types.resolve(syntax.underlying)) if syntax.underlying else t.INT
        if not isinstance(underlying, t.Scalar) or underlying.is_float:
            fail("the underlying type of an enum must be an integer type", syntax.span)
        enum = t.Enum(f"{scope.path}{syntax.name}", underlying, syntax.scoped, syntax, scope)
        next_value = 0
        declared = set[str]()
        for name, expression, span in syntax.values:
            if name in declared:
                fail(f"'{name}' is already declared in this enum", span)
            declared.add(name)
            if expression is not None:
                next_value = self.semantics.evaluator.integer(expression, f"the value of '{name}'")
            value = Value(enum, number(underlying, t.wrap(next_value, underlying)).operand)
            scope.names[f"{enum.name}::{name}"] = value
            if not syntax.scoped:
                scope.names[name] = value
            next_value += 1
        scope.names.setdefault(syntax.name, TypeSymbol(enum))
        return enum


def _declare_type(member: s.TypeDeclaration, scope: Scope) -> None:
    """Declare a type in a struct: perhaps a specialisation of a template there, or the definition of one declared."""
    known, struct = scope.names.get(member.name), member.type
    if isinstance(known, LazyType) and isinstance(struct, s.StructType) and struct.specialises is not None:
        known.specialisations.append(struct)
    elif isinstance(known, LazyType) and isinstance(struct, s.StructType):
        known.declare_again(member)
    else:
        scope.names[member.name] = LazyType(member, scope)
