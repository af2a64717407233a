"""Compute the numbers beside the names of the views on the headers of the stage."""

from __future__ import annotations

from collections.abc import Callable

from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.ui.views.context import FrameContext


def headline(key: str, context: FrameContext) -> str:
    """Return the number of the view ``key`` at a step, such as "16/32"; '' where it has none, or hides it."""
    found = _HEADLINES.get(key)
    return found(context) if found is not None and not context.predicting else ""


def _active_lanes(context: FrameContext) -> str:
    warp = context.warp
    return f"{warp.mask.bit_count()}/32" if warp is not None and warp.mask else ""


def _conflict(context: FrameContext) -> str:
    access = context.frame.access
    return f"{access.degree}-way" if isinstance(access, SharedAccess) and access.degree > 1 else ""


def _bytes_used(context: FrameContext) -> str:
    access, addresses = context.frame.access, context.frame.addresses
    if not isinstance(access, GlobalAccess) or addresses is None or addresses.space != Space.GLOBAL:
        return ""
    return f"{100 * access.bytes_used / access.bytes_moved:.3g} %" if access.bytes_moved else ""


def _waiting_warps(context: FrameContext) -> str:
    block = context.selection.block
    waiting = sum(bool(warp.at_barrier) for warp in context.frame.warps if warp.block == block)
    return f"{waiting} wait" if waiting else ""


def _occupancy(context: FrameContext) -> str:
    return f"{100 * context.run.occupancy.fraction:.0f} %"


def _findings(context: FrameContext) -> str:
    count = len(context.run.findings)
    return f"{count} finding{'s' if count != 1 else ''}" if count else ""


_HEADLINES: dict[str, Callable[[FrameContext], str]] = {
    "divergence": _active_lanes, "shared": _conflict, "global": _bytes_used, "barrier": _waiting_warps,
    "occupancy": _occupancy, "console": _findings,
}  # fmt: skip
