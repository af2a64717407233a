"""Hold what a program advises for the pages of its managed memory: where they should lie, and who uses them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PAGE = 4096  # bytes for which advice is kept
HOST, NOWHERE = -1, -2  # cudaCpuDeviceId and cudaInvalidDeviceId


@dataclass(frozen=True)
class Advice:
    """Hold the advice for each page of an allocation."""

    read_mostly: NDArray[np.bool_]
    preferred: NDArray[np.int64]
    prefetched: NDArray[np.int64]
    accessed_by: dict[int, NDArray[np.bool_]]

    @classmethod
    def none(cls, pages: int) -> Advice:
        """Return what holds before anything is advised."""
        nowhere = np.full(pages, NOWHERE)
        users = {place: np.zeros(pages, np.bool_) for place in (0, HOST)}
        return cls(np.zeros(pages, np.bool_), nowhere, nowhere.copy(), users)
