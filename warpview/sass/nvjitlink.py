"""Assemble PTX and link machine code by nvJitLink, NVIDIA's linker, called through ctypes, without a GPU.

The library comes with ``pip install warpview[nvidia]``. The C interface is that of the nvJitLink documentation,
version 13.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.sass import nvidia_packages

CUBIN_INPUT, PTX_INPUT = 1, 2  # NVJITLINK_INPUT_CUBIN, NVJITLINK_INPUT_PTX
MESSAGE = re.compile(r"ptxas (?:.*?, line (?P<line>\d+); )?(?:error|fatal)\s*:\s*(?P<text>.*)")


@cache
def library() -> ctypes.CDLL:
    """Return the library nvJitLink. Raises MissingCompiler where it is not installed or cannot be loaded."""
    return nvidia_packages.load("nvJitLink", "assembling PTX", "bin/**/nvJitLink*.dll", "lib/libnvJitLink.so.*")


def is_installed() -> bool:
    """Return whether nvJitLink can be loaded."""
    return nvidia_packages.can_load(library)


def assemble(source: SourceText, architecture: int) -> bytes:
    """Assemble PTX to a cubin for ``sm_<architecture>``.

    Raises CompileError with the assembler's messages at their lines, MissingCompiler where nvJitLink is not installed.
    """
    return _linked(source, PTX_INPUT, source.text.encode(), architecture)


def link(source: SourceText, cubin: bytes, architecture: int) -> bytes:
    """Return relocatable machine code of a source as a cubin whose calls are resolved.

    Raises CompileError where a function is missing, MissingCompiler where nvJitLink is not installed.
    """
    return _linked(source, CUBIN_INPUT, cubin, architecture)


def _linked(source: SourceText, kind: int, data: bytes, architecture: int) -> bytes:
    linker = library()
    handle = ctypes.c_void_p()
    options = (ctypes.c_char_p * 2)(f"-arch=sm_{architecture}".encode(), b"-lineinfo")
    _check(linker.nvJitLinkCreate(ctypes.byref(handle), len(options), options), handle, source)
    try:
        name = Path(source.name).name.encode()
        _check(linker.nvJitLinkAddData(handle, kind, data, len(data), name), handle, source)
        _check(linker.nvJitLinkComplete(handle), handle, source)
        return _output(handle, "nvJitLinkGetLinkedCubin")
    finally:
        linker.nvJitLinkDestroy(ctypes.byref(handle))


def _output(handle: ctypes.c_void_p, function: str) -> bytes:
    """Return the output of one of the pairs of functions: the size first, then the bytes."""
    size = ctypes.c_size_t()
    getattr(library(), f"{function}Size")(handle, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(library(), function)(handle, buffer)
    return buffer.raw


def _check(code: int, handle: ctypes.c_void_p, source: SourceText) -> None:
    """Raise CompileError with the messages of the log where a function failed."""
    if code:
        log = _output(handle, "nvJitLinkGetErrorLog").decode(errors="replace") if handle else ""
        raise CompileError(list(_diagnostics(source, log, code)))


def _diagnostics(source: SourceText, log: str, code: int) -> Iterator[Diagnostic]:
    """Yield the errors of the assembler's log, at their lines of the PTX."""
    found = [match for line in log.splitlines() if (match := MESSAGE.search(line))]
    placed = [match for match in found if match["line"]]
    for match in placed or found:
        yield Diagnostic(match["text"].strip("\0 "), Span(source, int(match["line"] or 1), 1, 1))
    if not found:
        yield Diagnostic(log.strip("\0\n ") or f"nvJitLink failed with error {code}", Span(source, 1, 1, 1))
