"""Compare an array with its expected values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]
# Rounding errors that are allowed where no tolerance is given, relative to values above 1 and absolute below.
TOLERANCES = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-4, np.dtype(np.float16): 1e-2}


def differing(found: Array, wanted: Array, tolerance: float | None) -> NDArray[np.bool_]:
    """Return which elements differ by more than the tolerance, bool[n]; a NaN is as good as another."""
    if tolerance is None:
        tolerance = TOLERANCES.get(found.dtype.newbyteorder("="), 0.0) if found.dtype.kind == "f" else 0.0
    same = found == wanted
    if "f" in found.dtype.kind + wanted.dtype.kind:
        a, b = found.astype(np.float64), wanted.astype(np.float64)
        same |= np.isnan(a) & np.isnan(b)
        with np.errstate(all="ignore"):
            same |= np.abs(a - b) <= tolerance * np.maximum(1.0, np.abs(b))
    elif tolerance:
        a, b = found.astype(np.float64), wanted.astype(np.float64)
        same |= np.abs(a - b) <= tolerance * np.maximum(1.0, np.abs(b))
    return np.asarray(~same, np.bool_)
