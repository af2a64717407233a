"""cuRAND's default generator gives the numbers of NVIDIA's library (see curand_10_4.json)."""

import json
from pathlib import Path

import numpy as np
import pytest

from warpview.host.xorwow import Generator

CASES = json.loads((Path(__file__).parent / "curand_10_4.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"seed {case['seed']}")
def test_numbers_are_those_of_the_library(case):
    generator = Generator(case["seed"])
    for call in case["calls"]:
        numbers = getattr(generator, call["kind"])(call["n"])
        exact = call["kind"] in ("integers", "uniform", "uniform_double")  # the others go through logarithm and sine
        some, close = numbers[call["at"]], 0 if exact else 2e-6
        np.testing.assert_allclose(some, call["values"], rtol=close, atol=close)


def test_an_offset_skips_numbers():
    whole, later = Generator(5), Generator(5)
    expected = whole.integers(6000)[5000:]
    later.skip(5000)
    np.testing.assert_array_equal(later.integers(1000), expected)
