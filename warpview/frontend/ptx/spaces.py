"""Lower the question which memory a generic address lies in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpview.frontend.ir import const
from warpview.frontend.passes.infer_spaces import WINDOWS
from warpview.frontend.ptx.memory import SPACES
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.ops import Cmp, Op
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_SHIFT = 40  # generic addresses of the spaces differ in the bits above


def is_in_space(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower isspacep: the upper half of a generic address tells."""
    space = next((SPACES[m] for m in ins.modifiers if m in SPACES), None)
    if space is None:
        low.refuse(f"'{ins.name}'")
    upper = low.emit(Op.SHR, Type.U64, low.read(ins.operands[1], Type.U64), const(Type.U32, _SHIFT))
    window = const(Type.U64, WINDOWS.get(space, 0) >> _SHIFT)
    low.write(ins.operands[0], low.emit(Op.SETP, Type.U64, upper, window, mod=Cmp.EQ))
