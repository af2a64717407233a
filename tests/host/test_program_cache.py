"""Compiled programs are kept; those that were not run for longest go, and never what another build needs."""

from __future__ import annotations

import time
from pathlib import Path

import platformdirs
import pytest

from warpview.host import toolchain


def test_the_oldest_programs_go_and_the_runtime_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may be about to link with the runtime."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / name)
    monkeypatch.setattr(toolchain, "KEPT_PROGRAMS", 2)
    compiler = toolchain.find_compiler()
    programs, made = [], []
    for number in range(3):
        unit = toolchain.HostUnit(tmp_path / "main.cu", f"int main() {{ return {number}; }}")
        programs.append(toolchain.build([unit], {}, {}, compiler))
        made.append({part: Path(part).stat().st_mtime_ns for part in toolchain._runtime(compiler)})
        time.sleep(0.02)  # the clock of the file system
    assert [program.is_file() for program in programs] == [False, False, True]
    assert made[0] == made[1] == made[2]  # compiled once
    assert len(made[0]) == len(list(toolchain.RUNTIME.glob("*.cpp")))
