"""Make totals of a few instructions by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warpview.isa.program import NONE
from warpview.isa.work import Work
from warpview.profile.instruction_traits import InstructionTraits
from warpview.profile.totals import Totals


def totals_of(
    counts: NDArray[np.int64], ops: ArrayLike, spaces: ArrayLike, guards: ArrayLike = NONE, *,
    work: NDArray[np.int64] | None = None, facts: Mapping[str, float] | None = None, copies: ArrayLike = False,
    fetches: ArrayLike = NONE, bulks: ArrayLike = NONE,
) -> Totals:  # fmt: skip
    """Return totals of as many instructions as ``counts`` has rows; one number stands for a trait of all of them."""
    n = len(counts)

    def trait(values: ArrayLike, kind: type[np.generic]) -> NDArray[np.generic]:
        return np.broadcast_to(np.asarray(values, kind), (n,))

    traits = InstructionTraits(
        trait(ops, np.int32), trait(spaces, np.int32), trait(guards, np.int32),
        np.zeros((n, len(Work)), np.int64) if work is None else work,
        trait(copies, np.bool_), trait(False, np.bool_), trait(fetches, np.int8), trait(bulks, np.int8),
    )  # fmt: skip
    return Totals(counts, traits, facts or {})
