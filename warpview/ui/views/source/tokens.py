"""Split a line of CUDA C++ into words by their kind. Qt-free."""

from __future__ import annotations

import re
from typing import NamedTuple

KINDS = ("comment", "string", "builtin", "keyword", "type_", "number")
_KEYWORDS = """alignas break case class const constexpr continue default delete do else enum extern false for goto if
inline namespace new nullptr operator private public register restrict return signed sizeof static static_assert
static_cast reinterpret_cast struct switch template this true typedef typename union using volatile while
__restrict__ __forceinline__ __noinline__ __launch_bounds__"""
_TYPES = """auto bool char double float int long short unsigned void size_t int8_t int16_t int32_t int64_t uint8_t
uint16_t uint32_t uint64_t uchar uint ulong ushort dim3 char2 char3 char4 uchar2 uchar3 uchar4 short2 short3 short4
ushort2 ushort3 ushort4 int2 int3 int4 uint2 uint3 uint4 long2 ulong2 longlong2 ulonglong2 float2 float3 float4
double2 double3 double4"""
_BUILTINS = """threadIdx blockIdx blockDim gridDim warpSize"""

# In this order: the first that matches at a place wins.
_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<open>/\*.*)"
    r'|(?P<string>"(?:\\.|[^"\\])*"?|\'(?:\\.|[^\'\\])*\'?)'
    r"|(?P<builtin>^\s*\#\s*\w+|\b__(?:global|device|host|shared|constant|managed)__\b"
    r"|\b__(?:sync|shfl|ballot|all|any|match|reduce|activemask|popc|ffs|clz|brev|ldg|threadfence)\w*\b"
    r"|\batomic[A-Z]\w*\b|\b(?:" + "|".join(_BUILTINS.split()) + r")\b)"
    r"|(?P<keyword>\b(?:" + "|".join(_KEYWORDS.split()) + r")\b)"
    r"|(?P<type_>\b(?:" + "|".join(_TYPES.split()) + r")\b)"
    r"|(?P<number>\b(?:0[xX][0-9a-fA-F']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[uUlLfF]*\b)"
)


class SourceToken(NamedTuple):
    """Mark ``length`` characters from ``start`` on; ``kind`` is one of KINDS, and the colour that it has."""

    start: int
    length: int
    kind: str


def tokens(line: str, in_comment: bool) -> tuple[list[SourceToken], bool]:
    """Return the coloured tokens of a line that begins within a comment or not, and whether the next one does."""
    found, start = [], 0
    if in_comment:
        end = line.find("*/")
        start = len(line) if end < 0 else end + 2
        found.append(SourceToken(0, start, "comment"))
        if end < 0:
            return found, True
    for match in _TOKENS.finditer(line, start):
        kind = match.lastgroup or ""
        found.append(SourceToken(match.start(), len(match.group()), "comment" if kind == "open" else kind))
        if kind == "open":
            return found, True
    return found, False


def next_in_comment(line: str, in_comment: bool) -> bool:
    """Return whether the line after this one begins within a comment."""
    if "*/" not in line and (in_comment or "/*" not in line):
        return in_comment
    return tokens(line, in_comment)[1]
