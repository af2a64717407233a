"""Compute the results that the faulty kernels were meant to have."""

from __future__ import annotations

import numpy as np

from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch


def reverse_blocks(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"out": inputs["in"].reshape(-1, launch.block[0])[:, ::-1]}


def pair_sums(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Add in each warp: lanes of the lower half add their neighbour's, then all add the other half's."""
    lanes = inputs["in"].reshape(-1, 2, 16).copy()
    lanes[:, 0] += inputs["in"].reshape(-1, 2, 16)[:, 0, np.arange(16) ^ 1]
    return {"out": lanes + lanes[:, ::-1]}


def doubled(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": 2 * inputs["in"][: inputs["n"]]}


def thread_count(_: Inputs, launch: PresetLaunch) -> Outputs:
    return {"counter": np.array([launch.grid[0] * launch.block[0]], dtype=np.int32)}


def sums_of_four(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    count = launch.grid[0] * launch.block[0]
    return {"out": inputs["in"][1 : 4 * count + 1].reshape(count, 4).sum(axis=1, dtype=np.int32)}


def sums_of_64(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"].reshape(-1, 64).sum(axis=1, dtype=np.int32)}


def half_warp_sums(inputs: Inputs, _: PresetLaunch) -> Outputs:
    lanes = inputs["in"].reshape(-1, 2, 16)
    sums = np.zeros_like(lanes)
    sums[:, 0] = lanes.sum(axis=1)
    return {"out": sums}


ORACLES = {
    "reverse_blocks": reverse_blocks,
    "pair_sums": pair_sums,
    "doubled": doubled,
    "thread_count": thread_count,
    "sums_of_four": sums_of_four,
    "sums_of_64": sums_of_64,
    "half_warp_sums": half_warp_sums,
}
