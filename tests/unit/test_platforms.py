"""Code for Windows and macOS runs with the platform's calls substituted; it has not been run on those systems."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from warpview.host import toolchain
from warpview.sass import nvidia_packages
from warpview.sim.jit import build, code_cache
from warpview.ui import app

NO_WINDOW = 0x08000000


@pytest.fixture(params=["win32", "darwin"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Another platform's name in ``sys.platform``."""
    monkeypatch.setattr(sys, "platform", request.param)
    return str(request.param)


def test_a_window_needs_no_display_server(elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert app.has_display()


def test_the_compiling_process_opens_no_console(elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[dict[str, Any]] = []
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", NO_WINDOW, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: started.append(options))
    build.start_compiler()
    assert started[0]["creationflags"] == (NO_WINDOW if elsewhere == "win32" else 0)


@pytest.mark.parametrize("free", [True, False])
def test_the_cache_is_locked_by_the_call_of_windows(
    free: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    def locking(_: int, mode: int, count: int) -> None:
        asked.append((mode, count))
        if not free:
            raise PermissionError(13, "locked")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with (tmp_path / "lock").open("w") as file:
        assert code_cache._lock(file) is free
    assert asked == [(2, 1)]


def test_files_have_no_owner_to_ask_for_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "unit").write_bytes(b"code")
    monkeypatch.delattr(os, "getuid", raising=False)
    assert code_cache._is_readable((tmp_path / "unit").stat())


def test_programs_are_linked_with_the_platform_s_libraries(elsewhere: str) -> None:
    assert toolchain._libraries() == (["-lws2_32"] if elsewhere == "win32" else [])


def test_programs_are_compiled_and_named_as_on_the_platform(
    elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All calls of the compiler are recorded; each makes the file that it is to write."""
    calls: list[list[str]] = []

    def call(_: toolchain.Compiler, arguments: list[str]) -> None:
        calls.append(list(arguments))
        Path(arguments[arguments.index("-o") + 1]).write_bytes(b"made")

    monkeypatch.setattr(toolchain, "_call", call)
    monkeypatch.setattr(toolchain, "_cache", lambda: tmp_path)
    unit = toolchain.HostUnit(tmp_path / "main.cu", "int main() {}")
    made = toolchain.build([unit], {}, {}, toolchain.Compiler(("c++",), "a compiler"))
    *compilations, linking = calls
    is_windows = elsewhere == "win32"
    assert made.name == ("program.exe" if is_windows else "program")
    assert all(("-fPIE" in arguments) is not is_windows for arguments in compilations)
    assert "-pie" not in linking
    assert ("-lws2_32" in linking) is is_windows


def test_the_libraries_of_nvidia_s_packages_have_the_platform_s_names(
    elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cu13"
    (folder / "bin").mkdir(parents=True)
    (folder / "lib").mkdir()
    for name in ("bin/nvrtc64_130_0.dll", "bin/nvrtc-builtins64_130.dll", "lib/libnvrtc.so.13"):
        (folder / name).touch()
    loaded: list[str] = []
    monkeypatch.setattr(nvidia_packages, "folders", lambda: iter([folder]))
    monkeypatch.setattr(nvidia_packages.ctypes, "CDLL", lambda path: loaded.append(Path(path).name))
    nvidia_packages.load("NVRTC", "compiling", "bin/**/nvrtc64*_0.dll", "lib/libnvrtc.so.*", "*nvrtc-builtins*")
    on_windows = ["nvrtc-builtins64_130.dll", "nvrtc64_130_0.dll"]
    assert loaded == (on_windows if elsewhere == "win32" else ["libnvrtc.so.13"])
