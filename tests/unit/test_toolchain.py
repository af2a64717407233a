"""The C++ compiler of the package ziglang is found and started without running what lies in the current folder."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from warpview.host import toolchain

needs_scripts = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for zig is a shell script")


@pytest.fixture
def only_ziglang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package ziglang, made as the real one is: a program, and a module that starts it."""
    package = tmp_path / "packages" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import subprocess, sys, os\n"
        "sys.exit(subprocess.call([os.path.join(os.path.dirname(__file__), 'zig'), *sys.argv[1:]]))\n"
    )
    program = package / "zig"
    program.write_text('#!/bin/sh\necho "clang of zig: $*"\n')
    program.chmod(0o755)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONPATH", str(package.parent), prepend=os.pathsep)
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    importlib.invalidate_caches()
    return package


@needs_scripts
def test_the_current_folder_s_modules_are_not_executed(
    only_ziglang: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "subprocess.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    compiler = toolchain.find_compiler()
    assert not (tmp_path / "executed").exists()
    assert compiler.name == "zig c++"
    assert compiler.version == "clang of zig: c++ --version\n"


@needs_scripts
def test_a_frozen_application_starts_ziglang_s_program_and_not_itself(
    only_ziglang: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert toolchain.find_compiler().command == (str(only_ziglang / "zig"), "c++")


def test_a_package_without_its_program_is_no_compiler(only_ziglang: Path) -> None:
    (only_ziglang / "zig").unlink()
    with pytest.raises(toolchain.NoCompiler, match="install g"):
        toolchain.find_compiler()
