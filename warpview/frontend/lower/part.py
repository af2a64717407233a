"""Define the base class of the parts of lowering."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpview.frontend.lower.lowering import Lowering


class LoweringPart:
    """Do one part of lowering: the part shares the ``context`` with the others and reaches them through ``low``."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.context = low.context
