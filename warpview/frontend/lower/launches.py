"""The launches that host code holds, as far as their sizes can be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from warpview.diagnostics import Span
from warpview.frontend import syntax as s
from warpview.frontend.lower.context import CallFrame
from warpview.frontend.lower.lowering import Lowering
from warpview.frontend.semantic.values import Value


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
        scope = low.context.file_scope.child()
        with low.context.scoped(scope):
            _declare_host(low, launch.host)
            sizes = [_dimensions(low, e) for e in launch.configuration[:2]]
            shared = (
                _attempt(low, partial(low.expressions.rvalue, launch.configuration[2]))
                if launch.configuration[2:]
                else None
            )
        sizes += [None] * (2 - len(sizes))
        info = LaunchInfo(launch.kernel, sizes[0], sizes[1], _bytes(shared), launch.span)
        found.setdefault(name, []).append(info)
    return found


def _attempt(low: Lowering, action: Callable[[], Value]) -> Value | None:
    """A value of host code, if it is one that a kernel could compute at compile time."""
    return low.types.attempt(action)


def _declare_host(low: Lowering, declarations: list[s.Declaration]) -> None:
    """Host variables with constant values; the rest stay unknown."""
    low.context.frames.append(CallFrame(object(), "host", None, None))
    for declaration in declarations:
        for variable in declaration.variables:
            value = _attempt(low, partial(low.kernel.host_value, variable))
            if value is not None:
                low.context.scope.names[variable.name] = value
    low.context.frames.pop()


def _dimensions(low: Lowering, e: s.Expression) -> tuple[int, int, int] | None:
    """A grid or block as three numbers."""
    value = _attempt(low, partial(low.expressions.rvalue, e))
    if value is None:
        return None
    if value.constant is not None:
        return _triple([value.constant])
    cell = value.address.cell if value.address else None
    parts = [leaf.bound.constant if leaf.bound else None for leaf in cell.leaves.values()] if cell else []
    return _triple([n for n in parts if n is not None]) if len(parts) == 3 and None not in parts else None


def _triple(numbers: list[int | float]) -> tuple[int, int, int] | None:
    """One to three sizes as x, y, z, if a launch could have them."""
    if not all(1 <= n < 1 << 31 for n in numbers):
        return None
    x, y, z = ([int(n) for n in numbers] + [1, 1])[:3]
    return x, y, z


def _bytes(value: Value | None) -> int:
    """A size of shared memory; 0 where it is not known."""
    size = value.constant if value is not None else None
    return int(size) if size is not None and 0 < size < 1 << 31 else 0
