"""Find the installed files of warpview, and start the program again."""

from __future__ import annotations

from pathlib import Path

COMPILER_FLAG = "--compile-simulator"  # with it a frozen application starts itself to compile the simulator

_PACKAGE = Path(__file__).resolve().parent


def _data_root() -> Path:
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def kernels_dir() -> Path:
    """Return the built-in kernel library: one folder a family."""
    return _data_root() / "kernels"


def assets_dir() -> Path:
    """Return the folder of devices, icons and lessons."""
    return _data_root() / "assets"
