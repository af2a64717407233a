"""Cache the compiled simulator: one file for each unit, in a folder named by a hash of all that the code depends on.
Nothing read from it is trusted: a file that is not exactly what was written counts as absent.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import llvmlite
import llvmlite.binding as llvm
import platformdirs

KEPT_CACHES = 8  # of half a megabyte each
LARGEST_FILE = 1 << 26  # bytes; no unit is near that
PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = (
    "sim/jit/*.py", "isa/*.py", "sass/meanings.py", "sim/raw_counts.py",
    "sim/launch.py", "sim/memory.py", "sim/history/events.py", "sim/timing/instruction_costs.py",
    "sim/timing/model.py", "sim/rules/*.py",
    "sim/checks/access_log.py", "sim/checks/trap_codes.py",
)  # fmt: skip
SEAL_BYTES = hashlib.sha256().digest_size

_log = logging.getLogger("warpview")


class CodeCache:
    """Keep the files of one folder, by name. Operations and writing never raise: a cache that fails costs time only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._warned = False

    def read(self, name: str) -> bytes | None:
        """Return what was written under a name; None if there is nothing, or anything else."""
        path = self._path(name)
        try:
            if not _is_readable(path.stat()):
                return None
            with path.open("rb") as file:
                sealed = file.read(LARGEST_FILE)
        except OSError:
            return None
        content = sealed[SEAL_BYTES:]
        return content if sealed[:SEAL_BYTES] == _seal(name, content) else None

    def write(self, name: str, content: bytes) -> None:
        """Keep a content under a name. Other processes see all of it or nothing."""
        path = self._path(name)
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            unfinished.write_bytes(_seal(name, content) + content)
            unfinished.replace(path)
        except OSError as problem:
            with suppress(OSError):
                unfinished.unlink()
            self._warn(problem)

    def count(self) -> int:
        """Return how many files there are, right or wrong: a measure of another process's progress."""
        try:
            return sum(1 for path in self.folder.iterdir() if path.suffix == ".o")
        except OSError:
            return 0

    @contextmanager
    def try_lock(self) -> Iterator[bool]:
        """Keep other processes from filling the cache; False if one of them does so now. Where the folder does not
        allow a lock there is none to wait for."""
        try:
            file = (self.folder / "lock").open("a")
        except OSError:
            yield True
            return
        with file:
            yield _lock(file)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.o"

    def _warn(self, problem: OSError) -> None:
        """Say once why every start will be slow."""
        if not self._warned:
            self._warned = True
            _log.warning(
                "the compiled simulator cannot be kept in %s (%s): each start compiles it again",
                self.folder, problem.strerror,
            )  # fmt: skip


def open_cache() -> CodeCache:
    """Return the cache of these sources on this processor, and remove caches that were not used for long."""
    folder = Path(platformdirs.user_cache_dir("warpview")) / f"jit-{code_hash()}"
    with suppress(OSError):  # a read-only cache can be complete; any other says so when it is written to
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(folder)
        _remove_old_caches(folder)
    return CodeCache(folder)


def code_hash() -> str:
    """Return a hash that changes with anything that compiled code depends on."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    machine = llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    for part in (*machine, _numba_version(), llvmlite.__version__, platform.python_version(), _program_stamp()):
        digest.update(f"{part}\0".encode())
    return digest.hexdigest()[:16]


def _numba_version() -> str:
    """Return numba's version without importing it: that takes longer than all the rest."""
    found = find_spec("numba")
    version = Path(found.origin).with_name("_version.py") if found and found.origin else None
    return version.read_text(encoding="utf-8") if version and version.exists() else ""


def _program_stamp() -> str:
    """Return the date and size of the program of a frozen application, which has no source files; else nothing."""
    if not getattr(sys, "frozen", False):
        return ""
    program = Path(sys.executable).stat()
    return f"{program.st_mtime_ns} {program.st_size}"


def _remove_old_caches(current: Path) -> None:
    """Remove caches that were not used for long. Other processes may do the same now; what one of them misses it has
    compiled already, or compiles again."""
    folders = sorted(current.parent.glob("jit-*"), key=_last_used, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # removed meanwhile
        return 0.0


def _is_readable(status: os.stat_result) -> bool:
    """Return whether a file is a plain one, not too large, and nobody else could have put machine code into it."""
    own = not hasattr(os, "getuid") or status.st_uid in (0, os.getuid())
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_FILE and own


def _seal(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _lock(file: IO[str]) -> bool:
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
