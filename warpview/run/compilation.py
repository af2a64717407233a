"""The public ``compile`` turns a path or a text into a program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from warpview import frontend
from warpview.diagnostics import SourceText
from warpview.files import read_text
from warpview.isa.program import Program


def compile(
    path_or_source: str | Path,
    kernel: str | None = None,
    defines: Mapping[str, object] | None = None,
    *,
    fma: bool = True,
    predicate: bool = False,
) -> Program:
    """Compile a kernel of a ``.cu`` file, given by path or as text.

    ``kernel`` names it, with template arguments where it has parameters (``reduce<128>``); it may be left out where
    the file has one. ``fma`` contracts multiply-add as nvcc does; ``predicate`` turns short branches into predicated
    instructions as nvcc does. Raises CompileError with ``.diagnostics``.
    """
    path = _path(path_or_source)
    source = read_source(path) if path else SourceText("<source>", str(path_or_source))
    folder = path.parent if path else None
    return frontend.compile_source(source, kernel, defines, fma=fma, predicate=predicate, include_dir=folder)


def _path(path_or_source: str | Path) -> Path | None:
    """Return the path that is meant, or None where it is source text."""
    if isinstance(path_or_source, Path):
        return path_or_source
    one_line = "\n" not in path_or_source and path_or_source.strip().endswith((".cu", ".cuh"))
    return Path(path_or_source) if one_line else None


def read_source(path: Path) -> SourceText:
    """Return the text of a kernel file. Raises WarpviewError where it cannot be read."""
    return SourceText(str(path), read_text(path))
