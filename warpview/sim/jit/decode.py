"""Decode a program to the array of instructions that the jitted core executes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.matrices import PRODUCTS
from warpview.isa.native import ANY_LANE, NativeInstruction
from warpview.isa.ops import ATOMIC_OPS, MATRIX_OPS, MemoryScope, Op, OpKind
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.textures import TextureOperation
from warpview.isa.types import Space, Type
from warpview.sim.checks.integer_traps import traps
from warpview.sim.checks.intervals import ordered_loads
from warpview.sim.checks.strong_accesses import is_strong
from warpview.sim.jit.access_kinds import ATOMIC, READ, WRITE
from warpview.sim.jit.actions import NARROW, NUMBERS, action
from warpview.sim.jit.native_decode import SPECIAL, bulk_fields, copy_target_fields, native_fields
from warpview.sim.jit.state import INSTRUCTION, ROW32, ROW64, STRING, WIDE, WORD

_CONTROL = {"ret": OpKind.INDIRECT, "yield": OpKind.YIELD}


def _global_access(ins: Instruction) -> int:
    """Return the kind of an access of global memory as the race screen has it. Volatile accesses go with atomics, and
    those that are atomic within a block only are looked into like loads and stores."""
    if ins.op in ATOMIC_OPS:
        return WRITE if ins.scope == MemoryScope.BLOCK else ATOMIC
    if ins.op not in (Op.LD, Op.ST):
        return 0
    if not ins.cached and not (ins.relaxed and ins.scope == MemoryScope.BLOCK):
        return ATOMIC
    return READ if ins.op == Op.LD else WRITE


def _matrix_fields(ins: Instruction, sources: list[int]) -> dict[str, int]:
    """Return the fields by which the actions of machine code find the operands of a matrix instruction."""
    if ins.op == Op.MOVM:
        return {"action": SPECIAL.index("movm")}
    product = PRODUCTS[ins.mod]
    first_of_c = product.a + product.b
    return {
        "action": SPECIAL.index(product.meaning), "variant": product.variant, "b": sources[product.a],
        "c": sources[first_of_c], "d": NONE,
    }  # fmt: skip


@cached_by_identity
def decoded(program: Program, its: bool) -> Decoded:
    """Return a program decoded: once for all its launches (a third of the time of 1,000 small ones)."""
    return Decoded(program, its)


class Decoded:
    """Lay out a program for the jit: ``code`` is an array of INSTRUCTION records; ``values`` must live as long (printf
    arguments). ``its`` says that the device schedules threads independently."""

    def __init__(self, program: Program, its: bool) -> None:
        self._its = its
        self._rows32, self._prints = program.rows32, program.prints
        self.values: list[np.ndarray] = []
        self._ordered_loads = ordered_loads(program)
        self.code = np.zeros(len(program.instructions), dtype=INSTRUCTION)
        for pc, (record, instruction) in enumerate(zip(self.code, program.instructions, strict=True)):
            for name, value in self._fields(instruction).items():
                record[name] = value
            record["is_ordered"] = pc in self._ordered_loads
        for pc, place in program.barrier_places.items():
            self.code["target"][pc] = place
        for pc, trap in traps(program).items():
            self.code["trap"][pc] = trap

    def _offset(self, row: int, type_: Type) -> int:
        """Return the byte offset of a row in the registers of a warp."""
        if row == NONE:
            return NONE
        return self._rows32 * ROW32 + row * ROW64 if type_.is_wide else row * ROW32

    def _fields(self, ins: Instruction) -> dict[str, int]:
        if ins.native is not None:
            return self._native_fields(ins, ins.native)
        kind = ins.info.kind
        sources = [self._offset(r, t) for r, t in zip(ins.srcs, ins.src_types, strict=True)]
        named = dict(zip("abcd", (sources + [NONE] * 4)[:4], strict=True))
        narrow = ins.dst != NONE and ins.info.dst == "t" and ins.type in NARROW
        dst_type = ins.dst_type
        return (
            named
            | {
                "kind": kind,
                "action": self._action(ins) if kind == OpKind.ARITHMETIC else NONE,
                "op": ins.op,
                "type": ins.type,
                "mod": ins.mod,
                "space": ins.space,
                "dst": NONE if dst_type is None else self._offset(ins.dst, dst_type),
                "guard": self._offset(ins.guard, Type.PRED),
                "guard_flip": 0xFFFFFFFF if ins.guard_negated else 0,
                "imm": ins.imm,
                "vec": ins.vec,
                "width": ins.width,
                "target": ins.target,
                # With independent scheduling the lanes that leave a spin loop do not wait for those in it.
                "reconvergence": NONE if self._its and ins.spins else ins.reconvergence,
                "spins": int(ins.spins),
                "read_only": int(ins.read_only),
                "size": ins.type.bytes,
                "is_wide": int(ins.type.is_wide),
                "is_signed": int(ins.type.is_signed),
                "narrow_bits": 8 * ins.type.bytes if narrow else 0,
                "row_bytes": ROW64 if ins.type.is_wide else ROW32,
                "global_access": _global_access(ins),
                "strong": int(is_strong(ins, Space.GLOBAL)),
                "low": 0 if ins.bounds is None else ins.bounds[0],
                "high": 0 if ins.bounds is None else ins.bounds[1],
                "members": sources[-1] if kind == OpKind.COLLECTIVE else NONE,
            }
            | self._listed_values(ins)
            | (_matrix_fields(ins, sources) if ins.op in MATRIX_OPS else {})
            | (self._texture_fields(ins, sources) if ins.op == Op.TEX else {})
        )

    def _native_fields(self, ins: Instruction, native: NativeInstruction) -> dict[str, int]:
        kind = ins.info.kind
        if native.meaning in _CONTROL:
            kind = _CONTROL[native.meaning]
        elif ins.op == Op.BRA and (
            native.second_guard is not None or native.meets is not None or native.imm == ANY_LANE
        ):
            kind = OpKind.NATIVE_BRANCH
        elif kind == OpKind.NATIVE_VECTOR and native.meaning in SPECIAL:
            kind = OpKind.NATIVE_ACTION
        return {
            "kind": kind,
            "op": ins.op,
            "type": ins.type,
            "mod": ins.mod,
            "space": ins.space,
            "dst": NONE,
            "guard": self._offset(ins.guard, Type.PRED),
            "guard_flip": 0xFFFFFFFF if ins.guard_negated else 0,
            "vec": ins.vec,
            "width": ins.width,
            "target": ins.target,
            "reconvergence": NONE,
            "read_only": int(ins.read_only),
            "size": ins.type.bytes,
            "is_signed": int(ins.type.is_signed),
            "global_access": _global_access(ins),
            "strong": int(is_strong(ins, Space.GLOBAL)),
            "meets": NONE if native.meets is None else native.meets.row * ROW32,
            "meets_flip": 0 if native.meets is None else native.meets.flip,
            **native_fields(ins, native),
            **self._copy_target(ins, native),
            **self._printed(native.printed, ins.imm),
            **(self._texture(ins.imm, native.fetched) if native.meaning == "texture" else {}),
        }

    def _texture(self, number: int, rows: Sequence[int]) -> dict[str, int]:
        """Return where the words of a texture instruction lie, and how many of them it reads."""
        return {"variant": TextureOperation.of(number).words, **self._values([[row * ROW32, 0] for row in rows])}

    def _copy_target(self, ins: Instruction, native: NativeInstruction) -> dict[str, int]:
        """Return where the record of the store is that an instruction makes beside its load, if it makes one, or those
        of what a bulk copy does."""
        if native.bulk is not None:
            listed = bulk_fields(native.bulk, native.shared_base)
        elif native.copy_target is not None:
            listed = [copy_target_fields(ins, native)]
        else:
            return {}
        records = np.zeros(len(listed), dtype=INSTRUCTION)
        for record, fields in zip(records, listed, strict=True):
            for name, value in fields.items():
                record[name] = value
        self.values.append(records)
        return {"second_at": records.ctypes.data}

    def _texture_fields(self, ins: Instruction, sources: list[int]) -> dict[str, int]:
        rows = (*ins.srcs[1:], *ins.result_rows)
        return {"action": SPECIAL.index("texture"), "c": sources[0], **self._texture(ins.imm, rows)}

    @staticmethod
    def _action(ins: Instruction) -> int:
        act = action(ins.op, ins.type, ins.stype, ins.mod)
        if act not in NUMBERS:
            raise ValueError(f"there is no {ins.info.mnemonic}.{ins.type}")
        return NUMBERS[act]

    def _listed_values(self, ins: Instruction) -> dict[str, int]:
        """Return where the operands of a printf are kept, or those of a product of matrices."""
        if ins.op == Op.PRINTF:
            return self._printed([(self._offset(row, type_), type_) for row, type_ in ins.extra], ins.imm)
        listed = zip(ins.srcs, ins.src_types, strict=True) if ins.op == Op.MMA else ins.extra
        return self._values([[self._offset(row, type_), int(type_.is_wide)] for row, type_ in listed])

    def _printed(self, places: Sequence[tuple[int, Type]], number: int) -> dict[str, int]:
        """Return where the values that a call of printf prints are kept."""
        return self._values(
            [
                [at, STRING if self._prints[number].is_string(k, type_) else WIDE if type_.is_wide else WORD]
                for k, (at, type_) in enumerate(places)
            ]
        )

    def _values(self, rows: list[list[int]]) -> dict[str, int]:
        """Return where the places of values are kept: (byte of a register or buffer, WORD, WIDE or STRING)."""
        values = np.array(rows, dtype=np.int64).reshape(-1, 2)
        self.values.append(values)
        return {"values_at": values.ctypes.data, "n_values": len(values)}
