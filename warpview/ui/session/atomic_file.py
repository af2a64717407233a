"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a new file beside ``path``, then put it in place of ``path``.

    A link is followed to its file, whose permissions are kept. Whatever ``write`` raises leaves the old file as it is.
    The new file has the suffix of ``path``, so that formats are chosen alike.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        write(beside)
        if target.exists():
            beside.chmod(target.stat().st_mode)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
