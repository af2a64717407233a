"""Find the arrays in a kernel's shared memory from the PTX that a cubin with line information carries.

The machine code has addresses only. ptxas lays the variables out in the order of the PTX, each at its alignment, and
dynamic shared memory behind them; so it did in 75 kernels of random variables compiled for sm_75, sm_90 and sm_100.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from warpview.isa.program import Variable
from warpview.isa.shared_variables import shared_variable

_DECLARATION = re.compile(r"\.shared\s+\.align\s+(\d+)\s+\.b8\s+([\w$]+)(\[(\d*)\])?\s*;")
_FUNCTION = re.compile(
    r"^\s*(?:\.(?:visible|weak|extern)\s+)*\.(entry|func)\b(?:\s*\([^)]*\))?\s*([\w$]+)", re.MULTILINE
)
ROUNDING = 16  # bytes by which the size of a kernel's shared memory may be rounded up


def shared_arrays(ptx: str, kernel: str, static_bytes: int, known: Mapping[str, Variable]) -> tuple[Variable, ...]:
    """Return the arrays in the shared memory of the kernel with this mangled name, typed as the source declares the
    ``known`` ones; none where the PTX is missing or does not agree with the size of the kernel's shared memory."""
    found, end = [], 0
    for align, name, size in _declared(ptx, kernel):
        offset = -(-end // align) * align
        found.append(shared_variable(name, offset, size, known))
        end = max(end, offset + size)
    return tuple(found) if 0 <= static_bytes - end < ROUNDING else ()


def _declared(ptx: str, kernel: str) -> Iterator[tuple[int, str, int]]:
    """Yield alignment, mangled name and size of each variable that the kernel uses; 0 is the size of dynamic shared
    memory, which comes last."""
    starts = list(_FUNCTION.finditer(ptx))
    ends = [*(match.start() for match in starts), len(ptx)]
    texts = [(match, ptx[match.start() : end]) for match, end in zip(starts, ends[1:], strict=True)]
    own = "".join(text for match, text in texts if match[1] == "entry" and match[2] == kernel)
    called = "".join(text for match, text in texts if match[1] == "func")
    everywhere = ptx[: ends[0]]
    used = set(re.findall(r"[\w$]+", own + called))
    of_module = (match for match in _DECLARATION.finditer(everywhere) if match[2] in used)
    variables = [(int(m[1]), m[2], _size(m)) for m in chain(of_module, _DECLARATION.finditer(own))]
    return iter(sorted(variables, key=lambda variable: variable[2] == 0))


def _size(match: re.Match[str]) -> int:
    return 1 if match[3] is None else int(match[4] or 0)
