"""Read the functions of CUDA that are written in CUDA C++ themselves: the headers in ``headers/device``."""

from __future__ import annotations

from functools import cache

from warpview.diagnostics import SourceText
from warpview.frontend import syntax as s
from warpview.frontend.parse.parser import Parser
from warpview.frontend.preprocess.preludes import HEADERS
from warpview.frontend.preprocess.preprocessor import preprocess

_FOLDER = HEADERS / "device"
_NAMES = tuple(f"{path.stem}.h" for path in sorted(_FOLDER.glob("*.h")))


@cache
def device_library() -> s.TranslationUnit:
    """Return the functions that a file may call without declaring them."""
    text = "".join(f'#include "{name}"\n' for name in _NAMES)
    unit = Parser(preprocess(SourceText("device", text), None, _FOLDER).tokens).translation_unit()
    for place, function in enumerate(unit.functions):
        function.order = place
    return unit
