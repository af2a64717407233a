"""Build the instructions of a ``Program`` from decoded operations: their meaning, types, sources and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from warpview.diagnostics import Span
from warpview.isa.modes import CopyGroup, NamedBarrier
from warpview.isa.native import BITS_OF_COUNTS, BarrierCounts, BulkCopy, NativeInstruction, NativeSource, SpecialAtomic
from warpview.isa.ops import ATOMIC_OPS, AtomOp, MemoryScope, Op
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space, Type
from warpview.sass import fields as f
from warpview.sass.bulk_operands import bulk_copy
from warpview.sass.meanings import VARIANTS
from warpview.sass.modifiers import registers_of_type
from warpview.sass.operand_rows import AccessRows, OperandRows, UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation
from warpview.sass.operation_meaning import REDUCING, Meaning, PlacedCall, meaning_of, reduction_of
from warpview.sass.texture_operands import texture_words

SIZES = {0: Type.U8, 1: Type.S8, 2: Type.U16, 3: Type.S16, 4: Type.U32, 5: Type.U32, 6: Type.U32}
VECTORS = {5: 2, 6: 4}
ATOMICS = (AtomOp.ADD, AtomOp.MIN, AtomOp.MAX, AtomOp.INC, AtomOp.DEC, AtomOp.AND, AtomOp.OR, AtomOp.XOR, AtomOp.EXCH)
FLOAT_ATOMICS = {2: AtomOp.MIN, 4: AtomOp.MAX}  # by the modifier "sum"; others add
ARRIVING = 1  # mode of BAR, as REDUCING


STRONG_SM = 5  # of the modifier "order": among the threads of a block
CAST_SPIN = 3  # of the modifier "test" of ATOMS
COPIES_DONE = {1: BarrierCounts.ARRIVE_ONCE, 2: BarrierCounts.COMPLETE_ONE}  # by the modifier "done" of ARRIVES
ONE_MORE = {"ATOMS.POPC.INC.32", "ATOMS.ARRIVE", "ARRIVES.LDGSTSBAR", "ARRIVES.LDGSTSBAR.64"}  # atomics without a value
SPECIAL_ATOMICS = {
    "ATOMS.ARRIVE": SpecialAtomic.ARRIVE, "ARRIVES.LDGSTSBAR": SpecialAtomic.ARRIVE,
    "SYNCS.PHASECHK.TRANS64": SpecialAtomic.CHECK, "SYNCS.ARRIVE.TRANS64": SpecialAtomic.COUNT,
    "ARRIVES.LDGSTSBAR.64": SpecialAtomic.COUNT,
}  # fmt: skip


class PreparedOperation(NamedTuple):
    """Hold what of an instruction does not depend on the rows of its registers."""

    operation: SassOperation
    meaning: Meaning
    op: Op
    space: Space
    type: Type
    vec: int
    mod: int
    target: int


class InstructionBuilder:
    """Make the instructions of one kernel, which has ``count`` of them; ``calls`` by address."""

    def __init__(self, operands: OperandRows, count: int, calls: Mapping[int, PlacedCall]) -> None:
        self.operands = operands
        self.count = count
        self.calls = calls

    def prepared(self, operation: SassOperation) -> PreparedOperation:
        """Return what of an instruction is known before registers have rows; its constants get theirs here. Raise
        ``UnsupportedOperation`` where it has no meaning here."""
        m, meaning = operation.modifiers, meaning_of(operation, self.calls)
        if meaning.variant not in VARIANTS.get(meaning.name, ()):
            raise UnsupportedOperation(operation.mnemonic)
        op, space = self._class(operation, meaning.name)
        access = self._access(operation, meaning.name, space)
        if access is not None:
            meaning = replace(meaning, imm=access.offset, extra=int(_special_atomic(operation)))
        if meaning.name == "warpsync":
            meaning = replace(meaning, extra=m.get("kind", 0))
        prepared = PreparedOperation(
            operation, meaning, op, space, *self._type(operation), self._mod(operation), self._target(operation)
        )
        self._meets(prepared)
        self._access_rows(prepared, self._sources(operation, meaning.name), access)
        return prepared

    def instruction(self, prepared: PreparedOperation, span: Span) -> Instruction:
        """Return the instruction for an operation, with the rows of its registers."""
        operation, meaning, op, space, type_, vec, mod, target = prepared
        access = self._access(operation, meaning.name, space)
        sources = self._sources(operation, meaning.name)
        srcs = self._access_rows(prepared, sources, access)
        results = self.operands.results(operation)
        guard, negated = self.operands.guard(operation)
        order = operation.modifiers.get("order", 0)
        return Instruction(
            op=op, type=type_, stype=type_, mod=mod, space=space,
            dst=self._destination(operation, op, results), srcs=srcs, guard=guard, guard_negated=negated,
            imm=operation.modifiers.get("left", meaning.imm), vec=vec, target=target, reconvergence=NONE, span=span,
            scope=MemoryScope.BLOCK if op in ATOMIC_OPS and order == STRONG_SM else MemoryScope.DEVICE,
            read_only=order == 4, cached=order in (0, 4, STRONG_SM),
            native=self._native(prepared, sources, results, srcs, access),
        )  # fmt: skip

    def _native(
        self, prepared: PreparedOperation, sources: Mapping[str, NativeSource],
        results: Mapping[str, tuple[int, int]], srcs: Sequence[int], access: AccessRows | None,
    ) -> NativeInstruction:  # fmt: skip
        operation, meaning = prepared.operation, prepared.meaning
        operands, control = operation.operands, operation.control
        letters = "" if operation.row.meaning in ("bra", "exit") else "pqr"
        predicates = {k: self.operands.predicate(operands[k]) for k in letters if k in operands}
        reads, writes = _scoreboard(sources, predicates, results, srcs, access)
        address, is_bulk = operands.get("m"), meaning.name in ("bulk", "scatter")
        prints = meaning.name == "call"
        return NativeInstruction(
            text=operation.text,
            mnemonic=operation.mnemonic,
            explanation=operation.row.explanation,
            address=operation.address,
            meaning=meaning.name,
            unit=int(operation.row.unit),
            variant=meaning.variant,
            sources=sources,
            predicates=predicates,
            results=results,
            imm=meaning.imm,
            extra=meaning.extra,
            address_shift=0 if address is None else address.scale.bit_length() - 1,
            wide_address=address is not None and address.has_wide_address,
            extended_address=address is not None and address.extended,
            is_uniform=_writes_uniform(operation),
            second_guard=self.operands.second_guard(operation),
            meets=self._meets(prepared),
            uniform_row=NONE if access is None else access.uniform,
            reads=reads,
            writes=writes,
            stall=control.stall,
            yields=control.yields,
            write_barrier=control.writes,
            read_barrier=control.reads,
            waits=control.waits,
            reused=control.reused,
            matrices=1 << operation.modifiers["matrices"] if "matrices" in operation.modifiers else 0,
            transposed=bool(operation.modifiers.get("transposed")),
            # On an H200 only ATOMS.POPC.INC merges the lanes on one word, and ATOMS.CAST.SPIN compares them together.
            is_serial=operation.row.name == "ATOMS" and operation.modifiers.get("test") != CAST_SPIN,
            copy_target=self.operands.copy_target(operation),
            printed=self.calls[operation.address].call.values if prints else (),
            fetched=self._fetched(operation, sources, results) if meaning.name == "texture" else (),
            shared_base=self.operands.shared_base if operation.row.space == Space.GENERIC or is_bulk or prints else 0,
            bulk=self._bulk(operation, sources) if is_bulk else None,
        )

    def _bulk(self, operation: SassOperation, sources: Mapping[str, NativeSource]) -> BulkCopy:
        return bulk_copy(operation, self.operands.layout.staging, sources["s"].row if "s" in sources else NONE)

    @staticmethod
    def _fetched(
        operation: SassOperation, sources: Mapping[str, NativeSource], results: Mapping[str, tuple[int, int]]
    ) -> tuple[int, ...]:
        """Return the rows that a texture instruction reads, and those that it writes, or stores."""
        read = [sources[letter].row + k for letter, k in texture_words(operation)]
        stored = (
            [sources["b"].row + k for k in range(operation.operands["s"].span)] if "s" in operation.operands else []
        )
        given = [results[letter][0] + k for letter in "de" if letter in results for k in range(results[letter][1])]
        return (*read, *stored, *given)

    # ---------------------------------------------------------------------------------------- operands

    def _sources(self, operation: SassOperation, meaning: str) -> dict[str, NativeSource]:
        operands = operation.operands
        if meaning == "mov" and "x" in operands:
            sources = {"b": NativeSource(self.operands.row(operation, operands["x"]))}
        else:
            sources = {k: self.operands.source(operation, operands[k]) for k in "abcstz" if k in operands}
        return sources | self.operands.special_sources(operation, meaning)

    def _access(self, operation: SassOperation, meaning: str, space: Space) -> AccessRows | None:
        """Return the address of a memory access; None for other operations."""
        operands = operation.operands
        address = operands.get("m") or (operands.get("x") if meaning == "memory" else None)
        return None if address is None or meaning == "qspc" else self.operands.access(operation, address, space)

    def _meets(self, prepared: PreparedOperation) -> NativeSource | None:
        """Return the lanes that a branch compares with those that issue it; None for other operations."""
        operation = prepared.operation
        is_branch_on_lanes = prepared.meaning.name == "bra" and "b" in operation.operands
        return self.operands.source(operation, operation.operands["b"]) if is_branch_on_lanes else None

    def _access_rows(
        self, prepared: PreparedOperation, sources: Mapping[str, NativeSource], access: AccessRows | None
    ) -> tuple[int, ...]:
        """Return the rows that the simulator's own instructions read: of an access, a barrier, a reduction."""
        operation, op = prepared.operation, prepared.op
        if access is not None:
            if operation.row.name in ONE_MORE:
                return access.register, self.operands.rows.immediate(1)
            return (access.register, *(sources[k].row for k in "st" if k in sources))
        if op == Op.WARPSYNC:
            return (self.operands.members(operation),)
        if op == Op.BAR_NAMED:
            return tuple(self.operands.row(operation, operation.operands[k]) for k in "nN")
        if op == Op.BAR_RED:
            return (self.operands.layout.row(operation.operands["p"]),)
        return ()

    def _destination(self, operation: SassOperation, op: Op, results: Mapping[str, tuple[int, int]]) -> int:
        """Return the first row that the simulator's own instructions write, or NONE."""
        if operation.row.name == "BAR" and operation.modifiers["mode"] == REDUCING:
            return self.operands.layout.result
        if op == Op.ATOM and "d" not in operation.operands and operation.row.name not in ONE_MORE:
            return results["u"][0] if "u" in results else self.operands.layout.sink
        if op in (Op.RED, Op.ST) or "d" not in results:
            return NONE
        if op in ATOMIC_OPS and operation.operands["d"].is_zero and operation.modifiers.get("test") is None:
            return NONE
        return results["d"][0]

    def _class(self, operation: SassOperation, meaning: str) -> tuple[Op, Space]:
        """Return the operation and the space that memory rules, counters and views know."""
        row = operation.row
        if row.meaning == "ldc" and meaning == "memory":
            return Op.LD, Space.CONST
        if row.name == "BAR":
            return _barrier(operation), row.space
        if row.meaning == "call":
            return self.calls[operation.address].call.op, row.space
        if row.meaning in ("shfl", "vote", "match", "redux", "credux"):
            return Op.NATIVE, row.space
        return row.op, row.space

    @staticmethod
    def _type(operation: SassOperation) -> tuple[Type, int]:
        """Return type and vector width of a memory instruction."""
        m, row = operation.modifiers, operation.row
        if row.meaning not in ("memory", "ldc"):
            return Type.U32, 1
        if row.op == Op.MBARRIER:
            return Type.U64, 1
        if "matrices" in m:
            return Type.U32, 4  # each lane names a row of 16 bytes
        if "copied" in m:
            return Type.U32, 1 << (m["copied"] & 3)
        if "type" in m:
            text = _type_text(operation)
            if text.startswith(".F32"):
                return Type.F32, registers_of_type(text)
            kinds = {"": Type.U32, ".S32": Type.S32, ".64": Type.U64, ".S64": Type.S64, ".F64.RN": Type.F64}
            return (kinds[text], 1) if text in kinds else (Type.U32, registers_of_type(text))  # pairs of halves
        return SIZES[m.get("size", 4)], VECTORS.get(m.get("size", 4), 1)

    @staticmethod
    def _mod(operation: SassOperation) -> int:
        """Return the operation of an atomic or of a barrier's reduction, a fence's scope, or whether a question about a
        phase waits for it; 0 for the rest."""
        row, m = operation.row, operation.modifiers
        if row.op == Op.MEMBAR:
            return (MemoryScope.BLOCK, MemoryScope.BLOCK, MemoryScope.DEVICE, MemoryScope.SYSTEM)[m["scope"]]
        if row.op == Op.CP_ASYNC:
            return CopyGroup.WAIT_GROUP if "left" in m else CopyGroup.COMMIT_GROUP
        if row.name == "BAR":
            if _barrier(operation) == Op.BAR_RED:
                return reduction_of(operation)
            return NamedBarrier.ARRIVE if m["mode"] == ARRIVING else NamedBarrier.SYNC
        if "trywait" in m:
            return m["trywait"]
        if row.op == Op.MBARRIER:
            counts = m.get("counts", 0) | m.get("optout", 0) << BITS_OF_COUNTS
            return COPIES_DONE.get(m.get("done", 0), counts)
        if row.op not in (Op.ATOM, Op.RED):
            return 0
        if "t" in operation.operands:
            return AtomOp.CAS
        return ATOMICS[m["atomic"]] if "atomic" in m else FLOAT_ATOMICS.get(m.get("sum", 0), AtomOp.ADD)

    def _target(self, operation: SassOperation) -> int:
        """Return the index of the instruction that a branch goes to; NONE for other instructions."""
        operand = operation.operands.get("L")
        if operand is None or operation.row.meaning in ("bssy", "warpsync"):
            return NONE
        index = operand.index // f.WORD_BYTES
        if operation.row.meaning == "ret":
            return index
        if operand.index % f.WORD_BYTES or not 0 <= index < self.count:
            raise UnsupportedOperation(f"{operation.mnemonic} to a place outside the kernel")
        return index


def _type_text(operation: SassOperation) -> str:
    """Return the name of the type of an atomic; empty for words and what has none."""
    texts = next((x.texts for x in operation.row.modifiers if x.name == "type"), ("",))
    return texts[operation.modifiers.get("type", 0)] or ""


def _special_atomic(operation: SassOperation) -> SpecialAtomic:
    if operation.modifiers.get("test") == CAST_SPIN:
        return SpecialAtomic.TEST
    if (special_atomic := SPECIAL_ATOMICS.get(operation.row.name)) is not None:
        return special_atomic
    if _type_text(operation) == ".128":
        return SpecialAtomic.TOGETHER
    pairs = {"F16": SpecialAtomic.HALVES, "BF16": SpecialAtomic.BF16}
    return pairs.get(_type_text(operation)[1:].split("x")[0], SpecialAtomic.NONE)


def _barrier(operation: SassOperation) -> Op:
    """Return the kind of a block barrier: that of all threads without a number, a reduction there, or another."""
    is_first = all(o.kind == OperandKind.IMMEDIATE and o.index == 0 for o in map(operation.operands.get, "nN") if o)
    if not is_first or operation.modifiers["mode"] == ARRIVING:
        return Op.BAR_NAMED
    return Op.BAR_RED if operation.modifiers["mode"] == REDUCING else Op.BAR_SYNC


def _scoreboard(
    sources: Mapping[str, NativeSource], predicates: Mapping[str, NativeSource],
    results: Mapping[str, tuple[int, int]], srcs: Sequence[int], access: AccessRows | None,
) -> tuple[tuple[int, ...], tuple[int, ...]]:  # fmt: skip
    """Return the rows that an instruction reads, and those that it writes."""
    reads = {source.row + k for source in sources.values() for k in range(source.span)}
    reads |= {source.row for source in predicates.values()} | set(srcs)
    if access is not None:
        reads |= {access.register + k for k in range(access.span)}
    writes = {first + k for first, span in results.values() for k in range(span)}
    return tuple(sorted(reads)), tuple(sorted(writes))


def _writes_uniform(operation: SassOperation) -> bool:
    """Return whether the results belong to the warp rather than to a lane."""
    first = next((word for word in operation.row.operands if word != "u"), "")
    return first.startswith("u")
