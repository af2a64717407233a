"""Compute the numbers beside the names of the views on the headers of the stage; '' where a step has none."""

from __future__ import annotations

from warpview.isa.types import Space
from warpview.sim.rules.access import GlobalAccess, SharedAccess
from warpview.ui.views.context import FrameContext


def active_lanes(context: FrameContext) -> str:
    """Return the active lanes of the selected warp: "16/32"."""
    warp = context.warp
    return f"{warp.mask.bit_count()}/32" if warp is not None and warp.mask else ""


def conflict(context: FrameContext) -> str:
    """Return the degree of the bank conflict: "2-way"."""
    access = context.frame.access
    return f"{access.degree}-way" if isinstance(access, SharedAccess) and access.degree > 1 else ""


def bytes_used(context: FrameContext) -> str:
    """Return the share of the moved bytes that the access uses: "50 %"."""
    access, addresses = context.frame.access, context.frame.addresses
    if not isinstance(access, GlobalAccess) or addresses is None or addresses.space != Space.GLOBAL:
        return ""
    return f"{100 * access.bytes_used / access.bytes_moved:.3g} %" if access.bytes_moved else ""


def waiting_warps(context: FrameContext) -> str:
    """Return the warps of the block that wait at a barrier: "3 wait"."""
    block = context.selection.block
    waiting = sum(bool(warp.at_barrier) for warp in context.frame.warps if warp.block == block)
    return f"{waiting} wait" if waiting else ""


def occupancy(context: FrameContext) -> str:
    """Return the occupancy of a multiprocessor: "83 %"."""
    return f"{100 * context.run.occupancy.fraction:.0f} %"


def findings(context: FrameContext) -> str:
    """Return how many findings the run has: "1 finding"."""
    count = len(context.run.findings)
    return f"{count} finding{'s' if count != 1 else ''}" if count else ""
