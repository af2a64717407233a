"""Tell from which lane each lane of a shuffle reads, and draw the ways of the values. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.isa.native import NativeInstruction
from warpview.isa.ops import ShflMode
from warpview.isa.program import Instruction
from warpview.isa.shuffles import native_shuffle_source, shuffle_source
from warpview.trace.frame import Frame, PreviousState
from warpview.ui.drawing.columns import LaneColumns
from warpview.ui.drawing.picture import Picture
from warpview.ui.drawing.values import lanes_of
from warpview.ui.views.lanes.access_lanes_model import draw_way


def origins_of(instruction: Instruction, operand: NDArray[Any], segment: NDArray[Any]) -> tuple[int, ...]:
    """Return the lane that each lane of a shuffle reads from, by its operands: which one it asks, and the width."""
    asked, width = (values.view(np.uint32).tolist() for values in (operand, segment))
    return _or_own(shuffle_source(ShflMode(instruction.mod), lane, asked[lane], width[lane]) for lane in range(32))


def native_origins(native: NativeInstruction, state: Frame | PreviousState, slot: int) -> tuple[int, ...]:
    """Return the lane that each lane of a shuffle of machine code reads from; empty for another instruction."""
    if native.meaning != "shfl":
        return ()
    asked, clamp = (np.asarray(state.registers32[slot, native.sources[letter].row]).tolist() for letter in "bc")
    mode = int(native.variant[0])
    return _or_own(native_shuffle_source(mode, lane, asked[lane] & 31, clamp[lane]) for lane in range(32))


def _or_own(sources: Iterable[int | None]) -> tuple[int, ...]:
    """Return the lanes read from, a lane's own where what it asks for lies beyond."""
    return tuple(lane if source is None else source for lane, source in enumerate(sources))


def draw_shuffle(
    picture: Picture, columns: LaneColumns, origins: tuple[int, ...], on: int, top: float, bottom: float,
    selected: int | None,
) -> None:  # fmt: skip
    """Draw the way of each value from the lane that holds it to the lane that reads it; one that takes no part gives
    none."""
    width = max(1.4, 0.11 * picture.unit)
    for lane in sorted(lanes_of(on), key=lambda lane: lane == selected):
        token, thick = ("accent", 2.2 * width) if lane == selected else ("active", width)
        token = token if on >> origins[lane] & 1 else "error"
        draw_way(picture, columns, origins[lane], top, columns.centre(lane) - 1, bottom - 1, thick, token)
