"""Collect the files of a program: those named, and the local headers that they include."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpview.diagnostics import SourceText, WarpviewError
from warpview.frontend.preprocess.preludes import names_references
from warpview.host.rewrite import host_text, marking_macros
from warpview.host.scan import sections_of, words_of
from warpview.host.toolchain import HostUnit
from warpview.run.compilation import read_source

# What carries out the functions of a program on the host.
_ALGORITHMS = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<thrust/|\bcub::Device[A-Z]", re.MULTILINE)
REFERENCES = "cuda_runtime_references.h"  # of textures and surfaces, which CUDA had before version 12
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True)
class HostSources:
    """Hold the input of the host compiler: ``units`` to compile, and the headers they include, rewritten, by path."""

    units: tuple[HostUnit, ...]
    headers: dict[Path, str]


def host_sources(paths: Sequence[Path]) -> HostSources:
    """Return the program that these files make up. Raises WarpviewError where one cannot be read."""
    texts = {path: read_source(path) for path in paths}
    local = _local_headers(texts)
    marks: dict[str, frozenset[str]] = {}
    for source in local.values():
        marks |= marking_macros(words_of(source))
    sources = [*texts.values(), *local.values()]
    uses_algorithms = any(_ALGORITHMS.search(source.text) for source in sources)
    header = REFERENCES if any(names_references(words_of(source)) for source in sources) else ""
    return HostSources(
        tuple(HostUnit(path, host_text(source, marks, uses_algorithms), header) for path, source in texts.items()),
        {path: host_text(source, marks, uses_algorithms) for path, source in local.items()},
    )


def _local_headers(sources: dict[Path, SourceText]) -> dict[Path, SourceText]:
    """Return the files that the sources include from beside them, and those that these include."""
    found: dict[Path, SourceText] = {}
    waiting = list(sources.items())
    while waiting:
        path, source = waiting.pop()
        for name in _INCLUDE.findall(source.text):
            header = (path.parent / name).resolve()
            if header.is_file() and header not in found:
                found[header] = read_source(header)
                waiting.append((header, found[header]))
    return found


def has_main(path: Path) -> bool:
    """Return whether a file defines ``main`` (reading it, not running it)."""
    try:
        words = words_of(read_source(path))
    except WarpviewError:
        return False
    code = sections_of(words)[0].words
    return any(
        word.text == "main" and code[k + 1].text == "(" and k > 0 and code[k - 1].text in ("int", "auto", "void")
        for k, word in enumerate(code[:-1])
    )
