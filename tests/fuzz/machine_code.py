"""Make the fuzzer's input in NVIDIA's formats: damaged cubins, and changed PTX."""

from __future__ import annotations

import random
import struct
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpview as wv
from fuzz.inputs import BUDGET, ROOT, changed_bytes, changed_text
from warpview import library
from warpview.diagnostics import SourceText
from warpview.sass import cubin, nvrtc

ARCHIVES = ("library_sm90.zip", "counted_sm90.zip", "grid_sm90.zip", "copies_sm90.zip")
HEADER = struct.Struct("<16sHHIQQQIHHHHHH")  # of an ELF file of 64 bits
SECTION = struct.Struct("<IIQQQQIIQQ")
NUMBERS = (0, 1, 7, 63, 64, 255, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 64) - 1)


@cache
def cubins() -> tuple[tuple[bytes, tuple[str, ...]], ...]:
    """Return cubins to begin with, those that were recorded, with the names of their kernels."""
    found = []
    for name in ARCHIVES:
        archive = zipfile.ZipFile(ROOT / "tests/sass/data" / name)
        files = [archive.read(file) for file in sorted(archive.namelist()) if file.endswith(".cubin")]
        found += [(data, tuple(kernel.name for kernel in cubin.load(data).kernels)) for data in files]
    return tuple(found)


@cache
def modules() -> tuple[str, ...]:
    """Return PTX modules to begin with: one of each family of the library as NVRTC compiles it."""
    first = {entry.path.parent: entry for entry in library.kernels()}
    made = []
    for entry in first.values():
        text, kernel = entry.path.read_text(encoding="utf-8"), entry.preset("step").launches[0].kernel
        try:
            made.append(nvrtc.compile_to_ptx(SourceText(str(entry.path), text), kernel, entry.defines)[0])
        except wv.CompileError:
            continue
    return tuple(made)


def hostile(data: bytes, r: random.Random) -> bytes:
    """Return an ELF file with a wrong number in its header, in the table of its sections or in a section; or with wrong
    bytes anywhere, or without its end."""
    content = bytearray(data)
    fields = list(HEADER.unpack_from(content))
    offset, count = fields[6], fields[12]
    match r.randrange(5):
        case 0:
            where = r.randrange(1, len(fields))
            size = 8 if where in (4, 5, 6) else 4 if where in (3, 7) else 2
            fields[where] = r.choice(NUMBERS) & (1 << 8 * size) - 1
            HEADER.pack_into(content, 0, *fields)
        case 1:
            at = offset + SECTION.size * r.randrange(count)
            section = list(SECTION.unpack_from(content, at))
            where = r.randrange(len(section))
            size = 4 if where in (0, 1, 6, 7) else 8
            section[where] = (r.choice(NUMBERS) + r.choice((0, 0, section[where]))) & (1 << 8 * size) - 1
            SECTION.pack_into(content, at, *section)
        case 2:
            section = list(SECTION.unpack_from(content, offset + SECTION.size * r.randrange(count)))
            if section[5] >= 4 and section[1] != 8:  # not empty, and in the file
                at = section[4] + 4 * r.randrange(section[5] // 4)
                struct.pack_into("<I", content, at, r.choice(NUMBERS) & 0xFFFFFFFF)
        case 3:
            for _ in range(r.choice((1, 1, 3, 30))):
                content[r.randrange(len(content))] ^= 1 << r.randrange(8)
        case _:
            return changed_bytes(data, r)
    return bytes(content)


def _launched(program: Any, r: random.Random) -> None:
    arguments = [np.arange(256, dtype=np.int32) if p.type.bytes == 8 else r.choice((1, 3, 64)) for p in program.params]
    wv.simulate(program, 2, r.choice((1, 32, 64)), arguments, shared_bytes=r.choice((0, 1024)), device="h200",
                engine=r.choice(("profile", "profile", "sm")), step_budget=BUDGET)  # fmt: skip


def cubin_reader(folder: Path) -> Callable[[random.Random], None]:
    """Return what damages a cubin, loads it, and launches its kernel where it loads."""

    def damaged(r: random.Random) -> None:
        path, (data, kernels) = folder / "a.cubin", r.choice(cubins())
        path.write_bytes(hostile(data, r))
        _launched(wv.compile(path, kernel=r.choice(kernels)), r)

    return damaged


def ptx_reader(folder: Path) -> Callable[[random.Random], None]:
    """Return what changes a PTX module, reads it, and launches its kernel where that can be."""

    def changed(r: random.Random) -> None:
        path = folder / "a.ptx"
        path.write_text(changed_text(r.choice(modules()), r), encoding="utf-8")
        _launched(wv.compile(path, device=r.choice(("k40", "p100", "v100"))), r)

    return changed
