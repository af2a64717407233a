"""Tell whether a kernel does at run time what C leaves undefined, so that a compiler may make anything of it."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

from warpview.devices import load_device
from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.frontend.passes.simplify_cfg import clean
from warpview.isa.ops import Op, operation
from warpview.isa.types import Type
from warpview.isa.values import decoder, width
from warpview.sim.arguments.binding import Argument, bind
from warpview.sim.launch import Options
from warpview.sim.reference import run_reference

SUMS: dict[Op, Callable[..., int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.MAD: lambda a, b, c: a * b + c,
    Op.NEG: lambda a: -a,
}


def executes_undefined(text: str, grid: int, block: int, arguments: dict[str, Argument]) -> set[str]:
    """What of it the kernel executes, on the reference and without any pass that could fold it away."""
    found: set[str] = set()

    def watched(op: Op, type_: Type, stype: Type, mod: int) -> Callable[..., int]:
        meaning = operation(op, type_, stype, mod)
        problem = _problem(op, type_, stype)
        if problem is None:
            return meaning

        def evaluate(*sources: int) -> int:
            if what := problem(*sources):
                found.add(what)
            return meaning(*sources)

        return evaluate

    with mock.patch("warpview.frontend.emit.optimise", lambda function, predicate: clean(function)):
        program = compile_source(SourceText("kernel.cu", text), fma=False)
    bound = bind(program, (grid, 1, 1), (block, 1, 1), arguments, 0)
    with mock.patch("warpview.sim.reference.warp.operation", watched):
        run_reference(program, load_device("h200"), bound.launch, bound.memory, Options(check=False))
    return found


def _problem(op: Op, type_: Type, stype: Type) -> Callable[..., str] | None:
    """A function from the sources to what is undefined about them, or ''."""
    value, bits = decoder(type_), width(type_)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.is_signed else (0, (1 << bits) - 1)
    if op in (Op.DIV, Op.REM) and not type_.is_float:
        return lambda a, b: "division by zero" if b == 0 else "overflow" if value(a) == low < 0 > value(b) == -1 else ""
    if op == Op.CVT and stype.is_float and not type_.is_float:
        number = decoder(stype)
        return lambda a: "" if low - 1 < number(a) < high + 1 else "conversion out of range"
    if op in SUMS and type_ in (Type.S32, Type.S64):
        return lambda *sources: "" if low <= SUMS[op](*map(value, sources)) <= high else "overflow"
    return None
