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
from warpview.sass import fields as f
from warpview.sass.cubin import Cubin, CubinKernel
from warpview.sass.operand_rows import FIRST_ARGUMENT, UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperand, SassOperation
from warpview.sass.special import CGA_SIZE

PRINT, FAIL = "vprintf", "__assertfail"
ADDRESS_BANK = 4
ENDS_BLOCK = frozenset({"bra", "exit", "ret", "call", "trap"})  # meanings of what does not go on to the next
MOST_STEPS = 16  # from a register back to a constant


@dataclass(frozen=True)
class SystemCall:
    """Describe a call: its operation, its string, and where in the argument buffer each value lies."""

    op: Op
    text: str
    values: tuple[tuple[int, Type], ...] = ()


class _Constants:
    """Find which constant a register holds at an instruction."""

    def __init__(self, operations: Sequence[SassOperation]) -> None:
        self._operations = operations
        targets = (o.operands["L"].index for o in operations if "L" in o.operands)
        self._targets = {target // f.WORD_BYTES for target in targets}

    def place(self, kind: OperandKind, register: int, index: int) -> int | None:
        """Return the offset in bank 4 from which a register was loaded; None where that is not known."""
        found = self._source(kind, register, index)
        if found is None or found.kind != OperandKind.CONSTANT or found.index >> 16 != ADDRESS_BANK:
            return None
        return found.index & 0xFFFF

    def value(self, register: int, index: int) -> int | None:
        """Return the immediate that a register holds; None where that is not known."""
        found = self._source(OperandKind.REGISTER, register, index)
        return found.index if found is not None and found.kind == OperandKind.IMMEDIATE else None

    def is_of_cluster_size(self, kind: OperandKind, register: int, index: int) -> bool:
        """Return whether a register holds a multiple of SR_CgaSize."""
        for _ in range(MOST_STEPS):
            place = self._definition(kind, register, index)
            if place is None:
                return False
            operation = self._operations[place]
            operands = operation.operands
            if "S" in operands:
                return operands["S"].index == CGA_SIZE
            is_multiple = operation.row.meaning == "imad" and operands["c"].is_zero
            if not (is_multiple or operation.row.meaning == "r2ur") or operands["a"].is_zero:
                return False
            kind, register, index = operands["a"].kind, operands["a"].index, place
        return False

    def _source(self, kind: OperandKind, register: int, index: int) -> SassOperand | None:
        """Return the constant that a register holds before an instruction, through moves."""
        for _ in range(MOST_STEPS):
            place = self._definition(kind, register, index)
            if place is None:
                return None
            operation = self._operations[place]
            source = _moved(operation, register - operation.operands["d"].index)
            if source is None or source.kind in (OperandKind.IMMEDIATE, OperandKind.CONSTANT):
                return source
            kind, register, index = source.kind, source.index, place
        return None

    def _definition(self, kind: OperandKind, register: int, index: int) -> int | None:
        """Return the instruction that wrote a register last: of the same straight line, else the only one."""
        for place in range(index - 1, -1, -1):
            if _writes(self._operations[place], kind, register):
                return place if self._operations[place].guard.holds_always else None
            ends = self._operations[place].row.meaning in ENDS_BLOCK
            if place + 1 in self._targets or (ends and not _keeps(self._operations[place], kind, register)):
                break
        all_of_it = [k for k, operation in enumerate(self._operations) if _writes(operation, kind, register)]
        is_plain = len(all_of_it) == 1 and self._operations[all_of_it[0]].guard.holds_always
        return all_of_it[0] if is_plain else None


def _writes(operation: SassOperation, kind: OperandKind, register: int) -> bool:
    result = operation.operands.get("d")
    return (
        result is not None
        and result.kind == kind
        and not result.is_zero
        and result.index <= register < result.index + result.span
    )


def _keeps(operation: SassOperation, kind: OperandKind, register: int) -> bool:
    """Return whether an instruction calls the driver, which leaves a register as it is where the code behind the call
    uses it: all but those of the result."""
    results = (FIRST_ARGUMENT, FIRST_ARGUMENT + 1)
    calls = operation.row.meaning == "call" and "a" in operation.operands
    return calls and (kind != OperandKind.REGISTER or register not in results)


def _moved(operation: SassOperation, word: int) -> SassOperand | None:
    """Return what an instruction moves to a word of its result; None where it computes something."""
    operands = operation.operands
    match operation.row.meaning:
        case "mov":
            source = operands["b"]
        case "ldc":
            place = operands["x"]
            return None if place.uniform is not None else replace(place, index=place.index + 4 * word, span=1)
        case "imad" if operands["a"].is_zero or operands["b"].is_zero:
            source = operands["c"]
        case "hfma2" if operands["a"].is_zero and operands["b"].is_zero:
            source = operands["c"]
        case _:
            return None
    return None if source.is_zero or source.negated else source


def with_fixed_places(operations: Sequence[SassOperation]) -> list[SassOperation]:
    """Return operations in which loads from bank 4 at a register with a known number have that place, and those from
    bank 0 at a multiple of SR_CgaSize, which is zero here."""
    constants, fixed = _Constants(operations), []
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
    cubin: Cubin, kernel: CubinKernel, operations: Sequence[SassOperation], index: int
) -> SystemCall:  # fmt: skip
    """Return the call that an instruction makes, or its trap; loads from bank 4 have fixed places.

    Raises UnsupportedOperation, naming the function, where one is called that is not known here.
    """
    operation, constants = operations[index], _Constants(operations)
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
