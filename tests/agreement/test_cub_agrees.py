"""CUB's algorithms of blocks and warps as written leave the same bits as NVIDIA's own headers do (see ``cub``)."""

from __future__ import annotations

import json

import pytest
from agreement.cub import RECORDED, digest, kernels, outcome

from warpview.sass import nvrtc

KERNELS = kernels()
BY_MACHINE_CODE: dict[str, str] = json.loads(RECORDED.read_text(encoding="utf-8"))


def test_what_is_recorded_is_of_these_kernels() -> None:
    assert {digest(text.encode()) for text in KERNELS} == set(BY_MACHINE_CODE)


@pytest.mark.parametrize("number", range(len(KERNELS)))
def test_a_kernel_leaves_the_bits_that_machine_code_leaves(number: int) -> None:
    assert outcome(KERNELS[number], "warpview") == BY_MACHINE_CODE[digest(KERNELS[number].encode())]


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("number", range(len(KERNELS)))
def test_machine_code_leaves_what_is_recorded(number: int) -> None:
    assert outcome(KERNELS[number], "nvrtc") == BY_MACHINE_CODE[digest(KERNELS[number].encode())]
