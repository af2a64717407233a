"""Resolve calls of the functions that the driver provides: which one is called, and with which strings.

A kernel calls them through addresses in constant bank 4: the place of the address, and those of the strings, are known
from the few instructions that move them to the registers of the call. The registers are those of CUDA's calling
convention, as NVRTC's code shows: the first argument in R4 and R5, the second in R6 and R7, the result in R4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpview.isa.ops import Op
from warpview.isa.print_format import argument_types, check_format
from warpview.isa.types import Type
from warpview.sass.constant_flow import ADDRESS_BANK, ConstantFlow
from warpview.sass.cubin import Cubin, CubinKernel
from warpview.sass.operand_rows import FIRST_ARGUMENT, UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation

PRINT, FAIL = "vprintf", "__assertfail"


@dataclass(frozen=True)
class SystemCall:
    """Describe a call: its operation, its string, and where in the argument buffer each value lies."""

    op: Op
    text: str
    values: tuple[tuple[int, Type], ...] = ()


def with_fixed_places(operations: Sequence[SassOperation]) -> list[SassOperation]:
    """Return operations in which loads from bank 4 at a register with a known number have that place, and those from
    bank 0 at a multiple of SR_CgaSize, which is zero here."""
    constants, fixed = ConstantFlow(operations), []
    for index, operation in enumerate(operations):
        place = operation.operands.get("x")
        if place is not None and place.uniform is not None:
            added = None
            if place.index >> 16 == ADDRESS_BANK:
                added = constants.value(place.uniform, index)
            elif place.index >> 16 == 0 and constants.is_of_cluster_size(place.indexed_by, place.uniform, index):
                added = 0
            if added is not None:
                known = replace(place, index=place.index + place.offset + added, offset=0, uniform=None)
                operation = replace(operation, operands={**operation.operands, "x": known})
        fixed.append(operation)
    return fixed


def system_call(
    cubin: Cubin, kernel: CubinKernel, operations: Sequence[SassOperation], index: int, constants: ConstantFlow
) -> SystemCall:  # fmt: skip
    """Return the call that an instruction makes, or its trap; loads from bank 4 have fixed places.

    Raises UnsupportedOperation, naming the function, where one is called that is not known here.
    """
    operation = operations[index]
    if operation.row.meaning == "trap":
        return SystemCall(Op.TRAP, "__trap()")
    name = kernel.system_calls.get(operation.address)
    if (
        name is None
        and (place := constants.place(OperandKind.REGISTER, operation.operands["a"].index, index)) is not None
    ):
        name = cubin.system_functions.get(place)
    if name is None:
        raise UnsupportedOperation("a call of a function that is not known")
    if name not in (PRINT, FAIL):
        raise UnsupportedOperation(f"a call of {name}")
    text = _string(cubin, kernel, constants.place(OperandKind.REGISTER, FIRST_ARGUMENT, index))
    if name == FAIL:
        return SystemCall(Op.TRAP, "assertion" if text is None else text)
    if text is None:
        raise UnsupportedOperation("printf with a format that is not a constant")
    try:
        check_format(text)
    except ValueError as error:
        raise UnsupportedOperation(str(error)) from None
    return SystemCall(Op.PRINTF, text, _placed(argument_types(text)))


def _string(cubin: Cubin, kernel: CubinKernel, place: int | None) -> str | None:
    """Return the text that an address in bank 4 points to."""
    addresses = (*cubin.addresses, *kernel.addresses)
    target = next((a.target for a in addresses if a.offset == place), None)
    if target is None:
        return None
    return cubin.device_bytes[target:].split(b"\0")[0].decode(errors="replace")


def _placed(types: Sequence[Type]) -> tuple[tuple[int, Type], ...]:
    """Return where in the buffer of arguments values of some types lie, each aligned to its size."""
    placed, end = [], 0
    for type_ in types:
        start = -(-end // type_.bytes) * type_.bytes
        placed.append((start, type_))
        end = start + type_.bytes
    return tuple(placed)
