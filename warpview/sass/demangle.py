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
    """Return ``reduce6<128>`` of ``_Z7reduce6ILj128EEvPKiPii``, ``Table<4>::v`` of a member of a class, the bare name
    of a variable of a function; the name itself where it is not understood."""
    of_function = re.match(r"_ZZ.*?E(\d+)(\w+?)(?:_\d)?$", name)
    if of_function is not None and int(of_function[1]) == len(of_function[2]):
        return of_function[2]
    match = re.match(r"_Z(N)?", name)
    if match is None:
        return name
    at, parts = match.end(), []
    while (length := re.compile(r"\d+").match(name, at)) is not None:
        end = length.end() + int(length[0])
        after = _end_of_arguments(name, end)
        arguments = _template_arguments(name[end:after])
        parts.append(name[length.end() : end] + (f"<{','.join(arguments)}>" if arguments else ""))
        at = after
        if match[1] is None:
            break
    return "::".join(parts) or name


def _end_of_arguments(name: str, at: int) -> int:
    """Return where template arguments end that may begin at a place of a mangled name."""
    if name[at : at + 1] != "I":
        return at
    depth = 0
    while at < len(name):
        token = re.compile(r"L[a-z]n?\d+|\d+|.").match(name, at)
        assert token is not None
        at = token.end() + (int(token[0]) if token[0].isdigit() else 0)
        depth += (token[0][0] in "IJLNXF") - (token[0] == "E")
        if depth == 0:
            break
    return at


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
    arguments, packs, rest = list[str](), 0, text[1:]
    while rest and not (rest[0] == "E" and packs == 0):
        number = re.match(r"L([a-z])(n?)(\d+)E", rest)
        if rest[0] in "JE":  # a pack, which may end before the arguments do
            packs += 1 if rest[0] == "J" else -1
            rest = rest[1:]
        elif number is not None:
            value = ("-" if number[2] else "") + number[3]
            arguments.append({"0": "false", "1": "true"}[value] if number[1] == "b" else value)
            rest = rest[number.end() :]
        elif rest[0] in BUILTIN:
            arguments.append(BUILTIN[rest[0]])
            rest = rest[1:]
        else:
            return []
    return arguments
