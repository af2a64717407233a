"""Write random C++ kernels without undefined behaviour, to compare one compiler with another.

``write_program(kind, seed)`` returns the source of a kernel ``void kernel(int *out, int zero, int n)`` for one warp:
every lane leaves in ``out`` a hash of all that it computed. ``zero`` is 0 and ``n`` 32, which no compiler knows. Kinds:

* ``scalars``: expressions and statements of every integer and floating-point type, functions and references;
* ``objects``: besides, structs, enumerations, unions, arrays of arrays, lambdas, templates, shared memory;
* ``idioms``: pieces as they stand in courses and libraries, in random order and nesting;
* ``arrays``: local arrays, pointers into them and loops of constant bounds and others;
* ``kept``: scalars most of which keep the value that they are declared with, under several names;
* ``halves``: products and sums of numbers of 16 bits and of pairs of them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .arrays import ArrayWriter
from .halves import HalfWriter
from .idioms import write_idioms
from .kept import KeptWriter
from .objects import ObjectWriter
from .statements import StatementWriter

KINDS = ("scalars", "objects", "idioms", "kept", "arrays", "halves")
_WRITERS: dict[str, Callable[[Random], StatementWriter | ArrayWriter | HalfWriter]] = {
    "scalars": StatementWriter,
    "objects": ObjectWriter,
    "kept": KeptWriter,
    "arrays": ArrayWriter,
    "halves": HalfWriter,
}


def write_program(kind: str, seed: int) -> str:
    """Return the source of a kernel; the same for the same kind and seed."""
    random = Random(f"{kind} {seed}")
    if kind == "idioms":
        return write_idioms(random)
    return _WRITERS[kind](random).program()
