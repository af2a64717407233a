"""Place the addresses of device variables that other variables of the device begin with."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from warpview.diagnostics import WarpviewError
from warpview.host.context import RuntimeContext, Symbol
from warpview.run.compilation import read_source

# The declaration of a variable of the device that may hold the address of another.
_ADDRESSES = re.compile(r"__(?:device|constant|managed)__[^;()]*\*[^;()]*=[^;]*[A-Za-z_]")
POINTER_BYTES = 8


def place_addresses(context: RuntimeContext) -> None:
    """Replace the addresses of shadows that variables begin with: the host part has those of its own variables, whose
    places are no addresses of anything else."""
    units = {unit for unit in {s.unit for s in context.symbols.values()} if _may_hold_addresses(Path(unit))}
    for symbol in context.symbols.values():
        if symbol.unit in units:
            _place(context, symbol)


def _may_hold_addresses(unit: Path) -> bool:
    try:
        return _ADDRESSES.search(read_source(unit).text) is not None
    except WarpviewError:
        return False


def _place(context: RuntimeContext, symbol: Symbol) -> None:
    whole = symbol.block.size // POINTER_BYTES * POINTER_BYTES
    words = context.arena.view(symbol.block.base, whole).view(np.uint64)
    for shadow, target in context.symbols.items():
        begin, end = np.uint64(shadow), np.uint64(shadow + target.block.size)
        found = (words >= begin) & (words < end)
        words[found] += np.uint64((target.block.base - shadow) % (1 << 64))
