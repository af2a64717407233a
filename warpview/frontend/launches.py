"""The launches that host code holds, as far as their sizes can be told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.core import Frame
from warpview.frontend.lowering import Lowering


@dataclass(frozen=True)
class LaunchInfo:
    """A launch in host code: ``text`` is the kernel as written there; what is not constant is None."""

    kernel: str
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    shared_bytes: int
    span: Span


def launches_of(unit: s.Unit, low: Lowering) -> dict[str, list[LaunchInfo]]:
    """The launches of each kernel, with the sizes that can be told from the text."""
    found: dict[str, list[LaunchInfo]] = {}
    for launch in unit.launches:
        name = launch.kernel.partition("<")[0]
        scope = low.file_scope.child()
        with low.scoped(scope):
            _declare_host(low, launch.host)
            sizes = [_dimensions(low, e) for e in launch.configuration[:2]]
            shared = low.constant(launch.configuration[2]) if len(launch.configuration) > 2 else 0
        sizes += [None] * (2 - len(sizes))
        info = LaunchInfo(launch.kernel, sizes[0], sizes[1], int(shared or 0), launch.span)
        found.setdefault(name, []).append(info)
    return found


def _declare_host(low: Lowering, declarations: list[s.Declaration]) -> None:
    """Host variables with constant values; the rest stay unknown."""
    low.frames.append(Frame(object(), "host", None, None))
    for declaration in declarations:
        for variable in declaration.variables:
            value = low.attempt(partial(low.host_value, variable))
            if value is not None:
                low.scope.names[variable.name] = value
    low.frames.pop()


def _dimensions(low: Lowering, e: s.Expression) -> tuple[int, int, int] | None:
    """A grid or block as three numbers."""
    value = low.attempt(partial(low.rvalue, e))
    if value is None:
        return None
    if value.constant is not None:
        return int(value.constant), 1, 1
    cell = value.address.cell if value.address else None
    if cell is None:
        return None
    numbers = [leaf.bound.constant if leaf.bound else None for leaf in cell.leaves.values()]
    if len(numbers) != 3 or any(n is None for n in numbers):
        return None
    x, y, z = (int(n) for n in numbers if n is not None)
    return x, y, z
