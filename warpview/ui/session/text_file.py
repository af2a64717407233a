"""Read and write source files as other programs do: line ends, byte order marks, old encodings. Qt-free."""

from __future__ import annotations

from pathlib import Path

from warpview.diagnostics import WarpviewError
from warpview.files import TextFormat, decoded, write_file

LARGEST = 5_000_000  # bytes; a source is never so long


def read(path: Path) -> str:
    """Return the text of a file, with plain line ends. OSError or WarpviewError, each with a sentence for the user."""
    return decoded(_bytes(path), path)[0]


def write(path: Path, text: str) -> None:
    """Write a text as the file has it already: with its line ends, in its encoding; else in UTF-8. A file is replaced
    as a whole, so that what ends the program half-way leaves the old one."""
    kind = TextFormat()
    if path.is_file():
        try:
            kind = decoded(_bytes(path), path)[1]
        except WarpviewError:
            kind = TextFormat()
    try:
        data = text.replace("\n", kind.newline).encode(kind.encoding)
    except UnicodeEncodeError:  # a character that the old encoding lacks
        data = text.replace("\n", kind.newline).encode()
    write_file(path, data)


def _bytes(path: Path) -> bytes:
    if path.is_file() and path.stat().st_size > LARGEST:
        raise WarpviewError(f"{path.name} is too large for a source file ({path.stat().st_size / 1e6:.0f} MB)")
    return path.read_bytes()
