"""Count the bits of lane masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS_OF_BYTE = np.array([bin(b).count("1") for b in range(256)], dtype=np.uint8)


def popcount(masks: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the number of set bits of each 32-bit mask, in the shape of ``masks``."""
    words = np.ascontiguousarray(masks, dtype=np.uint32)
    return np.asarray(_BITS_OF_BYTE[words.view(np.uint8)].reshape(*words.shape, 4).sum(axis=-1), dtype=np.uint8)
