"""Describe unsupported features in a sentence each, found by the name or word that stands for them."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from warpview.diagnostics import CompileError, Span
from warpview.frontend.preprocess.tokens import Token, fail

# Words that start something which cannot be compiled.
WORDS = {
    "try": "exceptions are not supported in kernels",
    "throw": "exceptions are not supported in kernels",
    "catch": "exceptions are not supported in kernels",
    "new": "allocating memory in a kernel is not supported",
    "delete": "allocating memory in a kernel is not supported",
    "virtual": "virtual functions are not supported",
    "dynamic_cast": "dynamic_cast is not supported, as there are no virtual functions",
    "typeid": "typeid is not supported in kernels",
    "co_await": "coroutines are not supported",
}

# Types, by their name or how it begins.
TYPES = {
    "texture": "textures are not supported",
    "surface": "surfaces are not supported",
    "cudaTextureObject_t": "textures are not supported",
    "cudaSurfaceObject_t": "surfaces are not supported",
    "atomic_ref": "cuda::atomic_ref is declared in <cuda/atomic>, which is not included",
    "barrier": "asynchronous barriers are not supported",
    "pipeline": "asynchronous copies are not supported",
    "block_tile_memory": "tiles of more than one warp are not supported",
    "cluster_group": "thread block clusters are not supported",
    "wmma": "tensor cores are not supported",
    "nvcuda": "tensor cores are not supported",
    "half": "half precision is not supported",
    "__half": "half precision is not supported",
    "half2": "half precision is not supported",
    "__half2": "half precision is not supported",
    "__nv_bfloat16": "bfloat16 is not supported",
    "nv_bfloat16": "bfloat16 is not supported",
    "__int128": "128-bit integers are not supported",
    "curandStatePhilox4_32_10": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curandStatePhilox4_32_10_t": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curandStateMRG32k3a": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curandStateMRG32k3a_t": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curandStateMtgp32_t": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curandStateSobol32_t": "of cuRAND's generators only XORWOW (curandState) is supported",
}

_MATHS = "this function of the mathematics library is not supported"
_FUNCTIONS_OF_MATHEMATICS = """
    asinh* acosh* atanh* cyl_bessel_* erfc[ix]* erfinv* fdivide* frexp* ilogb* logb logbf modf modff nextafter* norm
    normf norm[34]d* normcdf* rcbrt* remquo* rnorm* scalb* __tanhf
"""
_ROUNDING = "arithmetic that rounds up, down or to zero is not supported"
_PACKED = "arithmetic on the bytes and half words of an integer is not supported"

# Functions, by their name, in which a star stands for any characters.
FUNCTIONS = {
    "tex1D*": "textures are not supported",
    "tex2D*": "textures are not supported",
    "tex3D*": "textures are not supported",
    "texCubemap*": "textures are not supported",
    "surf1D*": "surfaces are not supported",
    "surf2D*": "surfaces are not supported",
    "surf3D*": "surfaces are not supported",
    "malloc": "allocating memory in a kernel is not supported",
    "free": "allocating memory in a kernel is not supported",
    "alloca": "allocating memory in a kernel is not supported",
    "cudaMalloc*": "calls of the CUDA runtime in a kernel are not supported",
    "cudaDeviceSynchronize": "dynamic parallelism is not supported",
    "cudaLaunchDevice*": "dynamic parallelism is not supported",
    "this_multi_grid": "synchronising several devices is not supported",
    "this_cluster": "thread block clusters are not supported",
    "__nanosleep": "__nanosleep is not supported",
    "__half2float": "half precision is not supported",
    "__float2half*": "half precision is not supported",
    "__hadd*": "half precision is not supported",
    "curand_poisson*": "Poisson-distributed random numbers are not supported",
    "curand_discrete*": "discrete distributions of random numbers are not supported",
    "curand_uniform4*": "of cuRAND's generators only XORWOW (curandState) is supported",
    "curand_normal4*": "of cuRAND's generators only XORWOW (curandState) is supported",
    "memcpy_async": "asynchronous copies are not supported",
    "__pipeline_*": "asynchronous copies are not supported",
    "mma_sync": "tensor cores are not supported",
    "load_matrix_sync": "tensor cores are not supported",
    "store_matrix_sync": "tensor cores are not supported",
    "fill_fragment": "tensor cores are not supported",
    "binary_partition": "binary_partition is not supported",
    "labeled_partition": "labeled_partition is not supported",
    "setjmp": "setjmp is not supported",
    "__*_r[udz]": _ROUNDING,
    "__dp[24]a*": _PACKED,
    "__v*[24]": _PACKED,
    "__vi*": "these minima and maxima are not supported",
    "__cvta_*": "conversions between generic addresses and those of a memory are not supported",
    "__fns": "__fns is not supported",
    "__brkpt": "breakpoints are not supported",
    **dict.fromkeys(_FUNCTIONS_OF_MATHEMATICS.split(), _MATHS),
}


# What neither NVIDIA's machine code, as it is run here, nor NVRTC supports.
_NOWHERE = (
    "textures", "surfaces", "allocating memory", "CUDA runtime", "dynamic parallelism", "clusters", "exceptions",
    "several devices", "cuRAND", "random numbers", "setjmp", "coroutines", "dynamic_cast", "typeid", "ranges of case",
    "asynchronous barriers", "variadic functions", "breakpoints",
)  # fmt: skip
BY_NVIDIA = "NVIDIA's compiler takes this: choose 'as compiled by NVIDIA' (--compiler nvrtc)"


def with_alternative(error: CompileError) -> CompileError:
    """Return an error with the hint that NVIDIA's compiler takes what this one refuses, where it does."""
    return CompileError([
        replace(found, hint=BY_NVIDIA)
        if "not supported" in found.message and not found.hint and not any(word in found.message for word in _NOWHERE)
        else found
        for found in error.diagnostics
    ])  # fmt: skip


def _lookup(table: dict[str, str], name: str) -> str | None:
    if name in table:
        return table[name]
    return next((text for key, text in table.items() if fnmatchcase(name, key)), None)


def refuse_word(token: Token) -> None:
    """Stop at a word that starts something which is not supported."""
    if token.text in WORDS:
        fail(WORDS[token.text], token.span)


def refuse_type(token: Token) -> None:
    """Stop at the name of a type which is not supported."""
    if token.text in TYPES:
        fail(TYPES[token.text], token.span)


def refuse_function(name: str, span: Span) -> None:
    """Stop at the name of a function which is not supported."""
    if reason := _lookup(FUNCTIONS, name):
        fail(reason, span)


def refuse_name(name: str, span: Span) -> None:
    """Stop at the name of a type, of a function or of anything else that is not supported."""
    if name in TYPES:
        fail(TYPES[name], span)
    refuse_function(name, span)
