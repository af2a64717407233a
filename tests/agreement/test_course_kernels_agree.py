"""Kernels in the styles of courses compute the same as written and as NVIDIA's machine code (``course_kernels``)."""

from __future__ import annotations

import json

import pytest
from agreement.course_kernels import MORE, RECORDED, course_kernels, digest

from warpview.sass import nvrtc

KERNELS = course_kernels()
FURTHER = course_kernels(MORE)
BY_MACHINE_CODE: dict[str, str] = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_computes_what_machine_code_does(name: str) -> None:
    assert digest(KERNELS[name], "warpview") == BY_MACHINE_CODE[name]


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", FURTHER)
def test_a_further_kernel_computes_what_machine_code_does(name: str) -> None:
    assert digest(FURTHER[name], "warpview") == BY_MACHINE_CODE[name]


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
@pytest.mark.parametrize("name", [*KERNELS, *FURTHER])
def test_machine_code_computes_what_is_recorded(name: str) -> None:
    assert digest({**KERNELS, **FURTHER}[name], "nvrtc") == BY_MACHINE_CODE[name]
