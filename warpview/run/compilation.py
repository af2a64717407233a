"""Turn a path or a text into a program: the public ``compile``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from warpview import frontend, library
from warpview.argument_checks import instance, named_values, truth_value
from warpview.devices import Device
from warpview.diagnostics import SourceText, WarpviewError
from warpview.files import CUBIN, read_text
from warpview.isa.program import Program

COMPILERS = ("warpview", "nvrtc")
KERNEL_SUFFIXES = (".cu", ".cuh", ".cubin", ".ptx")  # of the files that have kernels
_KEY = re.compile(r"\w+/\w+")  # of a library kernel


def check_compiler(name: str) -> None:
    """Raise WarpviewError for a name that is not one of ``COMPILERS``."""
    if instance(name, str, "compiler", "a name") not in COMPILERS:
        raise WarpviewError(f"there is no compiler '{name}': use {' or '.join(map(repr, COMPILERS))}")


def compile(
    path_or_source: str | Path | library.Entry,
    kernel: str | None = None,
    defines: Mapping[str, object] | None = None,
    *,
    fma: bool = True,
    predicate: bool = False,
    compiler: str = "warpview",
    device: str | Path | Device = "h200",
) -> Program:
    """Compile a kernel of a ``.cu`` file, given by path or as text, or one of ``kernels()``, itself or its key.

    ``kernel`` names it, with template arguments where it has parameters (``reduce<128>``); it may be left out where
    the file has one, and for one of ``kernels()``. ``fma`` contracts multiply-add as nvcc does; ``predicate`` turns
    short branches into predicated instructions as nvcc does. ``compiler`` "nvrtc" gives NVIDIA's own machine code for
    ``device``, or its PTX where that is older than compute capability 7.5; it needs ``pip install warpview[nvidia]``.
    A path that ends in ``.cubin`` is loaded as it is, one that ends in ``.ptx`` is assembled for ``device``, or
    compiled where it is older. Raises CompileError with ``.diagnostics``.
    """
    check_compiler(compiler)
    instance(path_or_source, (str, Path, library.Entry), "path_or_source", "a path, a text or one of kernels()")
    instance(kernel, (str, type(None)), "kernel", "the name of a kernel")
    defines = named_values(defines, "defines", "values")
    fma, predicate = truth_value(fma, "fma"), truth_value(predicate, "predicate")
    if isinstance(path_or_source, str) and _KEY.fullmatch(path_or_source):
        path_or_source = library.entry(path_or_source)
    if isinstance(path_or_source, library.Entry):
        kernel, defines = kernel or path_or_source.kernel, {**path_or_source.defines, **defines}
        path_or_source = path_or_source.path
    path = _path(path_or_source)
    if path is not None and path.suffix in (".cubin", ".ptx"):
        from warpview.run.machine_code_file import open_machine_code
        from warpview.run.nvrtc_targets import PTX_ONLY, architecture_of
        from warpview.run.ptx_program import load_ptx

        architecture = None if path.suffix == CUBIN else architecture_of(device)
        if architecture == PTX_ONLY:
            return load_ptx(path, kernel)
        return open_machine_code(path, architecture).program(kernel)
    source = read_source(path) if path else SourceText("<source>", str(path_or_source))
    folder = path.parent if path else None
    if compiler == "nvrtc":
        from warpview.run.nvrtc_program import compile_with_nvrtc
        from warpview.run.nvrtc_targets import architecture_of

        return compile_with_nvrtc(source, kernel, defines, architecture_of(device), fma=fma, include_folder=folder)
    return frontend.compile_source(source, kernel, defines, fma=fma, predicate=predicate, include_dir=folder)


def _path(path_or_source: str | Path) -> Path | None:
    """Return the path that is meant, or None where it is source text."""
    if isinstance(path_or_source, Path):
        return path_or_source
    one_line = "\n" not in path_or_source and path_or_source.strip().endswith(KERNEL_SUFFIXES)
    return Path(path_or_source) if one_line else None


def read_source(path: Path) -> SourceText:
    """Return the text of a kernel file. Raises WarpviewError where it cannot be read."""
    return SourceText(str(path), read_text(path))
