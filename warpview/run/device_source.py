"""Make a source file one that NVRTC can compile: host code is blanked, every line stays where it is."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from warpview.diagnostics import SourceText
from warpview.files import read_text
from warpview.frontend import ParsedFile, host_code_in
from warpview.frontend.extended_lambdas import macros_of, struct_texts
from warpview.frontend.preprocess.preludes import (
    BESSEL,
    HEADERS,
    HEAP,
    HEAP_SIZE_MACRO,
    LAUNCHES,
    TEXTURES,
    WIDE,
    preludes_for,
)
from warpview.frontend.preprocess.preprocessor import LIBRARY_MACROS
from warpview.frontend.preprocess.tokens import tokenize
from warpview.run.cuda_source import CudaSource
from warpview.run.struct_attributes import with_attributes_in_front
from warpview.sass import nvidia_packages, nvrtc
from warpview.sass.standard_headers import standard_headers

# Headers that kernels need and that come with NVRTC or warpview; others of C, C++ and CUDA concern the host.
_FOR_KERNELS = re.compile(
    r"cooperative_groups|cuda_fp|cuda_bf16|cuda_pipeline|cuda_awbarrier|mma\.h|curand_kernel|cuda/|math_constants|cub/(?:cub|block|warp|thread)"
    r"|helper_math|cuComplex|cufft|thrust/complex"
)
# Functions of <cmath>, which nvcc includes itself.
_MATHS = re.compile(
    r"\bstd::(?:abs|f(?:abs|min|max|mod|ma|dim)|sqrt|cbrt|hypot|pow|exp2?|expm1|log(?:2|10|1p)?|sin|cos|tan|a(?:sin|cos|tan2?)"
    r"|sinh|cosh|tanh|asinh|acosh|atanh|floor|ceil|round|trunc|l?l?rint|is(?:nan|inf|finite)|signbit|copysign|erfc?)\b"
)
# Base classes of function objects, which Thrust had until CUDA 13 and which say nothing to kernels.
_THRUST_BASES = re.compile(r"\bthrust::(?:unary|binary)_function\b")
_BASES = (
    "namespace thrust { template <class A, class R> struct unary_function {}; "
    "template <class A, class B, class R> struct binary_function {}; }\n"
)
# Headers that are warpview's own for NVRTC too, as NVIDIA's need headers of the host.
_REPLACED = {
    "thrust/complex.h": {name: name for name in ("thrust/complex.h", "thrust/complex_functions.h")},
    "cub/cub.cuh": {"cub/cub.cuh": "cub/nvidia.cuh"},
    "cufft.h": {"cufft.h": "cufft_types.h"},
}
_STANDARD = "standard/"  # where our own headers of C++ lie
_BEFORE_BODY = (")", "const", "noexcept", "override", "final")  # the last token before the body of a function
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"].*$", re.MULTILINE)
_VIRTUAL_DESTRUCTOR = re.compile(r"\bvirtual\s+~")  # behind which compilers add one that frees memory
_LAMBDA_MARKS = re.compile(r"(?<=\])(\s*)((?:__host__|__device__)\b\s*)+(?=[({])")  # which NVRTC refuses: all is for it
# The mark of a function that is declared for the host alone, which NVRTC refuses.
_HOST_DECLARATION = re.compile(
    r"\b__host__\b(?!\s+__device__)(?<!__device__ __host__)"
    r"(?=[^;{}()]*\([^;{}]*\)(?:\s*(?:const|noexcept|override))*\s*;)"
)
_REFERENCE = re.compile(r"^([ \t]*(?:static[ \t]+)?)(?=(?:texture|surface)[ \t]*<)", re.MULTILINE)  # of a texture
_OF_LONG = frozenset({"LONG_MAX", "LONG_MIN", "ULONG_MAX"})  # other numbers on Windows, where a long has 32 bits
_LONG = "long long" if sys.platform == "win32" else "long"  # as the C library of the system has it
_DECLARES_TYPES = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?:cuda/std/)?c?stdint(?:\.h)?>", re.MULTILINE)
_TYPES = {
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short",
    "int32_t": "int", "uint32_t": "unsigned int", "int64_t": f"{_LONG} int", "uint64_t": f"unsigned {_LONG} int",
    "intptr_t": f"{_LONG} int", "uintptr_t": f"unsigned {_LONG} int", "ssize_t": f"{_LONG} int",
}  # fmt: skip
# Headers of NVIDIA's that declare these types themselves, all of 64 bits as ``long long``.
_BRINGS_TYPES = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:c(?:uda|ub)/|cooperative_groups|cuda_(?:pipeline|awbarrier))", re.MULTILINE
)


@dataclass(frozen=True)
class DeviceSource:
    """Hold what NVRTC is to compile of a file: its text, the macros that the host's headers would define, and the texts
    of headers by their names as they are included: of the user's that have host code, and of the one before all."""

    text: SourceText
    macros: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def launches(self) -> bool:
        """Return whether kernels launch kernels."""
        return f'"{LAUNCHES}"' in self.headers.get(nvrtc.PREAMBLE, "")


def device_source(cuda: CudaSource, *, has_textures: bool = False) -> DeviceSource:
    """Return a file and the user's headers without their host code and the headers of the host.

    Texture and surface objects are warpview's own code but where NVRTC's instructions for them are carried out:
    ``has_textures``.

    What nvcc's own headers declare without an #include (INT_MAX, NAN, uint32_t) comes with it. A file that needs none
    of this, or whose kernels cannot be told from host code, is returned as it is.
    """
    source, folder = cuda.text, cuda.folder
    if cuda.parsed is None:
        before = {nvrtc.PREAMBLE: _preludes_for(source.text, cuda.defines, has_textures)}
        return DeviceSource(source, headers=_replaced(source.text) | before)
    text = _device_text(cuda.parsed, source, folder)
    written = own_headers(source.text, folder) if folder is not None else {}
    headers = {name: _device_text(cuda.parsed, header, Path(header.name).parent) for name, header in written.items()}
    changed = {name: text for name, text in headers.items() if text != written[name].text}
    used = "\n".join([text, *headers.values()])
    foreign = _OF_LONG if sys.platform == "win32" else frozenset()
    macros = {
        name: value for name, value in LIBRARY_MACROS.items()
        if re.search(rf"\b{name}\b", used) and not re.search(rf"#[ \t]*define[ \t]+{name}\b", used)
        and name not in foreign
    }  # fmt: skip
    preludes = _preludes_for(used, cuda.defines, has_textures)
    further = "#include <cmath>\n" if _MATHS.search(used) and "cmath" in standard_headers() else ""
    further += _BASES if _THRUST_BASES.search(used) else ""
    types = _types(used, further)
    changed |= _replaced(used)
    if text == source.text and not (changed or types or macros or preludes or further):
        return DeviceSource(source)
    declared = {nvrtc.PREAMBLE: f"namespace std {{}}\n{types}{further}{preludes}"}
    return DeviceSource(SourceText(source.name, text), macros, {**changed, **declared})


def _types(text: str, further: str) -> str:
    """Return the declarations of the types of <stdint.h> that a text names without a header that declares them: as the
    host has them, or NVIDIA's where one of its headers, which the text or ``further`` includes, has its own."""
    named = [name for name in _TYPES if re.search(rf"\b{name}\b", text)]
    of_system = "".join(_typedef(name) for name in named if name == "ssize_t")  # which no header of C++ declares
    if not named or _DECLARES_TYPES.search(text):
        return of_system
    standard = standard_headers()
    included = {name for name in _INCLUDE.findall(text + "\n" + further) if name in standard}
    if standard and (included or _BRINGS_TYPES.search(text)):
        return f"#include <cuda/std/cstdint>\n{of_system}"
    return "".join(map(_typedef, named))


def _typedef(name: str) -> str:
    return f"typedef {_TYPES[name]} {name};\n"


def _replaced(text: str) -> dict[str, str]:
    """Return the texts of headers that a text includes in place of NVIDIA's."""
    needed = [names for header, names in _REPLACED.items() if header in text]
    return {name: read_text(HEADERS / ours) for names in needed for name, ours in names.items()}


def _preludes_for(text: str, defines: Mapping[str, object], has_textures: bool) -> str:
    """Return the lines that include what comes before a text."""
    needed = preludes_for(list(tokenize(SourceText("<device code>", text))))
    if has_textures and TEXTURES in needed:
        needed.remove(TEXTURES)
    if HEAP not in needed and _VIRTUAL_DESTRUCTOR.search(text):
        needed.append(HEAP)
    size = f"#define {HEAP_SIZE_MACRO} {defines[HEAP_SIZE_MACRO]}\n" if HEAP_SIZE_MACRO in defines else ""
    needed = [name for name in needed if name not in (BESSEL, WIDE)]  # which NVIDIA's compiler has itself
    names = [name.removeprefix(_STANDARD) for name in needed]  # NVIDIA's in place of our own of C++
    names = [name for name, ours in zip(names, needed, strict=True) if name == ours or name in standard_headers()]
    return (size if HEAP in needed else "") + "".join(f'#include "{name}"\n' for name in names)


def _device_text(file: ParsedFile, source: SourceText, folder: Path | None) -> str:
    """Return the text of a file, or of a header that it includes, without host code and the headers of the host."""
    lambdas = struct_texts(source.text, macros_of(source.text))
    text = _LAMBDA_MARKS.sub(_blanked, _without_host_code(file, source)) + lambdas
    text = _REFERENCE.sub(r"\1__device__ ", _HOST_DECLARATION.sub(_blanked, with_attributes_in_front(text)))
    uses_std = "std::" in text or "namespace std" in text
    return _INCLUDE.sub(lambda match: match[0] if _is_kept(match[1], folder, uses_std) else _blanked(match), text)


def own_headers(text: str, folder: Path) -> dict[str, SourceText]:
    """Return the headers beside a file that it includes, and those that these include, by their names as written."""
    found: dict[str, SourceText] = {}
    work = [(text, folder)]
    while work:
        including, beside = work.pop()
        for name in _INCLUDE.findall(including):
            path = beside / name
            if name not in found and path.is_file():
                found[name] = SourceText(str(path), read_text(path))
                work.append((found[name].text, path.parent))
    return found


def _blanked(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def include_folders(folder: Path | None) -> list[Path]:
    """Return where NVRTC finds headers: beside the file, in NVIDIA's packages, and those that warpview brings."""
    return [*([folder] if folder else []), *nvidia_packages.include_folders(), HEADERS]


def _without_host_code(file: ParsedFile, source: SourceText) -> str:
    """Return the text of a file, or of a header that it includes, with host code blanked."""
    starts = [0]
    for line in source.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    text = source.text
    for first, last in host_code_in(file, source.name):
        begin = starts[first.line - 1] + first.column - 1
        end = starts[last.line - 1] + last.column - 1 + last.length
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]
    return text


def without_bodies(source: SourceText) -> SourceText:
    """Return a file in which the bodies of functions are empty, so that kernels can be declared whose code cannot be
    read. Every line stays where it is. Raises CompileError where the text has no tokens."""
    lines = source.text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    parts, kept, depth, before = [], 0, 0, ""
    for token in tokenize(source):
        place = starts[token.span.line - 1] + token.span.column - 1
        if token.text == "{" and (depth or before in _BEFORE_BODY):
            depth += 1
            if depth == 1:
                parts.append(source.text[kept : place + 1])
                kept = place + 1
        elif token.text == "}" and depth:
            depth -= 1
            if depth == 0:
                parts.append(re.sub(r"[^\n]", " ", source.text[kept:place]))
                kept = place
        before = token.text
    return SourceText(source.name, "".join([*parts, source.text[kept:]]))


def _is_kept(name: str, folder: Path | None, uses_std: bool) -> bool:
    """Return whether kernels may need a header: one of NVRTC's, of the standard library where they use it, or one that
    lies beside the file."""
    is_beside = folder is not None and (folder / name).is_file()
    return bool(_FOR_KERNELS.match(name)) or is_beside or (uses_std and name in standard_headers())
