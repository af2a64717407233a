"""A sample of the input of ``python -m tests.fuzz`` raises nothing but the documented exceptions."""

from __future__ import annotations

from pathlib import Path

from fuzz.inputs import file_reader, kernel, launch, outcome


def test_changed_kernels() -> None:
    assert {seed: told for seed in range(150) if (told := outcome(kernel, seed))} == {}


def test_hostile_launches() -> None:
    assert {seed: told for seed in range(300) if (told := outcome(launch, seed))} == {}


def test_damaged_files(tmp_path: Path) -> None:
    feed = file_reader(tmp_path)
    assert {seed: told for seed in range(300) if (told := outcome(feed, seed))} == {}
