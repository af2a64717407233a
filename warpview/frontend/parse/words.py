"""List the words of C++ and CUDA that types and declarations are made of."""

from __future__ import annotations

from warpview.frontend.semantic import types as t

SCALAR_WORDS = frozenset(
    ["void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "__signed__", "__int64"]
)
CONST_WORDS = frozenset(("const", "__const"))
VOLATILE_WORDS = frozenset(("volatile", "__volatile__"))
RESTRICT_WORDS = frozenset(("__restrict__", "__restrict", "restrict"))
STORAGE_WORDS = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__shared__",
        "__constant__",
        "__managed__",
        "__forceinline__",
        "__noinline__",
        "__inline__",
        "__inline",
        "static",
        "extern",
        "inline",
        "constexpr",
        "register",
        "mutable",
        "thread_local",
        "friend",
        "explicit",
        "virtual",
        "__grid_constant__",
        "consteval",
        "constinit",
    ]
)
TAG_WORDS = frozenset(("struct", "class", "union", "enum"))
# Other words that begin a type.
BEGINNING_TYPES = frozenset(("auto", "typename", "decltype", "__underlying_type", "__align__", "alignas"))

RESERVED = (
    frozenset(
        ("if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto",
         "sizeof", "true", "false", "nullptr", "this", "new", "delete", "throw", "try", "catch", "asm", "__asm__",
         "template", "using", "namespace", "typedef", "static_assert", "static_cast", "reinterpret_cast",
         "const_cast", "dynamic_cast")
    )
    | SCALAR_WORDS | STORAGE_WORDS | TAG_WORDS | CONST_WORDS | VOLATILE_WORDS
)  # fmt: skip

# How the words of a scalar type add up, in any order.
SCALARS: dict[str, t.CType] = {
    "void": t.VOID, "bool": t.BOOL, "char": t.CHAR, "char signed": t.SCHAR, "char unsigned": t.UCHAR,
    "float": t.FLOAT, "double": t.DOUBLE, "double long": t.DOUBLE, "__int64": t.LONGLONG,
    "__int64 unsigned": t.ULONGLONG,
} | {
    " ".join(sorted([*words.split(), *sign.split(), *extra.split()])): unsigned if sign == "unsigned" else signed
    for words, signed, unsigned in (
        ("short", t.SHORT, t.USHORT), ("long", t.LONG, t.ULONG), ("long long", t.LONGLONG, t.ULONGLONG),
    )
    for sign in ("", "signed", "unsigned")
    for extra in ("", "int")
} | {"int": t.INT, "int signed": t.INT, "signed": t.INT, "unsigned": t.UINT, "int unsigned": t.UINT}  # fmt: skip

UNNAMED = "(unnamed)"  # of a namespace, struct or enumeration
