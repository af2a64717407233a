"""Compute the expected results of the first kernels, of control flow and of minimum and maximum."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch

MOST_STEPS = 2000  # of a number to 1; of those below 2^32 none takes more than about a thousand


def increment(inputs: Inputs, _: PresetLaunch) -> Outputs:
    values = inputs["values"].copy()
    values[: inputs["n"]] += np.float32(inputs["by"])
    return {"values": values}


def vector_add(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"c": inputs["a"] + inputs["b"]}


def circular_shift(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"output": np.roll(inputs["input"][: inputs["n"]], 1)}


def circular_shift_blocks(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"values": np.roll(inputs["values"].reshape(-1, launch.block[0]), 1, axis=1).reshape(-1)}


def _recurrence(value: NDArray[np.float32], factor: float, term: float) -> NDArray[np.float32]:
    """Return eight rounds of value * factor + term in float32; both factors are powers of two, so that the product is
    exact and a fused multiply-add gives the same bits."""
    for _ in range(8):
        value = value * np.float32(factor) + np.float32(term)
    return value


def _branches(inputs: Inputs, launch: PresetLaunch, width: int) -> Outputs:
    value = inputs["input"]
    thread = np.arange(value.size) % launch.block[0]
    first = thread // width % 2 == 0
    return {"output": np.where(first, _recurrence(value, 0.5, 1.0), _recurrence(value, 0.25, -1.0))}


def branch_within_warp(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return _branches(inputs, launch, 1)


def branch_along_warps(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return _branches(inputs, launch, 32)


def nested_branches(inputs: Inputs, _: PresetLaunch) -> Outputs:
    v = inputs["input"]
    odd = np.where(v & 2, 11 + np.where(v & 4, 100, -100), -9)
    return {"output": np.where(v & 1, odd, -1).astype(v.dtype)}


def collatz(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return the steps to 1, in 32-bit arithmetic as the kernel has it. Raises ValueError where there are too many: 0
    never gets there."""
    value = inputs["input"][: inputs["n"]].astype(np.int64)
    steps = np.zeros(value.size, dtype=np.int32)
    while (going := value != 1).any():
        if steps.max() > MOST_STEPS:
            raise ValueError(f"a number takes more than {MOST_STEPS} steps to 1")
        value = np.where(going, np.where(value % 2 == 1, 3 * value + 1, value // 2), value)
        steps += going
    return {"steps": steps}


def mandelbrot(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return the kernel's float32 arithmetic: squares are rounded, 2xy + cy is fused (an exact product, rounded
    once)."""
    width, height, limit = inputs["width"], inputs["height"], inputs["limit"]
    f32 = np.float32
    column, row = np.meshgrid(np.arange(width, dtype=f32), np.arange(height, dtype=f32))
    cx = (f32(-2.25) + f32(3) * column / f32(width)).astype(f32)
    cy = (f32(-1.5) + f32(3) * row / f32(height)).astype(f32)
    x, y, count = np.zeros_like(cx), np.zeros_like(cx), np.zeros(cx.shape, dtype=np.int32)
    going = np.ones(cx.shape, dtype=np.bool_)
    for _turn in range(limit):
        xx, yy = x * x, y * y
        going &= xx + yy <= 4
        twice = (f32(2) * x).astype(np.float64) * y.astype(np.float64)
        x, y = np.where(going, xx - yy + cx, x), np.where(going, (twice + cy).astype(f32), y)
        count += going
    return {"iterations": count.reshape(-1)}


def switch_cases(inputs: Inputs, _: PresetLaunch) -> Outputs:
    v = inputs["input"].astype(np.int64)
    grown = v
    for _case in range(4):
        grown = grown * 5 - 2
    cases = [v * 3 + 1, v * v ^ 0x55, grown - 7, v - 7]
    return {"output": np.choose(v % 4, cases).astype(np.int32)}


def smallest_divisor(inputs: Inputs, _: PresetLaunch) -> Outputs:
    value = inputs["input"][: inputs["n"]]
    result = value.copy()
    for d in range(int(np.sqrt(value.max())), 1, -1):
        result = np.where((value % d == 0) & (d * d <= value), d, result)
    return {"output": result}


def lock_count(_: Inputs, launch: PresetLaunch) -> Outputs:
    return {"count": np.array([int(np.prod(launch.grid)) * int(np.prod(launch.block))], dtype=np.int32)}


def compact_by_vote(inputs: Inputs, _: PresetLaunch) -> Outputs:
    warps = inputs["input"].reshape(-1, 32)
    output = np.zeros_like(warps)
    for row, warp in zip(output, warps, strict=True):
        kept = warp[warp > 50]
        row[: kept.size] = kept
    return {"output": output.reshape(-1), "kept": (warps > 50).sum(axis=1).astype(np.int32)}


def shuffle_idioms(inputs: Inputs, _: PresetLaunch) -> Outputs:
    warps = inputs["input"].reshape(-1, 32)
    shape = warps.shape
    return {
        "broadcast": np.broadcast_to(warps[:, :1], shape).reshape(-1),
        "rotated": np.roll(warps, -1, axis=1).reshape(-1),
        "prefix": np.cumsum(warps, axis=1, dtype=np.int32).reshape(-1),
        "total": np.broadcast_to(warps.sum(axis=1, keepdims=True, dtype=np.int32), shape).reshape(-1),
    }


def largest(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"largest": np.array([max(inputs["largest"][0], inputs["input"][: inputs["n"]].max())])}


def smallest_and_largest(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    smallest = min(inputs["smallest"][0], inputs["input"][: inputs["n"]].min())
    return {"smallest": np.array([smallest]), **largest(inputs, launch)}


ORACLES = {
    function.__name__: function
    for function in (
        increment, vector_add, circular_shift, circular_shift_blocks, branch_within_warp, branch_along_warps,
        nested_branches, collatz, mandelbrot, switch_cases, smallest_divisor, lock_count, compact_by_vote,
        shuffle_idioms, largest, smallest_and_largest,
    )
}  # fmt: skip
