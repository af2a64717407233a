"""Compiled programs are kept; those that were not run for longest go, and never what another build needs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

import warpview as wv
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
        made.append({part.name: part.stat().st_mtime_ns for part in toolchain._runtime(compiler).iterdir()})
        os.utime(programs[-1].parent, (number, number))
    assert [program.is_file() for program in programs] == [False, False, True]
    assert made[0] == made[1] == made[2]  # compiled once
    assert not list(programs[-1].parent.rglob("*.o"))  # what is linked is not kept
    assert {f"{source.stem}.o" for source in toolchain.RUNTIME.glob("*.cpp")} <= set(made[0])


def test_a_folder_that_another_process_renames_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / name)
    folder = tmp_path / "warpview" / "host"
    for number in range(toolchain.KEPT_PROGRAMS + 2):
        (folder / str(number)).mkdir(parents=True)
        os.utime(folder / str(number), (number, number))
    is_dir = Path.is_dir

    def renamed_afterwards(path: Path) -> bool:
        found = is_dir(path)
        if path == folder / "5" and found:
            path.rename(folder / "new name")
        return found

    monkeypatch.setattr(Path, "is_dir", renamed_afterwards)
    toolchain._evict()
    left = {path.name for path in folder.iterdir()}
    assert "new name" in left
    assert "0" not in left


def headers_read(compiler: toolchain.Compiler, program: Path, *options: str) -> list[str]:
    """Return the headers that a program reads, by the compiler's own list."""
    prefix = ["-include", str(toolchain._runtime(compiler) / toolchain.PREFIX)]
    folders = ["-I", str(toolchain.INCLUDE), "-I", str(toolchain.SHARED)]
    flags = [*toolchain.FLAGS, *toolchain.placement(), *options, "-H", "-S", "-o", f"{program}.s"]
    command = [*compiler.command, *flags, *folders, *prefix, str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()


def test_the_header_of_cuda_is_read_precompiled(tmp_path: Path) -> None:
    compiler = toolchain.find_compiler()
    if not compiler.precompiles:
        pytest.skip("only GCC's headers are precompiled, on Linux")
    path = tmp_path / "main.cpp"
    path.write_text("int main() { return 0; }\n")
    for options, mark in ((), "!"), (("-DN=4",), "!"), (("-DNDEBUG",), "x"), (("-O0",), "x"):  # taken, passed over
        first = headers_read(compiler, path, *options)[0]
        assert (first[0], first.rpartition("/")[2]) == (mark, f"{toolchain.PREFIX}.gch"), options


def test_macros_that_change_the_header_are_obeyed(program: Callable[[str], Path]) -> None:
    path = program("#include <cassert>\nint main() { assert(1 > 2); return 5; }\n")
    assert wv.run_program(path).exit_code != 5
    assert wv.run_program(path, defines={"NDEBUG": 1}).exit_code == 5
