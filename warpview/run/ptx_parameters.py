"""Read the names of a kernel's parameters in PTX that a person wrote."""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"\.param\b[^,]*?([A-Za-z_$][\w$]*)\s*(?:\[\s*\d*\s*\])?\s*(?:,|$)")
_NUMBERED = re.compile(r"_param_\d+$")  # as compilers name them, after the kernel


def parameter_names(ptx: str, kernel: str) -> list[str]:
    """Return the names of the parameters of a kernel, by its mangled name; none where a compiler has numbered them."""
    entry = re.search(
        rf"\.entry\s+{re.escape(kernel)}\s*\(([^)]*)\)", re.sub(r"//[^\n]*|/\*.*?\*/", "", ptx, flags=re.S)
    )
    names = _PARAMETER.findall(entry[1]) if entry else []
    return [] if any(map(_NUMBERED.search, names)) else names
