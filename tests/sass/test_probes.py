"""Operations on random operands against an H200: every bit, but for the approximations of MUFU."""

from __future__ import annotations

import sys
import types
import zipfile
from pathlib import Path

import numpy as np
import pytest

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.run.nvrtc_program import unknown_params
from warpview.sass import cubin
from warpview.sass.loader import Signature, load_kernel

DATA = Path(__file__).parent / "data"
N = 256
# Approximations; double precision rounded other than to nearest where a product underflows, and what follows from it.
INEXACT = {
    "p_ddiv",
    "p_mufu1",
    "p_mufu2",
    "p_mufuftz",
    "p_mufu64",
    "p_dmul",
    "p_dfma",
    "p_dfma2",
    "p_dminmax",
    "p_dround",
}


def operands(seed: int) -> list[np.ndarray]:
    sys.modules.setdefault("cupy", types.ModuleType("cupy"))
    sys.path.insert(0, str(Path(__file__).parent))
    from record_probes import operands as recorded  # type: ignore[import-not-found]

    columns: list[np.ndarray] = recorded(seed)
    return [column[:N] for column in columns]


RESULTS = np.load(DATA / "probes_h200.npz")
NAMES = [name for name in RESULTS.files if name != "fchk"]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in INEXACT])
def test_an_operation_gives_the_bits_that_the_hardware_gives(name: str) -> None:
    loaded = cubin.load(zipfile.ZipFile(DATA / "library_sm90.zip").read("probes.cubin"))
    kernel = next(k for k in loaded.kernels if k.name == name)
    program = load_kernel(loaded, kernel, Signature(name, unknown_params(kernel, []), SourceText(name, "")))
    out = np.zeros(4 * N, np.uint32)
    run = wv.simulate(program, 1, N, [out, *operands(NAMES.index(name)), N], device="h200", check=False)
    recorded = RESULTS[name]
    written = np.asarray(run.buffers["arg0"])
    used = written.size // 4 if name in ("p_fcompare", "p_dcompare", "p_icompare") else written.size
    assert np.array_equal(written[:used], recorded[:used])
