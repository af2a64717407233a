"""Decode instructions of NVIDIA's machine code to INSTRUCTION records."""

from __future__ import annotations

from warpview.isa.native import BarrierCounts, BulkCopy, NativeInstruction, NativeSource, SpecialAtomic
from warpview.isa.ops import BLOCK_BARRIERS, MEMORY_OPS, Op, OpKind
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import FULL, Space, Type
from warpview.sim.jit.access_kinds import ATOMIC, READ, WRITE
from warpview.sim.jit.native_numbers import SPECIAL, action_number
from warpview.sim.jit.state import ROW32

LETTERS = "abc"
INDIRECT_GUARD = -2  # of ``guard2``: the lanes that differ from those of a uniform register (BRA.DIV)


def native_fields(ins: Instruction, native: NativeInstruction) -> dict[str, int]:
    """Return the fields of the record beyond those that every instruction has."""
    fields = dict.fromkeys(("a", "b", "c", "d", "e", "u", "v", "p", "q", "r"), NONE)
    for letter in LETTERS:
        fields |= _source(letter, native.sources.get(letter, NativeSource(0)))
        if letter not in native.sources:
            fields[letter] = 0
    for letter in "pqr":
        source = native.predicates.get(letter, NativeSource(0))
        fields |= {letter: source.row * ROW32, f"{letter}_flip": FULL if source.flip else 0}
    for letter, (row, _) in native.results.items():
        fields["dst" if letter == "d" else letter] = row * ROW32
    fields["d"] = fields.get("dst", 0)
    if "z" in native.sources:  # the metadata of a sparse matrix
        fields["e"] = native.sources["z"].row * ROW32
    if ins.op in MEMORY_OPS:
        fields |= _memory(ins, native)
    elif ins.op in BLOCK_BARRIERS:
        rows = [row * ROW32 for row in ins.srcs] + [NONE] * 2
        fields["a_flip"] = fields["p_flip"]  # of a reduction
        fields |= {"a": rows[0], "b": rows[1], "dst": ins.dst * ROW32 if ins.dst != NONE else NONE}
    return fields | {
        "native": 1,
        "shared_base": native.shared_base,
        "action": _action(native),
        "variant": _number(native),
        "imm": native.imm,
        "extra": native.extra,
        "widen": FULL if native.is_uniform else 0,
        "members": ins.srcs[-1] * ROW32 if ins.op == Op.WARPSYNC else NONE,
        **_second_guard(native),
    }


def _source(letter: str, source: NativeSource) -> dict[str, int]:
    return {letter: source.row * ROW32, f"{letter}_keep": source.keep, f"{letter}_flip": source.flip}


def _memory(ins: Instruction, native: NativeInstruction) -> dict[str, int]:
    """Return rows of the address and of the values; see ``memory.lane_addresses``."""
    rows = [row * ROW32 for row in ins.srcs] + [NONE] * 3
    return {
        "a": rows[0],
        "b": rows[1],
        "c": rows[2],
        "dst": NONE if ins.dst == NONE else ins.dst * ROW32,
        "uniform": NONE if native.uniform_row == NONE else native.uniform_row * ROW32,
        "wide_address": 2 if native.extended_address else int(native.wide_address),
        "address_shift": native.address_shift,
        "row_bytes": ROW32,
        "matrices": native.matrices,
        "transposed": int(native.transposed),
        "is_serial": int(native.is_serial),
    }


# The operands that a record has not, but where it is said.
_ABSENT = dict.fromkeys(("a", "b", "c", "d", "u", "v", "dst", "guard", "guard2", "uniform", "target"), NONE)


def copy_target_fields(ins: Instruction, native: NativeInstruction) -> dict[str, int]:
    """Return the fields of the record of the store that an LDGSTS makes of what it has loaded."""
    register, offset, bypasses, is_sized = native.copy_target
    return _ABSENT | {
        "native": 1, "kind": OpKind.MEMORY, "op": Op.ST, "type": ins.type, "space": Space.SHARED, "a": register * ROW32,
        "b": ins.dst * ROW32, "imm": offset, "vec": ins.vec, "width": ins.width, "size": ins.type.bytes,
        "row_bytes": ROW32, "bypasses": int(bypasses), "is_sized": int(is_sized),
    }  # fmt: skip


def bulk_fields(bulk: BulkCopy, shared_base: int) -> list[dict[str, int]]:
    """Return the fields of the records of a bulk copy: see ``sim/jit/bulk.py``."""
    staging, words = bulk.staging * ROW32, bulk.width // 4
    shared = _ABSENT | {"native": 1, "kind": OpKind.MEMORY, "row_bytes": ROW32, "shared_base": shared_base}
    plain = shared | {"type": Type.U32, "vec": words, "width": bulk.width, "size": 4}
    load = plain | {"op": Op.LD, "space": bulk.source, "dst": staging, "global_access": READ}
    change = plain | {"op": Op.ST, "space": bulk.target, "b": staging, "global_access": WRITE}
    if bulk.words:
        change["b"] = bulk.data * ROW32
    if bulk.reduction >= 0:
        change |= {
            "op": Op.RED, "type": bulk.type, "vec": 1, "size": bulk.type.bytes, "is_signed": int(bulk.type.is_signed),
            "mod": bulk.reduction, "extra": bulk.pairs, "global_access": ATOMIC, "strong": 1,
        }  # fmt: skip
    completion = shared | {
        "op": Op.MBARRIER, "type": Type.U64, "vec": 1, "width": 8, "size": 8, "space": Space.SHARED, "b": staging,
        "mod": BarrierCounts.COMPLETE, "extra": SpecialAtomic.COUNT,
    }  # fmt: skip
    return [load, change, completion]


def _action(native: NativeInstruction) -> int:
    try:
        return action_number(native.meaning, native.variant)
    except KeyError:
        return SPECIAL.index("nop")


def _number(native: NativeInstruction) -> int:
    """Return the variant as a number, for the actions that take it so."""
    if native.meaning == "bsync":
        return 1
    number = 0
    for value in native.variant:
        number = number << 1 | int(value) if native.meaning == "match" else int(value)
    return number


def _second_guard(native: NativeInstruction) -> dict[str, int]:
    second = native.second_guard
    if second is None:
        return {"guard2": NONE, "guard2_flip": 0}
    return {"guard2": second.row * ROW32, "guard2_flip": FULL if second.flip else 0}
