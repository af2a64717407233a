"""Read and write source files as other programs do: line ends, byte order marks, old encodings. Qt-free."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from warpview.diagnostics import WarpviewError
from warpview.files import write_file

LARGEST = 5_000_000  # bytes; a source is never so long


@dataclass(frozen=True)
class Format:
    """Describe how a file holds its text: by which encoding, with which line ends."""

    encoding: str = "utf-8"
    newline: str = "\n"


def read(path: Path) -> str:
    """Return the text of a file, with plain line ends. OSError or WarpviewError, each with a sentence for the user."""
    return _decoded(_bytes(path), path.name)[0]


def write(path: Path, text: str) -> None:
    """Write a text as the file has it already: with its line ends, in its encoding; else in UTF-8. A file is replaced
    as a whole, so that what ends the program half-way leaves the old one."""
    kind = Format()
    if path.is_file():
        try:
            kind = _decoded(_bytes(path), path.name)[1]
        except WarpviewError:
            kind = Format()
    try:
        data = text.replace("\n", kind.newline).encode(kind.encoding)
    except UnicodeEncodeError:  # a character that the old encoding lacks
        data = text.replace("\n", kind.newline).encode()
    write_file(path, data)


def _bytes(path: Path) -> bytes:
    if path.is_file() and path.stat().st_size > LARGEST:
        raise WarpviewError(f"{path.name} is too long for a source file ({path.stat().st_size / 1e6:.0f} MB)")
    return path.read_bytes()


def _decoded(data: bytes, name: str) -> tuple[str, Format]:
    encoding = "utf-8"
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data:
        raise WarpviewError(f"{name} is not a text file; open a CUDA source (.cu, .cuh)")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = data.decode(encoding)
    newline = "\r\n" if "\r\n" in text else "\n"
    return text.replace("\r\n", "\n").replace("\r", "\n"), Format(encoding, newline)
