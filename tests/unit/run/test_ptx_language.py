"""What C++ takes of a device that has no machine code here: kernels leave the same values through PTX on devices of
five generations as in the machine code of a newer one, or are refused for what the device lacks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpview as wv
from warpview.sass import nvrtc

sys.path.insert(0, str(Path(__file__).parent))
from ptx_kernels import KERNELS, NEEDS

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")

DEVICES = {"8800gtx": (1, 0), "c1060": (1, 3), "gtx480": (2, 0), "k40": (3, 5), "p100": (6, 0), "v100": (7, 0)}
IN = np.random.default_rng(3).integers(0, 4096, 512).astype(np.int32)


def result(name: str, device: str) -> np.ndarray[Any, Any]:
    """What 2 blocks of 64 threads leave in ``out``."""
    program = wv.compile(KERNELS[name], compiler="nvrtc", device=device, kernel="k")
    run = wv.simulate(program, 2, 64, {"out": np.zeros(512, np.int32), "in": IN}, device=device)
    assert not run.findings
    return np.asarray(run.buffers["out"])


@pytest.mark.parametrize("name", list(KERNELS))
def test_a_kernel_leaves_the_values_of_machine_code_on_older_devices(name: str) -> None:
    expected = result(name, "h200")
    for device, capability in DEVICES.items():
        if capability < NEEDS.get(name, (1, 0)):
            with pytest.raises(wv.WarpviewError, match=rf"needs compute capability {'.'.join(map(str, NEEDS[name]))}"):
                result(name, device)
        else:
            assert np.array_equal(result(name, device), expected), device
