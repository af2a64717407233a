"""Compile CUDA C++ to machine code by NVRTC, NVIDIA's run-time compiler, called through ctypes, without a GPU.

The library comes with ``pip install warpview[nvidia]``. The C interface is that of the NVRTC documentation, version 13.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span, WarpviewError
from warpview.sass import nvidia_packages, nvjitlink, precompiled
from warpview.sass.standard_headers import INCLUDED, RENAMED_POW, global_functions, mixed_math, standard_headers

OLDEST = 75  # architecture that NVRTC 13 compiles for
MESSAGE = re.compile(
    r"^(?:(?P<file>.*)\((?P<line>\d+)\)|At end of source): (?:fatal |catastrophic )?error(?: #\S+)?: (?P<text>.*)$"
)
NAMES = "__nv_name_map"  # the file in which NVRTC looks for the kernels that are asked for by name


@dataclass(frozen=True)
class Compiled:
    """Hold the result of a compilation: the cubin, and the mangled name of every name expression that was asked
    for."""

    cubin: bytes
    lowered: Mapping[str, str]


@cache
def library() -> ctypes.CDLL:
    """Return the library NVRTC. Raise MissingCompiler where it is not installed or cannot be loaded."""
    return nvidia_packages.load(
        "NVRTC", "compiling to NVIDIA's machine code", "bin/**/nvrtc64*_0.dll", "lib/libnvrtc.so.*",
        first="*nvrtc-builtins*",
    )  # fmt: skip


def is_installed() -> bool:
    """Return whether NVRTC can be loaded."""
    return nvidia_packages.can_load(library)


def version() -> tuple[int, int]:
    """Return the version of NVRTC, (13, 0) for instance."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


# Included before the source: the user's macros, behind NVRTC's own declarations, in which they might stand for a name.
PREAMBLE = "warpview_preamble.h"


def compile_source(
    source: SourceText,
    architecture: int,
    names: Sequence[str] = (),
    defines: Mapping[str, object] | None = None,
    *,
    fma: bool = True,
    include_folders: Sequence[Path] = (),
    headers: Mapping[str, str] | None = None,
    relocatable: bool = False,
) -> Compiled:
    """Compile CUDA C++ to a cubin for ``sm_<architecture>``.

    ``names`` are the kernels that templates must be instantiated for, as C++ expressions ("reduce<128>"); ``headers``
    are texts in place of files, by their names as they are included. A source whose kernels launch kernels must be
    ``relocatable``: it is compiled to such code, and linked.
    Raises CompileError with the compiler's messages, MissingCompiler where NVRTC is not installed.
    """
    target, further = f"sm_{architecture}", ["--relocatable-device-code=true"] if relocatable else []
    with _compiled(source, target, names, defines, fma, include_folders, headers, further) as program:
        cubin = program.output("nvrtcGetCUBINSize", "nvrtcGetCUBIN")
        lowered = {name: program.lowered(name) for name in names}
    return Compiled(nvjitlink.link(source, cubin, architecture) if relocatable else cubin, lowered)


def compile_to_ptx(
    source: SourceText,
    name: str | None,
    defines: Mapping[str, object] | None = None,
    *,
    fma: bool = True,
    include_folders: Sequence[Path] = (),
    headers: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """Compile CUDA C++ to the PTX of the oldest architecture that NVRTC knows; return it with the mangled name of the
    kernel ``name``, where one is given. Raises as ``compile_source`` does."""
    names = [] if name is None else [name]
    with _compiled(source, f"compute_{OLDEST}", names, defines, fma, include_folders, headers) as program:
        ptx = program.output("nvrtcGetPTXSize", "nvrtcGetPTX")
        return ptx.rstrip(b"\0").decode(errors="replace"), "".join(map(program.lowered, names))


@contextmanager
def _compiled(
    source: SourceText, architecture: str, names: Sequence[str], defines: Mapping[str, object] | None, fma: bool,
    include_folders: Sequence[Path], headers: Mapping[str, str] | None, further: Sequence[str] = (),
) -> Iterator[_Program]:  # fmt: skip
    options = [
        f"--gpu-architecture={architecture}",
        "--generate-line-info",
        f"--fmad={'true' if fma else 'false'}",
        "--device-as-default-execution-space",
        *(["--device-int128"] if sys.platform == "linux" else []),  # NVRTC has it there alone
        f"--pre-include={PREAMBLE}",
        *(f"--include-path={folder}" for folder in include_folders),
        *further,
    ]
    macros = "".join(f"#define {name} {value}\n" for name, value in (defines or {}).items())
    texts = {**standard_headers(), **global_functions(), **(headers or {})}
    texts[PREAMBLE] = INCLUDED + mixed_math() + texts.get(PREAMBLE, "") + macros
    with ExitStack() as stack:
        program = stack.enter_context(_Program(source, texts, names))
        try:
            with precompiled.writing:
                large = precompiled.options(texts[PREAMBLE] + source.text, texts, include_folders)
                program.compile(["--std=c++17", *options, *large])
        except CompileError as error:
            program = stack.enter_context(_Program(source, texts, names))
            program.compile_newer(["--std=c++20", *options], error)
        yield program


class _Program:
    """Wrap an nvrtcProgram, which is destroyed at the end of the ``with`` statement. ``headers`` has texts by name;
    ``names`` are the name expressions whose mangled names are wanted."""

    def __init__(self, source: SourceText, headers: Mapping[str, str], names: Sequence[str]) -> None:
        self.library = library()
        self.source = source
        self.headers = headers
        self.names = names
        self.handle = ctypes.c_void_p()

    def __enter__(self) -> _Program:
        text, name = self.source.text.encode(), self.source.name.encode()
        count = len(self.headers)
        names = (ctypes.c_char_p * count)(*(header.encode() for header in self.headers))
        texts = (ctypes.c_char_p * count)(*(contents.encode() for contents in self.headers.values()))
        create = self.library.nvrtcCreateProgram
        _check(create(ctypes.byref(self.handle), text, name, count, texts, names))
        for expression in self.names:
            _check(self.library.nvrtcAddNameExpression(self.handle, expression.encode()))
        return self

    def __exit__(self, *_: object) -> None:
        self.library.nvrtcDestroyProgram(ctypes.byref(self.handle))

    def compile(self, options: Sequence[str]) -> None:
        """Compile. Raises CompileError with the messages of the compiler."""
        listed = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        if self.library.nvrtcCompileProgram(self.handle, len(options), listed):
            log = self.output("nvrtcGetProgramLogSize", "nvrtcGetProgramLog").decode(errors="replace")
            raise CompileError(list(_diagnostics(self.source, log)))

    def compile_newer(self, options: Sequence[str], error: CompileError) -> None:
        """Compile what the older standard, which is nvcc's default, refuses. Raises the ``error`` with which it did so
        where the newer one refuses the source as well."""
        try:
            self.compile(options)
        except CompileError:
            raise error from None

    def output(self, size_function: str, function: str) -> bytes:
        """Return the output of one of NVRTC's pairs of functions: the size first, then the bytes."""
        size = ctypes.c_size_t()
        _check(getattr(self.library, size_function)(self.handle, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        _check(getattr(self.library, function)(self.handle, buffer))
        return buffer.raw

    def lowered(self, name: str) -> str:
        """Return the mangled name of a name expression."""
        found = ctypes.c_char_p()
        _check(self.library.nvrtcGetLoweredName(self.handle, name.encode(), ctypes.byref(found)))
        return (found.value or b"").decode()


def _check(code: int) -> None:
    """Raise WarpviewError where a function of NVRTC failed."""
    if code:
        describe = library().nvrtcGetErrorString
        describe.restype = ctypes.c_char_p
        raise WarpviewError(f"NVRTC: {describe(code).decode()}")


def _diagnostics(source: SourceText, log: str) -> Iterator[Diagnostic]:
    """Yield the errors of a compiler's log, at their lines of the source."""
    found = [match for match in map(MESSAGE.match, log.splitlines()) if match is not None]
    in_source = [match for match in found if match["file"] != NAMES]  # what is wrong there hides kernels, too
    for match in in_source or found:
        line = int(match["line"]) if match["file"] == source.name else 1
        if match["file"] is None:
            line = len(source.text.splitlines())
        text = match["text"].replace(RENAMED_POW, "pow")
        yield Diagnostic(text, Span(source, max(1, line), 1, 1))
    if not found:
        yield Diagnostic(log.strip("\0\n ") or "NVRTC failed without a message", Span(source, 1, 1, 1))
