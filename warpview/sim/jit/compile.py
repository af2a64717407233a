"""How the simulator is compiled: the one ``jit`` decorator, compilation units, and the cache on disk.

A *unit* is a function with the C signature ``int64 f(int64, ...)`` that is compiled on its own and linked to its
callers by name. Without that, numba would copy every callee into every caller and optimise it again at each level.
Functions marked ``jit`` are small and become part of the units that call them.

Nothing is compiled at import; ``load`` does it, once a process, from the cache where it can.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import numba
import platformdirs
from numba import types

# IEEE arithmetic as written: nothing contracted, nothing reassociated, and no exceptions for a division by zero.
OPTIONS = {"error_model": "numpy", "boundscheck": False, "fastmath": False}
KEPT_CACHES = 3
PACKAGE = Path(__file__).resolve().parents[2]
# What compiled code depends on; numba's own cache notices changes in the file of the unit alone.
SOURCES = (
    "sim/jit/*.py", "isa/*.py", "sim/layout.py", "sim/launch.py", "sim/memory.py", "sim/events.py", "sim/timing.py",
)  # fmt: skip


@dataclass
class Unit:
    """A compilation unit; ``entry`` is the compiled function once loaded."""

    symbol: str
    function: Callable
    signature: object
    entry: object = None


_units: dict[str, Unit] = {}
_lock = threading.Lock()


def jit(function):
    """Decorator of every jitted function that is not a unit. Its arguments are records and int64.

    Left to itself numba compiles a function again for each constant that it is called with, and for booleans.
    """
    dispatcher = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, **OPTIONS)(function)
    specialised = dispatcher.get_call_template

    def as_int64(args, kws):
        return specialised(tuple(types.int64 if _is_integer(a) else a for a in args), kws)

    dispatcher.get_call_template = as_int64
    return dispatcher


def _is_integer(type_) -> bool:
    return isinstance(types.unliteral(type_), types.Integer | types.Boolean)


def unit(n_arguments: int):
    """Decorator of a compilation unit with that many int64 arguments. Jitted code calls the result by its name;
    Python code calls ``entry(result)``. A unit is defined after those that it calls."""

    def declare(function):
        symbol = f"warpview_{function.__name__}"
        signature = types.int64(*[types.int64] * n_arguments)
        _units[symbol] = Unit(symbol, function, signature)
        return types.ExternalFunction(symbol, signature)

    return declare


def entry(declared) -> Callable[..., int]:
    """The compiled unit as a Python callable that releases the interpreter lock while it runs."""
    return _units[declared.symbol].entry


def load(progress: Callable[[int, int], object] | None = None) -> None:
    """Compile what is not compiled yet, or take it from the cache. ``progress(done, total)`` after each unit."""
    with _lock:
        waiting = [u for u in _units.values() if u.entry is None]
        if not waiting:
            return
        with _cache_folder() as cached:
            for done, item in enumerate(waiting, start=1):
                compiled = numba.cfunc(item.signature, cache=cached, **OPTIONS)(item.function)
                llvm.add_symbol(item.symbol, compiled.address)
                item.entry = _keep(compiled)
                if progress is not None:
                    progress(done, len(waiting))


def _keep(compiled):
    """The ctypes function of a compiled unit, which must outlive every call."""
    function = compiled.ctypes
    function.compiled = compiled
    return function


def source_hash() -> str:
    """Changes with anything that compiled code depends on."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    for part in (numba.__version__, llvmlite.__version__, llvm.get_host_cpu_name()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


@contextmanager
def _cache_folder():
    """Point numba's cache at the folder of these sources; yields False where no folder can be written."""
    folder = Path(platformdirs.user_cache_dir("warpview")) / f"jit-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        yield False
        return
    _remove_old_caches(folder)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before


def _remove_old_caches(current: Path) -> None:
    folders = sorted(current.parent.glob("jit-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)
