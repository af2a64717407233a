"""Has the simulator compiled, by processes of their own: numba would hold this one's interpreter lock.

Of the processes that find the same cache empty one has it filled, and the others wait for that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from warpview.sim.jit.code_cache import is_complete, missing, try_lock, units, write_units

COMMAND = (sys.executable, "-W", "ignore", "-m", "warpview.sim.jit.compile_units")
MOST_PROCESSES = 4
POLL_SECONDS = 0.05

Progress = Callable[[int, int], object]
Process = subprocess.Popen[str]
T = TypeVar("T")


def fill(folder: Path, progress: Progress) -> None:
    """Compile what a cache folder lacks. ``progress(done, total)`` is called now and then, and may raise to stop."""
    with (folder / "lock").open("a") as lock:
        while not is_complete(folder):
            if try_lock(lock):
                if not is_complete(folder):
                    _compile(folder, progress)
                return
            _report(folder, progress)
            time.sleep(POLL_SECONDS)


def _report(folder: Path, progress: Progress) -> None:
    total = len(units(folder))
    progress(total - len(missing(folder)), total)


def _compile(folder: Path, progress: Progress) -> None:
    count = min(MOST_PROCESSES, os.cpu_count() or 1)
    with ExitStack() as started, ThreadPoolExecutor(count, thread_name_prefix="compiling") as threads:
        processes = [started.enter_context(_start(folder)) for _ in range(count)]

        def watch(jobs: list[Future[T]]) -> list[T]:
            while wait(jobs, POLL_SECONDS, FIRST_EXCEPTION).not_done:
                _report(folder, progress)
            return [job.result() for job in jobs]

        try:
            tables = watch([threads.submit(_answer, process) for process in processes])
            write_units(folder, json.loads(tables[0]))
            names = iter(missing(folder))
            watch([threads.submit(_feed, process, names) for process in processes])
        finally:
            for process in processes:
                process.kill()  # whoever waits for it reads its end


def _start(folder: Path) -> Process:
    """It finds what this process finds."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    window = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, str(folder)], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment, creationflags=window
    )


def _feed(process: Process, names: Iterator[str]) -> None:
    """Have one unit after the other compiled; ``names`` is shared with the other processes."""
    assert process.stdin is not None
    for name in names:
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        _answer(process)


def _answer(process: Process) -> str:
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"the simulator cannot be compiled: {process.stderr.read().strip()}")
    return line
