"""Open the recorded archives of machine code, each once."""

from __future__ import annotations

import zipfile
from functools import cache
from pathlib import Path

from warpview.sass import cubin

DATA = Path(__file__).parent / "data"


@cache
def archive(name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(DATA / name)


@cache
def loaded(name: str, file: str) -> cubin.Cubin:
    """Return a cubin of an archive."""
    return cubin.load(archive(name).read(file))
