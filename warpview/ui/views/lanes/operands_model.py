"""Model an instruction's operands and its result: their values in the 32 lanes, their names and signs. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from numpy.typing import NDArray

from warpview.isa.native import NativeInstruction
from warpview.isa.ops import Cmp, Op
from warpview.isa.program import NONE, Instruction
from warpview.isa.types import Space, Type
from warpview.trace.frame import Event, Frame, PreviousState
from warpview.trace.register_types import register_types
from warpview.trace.words import operand_words
from warpview.ui.drawing.values import RELATIONS, lane_values, names, number, register_values, shared_arrays
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_masks_model import FULL, is_mask, makes_mask, takes_mask
from warpview.ui.views.lanes.lane_pattern_model import uniform
from warpview.ui.views.lanes.shuffle_model import native_origins, origins_of
from warpview.ui.views.memory.transactions_model import buffers_of

# The sign between the operands, where there is one; else the mnemonic stands before the first.
SIGNS = {
    Op.ADD: "+", Op.SUB: "−", Op.MUL: "×", Op.MULWIDE: "×", Op.MUL24: "×", Op.DIV: "÷", Op.REM: "mod", Op.AND: "and",
    Op.OR: "or", Op.XOR: "xor", Op.SHL: "≪", Op.SHR: "≫",
}  # fmt: skip
PRODUCT_AND_SUM = frozenset({Op.MAD, Op.MADWIDE, Op.FMA, Op.MAD24})


@dataclass(frozen=True)
class OperandRow:
    """Hold one operand over the lanes: its name, the sign before it, its values ([32]) and the lanes that they matter
    for.

    ``before`` are the values of the result before the step, None for a source.
    """

    name: str
    sign: str
    type: Type
    values: NDArray[Any]
    lanes: int
    before: NDArray[Any] | None = None
    mask: bool = False  # a set of lanes
    void: int = 0  # the lanes that take no part but are read from; of a result those in which it is undefined

    @cached_property
    def told(self) -> str | None:
        """Return the one value, or the one sequence, that all lanes hold, in words; None for others and masks."""
        if self.mask or self.lanes != FULL:
            return None
        return uniform(self.values, FULL, partial(number, type_=self.type))


@dataclass(frozen=True)
class Computation:
    """Hold the sources of an instruction and its result. Of a shuffle the value comes last of the sources, and
    ``origins`` are the lanes that each lane reads from; it is empty elsewhere. What a lane gets from one that takes no
    part is undefined (CUDA C++ Programming Guide, warp shuffle functions)."""

    text: str  # as the listing shows it
    event: Event
    sources: tuple[OperandRow, ...]
    results: tuple[OperandRow, ...]
    origins: tuple[int, ...] = ()

    @cached_property
    def undefined(self) -> int:
        """Return the lanes that read from one that takes no part."""
        on = self.event.on
        return sum(1 << lane for lane, origin in enumerate(self.origins) if on >> lane & 1 and not on >> origin & 1)

    def with_undefined(self) -> Computation:
        """Return the same, with what is read from lanes that take no part, and what comes of it, void."""
        if not self.undefined:
            return self
        *others, value = self.sources
        read = sum({1 << origin for lane, origin in enumerate(self.origins) if self.undefined >> lane & 1})
        results = (
            row if row.type is Type.PRED else replace(row, lanes=row.lanes & ~self.undefined, void=self.undefined)
            for row in self.results
        )
        return replace(self, sources=(*others, replace(value, void=read)), results=tuple(results))


def state_before(context: FrameContext) -> Frame | PreviousState:
    """Return the registers before the step; those after it where the block has just begun."""
    frame, event = context.frame, context.frame.event
    assert event is not None
    assert frame.previous is not None
    began = frame.previous.blocks[event.slot // context.launch.warps] != event.block
    return frame if began else frame.previous


def computation(context: FrameContext) -> Computation | None:
    """Return the operands of the instruction issued last; None at step 0 and for one without register operands."""
    frame, event = context.frame, context.frame.event
    if event is None or frame.previous is None:
        return None
    instruction, state = context.program.instructions[event.pc], state_before(context)
    if instruction.native is not None:
        return _native_computation(context, instruction, instruction.native, state)
    signs = _signs(instruction)
    sources = []
    for k, (row, type_) in enumerate(zip(instruction.srcs, instruction.src_types, strict=True)):
        if row == NONE:
            continue
        if instruction.op is Op.TEX and not type_.is_wide and context.program.row_types32[row] is Type.F32:
            type_ = Type.F32  # a coordinate, which the instruction takes as bits
        values = lane_values(state, event.slot, row, type_)
        name = _name(context, instruction, row, type_)
        if k == 0 and instruction.space is not Space.NONE:
            name = f"[{name}]"
        mask = takes_mask(instruction, k) or is_mask(context.program, row, type_)
        name = "mask" if mask and name.isdecimal() else name
        sources.append(OperandRow(name, signs[k] if k < len(signs) else "", type_, values, event.on, mask=mask))
    results = []
    kind = instruction.dst_type
    if kind is not None:
        for row in instruction.result_rows:
            now, before = (lane_values(of, event.slot, row, kind) for of in (frame, state))
            name, mask = _name(context, instruction, row, kind), is_mask(context.program, row, kind, instruction)
            results.append(OperandRow(name, "=", kind, now, event.on, before, mask))
    if not sources and not results:
        return None
    text = names(context.program).text(instruction)
    if instruction.op is not Op.SHFL:
        return Computation(text, event, tuple(sources), tuple(results))
    value, *others = sources
    origins = origins_of(instruction, others[0].values, others[1].values)
    return Computation(text, event, (*others, value), tuple(results), origins).with_undefined()


def undefined_lanes(context: FrameContext) -> int:
    """Return the lanes whose result of the last step is undefined, as a mask."""
    event = context.frame.event
    instruction = context.program.instructions[event.pc] if event is not None else None
    if instruction is None or (instruction.op is not Op.SHFL and getattr(instruction.native, "meaning", "") != "shfl"):
        return 0  # what a computation is made of takes long to find
    found = computation(context)
    return found.undefined if found is not None else 0


def _native_computation(
    context: FrameContext, instruction: Instruction, native: NativeInstruction, state: Frame | PreviousState
) -> Computation | None:
    """Return the registers and predicates that an instruction of machine code reads and writes, by their names."""
    event = context.frame.event
    assert event is not None
    guard = () if instruction.guard == NONE else (instruction.guard,)
    operands = (row for s in native.sources.values() for row in range(s.row, s.row + s.span))
    reads = () if instruction.op is Op.BAR_SYNC else native.reads  # which has a predicate that it does not use
    sources = list(_native_rows(context, state, (*guard, *instruction.srcs, *operands, *reads), False))
    results = list(_native_rows(context, state, native.writes, True))
    if not sources and not results:
        return None
    origins = native_origins(native, state, event.slot)
    if origins:
        last = _register_names(context).get(native.sources["a"].row)
        sources.sort(key=lambda row: row.name == last)  # the value comes last
    text = names(context.program).text(instruction)
    return Computation(text, event, tuple(sources), tuple(results), origins).with_undefined()


def _native_rows(
    context: FrameContext, state: Frame | PreviousState, rows: Iterable[int], is_result: bool
) -> Iterator[OperandRow]:
    """Yield the registers in some rows over the lanes, those of a pair as one, before the step and as results after
    it."""
    frame, event = context.frame, context.frame.event
    assert event is not None
    known = _register_names(context)
    listed = [row for row in dict.fromkeys(rows) if row in known]
    upper = NONE  # the second register of a pair
    for row in listed:
        if row == upper:
            continue
        name, (kind, mask) = known[row], _native_type(context, row, known[row], is_result)
        if kind.is_wide and row + 1 not in listed:
            kind = Type.U32  # half of a pair
        elif kind.is_wide:
            name, upper = f"{name}:{known[row + 1]}", row + 1
        before = register_values(state, event.slot, row, kind)
        if is_result:
            now = register_values(frame, event.slot, row, kind)
            yield OperandRow(name, "=", kind, now, event.on, before, mask)
        else:
            yield OperandRow(name, "", kind, before, event.on, mask=mask)


def _native_type(context: FrameContext, row: int, name: str, is_result: bool) -> tuple[Type, bool]:
    """Return the type of what the last step reads from, or writes to, a register of machine code, and whether that is a
    set of lanes."""
    event = context.frame.event
    assert event is not None
    instruction = context.program.instructions[event.pc]
    if name.lstrip("U").startswith("P"):
        return Type.PRED, False
    if name.startswith("B") or (is_result and makes_mask(instruction)):
        return Type.U32, True
    element = _accessed_type(context)
    if element is not None and (is_result or row in instruction.srcs[1:]):
        return element, False
    return register_types(context.program).of(event.pc, row, is_result), False


def _register_names(context: FrameContext) -> dict[int, str]:
    """Return the names of the registers of machine code by their rows."""
    native = context.program.native
    assert native is not None
    return {row: name for name, row in native.registers.items()}


def _accessed_type(context: FrameContext) -> Type | None:
    """Return the type of the elements that a load or a store of machine code accesses in a buffer, if each of them has
    registers of its own; None where it is not known."""
    where, event = context.frame.addresses, context.frame.event
    if where is None or event is None or not where.mask:
        return None
    address = int(where.address[(where.mask & -where.mask).bit_length() - 1])
    if where.space is Space.SHARED:
        held = [array for array in shared_arrays(context.program) if array.offset <= address]
        element = max(held, key=lambda array: array.offset).type if held else None
    else:
        buffer = buffers_of(context).of(address)
        element = None if buffer is None else buffer.element
    return element if element is not None and element.bytes >= 4 and where.width >= element.bytes else None


def _signs(instruction: Instruction) -> tuple[str, ...]:
    if instruction.op in PRODUCT_AND_SUM:
        return "", "×", "+"
    if instruction.op is Op.SETP:
        return "", RELATIONS.get(Cmp(instruction.mod), "?")
    return "", SIGNS.get(instruction.op, ""), "", ""


def _name(context: FrameContext, instruction: Instruction, row: int, type_: Type) -> str:
    """Return the name in the source, or else the one in the listing."""
    words = operand_words(context.program, instruction, row, type_).strip("`")
    return words or names(context.program).operand(row, type_)
