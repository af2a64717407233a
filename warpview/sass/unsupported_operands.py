"""Refuse operations whose operands ask for more than the meaning of their opcode does."""

from __future__ import annotations

from collections.abc import Callable

from warpview.sass import fields as f
from warpview.sass.matrices import pieces_of_metadata
from warpview.sass.modifiers import ATOMIC_OPS
from warpview.sass.operand_rows import UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation

LANES_OF_METADATA = 4  # neighbours, of which some have the metadata of a sparse matrix
Asks = Callable[[SassOperation], bool]


def _negates(*letters: str) -> Asks:
    return lambda operation: any(operation.operands[letter].negated for letter in letters)


def _tells(*letters: str) -> Asks:
    """Return whether an operation writes any of these predicates, as far as it has them."""
    return lambda operation: not all(operation.operands[k].is_true for k in letters if k in operation.operands)


def _both(one: Asks, other: Asks) -> Asks:
    return lambda operation: one(operation) and other(operation)


def _without_carry(operation: SassOperation) -> bool:
    return not operation.modifiers.get("x")


def _carries(operation: SassOperation) -> bool:
    return bool(operation.modifiers["x"]) or not operation.operands["u"].is_true


def _takes_part(operation: SassOperation) -> bool:
    m = operation.modifiers
    return m["source"] > 1 and bool(m.get("byte")) and operation.operands["b"].kind == OperandKind.REGISTER


def _adds_and_tells(operation: SassOperation) -> bool:
    """Return whether a minimum of 64 bits does more than choose the lower one, or tells which it was."""
    chosen = operation.operands["q"]
    return _tells("u", "v")(operation) or not (chosen.is_true and chosen.negated)


def _is_wide_atomic(operation: SassOperation) -> bool:
    """Return whether an atomic of 128 bits is no exchange."""
    m = operation.modifiers
    is_exchange = "t" in operation.operands or m.get("atomic") == ATOMIC_OPS.index(".EXCH")
    return operation.mnemonic.split(".STRONG")[0].endswith(".128") and "type" in m and not is_exchange


def _names_other_lane(operation: SassOperation) -> bool:
    """Return whether metadata lie in lanes that a sparse product does not have."""
    lane = operation.operands.get("Z")
    pieces = pieces_of_metadata(operation.row.meaning, operation.modifiers) if lane else 0
    return lane is not None and (lane.index + 1) * pieces > LANES_OF_METADATA


# By the meaning of the opcode: what is too much, in words, and whether an operation asks for it.
OF_MEANINGS: dict[str, tuple[tuple[str, Asks], ...]] = {
    "viaddmnmx": (("with a negated limit", _both(_without_carry, _negates("c"))),),
    "imad": (("with a negated factor", _both(_without_carry, _negates("a", "b"))), ("with a carry out", _tells("u"))),
    "imadwide": (("with a negated operand and a carry", _both(_negates("c"), _carries)),),
    "lea": (("with a negated operand", _both(lambda operation: bool(operation.modifiers["hi"]), _negates("a"))),),
    "i2f": (("of a part of a register", _takes_part),),
    "vabsdiff": (("with a predicate", _tells("u")),),
    "vabsdiff4": (
        ("with a predicate", _tells("u")),
        ("with a sum", lambda operation: not operation.modifiers["acc"] and not operation.operands["c"].is_zero),
    ),
    "imnmx": (("with a predicate", _both(lambda operation: operation.modifiers["signed"] > 3, _tells("u", "v"))),),
    "imnmxwide": (("with a predicate", _adds_and_tells),),
    "iadd3wide": (("with a carry out", _tells("u", "v")),),
    "flo": (("with a predicate", _tells("u")),),
}
OF_ALL: tuple[tuple[str, Asks], ...] = (
    ("with a predicate", _both(lambda operation: operation.row.name == "ATOMG", _tells("u"))),
    ("that is no exchange", _is_wide_atomic),
    (
        "with another choice of halves",
        lambda operation: bool(operation.modifiers.get("turned")) and operation.operands["b"].swizzle != f.TURNED,
    ),
    (
        "of floats",
        lambda operation: operation.modifiers.get("sum") in (2, 4) and "16" not in operation.mnemonic,
    ),
    ("with metadata of another lane", _names_other_lane),
)


def refuse_unsupported_operands(operation: SassOperation) -> None:
    """Raise ``UnsupportedOperation`` where operands ask for more than the meaning of their opcode does."""
    for beyond, asks in (*OF_MEANINGS.get(operation.row.meaning, ()), *OF_ALL):
        if asks(operation):
            raise UnsupportedOperation(f"{operation.mnemonic} {beyond}")
