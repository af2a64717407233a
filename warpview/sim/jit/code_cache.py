"""The folder in which the compiled simulator is kept: an object file a unit, under a hash of all that it depends on."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import llvmlite
import llvmlite.binding as llvm
import platformdirs

KEPT_CACHES = 8  # of half a megabyte each
PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = (
    "sim/jit/*.py", "isa/*.py", "sim/layout.py", "sim/launch.py", "sim/memory.py", "sim/events.py", "sim/timing.py",
    "sim/rules/*.py",
)  # fmt: skip
TABLE = "units.json"


@contextmanager
def cache_folder() -> Iterator[Path]:
    """The folder of these sources; one that is removed afterwards where none can be kept."""
    folder = Path(platformdirs.user_cache_dir("warpview")) / f"jit-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        with tempfile.TemporaryDirectory(prefix="warpview-") as temporary:
            yield Path(temporary)
        return
    _remove_old_caches(folder)
    yield folder


def source_hash() -> str:
    """Changes with anything that compiled code depends on."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    for part in (_numba_version(), llvmlite.__version__.encode(), llvm.get_host_cpu_name().encode()):
        digest.update(part)
    return digest.hexdigest()[:16]


def _numba_version() -> bytes:
    """Without importing numba: that takes longer than all the rest."""
    found = find_spec("numba")
    return Path(found.origin).with_name("_version.py").read_bytes() if found and found.origin else b""


def _remove_old_caches(current: Path) -> None:
    folders = sorted(current.parent.glob("jit-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is never seen half written."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def units(folder: Path) -> dict[str, int]:
    """The units' numbers of arguments by name; empty where nobody has written them down yet."""
    table = folder / TABLE
    return json.loads(table.read_bytes()) if table.exists() else {}


def write_units(folder: Path, table: dict[str, int]) -> None:
    write_whole(folder / TABLE, json.dumps(table).encode())


def missing(folder: Path) -> list[str]:
    """The units that are not compiled yet, as far as they are known."""
    return [name for name in units(folder) if not (folder / f"{name}.o").exists()]


def is_complete(folder: Path) -> bool:
    return bool(units(folder)) and not missing(folder)


def try_lock(file: IO[str]) -> bool:
    """Take the lock on a file, if no other process has it; it is given back as the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
