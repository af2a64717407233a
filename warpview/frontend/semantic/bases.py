"""Tell which functions a struct has: its own, those of base classes, and those that C++ gives it by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import lineage
from warpview.frontend.syntax.facts import remembered
from warpview.frontend.syntax.walk import same_syntax

ASSIGNMENT = "operator="
DESTRUCTOR = "~"
CLASS = "(class)"  # the name of the member that holds the number of an object's class


def is_polymorphic(type: t.CType) -> bool:
    """Return whether a type is a struct with virtual functions."""
    struct = t.plain(type)
    return isinstance(struct, t.Struct) and struct.info.is_polymorphic


def class_offsets(struct: t.StructInfo) -> list[int]:
    """Return where in an object the number of its class is."""
    own = [part.offset for part in struct.parts if part.name == CLASS]
    bases = [(base.offset, base.type.info) for base in struct.bases if isinstance(base.type, t.Struct)]
    return own + [offset + at for offset, info in bases for at in class_offsets(info)]


def empty_parts(struct: t.StructInfo) -> frozenset[int]:
    """Return which structs without members begin where an object begins, it itself, its base classes and members."""
    parts = [struct_of(part.type) for part in (*struct.bases, *struct.fields) if part.offset == 0]
    itself = frozenset() if struct.fields else frozenset({id(struct)})
    return itself.union(*(part.empty for part in parts if part is not None))


def free_offset(type: t.CType, offset: int, align: int, taken: set[tuple[int, int]]) -> int:
    """Return the first offset from ``offset`` on, in steps of ``align``, where no empty part meets one of its type: two
    never have one address (Itanium C++ ABI, 2.4). ``taken`` are those there are, with their offsets."""
    struct = struct_of(type)
    while struct is not None and any((part, offset) in taken for part in struct.empty):
        offset += align
    return offset


def methods_of(type: t.CType, name: str) -> list[s.FunctionDeclaration]:
    """Return the functions of that name that a struct declares, or else the nearest of its base classes.

    A constructor is not inherited: it has the name of its own struct. Nor is an assignment: the one that each struct
    has by itself hides it.
    """
    struct = t.plain(type)
    for owner, _ in lineage(struct) if isinstance(struct, t.Struct) else ():
        if found := [*own_methods(owner, name), *_brought(owner, name)]:
            return found
        if name == ASSIGNMENT:
            break
    return []


def callable_on(methods: list[s.FunctionDeclaration], is_lvalue: bool, span: Span) -> list[s.FunctionDeclaration]:
    """Return the functions of a struct that may be called on a variable or on a value: one marked ``&&`` takes values,
    rather than others, and one marked ``&`` takes variables (C++17, 16.3.1). Raises CompileError where none may."""
    if not any(method.reference for method in methods):
        return methods
    if is_lvalue:
        found = [method for method in methods if method.reference != "&&"]
    else:
        moving = [method for method in methods if method.reference == "&&"]
        found = moving or [method for method in methods if method.reference == "" or method.is_const]
    if not found:
        kind = "variable" if is_lvalue else "value"
        fail(f"'{methods[0].name}' is called on a {kind}, which it does not take", span)
    return found


def _brought(struct: t.Struct, name: str) -> list[s.FunctionDeclaration]:
    """Return the functions of base classes that a using-declaration makes a struct's own."""
    syntax = struct.info.syntax
    if not isinstance(syntax, s.StructType) or name not in syntax.brought:
        return []
    bases = brought_bases(struct, syntax, name)
    return list(dict.fromkeys(method for base in bases for method in methods_of(base.type, name)))


def brought_bases(struct: t.Struct, syntax: s.StructType, name: str) -> list[t.StructField]:
    """Return the base classes of which a using-declaration makes members of a name a struct's own."""
    bases = list(zip(struct.info.bases, struct.info.base_positions, strict=True))
    named = [(base, at) for base, at in bases if _template_name(base.type) in syntax.brought[name]]
    meant = [
        base
        for base, at in named
        if any(_same_arguments(syntax.named_bases[at], written) for written in syntax.brought_from.get(name, ()))
    ]
    return meant or [base for base, _ in named or bases]


def _same_arguments(base: s.NamedType, written: s.TypeSyntax) -> bool:
    return isinstance(written, s.NamedType) and same_syntax(base.arguments, written.arguments)


def _template_name(base: t.CType) -> str:
    """Return the name of a base class without those of namespaces and without template arguments."""
    return base.info.bare_name.partition("<")[0] if isinstance(base, t.Struct) else ""


@dataclass(frozen=True)
class OperatorCandidates:
    """Hold the functions of one place that may define an operator: methods of the struct ``owner``, functions of the
    file, or friends that are defined in ``owner``."""

    declarations: list[s.FunctionDeclaration]
    owner: t.CType | None = None
    are_methods: bool = False


def operator_candidates(
    name: str, types: Sequence[t.CType | None], functions: list[s.FunctionDeclaration]
) -> Iterator[OperatorCandidates]:
    """Yield the places at which an operator is looked for, in order: the methods of the first operand, the
    ``functions`` of the file, then friends. The type of an operand is None for a list in braces."""
    first = types[0]
    if first is not None and (methods := methods_of(first, name)):
        yield OperatorCandidates(methods, first, are_methods=True)
    if functions:
        yield OperatorCandidates(functions)
    if (friends := friends_named(name, types)) is not None:
        yield friends


def friends_named(name: str, types: Sequence[t.CType | None]) -> OperatorCandidates | None:
    """Return the functions that the first of some types has as friends, defined in a struct template or one of its base
    classes; None where none has. Those of other structs are functions of the file."""
    for type in types:
        struct = None if type is None else t.plain(type)
        for owner, _ in lineage(struct) if isinstance(struct, t.Struct) else ():
            syntax = owner.info.syntax
            is_instance = isinstance(syntax, s.StructType) and is_made_of_template(syntax)
            friends = syntax.friends if isinstance(syntax, s.StructType) and is_instance else []
            if found := [friend for friend in friends if friend.name == name]:
                return OperatorCandidates(found, owner)
    return None


def is_made_of_template(syntax: s.StructType) -> bool:
    return syntax.template is not None or syntax.specialises is not None


def assignments(type: t.CType) -> list[s.FunctionDeclaration]:
    """Return the operators of a struct by which it is assigned from another of its kind; no template is one."""
    own = own_methods(type, ASSIGNMENT)
    return [m for m in own if m.template is None and _is_of_struct(m.parameters[0].type, type)]


def copies_itself(types: Sequence[t.CType | None]) -> bool:
    """Return whether an assignment is the one that a struct has by itself: of its own kind, where it declares none."""
    to, value = types
    return to is not None and value is not None and t.same(t.plain(to), t.plain(value)) and not assignments(to)


def own_methods(type: t.CType, name: str) -> list[s.FunctionDeclaration]:
    struct = t.plain(type)
    syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
    return [m for m in syntax.methods if m.name == name] if isinstance(syntax, s.StructType) else []


def constructors_of(type: t.CType) -> list[s.FunctionDeclaration]:
    """Return the constructors that a struct declares; none for other types."""
    struct = t.plain(type)
    syntax = struct.info.syntax if isinstance(struct, t.Struct) else None
    return own_methods(type, syntax.name) if isinstance(syntax, s.StructType) else []


def copy_constructors(type: t.CType) -> list[s.FunctionDeclaration]:
    """Return the constructors of a struct that make it from another of its kind, copied or moved; no template is one
    (C++17, 15.8.1)."""
    return [
        c
        for c in constructors_of(type)
        if c.template is None and c.parameters and refers_to(c.parameters[0].type, type)
    ]


def is_copied_as_bytes(type: t.CType) -> bool:
    """Return whether an object is copied and assigned without any function of a struct."""
    if (info := struct_of(type)) is None:
        return True
    struct = t.Struct(info)
    if info.holds_class:  # a copy of a part of an object has another class
        return False
    return not any(own(struct) or part_with(own, struct) for own in (copy_constructors, assignments))


def is_explicit(type: t.CType, function: s.FunctionDeclaration) -> bool:
    """Return whether a function of a struct is only called where its conversion is written."""
    return "explicit" in function.specifiers or ((i := struct_of(type)) is not None and function in i.explicit)


def converting_constructors(type: t.CType) -> list[s.FunctionDeclaration]:
    """Return the constructors of a struct that a value of another type becomes it by without a cast."""
    copying = copy_constructors(type)
    return [
        c
        for c in constructors_of(type)
        if not is_explicit(type, c) and c.parameters and all(p.default for p in c.parameters[1:])
        if c not in copying
    ]


def refers_to(type: s.TypeSyntax, struct: t.CType) -> bool:
    """Return whether a type is a reference to the struct itself."""
    return isinstance(type, s.ReferenceType) and _is_of_struct(type, struct)


def _is_of_struct(type: s.TypeSyntax, struct: t.CType) -> bool:
    """Return whether a type is the struct itself or a reference to it, and not another instance of its template."""
    info = struct_of(struct)
    to = type.to if isinstance(type, s.ReferenceType) else type
    to = to.of if isinstance(to, s.QualifiedType) else to
    if info is None or not isinstance(info.syntax, s.StructType):
        return False
    if not isinstance(to, s.NamedType) or to.name != info.syntax.name:
        return False
    own = info.syntax.specialises or [s.NamedType(to.span, p.name) for p in info.syntax.template or ()]
    return to.arguments is None or [_spelled(a) for a in to.arguments] == [_spelled(a) for a in own]


def _spelled(argument: object) -> object:
    """Return what tells a template argument that is a name, of a type or a value, from others."""
    argument = getattr(argument, "of", argument)  # of a pack
    plain = isinstance(argument, s.Name) or (isinstance(argument, s.NamedType) and argument.arguments is None)
    return getattr(argument, "name", "") if plain else argument


def part_with(functions: Callable[[t.CType], Sequence[s.FunctionDeclaration]], struct: t.Struct) -> t.CType | None:
    """Return a base class or member of a struct that has such functions, or a part of one; None where none has."""
    for part in (*struct.info.bases, *struct.info.fields):
        if (info := struct_of(part.type)) is None:
            continue
        type = t.Struct(info)
        if functions(type):
            return type
        if (within := part_with(functions, type)) is not None:
            return within
    return None


def declaring(type: t.CType, function: s.FunctionDeclaration) -> tuple[t.Struct, int]:
    """Return the first of the structs that ``declarers`` names."""
    return declarers(type, function)[0]


def declarers(type: t.CType, function: s.FunctionDeclaration) -> list[tuple[t.Struct, int]]:
    """Return the structs among ``type`` and its base classes that declare a function, with the qualifiers of ``type``
    and the offset of each: several where bases are made of one template, and a using-declaration names them."""
    struct = t.plain(type)
    assert isinstance(struct, t.Struct)
    whole = type.to if isinstance(type, t.Reference) else type
    found = [(owner, offset) for owner, offset in lineage(struct) if _declares(owner, function)]
    syntax = struct.info.syntax
    if len(found) > 1 and isinstance(syntax, s.StructType) and function.name in syntax.brought:
        named = [base.type for base in brought_bases(struct, syntax, function.name)]
        found = [(owner, at) for owner, at in found if any(t.same(owner, base) for base in named)] or found[:1]
    else:
        found = found[:1]
    return [(replace(owner, const=whole.const, volatile=whole.volatile), at) for owner, at in found] or [(struct, 0)]


def _declares(struct: t.Struct, function: s.FunctionDeclaration) -> bool:
    syntax = struct.info.syntax
    return isinstance(syntax, s.StructType) and function in syntax.methods


def member_type(whole: t.CType, field: t.StructField) -> t.CType:
    """Return the type of a member of an object: const where the object is, unless it is mutable."""
    object = whole.to if isinstance(whole, t.Reference) else whole
    if object.const and isinstance(object, t.Struct):
        syntaxes = (owner.info.syntax for owner, _ in lineage(object))
        if any(isinstance(syntax, s.StructType) and field.name in syntax.mutable for syntax in syntaxes):
            object = replace(object, const=False)
    return t.qualified_member(object, field.type)


def is_layout_pod(syntax: s.StructType, fields: list[t.StructField]) -> bool:
    """Return whether C++ compilers lay a struct out as C does, so that no derived struct uses its padding.

    The rule is that of the Itanium C++ ABI as GCC and Clang have it: no base classes, constructors, destructors or
    assignments of its own, no private members, no values for its members, and only members of which the same is true.
    """
    own = {m.name for m in syntax.methods} | syntax.host_methods
    if (
        syntax.bases
        or syntax.hides_fields
        or syntax.has_virtual
        or any(field.default is not None for field in syntax.fields)
    ):
        return False
    if own & {syntax.name, DESTRUCTOR, ASSIGNMENT}:
        return False
    return all(struct.is_pod for field in fields if (struct := struct_of(field.type)) is not None)


def is_constructed(struct: t.Struct) -> bool:
    """Return whether to construct an object without arguments may do anything: it has constructors or members with
    values of their own, or such members or base classes."""
    syntax = struct.info.syntax
    assert isinstance(syntax, s.StructType)
    if (
        constructors_of(struct)
        or struct.info.is_polymorphic
        or any(field.default is not None for field in syntax.fields)
    ):
        return True
    parts = [struct_of(part.type) for part in (*struct.info.bases, *struct.info.fields, *struct.info.unnamed)]
    return any(part is not None and part.is_constructed for part in parts)


def destructors_of(type: t.CType) -> list[s.FunctionDeclaration]:
    """Return the destructor that a struct declares, unless its body is empty; none for other types."""
    return [d for d in own_methods(type, DESTRUCTOR) if d.body is None or d.body.body]


def is_destroyed(type: t.CType) -> bool:
    """Return whether anything is done where the time of an object ends: it has a destructor, or a part of it has."""
    info = struct_of(type)
    return info is not None and _has_destructor(info, False)


def has_trivial_destructor(type: t.CType) -> bool:
    """Return whether no destructor is written for a type or a part of it, not even an empty one (C++17, 15.4)."""
    info = struct_of(type)
    return info is None or not _has_destructor(info, True)


@remembered
def _has_destructor(info: t.StructInfo, even_empty: bool) -> bool:
    """Return whether a struct or a part of it has a destructor."""
    struct = t.Struct(info)
    if own_methods(struct, DESTRUCTOR) if even_empty else destructors_of(struct):
        return True
    parts = (struct_of(part.type) for part in info.parts)
    return any(_has_destructor(part, even_empty) for part in parts if part is not None)


def member_value(struct: t.Struct, name: str, span: Span) -> s.Expression | None:
    """Return the value that a struct's declaration gives its member; None where it gives none."""
    if struct.info is t.VECTORS["dim3"]:
        return s.Literal(span, 1, t.UINT)
    syntax = struct.info.syntax
    fields = syntax.fields if isinstance(syntax, s.StructType) else []
    around = (u.type for u in struct.info.unnamed if isinstance(u.type, t.Struct) and name and u.type.field(name))
    if (unnamed := next(around, None)) is not None:
        return member_value(unnamed, name, span)
    return next((field.default for field in fields if name and field.name == name), None)


def struct_of(type: t.CType) -> t.StructInfo | None:
    """Return the struct that a type is, or that the elements of an array are."""
    type = t.plain(type)
    while isinstance(type, t.Array):
        type = t.plain(type.of)
    return type.info if isinstance(type, t.Struct) else None
