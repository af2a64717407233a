"""An overflow that a remainder hides is told where the access then lies out of bounds."""

from __future__ import annotations

import numpy as np
import pytest

import warpview as wv

TEXT = "__global__ void k(float *m, int n, int stride) {{ int i = threadIdx.x; int at = i * stride; m[{0}] = i; }}"


@pytest.mark.parametrize("index", ["at % n", "at / 4194304", "at % 100"])
@pytest.mark.parametrize("engine", ["profile", "sm"])
def test_an_overflow_behind_a_remainder_is_told_with_the_access(index: str, engine: str) -> None:
    program = wv.compile(TEXT.format(index))
    run = wv.simulate(program, 1, 64, [np.zeros(512, np.float32), 100, 1 << 26], engine=engine)
    assert {"integer overflow", "out of bounds"} <= {finding.kind for finding in run.findings}


@pytest.mark.parametrize("index", ["(unsigned)at % 100", "at & 511", "(at % n + n) % n"])
def test_an_overflow_on_purpose_is_not_told(index: str) -> None:
    program = wv.compile(TEXT.format(index))
    run = wv.simulate(program, 1, 64, [np.zeros(512, np.float32), 100, 0x3000001])
    assert "integer overflow" not in {finding.kind for finding in run.findings}
