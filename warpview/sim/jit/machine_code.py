"""Link the object files of the cache by LLVM, and hold the one simulator of this process, the only way to call it.

numba is not needed for that; loading it takes ten times as long.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable

import llvmlite.binding as llvm

from warpview.diagnostics import WarpviewError
from warpview.sim.jit.build import Progress, Units, compiled_units
from warpview.sim.jit.code_cache import open_cache

CANARY = (5, -11, 1 << 33), (1 << 33) - 3 * 5 + 7 * -11 ^ (5 << 40)  # its arguments, and what it must return
_SYMBOL = "warpview_{}"
_entries: dict[str, Callable[..., int]] = {}
_lock = threading.Lock()


class Linker:
    """Put object files into memory, where units call one another by name."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)

    def add(self, code: bytes) -> None:
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))

    def function(self, name: str, n_arguments: int) -> Callable[..., int]:
        """Return a unit as a Python callable, which releases the interpreter lock while it runs."""
        self._engine.finalize_object()
        address = self._engine.get_function_address(_SYMBOL.format(name))
        function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * n_arguments)(address)
        function.code = self._engine  # must outlive every call
        return function


def entry(name: str) -> Callable[..., int]:
    """Return a unit by its name, once ``load`` has been called."""
    return _entries[name]


def load(progress: Progress | None = None) -> None:
    """Link the simulator, once a process. Where it is not in the cache it is compiled first: ``progress(done, total)``
    is then called now and then, and may raise to stop."""
    with _lock:
        if _entries:
            return
        _entries.update(linked(compiled_units(open_cache(), progress or _ignore)))


def _ignore(done: int, total: int) -> None:
    pass


def linked(units: Units) -> dict[str, Callable[..., int]]:
    """Return the units as Python callables, by name. Raises WarpviewError if a call does not give what it must."""
    linker = Linker()
    for unit in units.values():
        linker.add(unit.code)
    entries = {name: linker.function(name, unit.n_arguments) for name, unit in units.items()}
    arguments, expected = CANARY
    if entries["canary"](*arguments) != expected:
        raise WarpviewError("the compiled simulator cannot be called: this version of numba is not supported")
    return entries
