"""Find the local variables that a function may change after their declaration, from its syntax.

A variable that nothing changes is a name for its value and needs no register of its own. The analysis errs on the
safe side: whatever is passed to a parameter that is a reference to something not const counts as changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from warpview.frontend import syntax as s
from warpview.frontend.syntax.walk import walk

# Functions of CUDA and C++ that change what is passed to them by name.
_CHANGING_BUILTINS = frozenset({"swap", "move", "forward", "memcpy", "memset"})


@dataclass(frozen=True)
class Changed:
    """Name the variables that change: ``whole`` by themselves, ``parts`` through an index or a member."""

    whole: frozenset[str]
    parts: frozenset[str]


class Mutations:
    """Answer for each function of a file which of its variables may change."""

    def __init__(self, unit: s.TranslationUnit) -> None:
        self._known: dict[s.Node, Changed] = {}
        self._functions: dict[str, list[list[s.Parameter]]] = {}  # the parameters of those that may change arguments
        self._methods: defaultdict[str, list[s.FunctionDeclaration]] = defaultdict(list)
        self._methods_referring: defaultdict[str, list[list[s.Parameter]]] = defaultdict(list)
        self._structs: defaultdict[str, list[s.StructType]] = defaultdict(list)
        self._owners: dict[s.FunctionDeclaration, s.StructType] = {}  # the struct that a method belongs to
        self._changing: dict[s.FunctionDeclaration, bool] = {}
        for function in unit.functions:
            self._functions.setdefault(function.name, []).extend(_changing_lists([function]))
        self._pointed_at = _changing_lists(unit.functions) if unit.has_function_types else []  # perhaps
        for declaration in unit.types:
            self._add_type(declaration)

    def _add_type(self, declaration: s.TypeDeclaration) -> None:
        struct = declaration.type
        if not isinstance(struct, s.StructType):
            return
        self._structs[struct.name].append(struct)
        for method in struct.methods:
            if method not in self._owners:
                self._methods[method.name].append(method)
                self._methods_referring[method.name] += _changing_lists([method])
                self._owners[method] = struct
        for member in struct.members:
            if isinstance(member, s.TypeDeclaration):
                self._add_type(member)

    def changed_in(self, node: s.Node) -> Changed:
        """Return the names that anything below ``node`` changes, takes the address of, or refers to."""
        if node not in self._known:
            self._known[node] = self._find(node)
        return self._known[node]

    def _find(self, node: s.Node) -> Changed:
        whole: set[str] = set()
        parts: set[str] = set()
        lambdas: dict[str, list[s.Parameter]] = {}
        nodes = list(walk(node))
        for below in nodes:
            if isinstance(below, s.DeclaredVariable) and isinstance(below.initialiser, s.Lambda):
                lambdas[below.name] = below.initialiser.parameters
            elif isinstance(below, s.TypeDeclaration):
                self._add_type(below)
        for below in nodes:
            for target in self._targets(below, lambdas):
                _note(target, whole, parts)
        return Changed(frozenset(whole), frozenset(parts))

    def _targets(self, node: s.Node, lambdas: dict[str, list[s.Parameter]]) -> Iterator[s.Expression]:
        """Yield the expressions whose object a node may change."""
        match node:
            case s.Assign(target=target, value=value):
                yield target
                if node.operator:
                    yield from self._operands(f"{node.operator}=", [target, value])
            case s.Postfix(operand=target) | s.Unary(operator="++" | "--" | "&", operand=target):
                yield target
            case s.Unary(operator=op, operand=operand):
                yield from self._operands(op, [operand])
            case s.Binary(operator=op, left=left, right=right):
                yield from self._operands(op, [left, right])
            case s.Index(base=base, index=index) if "operator[]" in self._methods:
                yield from self._operands("[]", [base, index])
            case s.AssemblyOperand(value=target, is_written=True):
                yield target
            case s.Call(callee=callee, arguments=arguments):
                yield from self._called(callee, arguments, lambdas)
            case s.Construct(arguments=arguments):
                yield from self._constructed(arguments)
            case s.Cast(type=s.ReferenceType(rvalue=True), operand=target):
                yield target
            case s.DeclaredVariable(type=s.ReferenceType() as type, initialiser=value) if value is not None:
                if not _is_const(type):
                    yield value
            case s.DeclaredVariable(type=s.DecltypeType(), initialiser=value) if value is not None:
                yield value
            case s.DeclaredVariable(arguments=list() as arguments):
                yield from self._constructed(arguments)
            case s.Lambda(captures=captures):
                yield from (value or s.Name(node.span, name) for name, reference, value in captures if reference)

    def _changes_object(self, method: s.FunctionDeclaration) -> bool:
        """Return whether a method may change the object that it is called on, or hands out access to it."""
        if method not in self._changing:
            self._changing[method] = False  # while methods that call one another are looked at
            hands_out = isinstance(method.result, s.PointerType) or (
                isinstance(method.result, s.ReferenceType) and not _is_const(method.result)
            )
            names = self.changed_in(method.body) if method.body is not None else Changed(frozenset(), frozenset())
            changed = names.whole | names.parts
            fields = self._fields(self._owners[method])
            self._changing[method] = hands_out or "this" in changed or not changed.isdisjoint(fields)
        return self._changing[method]

    def _fields(self, struct: s.StructType) -> set[str]:
        """Return the names of the members that a struct has, those of its base classes with them."""
        names: set[str] = set()
        seen: set[s.StructType] = set()
        found = [struct]
        while found:
            one = found.pop()
            if one not in seen:
                seen.add(one)
                names |= {field.name for field in one.fields}
                found += [base for written in one.named_bases for base in self._structs[written.name]]
        return names

    def _operands(self, op: str, operands: list[s.Expression]) -> Iterator[s.Expression]:
        name = f"operator{op}"
        if any(self._changes_object(method) for method in self._methods.get(name, ())):
            yield operands[0]
        yield from _referred(self._functions.get(name, []), operands)

    def _called(
        self, callee: s.Expression, arguments: list[s.Expression], lambdas: dict[str, list[s.Parameter]]
    ) -> Iterator[s.Expression]:
        match callee:
            case s.Name(name=name) if name in lambdas:
                yield from _referred([lambdas[name]], arguments)
            case s.Name(name=name) if name in self._functions or name in self._methods:
                yield from _referred(self._functions.get(name, []), arguments)
                methods = self._methods.get(name, [])
                yield from _referred(self._methods_referring.get(name, []), arguments)
                if any(self._changes_object(m) for m in methods):  # of the struct whose method this is
                    yield s.This(callee.span)
            case s.Member(base=base, name=name):
                methods = self._methods.get(name, [])
                yield from _referred(self._methods_referring.get(name, []), arguments)
                if any(self._changes_object(m) for m in methods):
                    yield base
                yield from _referred(self._pointed_at, arguments)
            case s.Name(name=name) if name in _CHANGING_BUILTINS:
                yield from arguments
            case s.Name():
                methods = self._methods.get("operator()", [])
                yield from _referred(self._methods_referring.get("operator()", []), arguments)
                if any(self._changes_object(m) for m in methods):
                    yield callee
                yield from _referred(self._pointed_at, arguments)
            case _:  # whatever it is that is called, it may change what it is given
                yield callee
                yield from arguments

    def _constructed(self, arguments: list[s.Expression]) -> Iterator[s.Expression]:
        for parameters in self._methods_referring.values():
            yield from _referred(parameters, arguments)


def _changing_lists(functions: list[s.FunctionDeclaration]) -> list[list[s.Parameter]]:
    """Return the parameters of those functions that may change an argument."""
    return [f.parameters for f in functions if any(_may_change(parameter) for parameter in f.parameters)]


def _may_change(parameter: s.Parameter) -> bool:
    """Return whether a parameter refers to its argument without promising not to change it."""
    type = parameter.type.of if isinstance(parameter.type, s.PackType) else parameter.type
    return isinstance(type, s.ReferenceType) and not _is_const(type)


def _referred(candidates: list[list[s.Parameter]], arguments: list[s.Expression]) -> Iterator[s.Expression]:
    """Yield the arguments that a parameter of some candidate refers to without promising not to change them."""
    for parameters in candidates:
        for parameter, passed in zip(parameters, _shared_out(parameters, arguments), strict=True):
            if _may_change(parameter):
                yield from passed


def _shared_out(parameters: list[s.Parameter], arguments: list[s.Expression]) -> Iterator[list[s.Expression]]:
    """Yield the arguments that each parameter is given: a pack may be given all from its place on."""
    for k, parameter in enumerate(parameters):
        yield arguments[k:] if isinstance(parameter.type, s.PackType) else arguments[k : k + 1]


def _is_const(type: s.ReferenceType) -> bool:
    return isinstance(type.to, s.QualifiedType) and type.to.const


def _note(target: s.Expression, whole: set[str], parts: set[str]) -> None:
    """Enter the names of the objects that an expression names, or that it is a part of."""
    into = whole
    while True:
        match target:
            case s.Name(name=name):
                into.add(name)
                return
            case s.This():
                into.add("this")
                return
            case s.Index(base=base) | s.Member(base=base) | s.PointedMember(base=base) | s.BoundPart(base=base):
                target, into = base, parts
            case s.Cast(operand=operand):
                target = operand
            case s.Unary(operator="*" | "&", operand=operand):
                target, into = operand, parts
            case s.Unary(operator="++" | "--", operand=operand):
                target = operand
            case s.Binary(operator=",", right=right):
                target = right
            case s.Binary(left=left, right=right):
                _note(left, whole, parts)
                target, into = right, parts
            case s.Assign(target=inner):
                target = inner
            case s.Conditional(then=then, other=other):
                _note(then, whole, parts)
                target = other
            case s.InitList(items=items):
                for _, item in items:
                    _note(item, whole, parts)
                return
            case _:
                return
