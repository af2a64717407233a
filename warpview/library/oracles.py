"""Compute the expected results of the library kernels in numpy: a table of the named oracles that manifests refer to.

An oracle takes the initial arguments by parameter name (arrays, numbers) and the first launch, and returns the
expected outputs by parameter name.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from warpview.library import oracles_access, oracles_basic, oracles_matrix, oracles_mistakes, oracles_order
from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch

Oracle = Callable[[Inputs, PresetLaunch], Outputs]


def _threads(launch: PresetLaunch) -> int:
    return int(np.prod(launch.block))


def _blocks(launch: PresetLaunch) -> int:
    return int(np.prod(launch.grid))


def _sums_of_rows(values: NDArray[np.generic], row: int, rows: int) -> NDArray[np.generic]:
    """Return sums of ``rows`` stretches of ``row`` elements, in the type of the elements (integers wrap)."""
    padded = np.zeros(row * rows, dtype=values.dtype)
    kept = min(values.size, padded.size)
    padded[:kept] = values.reshape(-1)[:kept]
    sums: NDArray[np.generic] = padded.reshape(rows, row).sum(axis=1, dtype=values.dtype)
    return sums


def block_sums(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return one sum a block, of as many elements as the block has threads."""
    return {"output": _sums_of_rows(inputs["input"][: inputs["n"]], _threads(launch), _blocks(launch))}


def block_pair_sums(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return one sum a block, of twice as many elements as the block has threads."""
    return {"output": _sums_of_rows(inputs["input"][: inputs["n"]], 2 * _threads(launch), _blocks(launch))}


def grid_stride_pair_sums(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return one sum a block, of every grid's-width stretch of 2 x threads elements that is its own."""
    values = inputs["input"][: inputs["n"]]
    span = 2 * _threads(launch)
    stretches = -(-values.size // span)
    sums = _sums_of_rows(values, span, stretches)
    return {"output": np.array([sums[b :: _blocks(launch)].sum(dtype=values.dtype) for b in range(_blocks(launch))])}


def total_sum(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return the sum of all elements, added to what the output held."""
    values = inputs["input"][: inputs["n"]]
    return {"output": np.array([values.sum(dtype=values.dtype) + inputs["output"].reshape(-1)[0]], dtype=values.dtype)}


ORACLES: dict[str, Oracle] = {
    "block_sums": block_sums,
    "block_pair_sums": block_pair_sums,
    "grid_stride_pair_sums": grid_stride_pair_sums,
    "total_sum": total_sum,
    **oracles_basic.ORACLES,
    **oracles_matrix.ORACLES,
    **oracles_access.ORACLES,
    **oracles_mistakes.ORACLES,
    **oracles_order.ORACLES,
}
