"""The first start says on the error output that the simulator is compiled, also where that is no terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warpview.sim.jit import machine_code
from warpview.sim.jit.code_cache import open_cache


@pytest.mark.skipif(sys.platform != "linux", reason="the folder of the cache is set by XDG_CACHE_HOME")
def test_a_start_that_compiles_says_so_and_the_next_does_not(tmp_path: Path) -> None:
    machine_code.load()
    cache = open_cache().folder
    copy = tmp_path / "warpview" / cache.name
    shutil.copytree(cache, copy)
    min(copy.glob("*.o"), key=lambda path: path.stat().st_size).unlink()
    said = []
    for _ in range(2):
        command = [sys.executable, "-m", "warpview", "run", "vector/add", "-p", "step"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said.append(ended.stderr.splitlines())
    assert said == [["warpview: compiling the simulator (once)"], []]
