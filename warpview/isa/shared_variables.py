"""Give the variables in shared memory that compiled code names by mangled names and sizes their declarations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import prod

from warpview.isa.program import Variable
from warpview.isa.types import Space, Type

_LOCAL_NAME = re.compile(r"E(\d+)([A-Za-z_]\w*)$")  # of a variable of a function, in a mangled name


def source_name(mangled: str) -> str:
    """Return the name that a variable of a function has in the source; other names as they are."""
    match = _LOCAL_NAME.search(mangled)
    return match[2][: int(match[1])] if match else mangled


def shared_variable(mangled: str, offset: int, size: int, known: Mapping[str, Variable]) -> Variable:
    """Return a variable of shared memory as the source declares it, where one of the ``known`` has its name and size;
    else as words, or as bytes. Size 0 is that of dynamic shared memory."""
    name = source_name(mangled)
    declared = known.get(name)
    if declared is not None and declared.space == Space.SHARED and size in (0, _bytes(declared)):
        return replace(declared, offset=offset)
    element, ctype = (Type.U32, "unsigned int") if size % 4 == 0 else (Type.U8, "unsigned char")
    return Variable(name, ctype, element, space=Space.SHARED, offset=offset, dims=(size // element.bytes,),
                    element_bytes=element.bytes)  # fmt: skip


def _bytes(variable: Variable) -> int:
    return prod(variable.dims) * (variable.element_bytes or variable.type.bytes)
