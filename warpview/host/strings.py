"""Place the strings that variables of the device point to in the memory of a program."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from warpview import frontend
from warpview.diagnostics import WarpviewError
from warpview.frontend.compiler import parse
from warpview.host.context import CudaFailure, RuntimeContext
from warpview.host.errors import CudaError
from warpview.run.compilation import read_source

# The declaration of a variable of the device that may point to strings.
_STRINGS = re.compile(r'__(?:device|constant|managed)__[^;(){}]*\*[^;(){}]*=[^;]*"')


def place_strings(context: RuntimeContext) -> None:
    """Give variables that point to strings their initial values: the host part has those of its own strings."""
    for unit in {Path(symbol.unit) for symbol in context.symbols.values()}:
        try:
            source = read_source(unit)
            if not _STRINGS.search(source.text):
                continue
            parsed = parse(source, context.settings.defines, unit.parent)
            values = frontend.string_pointers(parsed)
        except WarpviewError:
            continue
        for symbol in context.symbols.values():
            if symbol.unit == str(unit) and symbol.name in values:
                contents, strings = values[symbol.name]
                places = bytearray(contents)
                for offset, text in strings.items():
                    block = context.arena.allocate(len(text), f"a string of {symbol.name}", context.place, "constants")
                    if block is None:
                        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
                    context.arena.view(block.base, len(text))[:] = np.frombuffer(text, np.uint8)
                    context.arena.mark_written(block, block.base, block.size)
                    places[offset : offset + 8] = block.base.to_bytes(8, "little")
                context.arena.view(symbol.block.base, len(places))[:] = np.frombuffer(bytes(places), np.uint8)
