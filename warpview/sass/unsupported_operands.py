"""Refuse operations whose operands ask for more than the meaning of their opcode does."""

from __future__ import annotations

from warpview.sass import fields as f
from warpview.sass.matrices import pieces_of_metadata
from warpview.sass.modifiers import ATOMIC_OPS
from warpview.sass.operand_rows import UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation

LANES_OF_METADATA = 4  # neighbours, of which some have the metadata of a sparse matrix


def refuse_unsupported_operands(operation: SassOperation) -> None:
    """Raise ``UnsupportedOperation`` where operands ask for more than the meaning of their opcode does."""
    m, operands, meaning = operation.modifiers, operation.operands, operation.row.meaning
    beyond = ""
    if meaning == "viaddmnmx" and not m.get("x") and operands["c"].negated:
        beyond = "with a negated limit"
    if meaning == "imad" and not m.get("x") and (operands["a"].negated or operands["b"].negated):
        beyond = "with a negated factor"
    if meaning == "imadwide" and operands["c"].negated and (m["x"] or not operands["u"].is_true):
        beyond = "with a negated operand and a carry"
    if meaning == "lea" and m["hi"] and operands["a"].negated:
        beyond = "with a negated operand"
    if meaning == "i2f" and m["source"] > 1 and m.get("byte") and operands["b"].kind == OperandKind.REGISTER:
        beyond = "of a part of a register"
    if meaning in ("vabsdiff", "vabsdiff4") and not operands["u"].is_true:
        beyond = "with a predicate"
    if meaning == "vabsdiff4" and not m["acc"] and not operands["c"].is_zero:
        beyond = "with a sum"
    if meaning == "imad" and not operands["u"].is_true:
        beyond = "with a carry out"
    if operation.row.name == "ATOMG" and not operands["u"].is_true:
        beyond = "with a predicate"
    is_exchange = "t" in operands or m.get("atomic") == ATOMIC_OPS.index(".EXCH")
    if operation.mnemonic.split(".STRONG")[0].endswith(".128") and "type" in m and not is_exchange:
        beyond = "that is no exchange"
    told = [operands[k] for k in "uv" if k in operands]
    if meaning == "imnmx" and m["signed"] > 3 and not all(operand.is_true for operand in told):
        beyond = "with a predicate"
    if m.get("turned") and operands["b"].swizzle != f.TURNED:
        beyond = "with another choice of halves"
    if m.get("sum") in (2, 4) and "16" not in operation.mnemonic:
        beyond = "of floats"
    if meaning == "imnmxwide" and not (
        all(operands[k].is_true for k in "uv") and operands["q"].is_true and operands["q"].negated
    ):
        beyond = "with a predicate"
    if meaning == "iadd3wide" and not all(operands[k].is_true for k in "uv" if k in operands):
        beyond = "with a carry out"
    if meaning == "flo" and not operands["u"].is_true:
        beyond = "with a predicate"
    if "Z" in operands and (operands["Z"].index + 1) * pieces_of_metadata(meaning, m) > LANES_OF_METADATA:
        beyond = f"with metadata of lane {operands['Z'].index}"
    if beyond:
        raise UnsupportedOperation(f"{operation.mnemonic} {beyond}")
