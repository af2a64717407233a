"""Lower the system calls of PTX (vprintf, __assertfail) and trap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import Instr, Value, const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.ops import Op
from warpview.isa.print_format import argument_types, check_format
from warpview.isa.program import Print
from warpview.isa.types import Space, Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

MOST_COPIES = 16  # of an address, from register to register


def system_call(low: PtxCall, name: str, arguments: list[str], results: list[str]) -> bool:
    """Lower a call of a function that CUDA provides; return whether there is one of this name."""
    if name == "vprintf":
        (format_, buffer), (result,) = arguments, results
        _print(low, format_, buffer, result)
    elif name == "__assertfail":
        _stop(low, _string(low, arguments[0]) or "assertion")
    else:
        return False
    return True


def trap(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower trap."""
    _stop(low, "__trap()")


def _stop(low: PtxCall, reason: str) -> None:
    low.function.asserts.append(Print(reason, low.span))
    low.builder.effect(Op.TRAP, Type.U32, imm=len(low.function.asserts) - 1)


def _print(low: PtxCall, format_: str, buffer: str, result: str) -> None:
    """Lower vprintf: its arguments lie one after the other in a buffer, each aligned to its size."""
    low.require(features.PRINTF)
    template = _string(low, format_)
    if template is None:
        low.refuse("printf with a format that is computed")
    try:
        check_format(template)
    except ValueError as error:
        low.refuse(str(error))
    types = argument_types(template)
    base: Value | None = low.passed.get((buffer, 0))
    values, offset = [], 0
    for type_ in types:
        if base is None:
            low.refuse("printf without its arguments")
        offset = -(-offset // type_.bytes) * type_.bytes
        value = low.function.reg(type_)
        low.append(Instr(Op.LD, type_, (value,), (base,), low.span, space=Space.GENERIC, imm=offset))
        values.append(value)
        offset += type_.bytes
    low.function.prints.append(Print(template, low.span))
    low.builder.effect(Op.PRINTF, Type.U32, imm=len(low.function.prints) - 1, extra=tuple(values))
    low.store_param(result, 0, Type.U32, const(Type.U32, len(types)))


def _string(low: PtxCall, parameter: str) -> str | None:
    """Return the text of the variable whose address was put into a parameter of a call; None where it is not known."""
    name = low.stored_names.get((parameter, 0), "")
    for _ in range(MOST_COPIES):
        writer = low.only_writer(name)
        if writer is None or writer.opcode not in ("mov", "cvta"):
            break
        name = writer.operands[1].text
    variable = next((v for v in low.functions.module.variables if v.name == name and v.data), None)
    return None if variable is None else variable.data.split(b"\0")[0].decode("utf-8", "replace")
