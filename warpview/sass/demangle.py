"""Demangle the names of kernels, by the part of the Itanium C++ ABI that kernels need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

BUILTIN = {
    "v": "void", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "f": "float", "d": "double",
}  # fmt: skip


def demangled(name: str) -> str:
    """Return ``reduce6<128>`` of ``_Z7reduce6ILj128EEvPKiPii``; the name itself where it is not understood."""
    match = re.match(r"_Z(N)?", name)
    if match is None:
        return name
    at, parts = match.end(), []
    while (length := re.compile(r"\d+").match(name, at)) is not None:
        end = length.end() + int(length[0])
        parts.append(name[length.end() : end])
        at = end
        if match[1] is None:
            break
    if not parts:
        return name
    arguments = _template_arguments(name[at:])
    return "::".join(parts) + (f"<{','.join(arguments)}>" if arguments else "")


def variable_names(mangled: Sequence[str]) -> dict[str, str]:
    """Return the names to show of the variables of a file: with their namespaces where several have one name."""
    full = {name: demangled(name) for name in mangled}
    bare = {name: whole.rpartition("::")[2] for name, whole in full.items()}
    count = Counter(bare[name] for name in mangled)
    return {name: full[name] if count[bare[name]] > 1 else bare[name] for name in full}


def _template_arguments(text: str) -> list[str]:
    """Return the template arguments that begin a mangled suffix, as far as they are numbers, truth values and plain
    types."""
    if not text.startswith("I"):
        return []
    arguments, rest = [], text[1:]
    while rest and not rest.startswith("E"):
        number = re.match(r"L([a-z])(n?)(\d+)E", rest)
        if number is not None:
            value = ("-" if number[2] else "") + number[3]
            arguments.append({"0": "false", "1": "true"}[value] if number[1] == "b" else value)
            rest = rest[number.end() :]
        elif rest[0] in BUILTIN:
            arguments.append(BUILTIN[rest[0]])
            rest = rest[1:]
        else:
            return []
    return arguments
