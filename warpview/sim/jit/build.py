"""Compile the simulator in processes of its own: numba would hold this one's interpreter lock.

Of the processes that find the same cache empty one fills it, and the others wait for that.
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
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from warpview.diagnostics import WarpviewError
from warpview.resources import COMPILER_FLAG
from warpview.sim.jit.code_cache import PACKAGE, CodeCache

TABLE = "units"  # its name in the cache: JSON, the number of arguments of each unit by name
MOST_PROCESSES = 4
# Each of the candidates that numba tries for a call, and refuses, would get a message in colours.
PLAIN_MESSAGES = {"NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}
POLL_SECONDS = 0.05
# Runs the compiler with this very package. The paths of this process come last, so that a file of the user's with the
# name of a module of Python's is not taken for it; -I leaves out the current folder.
BOOTSTRAP = """
import importlib.util, sys
package, *paths = sys.argv[1:]
sys.path += [path for path in paths if path not in sys.path]
start = package + "/__init__.py"
spec = importlib.util.spec_from_file_location("warpview", start, submodule_search_locations=[package])
sys.modules["warpview"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["warpview"])
from warpview.sim.jit.compile_units import main
main()
"""

Progress = Callable[[int, int], object]
Process = subprocess.Popen[bytes]
T = TypeVar("T")


@dataclass(frozen=True)
class CompiledUnit:
    """Hold the object code of a unit, and the number of int64 arguments that it takes."""

    n_arguments: int
    code: bytes


Units = dict[str, CompiledUnit]


def compiled_units(cache: CodeCache, progress: Progress) -> Units:
    """Return every unit: from the cache, or compiled and written there.

    ``progress(done, total)`` is called now and then while something is compiled, and may raise to stop. Raises
    WarpviewError if the simulator cannot be compiled.
    """
    if found := _cached_units(cache):
        return found
    while True:
        with cache.try_lock() as locked:
            if locked:
                return _cached_units(cache) or _compile(cache, progress)
        progress(max(0, cache.count() - 1), len(_cached_table(cache)))  # the table is one of the files
        time.sleep(POLL_SECONDS)


def _cached_table(cache: CodeCache) -> dict[str, int]:
    content = cache.read(TABLE)
    return json.loads(content) if content else {}


def _cached_units(cache: CodeCache) -> Units | None:
    """Return all units, None if one is missing."""
    units = {name: (count, cache.read(name)) for name, count in _cached_table(cache).items()}
    found = {name: CompiledUnit(count, code) for name, (count, code) in units.items() if code is not None}
    return found if found and len(found) == len(units) else None


def _compile(cache: CodeCache, progress: Progress) -> Units:
    count = min(MOST_PROCESSES, os.cpu_count() or 1)
    units: Units = {}
    with ExitStack() as started, ThreadPoolExecutor(count, thread_name_prefix="compiling") as threads:
        compilers = [started.enter_context(start_compiler()) for _ in range(count)]
        total = 0

        def watch(jobs: list[Future[T]]) -> list[T]:
            while wait(jobs, POLL_SECONDS, FIRST_EXCEPTION).not_done:
                progress(len(units), total)
            return [job.result() for job in jobs]

        try:
            table = watch([threads.submit(read_table, compiler) for compiler in compilers])[0]
            total = len(table)
            cache.write(TABLE, json.dumps(table).encode())
            waiting = iter(table.items())
            watch([threads.submit(_work, compiler, waiting, cache, units) for compiler in compilers])
        finally:
            for compiler in compilers:
                compiler.kill()  # whoever waits for it reads its end
    return units


def _work(compiler: Process, waiting: Iterator[tuple[str, int]], cache: CodeCache, units: Units) -> None:
    """Have one unit after the other compiled; ``waiting`` is shared with the other compilers."""
    for name, n_arguments in waiting:
        code = cache.read(name)
        if code is None:
            code = compile_unit(compiler, name)
            cache.write(name, code)
        units[name] = CompiledUnit(n_arguments, code)


# ------------------------------------------------------------------------------------------------ one process


def compiler_command() -> list[str]:
    """Return the command that starts a compiler: Python, or the program itself where it is frozen."""
    if getattr(sys, "frozen", False):
        return [sys.executable, COMPILER_FLAG]
    paths = [path for path in sys.path if path and Path(path).is_absolute()]
    return [sys.executable, "-I", "-W", "ignore", "-c", BOOTSTRAP, str(PACKAGE), *paths]


def start_compiler() -> Process:
    """Start a process that answers as ``compile_units.py`` says."""
    window = subprocess.CREATE_NO_WINDOW if sys.platform == "win32" else 0
    pipe, environment = subprocess.PIPE, os.environ | PLAIN_MESSAGES
    try:
        return subprocess.Popen(
            compiler_command(), stdin=pipe, stdout=pipe, stderr=pipe, creationflags=window, env=environment
        )
    except OSError as problem:
        raise WarpviewError(f"the process that compiles the simulator does not start: {problem}") from None


def read_table(compiler: Process) -> dict[str, int]:
    """Read what a compiler says first: the number of arguments of each unit, by name."""
    table: dict[str, int] = json.loads(_line(compiler))
    return table


def compile_unit(compiler: Process, name: str) -> bytes:
    """Return the object code of a unit."""
    assert compiler.stdin is not None
    assert compiler.stdout is not None
    try:
        compiler.stdin.write(f"{name}\n".encode())
        compiler.stdin.flush()
    except OSError:
        raise _failure(compiler) from None
    length = int(_line(compiler))
    code = compiler.stdout.read(length)
    if len(code) < length:
        raise _failure(compiler)
    return code


def _line(compiler: Process) -> bytes:
    assert compiler.stdout is not None
    line = compiler.stdout.readline()
    if not line.endswith(b"\n"):
        raise _failure(compiler)
    return line


def _failure(compiler: Process) -> WarpviewError:
    """Return what a compiler that ended without an answer leaves to say."""
    assert compiler.stderr is not None
    said = compiler.stderr.read().decode(errors="replace").strip().splitlines()
    reason = said[-1] if said else f"the compiling process ended with status {compiler.wait()}"
    return WarpviewError(f"the simulator cannot be compiled: {reason}")
