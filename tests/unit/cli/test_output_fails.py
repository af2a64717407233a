"""A standard output that cannot be written ends in a message; one that knows ASCII only is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def warpview(*arguments: str, folder: Path, stdout: int = subprocess.PIPE, **environment: str) -> tuple[int, str]:
    """Exit code and standard error of the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "warpview", *arguments],
        cwd=folder, env={**os.environ, **environment}, stdout=stdout, stderr=subprocess.PIPE, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stderr.decode(errors="replace")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_standard_output_is_said_and_not_a_traceback(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        code, err = warpview("devices", folder=tmp_path, stdout=full.fileno())
    assert code == 2
    assert err.strip() == "warpview: cannot write to the standard output: No space left on device"


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code, err = warpview("list", folder=tmp_path, stdout=writing)
    os.close(writing)
    assert "Traceback" not in err
    assert code != 2


ASCII = {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
KERNEL = "reduction/interleaved"
COMMANDS = {
    "list": ("list",),
    "devices": ("devices",),
    "show": ("show", KERNEL),
    "show --instructions": ("show", KERNEL, "--instructions"),
    "occupancy": ("occupancy", "--threads", "256", "--registers", "32"),
    "run": ("run", KERNEL),
    "run --why": ("run", KERNEL, "--why"),
    "compare": ("compare", KERNEL, "reduction/sequential"),
    "access": ("access", "shared", "--stride", "2"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_that_knows_ascii_only_is_enough(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "ünï çodé 日本"
    folder.mkdir()
    assert warpview(*COMMANDS[command], folder=folder, **ASCII) == (0, "")
