"""Find which constant a register of a kernel holds at an instruction, whichever way the lanes came there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from warpview.sass import fields as f
from warpview.sass.operand_rows import FIRST_ARGUMENT
from warpview.sass.operation import OperandKind, SassOperand, SassOperation
from warpview.sass.special import CGA_SIZE

ADDRESS_BANK = 4
JUMPS = frozenset({"bra", "exit", "ret"})  # meanings of what may not go on to the next instruction
RESULTS = frozenset("de")  # letters of the operands that an operation writes to registers
RETURN, CALL = "RET", "CALL.REL"  # how the names of returns, and of calls of the kernel's own functions, begin


class ConstantFlow:
    """Follow the registers of one kernel backward to the constants that are moved to them."""

    def __init__(self, operations: Sequence[SassOperation]) -> None:
        self._operations = operations

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
        seen = set[int]()
        while (places := self._definitions(kind, register, index)) and len(places) == 1 and not places <= seen:
            seen |= places
            (index,) = places
            operation = self._operations[index]
            operands = operation.operands
            if "S" in operands:
                return operands["S"].index == CGA_SIZE
            is_multiple = operation.row.meaning == "imad" and operands["c"].is_zero
            if not (is_multiple or operation.row.meaning == "r2ur") or operands["a"].is_zero:
                return False
            kind, register = operands["a"].kind, operands["a"].index
        return False

    def _source(self, kind: OperandKind, register: int, index: int) -> SassOperand | None:
        """Return the constant that a register holds before an instruction, through moves: the same by all ways."""
        found: dict[tuple[OperandKind, int], SassOperand] = {}
        waiting, seen = [(kind, register, index)], set[tuple[OperandKind, int, int]]()
        while waiting:
            asked = waiting.pop()
            if asked in seen:
                continue
            seen.add(asked)
            places = self._definitions(*asked)
            for place in places:
                operation = self._operations[place]
                source = _moved(operation, asked[1] - operation.operands["d"].index)
                if source is None:
                    return None
                if source.kind in (OperandKind.IMMEDIATE, OperandKind.CONSTANT):
                    found[source.kind, source.index] = source
                else:
                    waiting.append((source.kind, source.index, place))
            if not places or len(found) > 1:
                return None
        return next(iter(found.values()), None)

    def _definitions(self, kind: OperandKind, register: int, index: int) -> set[int]:
        """Return the instructions one of which wrote a register last before another one: none where it is not known."""
        writers = self._writers[kind, register]
        always = {place for place in writers if self._operations[place].guard.holds_always}
        if len(writers) == 1:
            return always  # whichever way
        found, waiting, seen = set[int](), [index], set[int]()
        while waiting:
            ways = self._ways_to(waiting.pop())
            if not ways:
                return set()
            for before in ways - seen:
                seen.add(before)
                if before in writers:
                    found.add(before)
                elif not _keeps(self._operations[before], kind, register):
                    return set()
                if before not in always:
                    waiting.append(before)
        return found

    @cached_property
    def _writers(self) -> defaultdict[tuple[OperandKind, int], set[int]]:
        """Return the instructions that write each register."""
        found = defaultdict[tuple[OperandKind, int], set[int]](set)
        for place, operation in enumerate(self._operations):
            for letter in RESULTS & operation.operands.keys():
                result = operation.operands[letter]
                for k in range(0 if result.is_zero else result.span):
                    found[result.kind, result.index + k].add(place)
        return found

    @cached_property
    def _sources_of_jumps(self) -> defaultdict[int, set[int]]:
        """Return the instructions that go to another one than the next, by where they go."""
        found = defaultdict[int, set[int]](set)
        for place, operation in enumerate(self._operations):
            if "L" in operation.operands and operation.row.meaning in JUMPS:
                found[operation.operands["L"].index // f.WORD_BYTES].add(place)
        return found

    @cached_property
    def _goes_to_computed_places(self) -> bool:
        """Return whether lanes may come to a place by a way that is not known."""
        return any(o.row.meaning == "ret" and not o.row.name.startswith(RETURN) for o in self._operations)

    def _ways_to(self, place: int) -> set[int]:
        """Return the instructions from which lanes come to one; none where not all of them are known."""
        jumps = self._sources_of_jumps[place]
        before = set(self._next_before(place))
        if place == 0 or (self._goes_to_computed_places and (jumps or not before)):
            return set()
        return before | jumps

    def _next_before(self, place: int) -> Iterator[int]:
        """Yield the instruction before one, where lanes may go on from there."""
        if place == 0:
            return
        operation = self._operations[place - 1]
        is_jump = operation.row.meaning in JUMPS
        always = operation.guard.holds_always and not {"b", "p"} & operation.operands.keys()
        is_call = operation.row.name.startswith(CALL)
        if not is_jump or is_call or not (always or self._goes_to_computed_places):
            yield place - 1


def _keeps(operation: SassOperation, kind: OperandKind, register: int) -> bool:
    """Return whether an instruction that does not write a register leaves it as it is: a call of the kernel's own
    function may not, one of the driver's does where the code behind it uses the register, unless it has the result."""
    if operation.row.name.startswith(CALL):
        return False
    results = (FIRST_ARGUMENT, FIRST_ARGUMENT + 1)
    return operation.row.meaning != "call" or kind != OperandKind.REGISTER or register not in results


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
