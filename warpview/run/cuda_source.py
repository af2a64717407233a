"""Hold a source for NVIDIA's compiler as our front end reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from warpview import frontend
from warpview.diagnostics import CompileError, SourceText
from warpview.frontend.compiler import parse


@dataclass(frozen=True)
class CudaSource:
    """Hold a source that NVIDIA's compiler is to compile, its macros, and the folder that it includes headers from."""

    text: SourceText
    defines: Mapping[str, object] = field(default_factory=dict)
    folder: Path | None = None

    @cached_property
    def parsed(self) -> frontend.ParsedFile | None:
        """Return the file as our front end reads it, which it does once; None where its brackets or directives are
        wrong."""
        try:
            return parse(self.text, self.defines, self.folder, for_another_compiler=True)
        except CompileError:
            return None
