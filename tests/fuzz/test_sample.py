"""A sample of the input of ``python -m tests.fuzz`` raises nothing but the documented exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.inputs import file_reader, kernel, launch, outcome
from fuzz.machine_code import cubin_reader, ptx_reader
from warpview.sass import nvrtc


def test_changed_kernels() -> None:
    assert {seed: told for seed in range(150) if (told := outcome(kernel, seed))} == {}


def test_hostile_launches() -> None:
    assert {seed: told for seed in range(300) if (told := outcome(launch, seed))} == {}


def test_damaged_files(tmp_path: Path) -> None:
    feed = file_reader(tmp_path)
    assert {seed: told for seed in range(300) if (told := outcome(feed, seed))} == {}


def test_damaged_cubins(tmp_path: Path) -> None:
    feed = cubin_reader(tmp_path)
    assert {seed: told for seed in range(60) if (told := outcome(feed, seed))} == {}


@pytest.mark.skipif(not nvrtc.is_installed(), reason="NVRTC is not installed")
def test_changed_ptx(tmp_path: Path) -> None:
    feed = ptx_reader(tmp_path)
    assert {seed: told for seed in range(100) if (told := outcome(feed, seed))} == {}
