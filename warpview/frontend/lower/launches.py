"""Find the launches that host code holds, as far as their sizes can be told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.semantic.analysis import Semantics
from warpview.frontend.semantic.scopes import FunctionSet
from warpview.frontend.semantic.values import Lvalue, Value


@dataclass(frozen=True)
class LaunchInfo:
    """Describe a launch in host code: ``kernel`` is written as there; what is not constant is None.

    ``arguments`` are the values of those that are constant numbers, in order.
    """

    kernel: str
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    shared_bytes: int
    span: Span
    arguments: tuple[int | float | None, ...] = ()


def launches_of(unit: s.TranslationUnit, semantics: Semantics) -> dict[str, list[LaunchInfo]]:
    """Return the launches of each kernel, with the sizes that can be told from the text."""
    evaluator = semantics.evaluator
    found: dict[str, list[LaunchInfo]] = {}
    for launch in unit.launches:
        name = _kernel_meant(launch, unit, semantics)
        with semantics.names.scoped(semantics.names.namespaces.around(launch).child()):
            _declare_host(semantics, launch.host)
            sizes = [_dimensions(evaluator.value(e)) for e in launch.configuration[:2]]
            shared = evaluator.value(launch.configuration[2]) if launch.configuration[2:] else None
            values = tuple(None if e is None else _number(evaluator.value(e)) for e in launch.arguments)
        sizes += [None] * (2 - len(sizes))
        info = LaunchInfo(launch.kernel, sizes[0], sizes[1], _bytes(shared), launch.span, values)
        found.setdefault(name, []).append(info)
    return found


def _kernel_meant(launch: s.LaunchSyntax, unit: s.TranslationUnit, semantics: Semantics) -> str:
    """Return the name of the kernel that is launched, with its namespace where the file has one of that name."""
    bare = launch.kernel.partition("<")[0]
    names = semantics.names
    with names.scoped(names.namespaces.around(launch)):
        found = names.lookup(s.Name(launch.span, bare, None, None, launch.qualifier))
    path = unit.namespaces.get(found.declarations[0], "") if isinstance(found, FunctionSet) else ""
    return f"{path}{bare}"


def _declare_host(semantics: Semantics, declarations: list[s.Declaration]) -> None:
    """Declare the host variables with constant values; the rest stay unknown."""
    for declaration in declarations:
        for variable in declaration.variables:
            value = semantics.evaluator.attempt(partial(_host_object, semantics, variable))
            if value is not None:
                semantics.names.scope.names[variable.name] = value


def _host_object(semantics: Semantics, variable: s.DeclaredVariable) -> Lvalue | Value:
    return semantics.evaluator.objects.declared(variable, semantics.typer.variable_type(variable))


def _number(value: Value | None) -> int | float | None:
    """Return an argument that is a constant number."""
    return None if value is None else value.constant


def _dimensions(value: Value | None) -> tuple[int, int, int] | None:
    """Return a grid or block as three numbers."""
    if value is None:
        return None
    if value.constant is not None:
        return _triple([value.constant])
    cell = value.address.cell if value.address else None
    parts = [leaf.bound.constant if leaf.bound else None for leaf in cell.leaves.values()] if cell else []
    return _triple([n for n in parts if n is not None]) if len(parts) == 3 and None not in parts else None


def _triple(numbers: list[int | float]) -> tuple[int, int, int] | None:
    """Return one to three sizes as x, y, z, if a launch could have them."""
    if not all(1 <= n < 1 << 31 for n in numbers):
        return None
    x, y, z = ([int(n) for n in numbers] + [1, 1])[:3]
    return x, y, z


def _bytes(value: Value | None) -> int:
    """Return a size of shared memory; 0 where it is not known."""
    size = value.constant if value is not None else None
    return int(size) if size is not None and 0 < size < 1 << 31 else 0
