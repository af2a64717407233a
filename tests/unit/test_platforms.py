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
