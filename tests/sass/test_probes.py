"""Operations on random operands give an H200's bits, but for the approximations of MUFU."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.isa.program import Program
from warpview.run.nvrtc_program import unknown_params
from warpview.sass.loader import Signature, load_kernel

sys.path.insert(0, str(Path(__file__).parent))
from cubins import DATA, loaded
from matrix_operands import KEPT, PROBES, fragments

N = 256
INEXACT = {"p_mufu2"}  # a tangent by approximation
LARGEST_ERROR = 126  # of that, in units of the last place


def recorder() -> Any:
    """Return the script that records, without the library that it launches kernels with."""
    sys.modules.setdefault("cupy", types.ModuleType("cupy"))
    return importlib.import_module("record_probes")


def operands(seed: int) -> list[np.ndarray]:
    columns: list[np.ndarray] = recorder().operands(seed)
    return [column[:N] for column in columns]


# Approximations of MUFU; and h_atomic*, whose results depend on the order of threads.
INEXACT_HALVES = {"b_math", "h_div"}
RESULTS = np.load(DATA / "probes_h200.npz")
NAMES = [name for name in RESULTS.files if name != "fchk"]


HALVES = np.load(DATA / "half_matrix_h200.npz")


def program(archive: str, file: str, name: str) -> Program:
    """Return the program of a probe."""
    found = loaded(archive, file)
    kernel = next(k for k in found.kernels if k.name == name)
    return load_kernel(found, kernel, Signature(name, unknown_params(kernel, []), SourceText(name, "")))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in INEXACT])
def test_an_operation_gives_the_bits_that_the_hardware_gives(name: str) -> None:
    probe = program("library_sm90.zip", "probes.cubin", name)
    out = np.zeros(4 * N, np.uint32)
    run = wv.simulate(probe, 1, N, [out, *operands(NAMES.index(name)), N], device="h200", check=False)
    recorded = RESULTS[name]
    written = np.asarray(run.buffers["arg0"])
    used = written.size // 4 if name in ("p_fcompare", "p_dcompare", "p_icompare") else written.size
    assert np.array_equal(written[:used], recorded[:used])


def test_a_tangent_is_near_that_of_the_hardware_and_the_number_itself_where_it_is_subnormal() -> None:
    (name,) = INEXACT
    a, *others = operands(NAMES.index(name))
    probe = program("library_sm90.zip", "probes.cubin", name)
    run = wv.simulate(probe, 1, N, [np.zeros(4 * N, np.uint32), a, *others, N], device="h200", check=False)
    written, recorded = (np.asarray(x).reshape(N, 4) for x in (run.buffers["arg0"], RESULTS[name]))
    assert np.array_equal(written[:, :3], recorded[:, :3])  # a logarithm, a sine and a cosine
    tangents, recorded = written[:, 3], recorded[:, 3]
    assert np.abs(tangents.astype(np.int64) - recorded).max() <= LARGEST_ERROR
    subnormal = (a & 0x7F800000) == 0
    assert subnormal.sum() > 50
    assert np.array_equal(tangents[subnormal], recorded[subnormal])


def half_probes(prefix: str) -> list[str]:
    return [name for name in HALVES.files if name.startswith(prefix) and name not in INEXACT_HALVES]


def results_of_half_probe(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what the simulator and the hardware give, of as many results as the probe writes."""
    file = "integers.cubin" if name.startswith("q_") else "half.cubin"
    out = np.zeros(4 * N, np.uint32)
    arguments = [out, *operands(len(name) + ord(name[0])), N]
    run = wv.simulate(program("half_matrix_sm90.zip", file, name), 1, N, arguments, device="h200", check=False)
    used = 2 * N if name in ("h_mask", "h_short", "b_cmp") else 4 * N
    return np.asarray(run.buffers["arg0"])[:used], HALVES[name][:used]


@pytest.mark.parametrize("name", [*half_probes("h_"), *half_probes("b_"), *half_probes("q_")])
def test_pairs_of_16_bits_give_the_bits_that_the_hardware_gives(name: str) -> None:
    found, recorded = results_of_half_probe(name)
    assert np.array_equal(found, recorded)


@pytest.mark.parametrize("name", sorted(INEXACT_HALVES))
def test_approximations_of_halves_differ_in_the_last_bit_only(name: str) -> None:
    found, recorded = results_of_half_probe(name)
    difference = np.abs(found.view(np.uint16).astype(int) - recorded.view(np.uint16).astype(int))
    assert difference.max() <= 1


@pytest.mark.parametrize("name", sorted(PROBES))
def test_matrix_instructions_give_the_bits_that_the_hardware_gives(name: str) -> None:
    a, b, c = (np.ascontiguousarray(x[list(KEPT)]) for x in fragments(name))
    run = wv.simulate(program("half_matrix_sm90.zip", "matrix.cubin", name), len(KEPT), 32, [a, b, c], device="h200")
    assert np.array_equal(np.asarray(run.buffers["arg2"]).ravel(), HALVES[name].ravel())
