"""Read the user's files within bounds, and write files whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from pathlib import Path

from warpview.diagnostics import WarpviewError

MOST_TEXT_BYTES = 16 << 20


def regular_file(path: Path, most_bytes: int | None = None) -> Path:
    """Return ``path`` if it is a regular file of at most ``most_bytes``.

    Raises WarpviewError for anything else: a folder, a device that never ends, a pipe that would block.
    """
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise WarpviewError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if stat.S_ISDIR(found.st_mode):
        raise WarpviewError(f"cannot read {path}: it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise WarpviewError(f"cannot read {path}: it is not a regular file")
    if most_bytes is not None and found.st_size > most_bytes:
        raise WarpviewError(f"cannot read {path}: it has {found.st_size} bytes, more than {most_bytes}")
    return path


def read_text(path: Path, most_bytes: int = MOST_TEXT_BYTES) -> str:
    """Return the UTF-8 text of a file without its byte-order mark; bytes that are no UTF-8 become U+FFFD.

    Raises WarpviewError where it cannot be read or is larger than ``most_bytes``.
    """
    try:
        return regular_file(path, most_bytes).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise WarpviewError(f"cannot read {path}: {error.strerror}") from None


def write_file(path: Path, content: str | bytes) -> None:
    """Write ``content`` (text as UTF-8) to ``path`` so that a reader finds the old file or all of the new one.

    The content goes to a temporary file in the same folder, which then takes the place of the old one and its
    permissions; a link stays a link. What is no regular file (a terminal, a pipe) is written directly. Raises
    WarpviewError where that fails; the old file is then unchanged.
    """
    data = content.encode("utf-8", errors="surrogateescape") if isinstance(content, str) else content
    try:
        target = path.resolve()
        if target.is_symlink():  # Python 3.13 resolves a loop of links to one of them
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise WarpviewError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.is_file():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
