"""Read the user's files within bounds, and write files whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from warpview.diagnostics import WarpviewError

MOST_TEXT_BYTES = 16 << 20
CUBIN, PTX = MACHINE_CODE = (".cubin", ".ptx")  # endings of files of machine code


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
    """Return the text of a file, its lines ended by newlines alone.

    Raises WarpviewError where it cannot be read, is no text, or is larger than ``most_bytes``.
    """
    return decoded(read_bytes(path, most_bytes), path)[0]


@dataclass(frozen=True)
class TextFormat:
    """Describe how a file holds its text: by which encoding, with which line ends."""

    encoding: str = "utf-8"
    newline: str = "\n"


def decoded(data: bytes, path: Path) -> tuple[str, TextFormat]:
    """Return the text in the content of a file without its byte-order mark, its lines ended by newlines alone, and how
    the file holds it: in UTF-8, in UTF-16 with a byte-order mark (as PowerShell redirects output), else in Latin-1.

    Raises WarpviewError where it is no text. Zeros at the end are left out, as NVRTC ends PTX with one.
    """
    data, encoding = data.rstrip(b"\0"), "utf-8"
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding, data = "utf-16", data + bytes(len(data) % 2)  # the zero of the last character
    elif b"\0" in data:
        raise WarpviewError(f"{path.name} is not a text file")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = data.decode(encoding)
    newline = "\r\n" if "\r\n" in text else "\n"
    return text.replace("\r\n", "\n").replace("\r", "\n"), TextFormat(encoding, newline)


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file. Raises WarpviewError where it cannot be read or is larger than ``most_bytes``."""
    try:
        return regular_file(path, most_bytes).read_bytes()
    except OSError as error:
        raise WarpviewError(f"cannot read {path}: {error.strerror}") from None


def write_file(path: Path, content: str | bytes) -> None:
    """Write ``content`` (text as UTF-8) to ``path`` so that a reader finds the old file or all of the new one.

    Raises WarpviewError as ``write_whole`` does.
    """
    data = content.encode("utf-8", errors="surrogateescape") if isinstance(content, str) else content
    write_whole(path, lambda target: target.write_bytes(data))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file in the folder of ``path``, which then takes the place of ``path``.

    The file keeps the permissions of the old one, and a link stays a link. The temporary file has the suffix of
    ``path``, from which ``write`` may choose a format. What is no regular file (a terminal, a pipe) is written
    directly. Raises WarpviewError where the file system refuses; whatever else ``write`` raises passes through. In
    both cases the old file is unchanged.
    """
    try:
        target = _target_of(path)
        if target.exists() and not target.is_file():
            write(target)
        else:
            _replace(target, write)
    except OSError as error:
        raise WarpviewError(f"cannot write {path}: {error.strerror or error}") from None


def _target_of(path: Path) -> Path:
    """Return the file that ``path`` leads to, through links; raises OSError for a folder and where it leads nowhere."""
    try:
        target = path.resolve()
    except (RuntimeError, ValueError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise OSError(str(error)) from None
    if target.is_symlink():  # Python 3.13 resolves a loop of links to one of them
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    return target


def _replace(target: Path, write: Callable[[Path], object]) -> None:
    temporary = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")
    try:
        write(temporary)
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        if target.is_file():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
