"""Compute the expected results on matrices and neighbourhoods: transpose, multiplication, stencils."""

from __future__ import annotations

import numpy as np

from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch


def copy_matrix(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"]}


def transpose(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"].reshape(inputs["height"], inputs["width"]).T.reshape(-1)}


def matmul(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Elements are small whole numbers, so that float32 sums are exact in any order."""
    n = inputs["n"]
    product = inputs["A"].reshape(n, n).astype(np.float64) @ inputs["B"].reshape(n, n).astype(np.float64)
    return {"C": product.astype(np.float32)}


def stencil_1d(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return sums of 2 RADIUS + 1 neighbours, RADIUS being 3; the input is longer than the output by 2 RADIUS."""
    n, width = inputs["n"], 7
    return {"out": np.add.reduce([inputs["in"][k : k + n] for k in range(width)], dtype=np.int32)}


def five_point(inputs: Inputs, _: PresetLaunch) -> Outputs:
    a = inputs["in"].reshape(inputs["height"], inputs["width"])
    out = inputs["out"].reshape(a.shape).copy()
    out[1:-1, 1:-1] = np.float32(0.25) * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
    return {"out": out}


def box_blur(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return means over squares of side 5. Pixels are whole numbers, so that the sums are exact."""
    radius = 2
    a = inputs["in"].reshape(inputs["height"], inputs["width"])
    padded = np.pad(a, radius, mode="edge")
    side = 2 * radius + 1
    shifted = [padded[y : y + a.shape[0], x : x + a.shape[1]] for y in range(side) for x in range(side)]
    return {"out": np.sum(shifted, axis=0) / np.float32(side * side)}


def seven_point(inputs: Inputs, _: PresetLaunch) -> Outputs:
    a = inputs["in"].reshape(inputs["nz"], inputs["ny"], inputs["nx"])
    out = inputs["out"].reshape(a.shape).copy()
    inner = (slice(1, -1),) * 3
    total = -6 * a[inner]
    for axis in range(3):
        for step in (slice(None, -2), slice(2, None)):
            index = list(inner)
            index[axis] = step
            total = total + a[tuple(index)]
    out[inner] = total
    return {"out": out}


ORACLES = {
    "copy_matrix": copy_matrix,
    "transpose": transpose,
    "matmul": matmul,
    "stencil_1d": stencil_1d,
    "five_point": five_point,
    "box_blur": box_blur,
    "seven_point": seven_point,
}
