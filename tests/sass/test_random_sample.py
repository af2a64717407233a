"""A sample of 300 random kernels, compiled by NVRTC, agrees with an H200: ``check`` of ``random_machine_code`` compares
all and lists those that differ."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support.tiers import representatives

from warpview.sass import cubin, nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from random_machine_code import KERNELS, compiled, simulated, table

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

# Lanes that yield while others wait at a convergence barrier; a lane that leaves a loop for another barrier (33); LOP3
# with a predicate (87), complement of FLO (155, 162), parts of a register and immediates of I2F (272), the sign of
# a NaN that F2F widens (260).
CHOSEN = (6, 33, 142, 149, 241, 258, 15, 171, 87, 155, 162, 272, 260)
# Paths that the hardware lets run in another order, or together, which changes how often they execute.
OTHER_ORDER = (0, 17, 22, 45, 49, 229, 245, 257, 276, 288)
SERIAL_ATOMICS = (102,)  # lanes on one word of shared memory, in several paths
# Barriers that the multiprocessor counts otherwise than their instructions, in a way that is not known yet.
COUNTED_TWO_WAYS = (6, 272)
ISSUED = {"inst_executed", "thread_inst_executed", "thread_inst_executed_on"}
DRAWN = Random(14).sample(sorted(set(range(KERNELS)) - {*OTHER_ORDER, *SERIAL_ATOMICS}), 20)
SAMPLE = sorted({*CHOSEN, *DRAWN})


@cache
def loaded() -> cubin.Cubin:
    return cubin.load(compiled(SAMPLE))


@pytest.mark.parametrize("number", representatives(SAMPLE, [str(number) for number in (*CHOSEN, *DRAWN[:4])]))
def test_a_random_kernel_runs_as_on_the_hardware(number: int) -> None:
    real, found = table()["kernels"][number], simulated(number, loaded())
    if found["code"] != real["code"]:
        pytest.skip("this NVRTC compiles to other code than that which was recorded")
    assert found["results"] == real["results"]
    assert found["instructions"] == real["instructions"]
    keys = [key for key in table()["keys"] if key not in ISSUED or number not in COUNTED_TWO_WAYS]
    by_key = [dict(zip(table()["keys"], values["counters"], strict=True)) for values in (found, real)]
    assert {k: by_key[0][k] for k in keys} == {k: by_key[1][k] for k in keys}
