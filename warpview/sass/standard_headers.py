"""Give NVRTC the headers of C++'s library, as they behave with nvcc.

NVRTC brings no ``<cmath>`` and no ``<tuple>``; NVIDIA's ``<cuda/std/...>`` takes their place. There, ``cuda::std``
declares mathematical functions of its own beside CUDA's global ones, so that ``sqrtf(x)`` is ambiguous after
``using namespace std``; with nvcc, ``std::sqrtf`` is the global function. And nvcc takes the overloads for integers
and for mixed types (``sqrt(2)``, ``fmax(x, 2)``) from the host's ``<cmath>``, which NVRTC does not have; of
``pow(x, 2)`` with a float ``x`` it has one that computes in float, where nvcc computes in double (C++11, [c.math]).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from warpview.sass import nvidia_packages

# Headers of C++ that are NVIDIA's <cuda/std/...> in device code.
_STANDARD = ("algorithm", "array", "cfloat", "climits", "cmath", "complex", "concepts", "cstddef", "cstdint",
             "functional", "initializer_list", "iterator", "limits", "numeric", "optional", "ratio", "tuple",
             "type_traits", "utility")  # fmt: skip
# Functions of <cmath> with an overload that converts integers to double ([cmath.syn]); those with two parameters
# convert two arguments of different types.
_OF_ONE = """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10
    log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc"""
_OF_TWO = "atan2 copysign fdim fmax fmin fmod hypot nextafter remainder"
# Functions of <cmath> that CUDA has and <cuda/std/cmath> has not.
_ONLY_GLOBAL = "erf erff erfc erfcf fdim fdimf fma fmaf fmod fmodf remainder remainderf remquo remquof"
_MIXED = """
namespace warpview_math {
template <typename T> struct number { enum { rank = 0 }; };
#define NUMBER(TYPE, RANK) template <> struct number<TYPE> { enum { rank = RANK }; };
NUMBER(bool, 1) NUMBER(char, 1) NUMBER(signed char, 1) NUMBER(unsigned char, 1) NUMBER(short, 1)
NUMBER(unsigned short, 1) NUMBER(int, 1) NUMBER(unsigned int, 1) NUMBER(long, 1) NUMBER(unsigned long, 1)
NUMBER(long long, 1) NUMBER(unsigned long long, 1) NUMBER(float, 2) NUMBER(double, 3)
#undef NUMBER
template <bool> struct only_if {};
template <> struct only_if<true> { typedef double type; };
template <typename A> struct integer : only_if<number<A>::rank == 1> {};
template <typename A, typename B>
struct mixed : only_if<
    number<A>::rank && number<B>::rank && (number<A>::rank < 2 || number<A>::rank != number<B>::rank)> {};
}
"""
_ONE = """template <typename T> __host__ __device__ typename warpview_math::integer<T>::type NAME(T x)
{ return ::NAME((double)x); }
"""
_TWO = """template <typename A, typename B> __host__ __device__ typename warpview_math::mixed<A, B>::type NAME(A x, B y)
{ return ::NAME((double)x, (double)y); }
"""
# NVRTC's own overload for a float and an integer would be preferred, so that another name has to take the place of pow.
_POW = """inline __host__ __device__ float warpview_pow(float x, float y) { return ::powf(x, y); }
inline __host__ __device__ double warpview_pow(double x, double y) { return ::pow(x, y); }
template <typename A, typename B>
__host__ __device__ typename warpview_math::mixed<A, B>::type warpview_pow(A x, B y)
{ return ::pow((double)x, (double)y); }
#define pow warpview_pow
"""
RENAMED_POW = "warpview_pow"
# Of what nvcc includes before every source, and NVRTC does not: the version of the runtime, and of the types of
# <sys/types.h> what nobody declares otherwise.
INCLUDED = """#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#define CUDA_VERSION CUDART_VERSION
typedef unsigned int uint;
typedef unsigned short ushort;
"""
_SCALED = """template <typename T> __host__ __device__ typename warpview_math::integer<T>::type NAME(T x, int n)
{ return ::NAME((double)x, n); }
"""
_ALGORITHM = "".join(f"#include <cuda/std/{part}>\n" for part in
                     ("__algorithm/clamp.h", "__algorithm/max.h", "__algorithm/min.h", "utility"))  # fmt: skip
_NOT_GLOBAL = ("fpclassify", "isnormal", "lerp")  # headers of functions that CUDA does not have
# A function of <cuda/std/...> that CUDA has, too: of numbers, or a template for integers or mixed types.
_NUMBER = r"(?:bool|float|double|int|long|long long)"
_TEMPLATE = (r"(?:template <class _(?:Integer|A1, class _A2), enable_if_t<[^\n]*\n"
             r"|_CCCL_TEMPLATE\(class _Tp\)\n_CCCL_REQUIRES\(_CCCL_TRAIT\(is_integral, _Tp\)\)\n)")  # fmt: skip
_ATTRIBUTES = r"(?:_CCCL_NODISCARD )?_LIBCUDACXX_HIDE_FROM_ABI (?:constexpr )?"
_FUNCTION = re.compile(
    rf"^(?:{_ATTRIBUTES}{_NUMBER} (?P<plain>\w+)\((?:{_NUMBER}\*? \w+(?:, )?)+\)"
    rf"|{_TEMPLATE}{_ATTRIBUTES}[\w<>, ]+ (?P<mixed>\w+)\((?:_Integer|_A1|_Tp)[^)\n]*\))"
    r"(?: noexcept)?\n\{\n.*?^\}$",
    re.MULTILINE | re.DOTALL,
)


@cache
def mixed_math() -> str:
    """Return the overloads of CUDA's mathematical functions for integers and mixed types, in CUDA C++."""
    one = "".join(_ONE.replace("NAME", name) for name in _OF_ONE.split())
    two = "".join(_TWO.replace("NAME", name) for name in _OF_TWO.split())
    scaled = "".join(_SCALED.replace("NAME", name) for name in ("ldexp", "scalbn"))
    return _MIXED + one + two + scaled + _POW


@cache
def standard_headers() -> dict[str, str]:
    """Return the texts of C++'s headers, which NVRTC does not bring; none where NVIDIA's package is not installed."""
    if _library() is None:
        return {}
    texts = {}
    for name in _STANDARD:
        includes = _ALGORITHM if name == "algorithm" else f"#include <cuda/std/{name}>\n"  # of it, what is for kernels
        further = "".join(f"using ::{function};" for function in _ONLY_GLOBAL.split()) if name == "cmath" else ""
        declared = "namespace cuda { namespace std {} }\n"  # which headers of macros alone leave out
        texts[name] = f"{includes}{declared}namespace std {{ using namespace cuda::std; {further} }}\n"
    return texts


@cache
def global_functions() -> dict[str, str]:
    """Return the headers of ``<cuda/std/...>`` that declare CUDA's mathematical functions again, by their names, with
    the global functions in their place."""
    if (library := _library()) is None:
        return {}
    texts = {}
    for path in sorted([*library.glob("__cmath/*.h"), library / "__cstdlib" / "abs.h"]):
        if path.stem in _NOT_GLOBAL:
            continue
        text = path.read_text()
        changed = _FUNCTION.sub(_global, text)
        if changed != text:
            texts[f"cuda/std/{path.parent.name}/{path.name}"] = changed
    return texts


def _global(function: re.Match[str]) -> str:
    """Return the declaration of the global function that is to take the place of one; the same text where CUDA has
    none."""
    name = function["plain"] or function["mixed"]
    has_it = function["plain"] or name in [*_OF_ONE.split(), *_OF_TWO.split(), "pow"]
    return f"using ::{name};" if has_it else function[0]


def _library() -> Path | None:
    """Return the folder of ``<cuda/std/...>``, if NVIDIA's package is installed."""
    found = (folder / "cuda" / "std" for folder in nvidia_packages.include_folders())
    return next((folder for folder in found if folder.is_dir()), None)
