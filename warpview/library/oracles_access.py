"""Compute the expected results of memory patterns and histograms."""

from __future__ import annotations

import numpy as np

from warpview.library.inputs import Inputs, Outputs
from warpview.library.manifest import PresetLaunch


def _threads(launch: PresetLaunch) -> int:
    return int(np.prod(launch.grid)) * int(np.prod(launch.block))


def histogram(inputs: Inputs, _: PresetLaunch) -> Outputs:
    counts = np.bincount(inputs["values"][: inputs["n"]], minlength=inputs["bins"].size)
    return {"bins": (inputs["bins"] + counts).astype(np.int32)}


def copy(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"][: inputs["n"]]}


def offset_copy(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"out": inputs["in"][inputs["offset"] :][: _threads(launch)]}


def strided_copy(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"out": inputs["in"][:: inputs["stride"]][: _threads(launch)]}


def scale_field(inputs: Inputs, _: PresetLaunch) -> Outputs:
    """Return the fourth of eight floats of each record."""
    particles = inputs["particles"].reshape(-1, 8).copy()
    particles[: inputs["n"], 3] *= np.float32(inputs["factor"])
    return {"particles": particles}


def scale_array(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"mass": inputs["mass"][: inputs["n"]] * np.float32(inputs["factor"])}


def add_two(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"] + np.float32(2)}


def broadcast(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"out": np.repeat(inputs["table"], 32)[: _threads(launch)]}


def permutation(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    return {"out": inputs["in"][np.arange(_threads(launch)) ^ 13]}


def gather(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["in"][inputs["indices"]]}


def table_lookup(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": inputs["table"][inputs["indices"]]}


def polynomial(inputs: Inputs, _: PresetLaunch) -> Outputs:
    return {"out": np.polyval(inputs["coefficients"][::-1].astype(np.float64), inputs["in"].astype(np.float64))}


def most_frequent(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    """Return the digit that each thread's column holds most often; of several the smallest."""
    digits = inputs["digits"].reshape(inputs["length"], _threads(launch))
    counts = np.stack([(digits == d).sum(axis=0) for d in range(10)])
    return {"most": counts.argmax(axis=0).astype(np.int32)}


def bank_stride(inputs: Inputs, launch: PresetLaunch) -> Outputs:
    threads = np.arange(launch.block[0])
    return {"out": np.tile(threads * inputs["stride"] % 2048, launch.grid[0]).astype(np.float32)}


ORACLES = {
    "histogram": histogram,
    "copy": copy,
    "offset_copy": offset_copy,
    "strided_copy": strided_copy,
    "scale_field": scale_field,
    "scale_array": scale_array,
    "add_two": add_two,
    "broadcast": broadcast,
    "permutation": permutation,
    "gather": gather,
    "table_lookup": table_lookup,
    "polynomial": polynomial,
    "most_frequent": most_frequent,
    "bank_stride": bank_stride,
}
