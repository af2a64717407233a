"""Compute the expected results of scans, sorting, shortest paths and block maxima."""

from __future__ import annotations

import numpy as np

from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch


def inclusive_scan(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return the prefix sums of each block's elements, one a thread."""
    rows = inputs["input"].reshape(-1, launch.block[0])
    return {"output": np.cumsum(rows, axis=1, dtype=rows.dtype).reshape(-1)}


def exclusive_scan_pairs(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return sums of what stands before, in each block's elements, two a thread."""
    rows = inputs["input"].reshape(-1, 2 * launch.block[0])
    return {"output": (np.cumsum(rows, axis=1, dtype=rows.dtype) - rows).reshape(-1)}


def device_scan(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"output": np.cumsum(inputs["input"], dtype=np.int32)}


def sorted_blocks(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"values": np.sort(inputs["values"].reshape(-1, launch.block[0]), axis=1).reshape(-1)}


def sorted_warps(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return each warp's 32 elements in ascending order."""
    return {"values": np.sort(inputs["values"].reshape(-1, 32), axis=1).reshape(-1)}


def shortest_paths(inputs: Inputs, _: PresetLaunch) -> Outputs:
    n = inputs["n"]
    distance = inputs["distance"].copy().reshape(n, n)
    for k in range(n):
        distance = np.minimum(distance, distance[:, k : k + 1] + distance[k : k + 1, :])
    return {"distance": distance}


def block_pair_max(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"output": inputs["input"][: inputs["n"]].reshape(-1, 2 * launch.block[0]).max(axis=1)}


def block_argmax(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return the largest element of each block and the first index at which it stands."""
    rows = inputs["input"][: inputs["n"]].reshape(-1, launch.block[0])
    first = np.arange(rows.shape[0]) * rows.shape[1]
    return {"output": rows.max(axis=1), "place": (first + rows.argmax(axis=1)).astype(np.int32)}


ORACLES = {
    function.__name__: function
    for function in (
        inclusive_scan, exclusive_scan_pairs, device_scan, sorted_blocks, sorted_warps, shortest_paths, block_pair_max,
        block_argmax,
    )
}  # fmt: skip
