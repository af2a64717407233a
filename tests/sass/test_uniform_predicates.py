"""UR2UP sets the uniform predicates that its mask names, and UP2UR reads them, in both engines.

No compiler was seen to give UR2UP, so that a kernel is made of a recorded one: its load becomes these instructions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import warpview as wv
from warpview.diagnostics import SourceText
from warpview.isa.program import Program
from warpview.run.nvrtc_program import unknown_params
from warpview.sass import cubin
from warpview.sass.loader import Signature, load_kernel

sys.path.insert(0, str(Path(__file__).parent))
from cubins import archive
from engines import Case, differences

KERNEL, FIRST, WORD = "g_constant", 0x150, 16
CODE = (
    0x000FE200000000000000002D00057882,  # UMOV UR5, 0x2d
    0x000FE400080000000000000F05007884,  # UR2UP UPR, UR5, 0xf
    0x000FE200080000000000007F3F077883,  # UP2UR UR7, UPR, URZ, 0x7f
    0x000FE20008000F000000000700057C02,  # MOV R5, UR7
)


def patched() -> Program:
    data = archive("counted_sm90.zip").read("counted.cubin")
    code = next(k for k in cubin.load(data).kernels if k.name == KERNEL).code
    words = b"".join(word.to_bytes(WORD, "little") for word in CODE)
    changed = code[:FIRST] + words + code[FIRST + len(words) :]
    loaded = cubin.load(data.replace(code, changed))
    kernel = next(k for k in loaded.kernels if k.name == KERNEL)
    return load_kernel(loaded, kernel, Signature(KERNEL, unknown_params(kernel, []), SourceText(KERNEL, "")))


def test_a_uniform_register_sets_the_uniform_predicates() -> None:
    words = np.zeros(32, np.uint32)
    arguments = [words, words, words, words, 0]
    case = Case(KERNEL, patched(), 1, 32, arguments)
    run = wv.simulate(case.program, 1, 32, arguments, device="h200")
    assert np.asarray(run.buffers["arg0"]).tolist() == [0x0D] * 32
    assert not differences(case)
