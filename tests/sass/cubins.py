"""Open the recorded archives of machine code, each once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from warpview.sass import cubin

DATA = Path(__file__).parent / "data"


@cache
def archive(name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(DATA / name)


@cache
def loaded(name: str, file: str) -> cubin.Cubin:
    """Return a cubin of an archive."""
    return cubin.load(archive(name).read(file))


def code_of_kernels(name: str, file: str) -> Iterator[bytes]:
    """Yield the code of each kernel and function of a cubin, whose lines and attributes take long to read."""
    for section in ELFFile(io.BytesIO(archive(name).read(file))).iter_sections():
        if section.name.startswith(".text."):
            yield section.data()
