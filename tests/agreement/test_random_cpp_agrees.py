"""Random C++ programs compute the same as our compiler and as NVRTC compile them.

``python -m tests.agreement.random_cpp`` compares as many as one likes, on any device, and cuts down what differs.
"""

from __future__ import annotations

import numpy as np
import pytest

from warpview.sass import nvrtc

from .random_cpp import KINDS, write_program
from .random_cpp.comparison import ours, theirs

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
# Devices that have what the programs need: double precision, shuffles.
DEVICES = {"scalars": "c1060", "objects": "k40", "idioms": "h200"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_two_compilers_agree(kind: str, seed: int) -> None:
    text = write_program(kind, seed)
    assert np.array_equal(ours(text, DEVICES[kind]), theirs(text))
