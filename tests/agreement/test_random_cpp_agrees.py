"""Random C++ programs compute the same as our compiler and as NVRTC compile them, and as an H200 runs them.

``python -m tests.agreement.random_cpp`` compares as many as one likes, on any device, and cuts down what differs;
``python -m tests.agreement.random_cpp.hardware check`` compares all that were run on the hardware.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from warpview.sass import nvrtc

from .random_cpp import write_program
from .random_cpp.comparison import machine_code, ours, theirs
from .random_cpp.hardware import digest, simulated, source, table

sys.path.insert(0, str(Path(__file__).parents[1] / "sass"))
from engines import Case, differences

pytestmark = pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
# Devices that have what the programs need: double precision, shuffles.
DEVICES = {"scalars": "c1060", "objects": "k40", "idioms": "h200"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", DEVICES)
def test_two_compilers_and_the_hardware_agree(kind: str, seed: int) -> None:
    text = write_program(kind, seed)
    found = theirs(text)
    assert np.array_equal(ours(text, DEVICES[kind]), found)
    assert isinstance(found, np.ndarray)
    assert digest(found.tobytes()) == table()["programs"][f"{kind}_{seed}"][1]


@pytest.mark.parametrize("seed", range(6))
def test_two_compilers_agree_on_values_that_are_kept(seed: int) -> None:
    text = write_program("kept", seed)
    assert np.array_equal(ours(text, "c1060"), theirs(text))


@pytest.mark.parametrize("seed", range(8))
def test_two_compilers_agree_on_arrays(seed: int) -> None:
    text = write_program("arrays", seed)
    assert np.array_equal(ours(text, "h200"), theirs(text))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [4, 16, 23, 103, 106, 149, 158, 161])
def test_two_compilers_agree_on_halves(seed: int) -> None:
    """NVRTC's compiler joins products and sums of them, but for those that are named to be rounded."""
    text = write_program("halves", seed)
    assert np.array_equal(ours(text, "h200"), theirs(text))


@pytest.mark.parametrize("name", ["scalars_1", "objects_3", "idioms_14", "idioms_16"])
def test_as_many_instructions_as_the_multiprocessor_counts(name: str) -> None:
    """Two of them have a ``BSYNC`` that Nsight Compute's added code counts once less than the multiprocessor."""
    found, real = simulated(name), table()["programs"][name]
    if found[0] != real[0]:
        pytest.skip("NVRTC has made other code than that which was recorded")
    assert found[1] == real[1]
    assert found[3] == real[3]


@pytest.mark.parametrize(("name", "opcode"), [("idioms_7", "BRX"), ("idioms_92", "UP2UR")])
def test_the_engines_agree_on_what_is_rare(name: str, opcode: str) -> None:
    program = machine_code(source(name))
    assert any(i.native is not None and i.native.text.startswith(opcode) for i in program.instructions)
    assert differences(Case(name, program, 1, 32, [np.zeros(32, np.int32), 0, 32])) == []
