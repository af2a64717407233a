"""Run a test with both compilers, NVIDIA's where it is installed."""

from __future__ import annotations

import pytest

from warpview.sass import nvrtc

COMPILERS = [
    "warpview",
    pytest.param("nvrtc", marks=pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")),
]
