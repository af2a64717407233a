"""Load the compiler libraries of NVIDIA's Python packages, which ``pip install warpview[nvidia]`` brings."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from warpview.diagnostics import WarpviewError

INSTALL = "pip install 'warpview[nvidia]'"


class MissingCompiler(WarpviewError):
    """A library of NVIDIA's is not installed; the message names the command that installs it."""


def load(name: str, purpose: str, windows: str, elsewhere: str, first: str | None = None) -> ctypes.CDLL:
    """Return the newest library of a name.

    ``windows`` and ``elsewhere`` are patterns of its file within a package; ``first`` is one of files beside it that
    are loaded before, since the library asks for them by name. Raises MissingCompiler, which says for what purpose the
    library is needed, where it is not installed or cannot be loaded.
    """
    for path in _files(windows if sys.platform == "win32" else elsewhere):
        try:
            for part in sorted(path.parent.glob(first)) if first else ():
                if ".alt." not in part.name:
                    ctypes.CDLL(str(part))
            return ctypes.CDLL(str(path))
        except OSError as error:
            raise MissingCompiler(f"{name} cannot be loaded ({error}); install it anew: {INSTALL}") from None
    raise MissingCompiler(f"{purpose} needs {name}; install it: {INSTALL}")


def can_load(library: Callable[[], ctypes.CDLL]) -> bool:
    """Return whether a library is installed and can be loaded."""
    try:
        library()
    except MissingCompiler:
        return False
    return True


def folders() -> Iterator[Path]:
    """Yield the folders of the packages, newest CUDA first."""
    spec = find_spec("nvidia")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        yield from sorted(Path(place).glob("cu[0-9]*"), reverse=True)
        yield from sorted(Path(place).glob("cuda_nvrtc"))


def include_folders() -> tuple[Path, ...]:
    """Return where the headers of the CUDA toolkit lie, if a package brings them."""
    found = [folder / name for folder in folders() for name in ("include", "include/cccl", "cccl")]
    return tuple(folder for folder in found if folder.is_dir())


def _files(pattern: str) -> Iterator[Path]:
    for folder in folders():
        yield from (path for path in sorted(folder.glob(pattern)) if ".alt." not in path.name)
