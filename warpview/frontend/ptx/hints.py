"""Lower what PTX tells caches and the launch of the next kernel: hints change no value, and become nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpview.frontend import features
from warpview.frontend.ir import const
from warpview.frontend.ptx.syntax import PtxInstruction
from warpview.isa.types import Type

if TYPE_CHECKING:
    from warpview.frontend.ptx.lowering import PtxCall

_CACHE_HINT = "L2::cache_hint"
_PREFETCHED = frozenset({"global", "local", "L1", "L2", "L2::evict_last", "L2::evict_normal"})
_DEPENDENCES = (("wait",), ("launch_dependents",))


def without_policy(ins: PtxInstruction) -> PtxInstruction:
    """Return an access without the policy by which its lines stay in the L2 cache, its last operand."""
    if _CACHE_HINT not in ins.modifiers:
        return ins
    modifiers = tuple(modifier for modifier in ins.modifiers if modifier != _CACHE_HINT)
    return replace(ins, modifiers=modifiers, operands=ins.operands[:-1])


def prefetch(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower prefetch to nothing: it changes no value, and the caches here hold only what is accessed."""
    if not _PREFETCHED.issuperset(ins.modifiers):
        low.refuse(f"'{ins.name}'")
    low.require(features.PREFETCHES)


def make_policy(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower createpolicy: accesses alone read what it makes, and leave it alone here."""
    low.require(features.CACHE_POLICIES)
    low.write(ins.operands[0], const(Type.U64, 0))


def manage_lines(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower discard, after which memory may still hold what it held, and applypriority to nothing."""
    low.require(features.CACHE_POLICIES)


def depend(low: PtxCall, ins: PtxInstruction) -> None:
    """Lower griddepcontrol to nothing: a kernel begins here when those before it are done."""
    if ins.modifiers not in _DEPENDENCES:
        low.reject(f"'{ins.name}'")
    low.require(features.CLUSTERS)
