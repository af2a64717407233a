"""Arguments of another type than a public function takes are refused with a sentence that names them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv

SOURCE = "__global__ void first(float *out) { out[threadIdx.x] = 1.0f; }"
PROGRAM = "__global__ void nothing() {}\nint main() { nothing<<<1, 32>>>(); return cudaDeviceSynchronize(); }\n"


def launch(**given: Any) -> object:
    usual = {"program": wv.compile(SOURCE), "grid": 1, "block": 32, "args": [np.zeros(32, np.float32)]}
    return wv.simulate(**{**usual, **given})


def compiled(**given: Any) -> object:
    return wv.compile(**{"path_or_source": SOURCE, **given})


def occupancy(**given: Any) -> object:
    return wv.occupancy(**{"device": "h200", "threads": 256, **given})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: launch(program="k.cu"), "program must be what compile returns, not 'k.cu'"),
        (lambda: launch(device=3), "device must be a key, a path or a Device, not 3"),
        (lambda: launch(progress=True), "progress must be a function, not True"),
        (lambda: launch(too_long=1.5), "too_long must be a function, not 1.5"),
        (lambda: launch(args=[wv.Uninitialised(32, "a word")]), "needs the type of its elements"),
        (lambda: launch(args=[wv.Uninitialised(32, [])]), "needs the type of its elements"),
        (lambda: wv.simulate_series(wv.compile(SOURCE)), "steps must be a list"),  # type: ignore[arg-type]
        (lambda: wv.simulate_series(["k.cu"]), "a launch of a series must be a Step"),  # type: ignore[list-item]
        (lambda: wv.simulate_preset(wv.compile(SOURCE)), "kernel must be a key"),  # type: ignore[arg-type]
        (lambda: wv.simulate_preset("reduction/interleaved", 3), "preset must be the name"),  # type: ignore[arg-type]
        (lambda: compiled(path_or_source=None), "path_or_source must be a path, a text or one of kernels"),
        (lambda: compiled(kernel=3), "kernel must be the name of a kernel, not 3"),
        (lambda: compiled(defines="N=4"), "defines must be a dict of values by name, not 'N=4'"),
        (lambda: compiled(predicate="no"), "predicate must be True or False, not 'no'"),
        (lambda: compiled(compiler=["nvrtc"]), "compiler must be a name"),
        (lambda: occupancy(device=None), "device must be a key, a path or a Device, not None"),
        (lambda: occupancy(threads=-1), "threads must be at least 0, not -1"),
        (lambda: occupancy(registers=2.5), "registers must be a whole number, not 2.5"),
        (lambda: occupancy(shared_bytes="48K"), "shared_bytes must be a whole number, not '48K'"),
        (lambda: occupancy(carve_out=-1), "carve_out must be at least 0, not -1"),
    ],
)
def test_arguments_are_refused_by_name(call: Callable[[], object], message: str) -> None:
    with pytest.raises(wv.WarpviewError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda run: run.roofline("FLOPS"), "reading must be one of Operations"),
        (lambda run: run.replay("all"), "seeds must be a whole number, not 'all'"),
        (lambda run: run.verdict(True), "progress must be a function, not True"),
    ],
)
def test_arguments_of_a_run_are_refused_by_name(call: Callable[[wv.Run], object], message: str) -> None:
    with pytest.raises(wv.LaunchError, match=message):
        call(launch())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"files": None}, "files must be a path or a list of paths"),
        ({"files": [3]}, "a file must be a path, not 3"),
        ({"args": "1024"}, "args must be a list of texts, not '1024'"),
        ({"args": [1024]}, "an argument of a program must be a text"),
        ({"args": ["a\0b"]}, "an argument of a program must be a text without a null character"),
        ({"defines": ["N"]}, "defines must be a dict of values by name"),
        ({"check": "yes"}, "check must be True or False, not 'yes'"),
    ],
)
def test_arguments_of_a_program_are_refused_by_name(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    file = tmp_path / "main.cu"
    file.write_text(PROGRAM)
    with pytest.raises(wv.WarpviewError, match=message):
        wv.run_program(**{"files": file, **given})


def test_a_program_that_cannot_be_started_leaves_nothing_open(tmp_path: Path) -> None:
    file = tmp_path / "main.cu"
    file.write_text(PROGRAM)
    with pytest.raises(AttributeError):
        wv.run_program(file, input=3.5)  # type: ignore[arg-type]
    gc.collect()  # an open socket would be a warning, which is an error in tests
