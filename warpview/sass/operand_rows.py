"""Find the rows of the simulated register file for a kernel's operands: sources, guards, results, addresses."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.bank_places import OF_SPECIAL_REGISTERS
from warpview.isa.native import CopyTarget, NativeSource
from warpview.isa.program import NONE, Special
from warpview.isa.types import SHARED_WINDOW, Space
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.cubin import CubinKernel
from warpview.sass.meanings import BITWISE, FLOAT_MEANINGS, INTEGER_SUMS, PAIR_MEANINGS, WIDE_INTEGERS
from warpview.sass.operation import OperandKind, SassOperand, SassOperation
from warpview.sass.rows import COPIED_WORDS, RegisterLayout, Rows

FIRST_ARGUMENT, SECOND_ARGUMENT = 4, 6  # registers of a call, by CUDA's convention; the result is in the first
ALL_ONES, SIGN, BOTH_SIGNS = 0xFFFFFFFF, 0x80000000, 0x80008000
SPECIAL_ROWS = {
    special.LANEID: Special.LANEID, special.TID_X: Special.TID_X, special.TID_Y: Special.TID_Y,
    special.TID_Z: Special.TID_Z, special.CTAID_X: Special.CTAID_X, special.CTAID_Y: Special.CTAID_Y,
    special.CTAID_Z: Special.CTAID_Z, special.VIRTUAL_SMID: Special.SMID, special.CGA_CTA_ID: Special.CLUSTER_RANK,
    special.VIRTUAL_ID: Special.WARPID,
}  # fmt: skip


class UnsupportedOperation(Exception):
    """An operation is decoded, but has no meaning here; the message names it."""


def _pair_of_address(operation: SassOperation, address: SassOperand) -> SassOperand:
    """Return the pair of registers that an address of QSPC is: general ones, or uniform ones beside RZ."""
    if address.uniform is None and address.span == 2:
        return SassOperand(OperandKind.REGISTER, address.index, 2)
    if address.uniform is None or address.index != f.RZ:
        raise UnsupportedOperation(f"{operation.mnemonic} with a uniform register")
    return SassOperand(OperandKind.UNIFORM, address.uniform, 2)


@dataclass(frozen=True)
class AccessRows:
    """Describe the address of a memory access: the sum of a register (of ``span`` words), a uniform register and an
    offset."""

    register: int
    uniform: int  # NONE without
    offset: int
    span: int


class OperandRows:
    """Find the rows of the operands of one kernel; constants get their rows when they are first asked for."""

    def __init__(self, kernel: CubinKernel, architecture: int, rows: Rows, shared_base: int) -> None:
        self.kernel, self.architecture = kernel, architecture
        self.rows = rows
        self.layout = RegisterLayout(rows)
        self.shared_base = shared_base

    def source(self, operation: SassOperation, operand: SassOperand) -> NativeSource:
        """Return a source with its modifiers as masks; sums of integers add 1 for each source that is negated."""
        keep, flip = ALL_ONES, 0
        meaning = operation.row.meaning
        sign = SIGN
        if meaning in PAIR_MEANINGS:
            sign = BOTH_SIGNS
        if operand.absolute:
            keep &= ~sign
        if operand.swizzle == f.TURNED:
            flip = SIGN
        if operand.negated:
            if meaning in PAIR_MEANINGS:
                flip ^= BOTH_SIGNS
            elif meaning in FLOAT_MEANINGS:
                flip = SIGN
            elif meaning == "lea" and operand is operation.operands["a"]:
                flip = 0  # what is negated is the shifted number
            elif meaning in INTEGER_SUMS | BITWISE or meaning in ("lea", "bra"):
                flip = ALL_ONES
            elif meaning in WIDE_INTEGERS or (meaning == "imadwide" and operand is operation.operands["c"]):
                flip = 0  # ``extra`` says that it is negated
            elif meaning != "halfconstant":
                raise UnsupportedOperation(f"{operation.mnemonic} with a negated operand")
        return NativeSource(self.row(operation, operand), operand.span, keep, flip)

    def row(self, operation: SassOperation, operand: SassOperand) -> int:
        """Return the first row of a source."""
        if operand.kind == OperandKind.IMMEDIATE:
            if operand.span == 2:
                if operation.row.meaning not in FLOAT_MEANINGS | WIDE_INTEGERS | {"i2f", "mov2"}:
                    raise UnsupportedOperation(f"{operation.mnemonic} with an immediate of 64 bits")
                return self.rows.immediate(operand.index & ALL_ONES, operand.index >> 32)
            return self.rows.immediate(operand.index)
        if operand.kind == OperandKind.CONSTANT:
            return self.constant(operation, operand.index >> 16, operand.index & 0xFFFF, operand.span)
        return self.layout.row(operand)

    def constant(self, operation: SassOperation, bank: int, offset: int, span: int) -> int:
        """Return the first row of ``span`` words of a constant bank."""
        if bank not in (0, 2, 3, 4):
            raise UnsupportedOperation(f"constant bank {bank}")
        if bank == 0:
            for place in range(offset, min(offset + 4 * span, self.kernel.parameter_base), 4):
                if name := special.unknown_word(self.architecture, place & -4):
                    raise UnsupportedOperation(name)
        known = -(-len(self.kernel.banks.get(bank, b"")) // 4) * 4  # whole words: the last parameter may be a byte
        if bank in (2, 3) and offset >= known and span <= 2:  # past the end of an array, on a path that is never taken
            return self.rows.immediate(0, 0)
        if offset % 4 or offset + 4 * span > max(known, 4 * span):
            raise UnsupportedOperation(f"{operation.mnemonic} beyond constant bank {bank}")
        return self.rows.constant(bank, offset, span)

    def predicate(self, operand: SassOperand) -> NativeSource:
        """Return a predicate as a source, which ``flip`` negates."""
        return NativeSource(self.layout.row(operand), flip=int(operand.negated))

    def guard(self, operation: SassOperation) -> tuple[int, bool]:
        """Return the row of the guard and whether it is negated; the row is NONE where the guard always holds.

        The further predicate of a branch takes the place of a guard that always holds.
        """
        guard, further = operation.guard, operation.operands.get("p")
        if operation.row.meaning in ("bra", "exit", "break") and further is not None and guard.holds_always:
            guard = further
        if guard.is_true:
            return (self.rows.zero, False) if guard.negated else (NONE, False)
        return self.layout.row(guard), guard.negated

    def second_guard(self, operation: SassOperation) -> NativeSource | None:
        """Return the further predicate of a branch that has a guard as well, else None."""
        further = operation.operands.get("p")
        if operation.row.meaning not in ("bra", "exit", "break") or further is None:
            return None
        if operation.guard.holds_always or further.holds_always:
            return None
        return self.predicate(further)

    def special_sources(self, operation: SassOperation, meaning: str) -> dict[str, NativeSource]:
        """Return the sources that have no operand field of their own, by letter."""
        row, operands = operation.row, operation.operands
        if row.meaning == "s2r" and meaning in ("mov", "mov2", "warpid"):
            number = operands["S"].index
            return {"b": NativeSource(self._special_row(number), operands["d"].span)}
        if row.meaning == "lepc":
            offset = 2 * f.WORD_BYTES if operation.modifiers["offset"] else 0
            return {"b": NativeSource(self.rows.immediate(operation.address + offset, 0), 2)}
        if row.meaning == "call":
            return {"a": NativeSource(self.layout.row(SassOperand(OperandKind.REGISTER, SECOND_ARGUMENT)), 2)}
        if row.meaning == "ldc" and meaning != "memory":
            place = operands["x"]
            bank, offset = place.index >> 16, place.index & 0xFFFF
            start = self.constant(operation, bank, offset & ~3, place.span)
            return {"b": NativeSource(start, place.span)}
        if meaning == "texture":
            found = {"c": self.source(operation, operands["o"])}
            return found | ({"b": self.source(operation, operands["s"])} if "s" in operands else {})
        if meaning == "shfl":
            return {"b": self.source(operation, operands["n"]), "c": self.source(operation, operands["N"])}
        if meaning == "qspc":
            pair = _pair_of_address(operation, operands["m"])
            return {"a": NativeSource(self.layout.row(pair), 2), "b": NativeSource(Special.CLUSTER_RANK)}
        if meaning == "b2r":
            return {"b": NativeSource(self.layout.result)}
        if meaning in ("bmovclear", "break"):
            return {"b": NativeSource(self.layout.row(operands["Bs" if meaning == "bmovclear" else "B"]))}
        if meaning in ("p2r", "r2p"):
            uniform = operands["a"].kind == OperandKind.UNIFORM
            return {"c": NativeSource(self.layout.uniform_predicates if uniform else self.layout.predicates)}
        return {}

    def _special_row(self, number: int) -> int:
        """Return the row of a special register that does not change."""
        if number == special.SHARED_WINDOW_HIGH:
            return self.rows.immediate(SHARED_WINDOW >> 32)
        if number in special.OF_LAUNCH:
            if self.architecture < special.FIRST_TO_RESERVE:
                raise UnsupportedOperation(f"special register {special.SPECIAL_REGISTERS[number]}")
            return self.rows.constant(OF_SPECIAL_REGISTERS, 4 * special.OF_LAUNCH.index(number), 1)
        return SPECIAL_ROWS.get(number, self.rows.zero)

    def results(self, operation: SassOperation) -> dict[str, tuple[int, int]]:
        """Return (first row, number of rows) of each destination by its letter."""
        operands = operation.operands
        results = {}
        for letter in "deuv":
            operand = operands.get(letter)
            if operand is None or (letter not in "de" and operand.is_true):
                continue
            results[letter] = (self.layout.destination(operand), operand.span)
        if operation.row.name == "LDGSTS":
            results["d"] = (self.layout.staging, COPIED_WORDS)
        if operation.row.meaning == "call":
            results["d"] = (self.layout.row(SassOperand(OperandKind.REGISTER, FIRST_ARGUMENT)), 1)
        if operation.row.meaning in ("bssy", "bmov"):
            row = self.layout.row(operands["Bd" if operation.row.meaning == "bmov" else "B"])
            results |= {"d": (row, 1), "u": (row + 1, 1)}
        return results

    def access(self, operation: SassOperation, address: SassOperand, space: Space) -> AccessRows:
        """Return the rows and the offset that the address of a memory access is the sum of."""
        if address.kind == OperandKind.CONSTANT:
            start = self.kernel.bank_starts[address.index >> 16]
            assert address.uniform is not None
            register = self.layout.row(SassOperand(address.indexed_by, address.uniform))
            return AccessRows(register, NONE, start + address.offset, address.span)
        register = self.rows.zero if address.index == f.RZ else self.layout.row(address)
        uniform = NONE if address.uniform is None else self.layout.uniform + address.uniform
        offset = address.offset - (self.shared_base if space == Space.SHARED else 0)
        return AccessRows(register, uniform, offset, address.span)

    def copy_target(self, operation: SassOperation) -> CopyTarget | None:
        """Return the place in shared memory that an asynchronous copy writes to."""
        target = operation.operands.get("y")
        if target is None:
            return None
        row = self.rows.zero if target.index == f.RZ else self.layout.row(target)
        bypasses, is_sized = not operation.modifiers["bypass"], bool(operation.modifiers["zfill"])
        return CopyTarget(row, target.offset - self.shared_base, bypasses, is_sized)

    def members(self, operation: SassOperation) -> int:
        """Return the row with the mask of lanes that a barrier of the warp waits for."""
        if operation.row.meaning == "bsync":
            return self.layout.row(operation.operands["B"])
        if "b" in operation.operands:
            return self.row(operation, operation.operands["b"])
        return self.rows.immediate(operation.operands["i"].index if "i" in operation.operands else ALL_ONES)
