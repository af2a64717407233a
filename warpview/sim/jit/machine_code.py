"""The compiled simulator as this process has it: object files from the cache, linked by LLVM. The one way to call it.

numba is not needed for that; loading it takes ten times as long.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm

from warpview.sim.jit.build import Progress, fill
from warpview.sim.jit.code_cache import cache_folder, units

_SYMBOL = "warpview_{}"
_entries: dict[str, Callable[..., int]] = {}
_lock = threading.Lock()


class Linker:
    """Object files put into memory; a unit among them calls the others by name."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)

    def add(self, code: bytes) -> None:
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))

    def function(self, name: str, n_arguments: int) -> Callable[..., int]:
        """A unit as a Python callable, which releases the interpreter lock while it runs."""
        self._engine.finalize_object()
        address = self._engine.get_function_address(_SYMBOL.format(name))
        function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * n_arguments)(address)
        function.code = self._engine  # must outlive every call
        return function


def entry(name: str) -> Callable[..., int]:
    """A unit by its name, once ``load`` has been called."""
    return _entries[name]


def load(progress: Progress | None = None) -> None:
    """Link the simulator, once a process. Where it is not in the cache it is compiled first: ``progress(done, total)``
    is then called now and then, and may raise to stop."""
    with _lock:
        if _entries:
            return
        with cache_folder() as folder:
            fill(folder, progress or _ignore)
            _entries.update(_linked(folder))


def _ignore(done: int, total: int) -> None:
    pass


def _linked(folder: Path) -> dict[str, Callable[..., int]]:
    linker, table = Linker(), units(folder)
    for name in table:
        linker.add((folder / f"{name}.o").read_bytes())
    return {name: linker.function(name, n_arguments) for name, n_arguments in table.items()}
