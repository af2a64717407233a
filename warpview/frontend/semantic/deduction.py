"""Deduce template arguments from the types of a function's parameters and arguments."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from warpview.diagnostics import CompileError
from warpview.frontend import syntax as s
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.inheritance import lineage
from warpview.frontend.semantic.operands import TypedOperand
from warpview.frontend.semantic.packs import listed_length
from warpview.frontend.semantic.scopes import LazyType, TemplateArgument, TypeSymbol
from warpview.frontend.semantic.values import Value, number

Found = dict[str, TemplateArgument]
FindType = Callable[[s.NamedType], object]  # returns the symbol that the name of a type means


@dataclass(frozen=True)
class _Wanted:
    """Name the template parameters to deduce, among types as ``find_type`` finds them."""

    names: frozenset[str]
    find_type: FindType

    def __contains__(self, name: str) -> bool:
        return name in self.names


def deduce(
    declaration: s.FunctionDeclaration,
    explicit: list[TemplateArgument],
    arguments: Sequence[TypedOperand | s.InitList],
    find_type: FindType,
) -> Found:
    """Return template arguments by name: those given, then those that follow from the arguments of the call."""
    assert declaration.template is not None
    if len(explicit) > len(declaration.template):
        fail(f"it takes {len(declaration.template)} template arguments, {len(explicit)} given", declaration.span)
    found: Found = {p.name: a for p, a in zip(declaration.template, explicit, strict=False)}
    given = set(found)
    open_names = _Wanted(frozenset(p.name for p in declaration.template) - given, find_type)
    for parameter, argument in zip(declaration.parameters, arguments, strict=False):
        if isinstance(argument, s.InitList) or argument.functions is not None:
            continue
        type = argument.type.to if isinstance(argument.type, t.Reference) else argument.type
        if isinstance(parameter.type, s.ReferenceType):
            if argument.is_lvalue and forwards(parameter.type, open_names.names):
                type = t.Reference(type)
            _match(parameter.type.to, type, found, open_names)
        else:
            type = t.plain(type)
            _match(parameter.type, t.Pointer(type.of) if isinstance(type, t.Array) else type, found, open_names)
    return found


def pack_length(
    declaration: s.FunctionDeclaration, arguments: Sequence[TypedOperand | s.InitList], find_type: FindType
) -> int | None:
    """Return the elements of a pack in the type of a parameter, ``Tuple<T...>``, for what the call gives it; None where
    no parameter has one."""
    for parameter, argument in zip(declaration.parameters, arguments, strict=False):
        if isinstance(argument, TypedOperand):
            length = _length_in(parameter.type, argument.type, find_type)
            if length is not None:
                return length
    return None


def specialised_length(specialisation: s.StructType, actual: Sequence[object], find_type: FindType) -> int:
    """Return the elements of a partial specialisation's pack for the template arguments of its template, among which it
    stands or in the type of one of them, ``Size<Tuple<T...>>``."""
    listed = specialisation.specialises or []
    length = listed_length(listed, len(actual))
    types = [(w, a.type) for w, a in zip(listed, actual, strict=False) if isinstance(a, TypeSymbol)]
    inner = (_length_in(written, type, find_type) for written, type in types if isinstance(written, s.TypeSyntax))
    return length if length is not None else next((found for found in inner if found is not None), 0)


def _length_in(written: s.TypeSyntax, type: t.CType, find_type: FindType) -> int | None:
    """Return the elements of a pack among the template arguments of a type as written; None where it has none."""
    while isinstance(written, s.QualifiedType | s.ReferenceType | s.PointerType):
        if isinstance(written, s.PointerType):
            pointer = t.decayed(type)
            type = pointer.to if isinstance(pointer, t.Pointer) else t.VOID
        written = written.of if isinstance(written, s.QualifiedType) else written.to
    if isinstance(written, s.MemberPointerType) and isinstance(pointer := t.plain(type), t.MemberPointer):
        written, type = written.to, pointer.to or t.VOID
    if isinstance(written, s.FunctionType) and isinstance(type, t.FunctionSignature):
        return listed_length([parameter.type for parameter in written.parameters], len(type.parameters))
    if not isinstance(written, s.NamedType):
        return None
    written = _without_alias(written, find_type)
    actual = _arguments_of(written, t.plain(type), find_type)
    if actual is None and find_type(written) is None:  # a template as a template parameter
        actual = next((list(x.info.arguments) for x in _made_of_templates(type)), None)
    return None if actual is None else listed_length(written.arguments or [], len(actual))


def forwards(type: s.TypeSyntax, names: Container[str]) -> bool:
    """Return whether a parameter is ``T&&`` of one of some template parameters, which any argument binds to."""
    if not isinstance(type, s.ReferenceType) or not type.rvalue:
        return False
    return isinstance(type.to, s.NamedType) and type.to.name in names


def deduced(
    patterns: Sequence[s.TypeSyntax], types: Sequence[t.CType], names: frozenset[str], find_type: FindType
) -> Found:
    """Return the template parameters ``names`` for which types as written are the actual ones, as far as they tell."""
    found: Found = {}
    for pattern, type in zip(patterns, types, strict=True):
        _match(pattern, type, found, _Wanted(names, find_type))
    return found


def _match(syntax: s.TypeSyntax, type: t.CType, found: Found, names: _Wanted) -> None:
    """Compare a type as written with an actual one; note what its template parameters must be."""
    match syntax:
        case s.QualifiedType(of=of, const=const, volatile=volatile):
            _match(of, t.with_plain_elements(type, const, volatile), found, names)
        case s.NamedType(name=name, arguments=None, scope=None) if name in names:
            _note(name, type, found)
        case s.NamedType(arguments=list()):
            _match_arguments(syntax, t.plain(type), found, names)
        case s.PointerType(to=to):
            if isinstance(type, t.Array):
                _match(to, type.of, found, names)
            elif isinstance(t.plain(type), t.Pointer):
                pointer = t.plain(type)
                assert isinstance(pointer, t.Pointer)
                if isinstance(pointer, t.NullPointerType):
                    return
                _match(to, pointer.to, found, names)
        case s.ArrayType(of=of, length=length):
            if isinstance(type, (t.Array, t.Pointer)):
                _match(of, type.of if isinstance(type, t.Array) else type.to, found, names)
            if isinstance(type, t.Array) and isinstance(length, s.Name) and length.name in names:
                _note(length.name, number(t.ULONG, type.length or 0), found)
        case s.MemberPointerType(owner=owner, to=to):
            member = t.plain(type)
            if isinstance(member, t.MemberPointer) and member.owner is not None and member.to is not None:
                _match(owner, member.owner, found, names)
                _match(to, member.to, found, names)
        case s.FunctionType(result=result, parameters=parameters) if (
            isinstance(type, t.FunctionSignature) and type.is_const == syntax.is_const
        ):
            _match(result, type.result, found, names)
            for parameter, actual in zip(parameters, type.parameters, strict=False):
                _match(parameter.type, actual, found, names)
        case s.ReferenceType(to=to):
            _match(to, type.to if isinstance(type, t.Reference) else type, found, names)


def _note(name: str, value: TemplateArgument, found: Found) -> None:
    known = found.get(name)
    if known is None:
        found[name] = value
    elif isinstance(known, t.CType) and isinstance(value, t.CType) and not t.same(known, value):
        fail(f"template argument '{name}' would be both '{known}' and '{value}'", None)


def _match_arguments(syntax: s.NamedType, type: t.CType, found: Found, names: _Wanted) -> None:
    """Match ``Matrix<T, N>`` against the arguments that a struct, or a base class of it, was made with."""
    syntax = _without_alias(syntax, names.find_type)
    arguments = syntax.arguments or []
    if isinstance(type, t.Group):
        of_tile: list[TemplateArgument] = [number(t.INT, type.threads), t.Group("block")]
        for argument, meant in zip(arguments, of_tile, strict=False):
            named = argument.name if isinstance(argument, (s.Name, s.NamedType)) else ""
            if named in names:
                _note(named, meant, found)
        return
    if syntax.name in names:  # a template as a template parameter
        struct = next(_made_of_templates(type), None)
        if struct is not None and isinstance(struct.info.template, LazyType):
            _note(syntax.name, struct.info.template, found)
            _match_each(arguments, list(struct.info.arguments), found, names)
        return
    instances = list(_instances_of(syntax, type, names.find_type))
    agreeing = (actual for actual in instances if _agrees(arguments, actual, found))
    if (actual := next(agreeing, instances[0] if instances else None)) is not None:
        _match_each(arguments, actual, found, names)


def _made_of_templates(type: t.CType) -> Iterator[t.Struct]:
    """Yield a struct and its base classes, as far as templates made them."""
    struct = t.plain(type)
    return (x for x, _ in lineage(struct) if x.info.template) if isinstance(struct, t.Struct) else iter(())


def _arguments_of(syntax: s.NamedType, type: t.CType, find_type: FindType) -> list[object] | None:
    """Return the template arguments of a struct, or of a base class of it, that was made of the template named; None
    where it was not."""
    return next(_instances_of(syntax, type, find_type), None)


def _instances_of(syntax: s.NamedType, type: t.CType, find_type: FindType) -> Iterator[list[object]]:
    """Yield the template arguments of a struct and its base classes, as far as they were made of the template named."""
    for struct, _ in lineage(type) if isinstance(type, t.Struct) else ():
        template = struct.info.template
        if template is not None and _names(syntax, template, find_type):
            yield list(struct.info.arguments)


def _agrees(arguments: list[s.TypeSyntax | s.Expression], actual: list[object], found: Found) -> bool:
    """Return whether template arguments as written, where they are names that are known, have the actual values."""
    for argument, value in zip(arguments, actual, strict=False):
        known = found.get(argument.name) if isinstance(argument, s.Name | s.NamedType) else None
        meant = value.type if isinstance(value, TypeSymbol) else value
        if isinstance(known, t.CType) and isinstance(meant, t.CType) and not t.same(known, meant):
            return False
        if isinstance(known, Value) and isinstance(meant, Value) and known.constant != meant.constant:
            return False
    return True


@dataclass(eq=False)
class _Meant(s.NamedType):
    """Represent the template that an alias of it stands for, which is known by its bare name."""


def _without_alias(syntax: s.NamedType, find_type: FindType) -> s.NamedType:
    """Return what an alias template stands for, ``Vector<T, 3>`` for ``Vector3<T>``; anything else as it is."""
    alias = find_type(syntax) if syntax.scope is None and syntax.arguments else None
    if not isinstance(alias, LazyType) or not isinstance(alias.declaration.type, s.NamedType):
        return syntax
    given, meant = list(syntax.arguments or ()), alias.declaration.type
    values = dict[str, list[s.TypeSyntax | s.Expression]]()
    for parameter in alias.declaration.template or ():
        count = len(given) if parameter.pack else 1
        values[parameter.name], given = given[:count], given[count:]
    arguments = [value for argument in meant.arguments or () for value in values.get(_named(argument), [argument])]
    return _Meant(syntax.span, meant.name, arguments)


def _named(argument: s.TypeSyntax | s.Expression) -> str:
    """Return the name that a template argument consists of, of a pack too."""
    if isinstance(argument, s.PackExpansion | s.PackType):
        argument = argument.pattern if isinstance(argument, s.PackExpansion) else argument.of
    return argument.name if isinstance(argument, s.Name | s.NamedType) else ""


def _names(syntax: s.NamedType, template: object, find_type: FindType) -> bool:
    """Return whether a type as written names a template of structs."""
    if isinstance(syntax, _Meant):
        return isinstance(template, LazyType) and syntax.name == template.declaration.name
    return find_type(syntax) is template


def match_arguments(
    arguments: list[s.TypeSyntax | s.Expression], actual: Sequence[object], names: set[str], find_type: FindType
) -> Found | None:  # fmt: skip
    """Return the values of ``names`` for which template arguments as written are the actual ones, or None."""
    found: Found = {}
    try:
        _match_each(arguments, actual, found, _Wanted(frozenset(names), find_type))
    except CompileError:
        return None
    return found


def _match_each(
    arguments: list[s.TypeSyntax | s.Expression], actual: Sequence[object], found: Found, names: _Wanted
) -> None:
    for argument, value in zip(arguments, actual, strict=False):
        if isinstance(argument, s.TypeSyntax) and isinstance(value, TypeSymbol):
            _match(argument, value.type, found, names)
        elif (
            isinstance(argument, (s.Name, s.NamedType))
            and argument.name in names
            and isinstance(value, Value | LazyType)
        ):
            _note(argument.name, value, found)
