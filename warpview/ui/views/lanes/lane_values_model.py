"""Model a variable or register of the selected warp over its 32 lanes, and what the step did to it. Qt-free."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.cached_by_identity import cached_by_identity
from warpview.isa.program import NONE, Instruction, Program, Variable
from warpview.isa.types import Type, small_float
from warpview.trace.frame import Frame, PreviousState, WarpState
from warpview.trace.register_types import register_types
from warpview.ui.drawing.values import bar_ends, decoded, lane_values, names, number, numbers, register_values, scalars
from warpview.ui.views.context import FrameContext
from warpview.ui.views.lanes.lane_masks_model import is_mask
from warpview.ui.views.lanes.lane_pattern_model import pattern
from warpview.ui.views.lanes.operands_model import undefined_lanes


@dataclass(frozen=True, eq=False)
class Strip:
    """Hold one variable over the 32 lanes: its values, texts, which lanes this step changed, and their former texts."""

    name: str
    type: Type
    values: NDArray[Any]  # [32]
    is_mask: bool
    texts: tuple[str, ...]  # '' for a lane beyond the end of the block, '?' where the value is undefined
    changed: int
    before: tuple[str, ...]
    live: int  # lanes that have not exited and whose value is defined
    written: int  # lanes whose value this step wrote, be it the same

    @cached_property
    def pattern(self) -> str | None:
        """Return the pattern of the values in words, of a warp that has ended of those it had; None where they follow
        none."""
        lanes = self.live or sum(1 << lane for lane, text in enumerate(self.texts) if text not in ("", "?"))
        return pattern(self.values, lanes, partial(number, type_=self.type, mask=self.is_mask))

    @property
    def bars(self) -> list[tuple[float, float]]:
        return bar_ends(self.values)

    @property
    def label(self) -> str:
        """Return the name, but for a temporary, which the source does not name: its register is in the hover text."""
        return "result" if self.name.startswith("%") else self.name

    @property
    def uniform(self) -> bool:
        """Return whether all lanes hold one value, and the step did not change it in some of them only."""
        return len({*self.texts} - {""}) == 1 and self.changed in (0, self.live)


def chosen_variable(program: Program, pc: int | None, name: str | None) -> Variable | None:
    """Return the variable named, or the one that the instruction at ``pc`` writes, as far as the source names it."""
    here = program.instructions[pc] if pc is not None and 0 <= pc < len(program.instructions) else None
    visible = scalars(program, here.span.line if here else None)
    if name is not None:
        return next(
            (v for v in visible if v.name == name), next((v for v in program.variables if v.name == name), None)
        )
    if pc is None or here is None or here.dst == NONE or here.dst_type is None:
        return None
    if here.native is not None:
        kind = register_types(program).of(pc, here.dst, True)
        return Variable(names(program).operand(here.dst, here.dst_type), str(kind), kind, here.dst)
    wide = here.dst_type.is_wide
    named = next((v for v in visible if v.row == here.dst and v.type.is_wide == wide), None)
    if named is not None:
        return named
    return Variable(names(program).operand(here.dst, here.dst_type), str(here.dst_type), here.dst_type, here.dst)


def strip(context: FrameContext, variable: Variable | None) -> Strip | None:
    """Return a variable of the selected warp over its lanes, and what this step did to it."""
    warp = context.warp
    if warp is None or variable is None or variable.row == NONE:
        return None
    values = _values(context, context.frame, warp.slot, variable)
    changed, written, void, before = 0, 0, 0, [""] * 32
    event = context.frame.event
    if event is not None and context.event_is_selected and _writes(context.program.instructions[event.pc], variable):
        if context.predicting and variable not in context.program.variables:
            return None  # a temporary, or a register of machine code, is nothing but the result
        if context.predicting:  # the values before, for the new ones are the answer
            values = _before(context, warp, variable, values)
        else:
            written, void = event.on, undefined_lanes(context)
            changed, before = _changes(context, warp, variable, values, written)
    mask, kind = _is_mask(context, variable), _shown_type(variable)
    there = min(32, context.launch.threads - 32 * warp.warp)
    texts = (*numbers(values[:there], kind, mask), *[""] * (32 - there))
    texts = tuple("?" if void >> lane & 1 else text for lane, text in enumerate(texts))
    live = ~warp.exited & ~void & 0xFFFFFFFF
    return Strip(variable.name, kind, values, mask, texts, changed, tuple(before), live, written)


def _is_mask(context: FrameContext, variable: Variable) -> bool:
    event = context.frame.event
    by = context.program.instructions[event.pc] if event is not None and context.event_is_selected else None
    return is_mask(context.program, variable.row, variable.type, by)


def _writes(instruction: Instruction, variable: Variable) -> bool:
    if instruction.native is not None:
        return variable.row in instruction.native.writes
    kind = instruction.dst_type
    return kind is not None and variable.row in instruction.result_rows and kind.is_wide == variable.type.is_wide


def _before(context: FrameContext, warp: WarpState, variable: Variable, now: NDArray[Any]) -> NDArray[Any]:
    """Return the values one step before; those of now where the warp was not yet there."""
    before = context.frame.previous
    if before is None or before.blocks[warp.slot // context.launch.warps] != warp.block:
        return now
    return _values(context, before, warp.slot, variable)


def _values(context: FrameContext, of: Frame | PreviousState, slot: int, variable: Variable) -> NDArray[Any]:
    """Return the values of a variable of the source, or of a register of machine code."""
    read = lane_values if context.program.native is None else register_values
    return decoded(read(of, slot, variable.row, variable.type), small_float(variable.ctype, variable.type))


def _shown_type(variable: Variable) -> Type:
    """Return the type in which the values of a variable are shown: halves and bfloat16 as float."""
    return Type.F32 if small_float(variable.ctype, variable.type) else variable.type


def _changes(
    context: FrameContext, warp: WarpState, variable: Variable, values: NDArray[Any], written: int
) -> tuple[int, list[str]]:
    before, mask = [""] * 32, _is_mask(context, variable)
    old = _before(context, warp, variable, values)
    if old is values:
        return written, before
    bits = f"u{values.itemsize}"  # to compare them tells zeros apart, and NaN from itself not
    lanes = np.flatnonzero(old.view(bits) != values.view(bits))
    changed = 0
    for lane, text in zip(lanes.tolist(), numbers(old[lanes], _shown_type(variable), mask), strict=True):
        changed |= 1 << lane
        before[lane] = text
    return changed & written, before


def shown_variables(context: FrameContext, name: str | None) -> tuple[Variable, ...]:
    """Return the variables to show: the one asked for or written, those that the line names, then all others that are
    visible there."""
    event = context.frame.event
    pc = event.pc if event is not None and context.event_is_selected else None
    here = context.warp.pc if pc is None and context.warp is not None and context.warp.pc != NONE else pc
    return _shown(context.program)(pc, here, name)


@cached_by_identity
def _shown(program: Program) -> Callable[[int | None, int | None, str | None], tuple[Variable, ...]]:
    @lru_cache(256)
    def at(pc: int | None, here: int | None, name: str | None) -> tuple[Variable, ...]:
        span = program.instructions[here].span if here is not None else None
        line, text = (span.line, span.source.line(span.line)) if span is not None else (None, "")
        first = chosen_variable(program, pc, name)
        done = -1 if here is None else here - (pc is None)  # the last instruction that may have been executed
        rest = [
            v
            for v in scalars(program, line)
            if (first is None or v.name != first.name) and _may_be_set(program, v, done)
        ]
        named = set(re.findall(r"[^\W\d]\w*", text))
        rest.sort(key=lambda v: v.name not in named)
        return (*([first] if first is not None else []), *rest)

    return at


def _may_be_set(program: Program, variable: Variable, last: int) -> bool:
    """Return whether an instruction up to ``last`` writes the variable. One that none writes is set by the launch."""
    writers = [pc for pc, instruction in enumerate(program.instructions) if _writes(instruction, variable)]
    return not writers or writers[0] <= last
