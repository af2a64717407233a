"""Describe unsupported features in a sentence each, found by the name or word that stands for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import NoReturn

from warpview.diagnostics import CompileError, Diagnostic, Refusal, Span
from warpview.frontend.preprocess.tokens import Token


@dataclass(frozen=True)
class Unsupported:
    """Say why something is not compiled, and who refuses it: nobody where the program is wrong."""

    reason: str
    refusal: Refusal | None = Refusal.FRONT_END

    def stop(self, span: Span) -> NoReturn:
        """Stop compiling at this place."""
        raise CompileError([Diagnostic(self.reason, span, refusal=self.refusal)])


_COPIES = Unsupported(
    "asynchronous copies are declared in <cuda_pipeline.h>, <cuda/pipeline>, <cuda/barrier> and "
    "<cooperative_groups/memcpy_async.h>, of which none is included",
    None,
)
_EXCEPTIONS = Unsupported("exceptions are not supported in kernels", Refusal.ANYHOW)
_GENERATORS = Unsupported(
    "of cuRAND's generators only XORWOW (curandState) and Philox (curandStatePhilox4_32_10_t) are supported",
    Refusal.ANYHOW,
)
THREE_WAY = Unsupported(
    "'<=>' is supported where the file defines it; that of numbers, and '= default', need <compare>",
    Refusal.ANYHOW,
)
WIDE_ATOMICS = Unsupported("atomic functions of 16 bytes are not supported", Refusal.ANYHOW)
DECLTYPE_AUTO = Unsupported("decltype(auto) is not supported for this result")
VARIABLE_TEMPLATES = Unsupported("templates of variables are not supported")
_SYNCHRONISATION = Unsupported(
    "a kernel cannot wait for kernels that it launches: CUDA 12 has no cudaDeviceSynchronize() in kernels; launch what "
    "must come after them into cudaStreamTailLaunch",
    Refusal.ANYHOW,
)
_RUNTIME = Unsupported("this call of the CUDA runtime in a kernel is not supported", Refusal.ANYHOW)
_BFLOAT16 = Unsupported("bfloat16 is declared in <cuda_bf16.h>, which is not included", None)
_HALF = Unsupported("half precision is declared in <cuda_fp16.h>, which is not included", None)
_TENSOR_CORES = Unsupported("tensor cores are declared in <mma.h>, which is not included", None)

# Words that start something which cannot be compiled.
WORDS = {
    "try": _EXCEPTIONS,
    "throw": _EXCEPTIONS,
    "catch": _EXCEPTIONS,
    "dynamic_cast": Unsupported("dynamic_cast is not supported in kernels", Refusal.ANYHOW),
    "typeid": Unsupported("typeid is not supported in kernels", Refusal.ANYHOW),
    "co_await": Unsupported("coroutines are not supported", Refusal.ANYHOW),
}

# Types, by their name or how it begins.
TYPES = {
    "atomic_ref": Unsupported("cuda::atomic_ref is declared in <cuda/atomic>, which is not included", None),
    "barrier": Unsupported("cuda::barrier is declared in <cuda/barrier>, which is not included", None),
    "pipeline": Unsupported("cuda::pipeline is declared in <cuda/pipeline>, which is not included", None),
    "block_tile_memory": Unsupported("tiles of more than one warp are not supported"),
    "wmma": _TENSOR_CORES,
    "nvcuda": _TENSOR_CORES,
    "cub": Unsupported("this part of CUB is not supported, or <cub/cub.cuh> is not included"),
    "nvstd": Unsupported("nvstd::function is not supported"),
    "half": _HALF,
    "__half": _HALF,
    "half2": _HALF,
    "__half2": _HALF,
    "__nv_bfloat16": _BFLOAT16,
    "nv_bfloat16": _BFLOAT16,
    "curandStateMRG32k3a": _GENERATORS,
    "curandStateMRG32k3a_t": _GENERATORS,
    "curandStateMtgp32_t": _GENERATORS,
    "curandStateSobol32_t": _GENERATORS,
}

# Functions, by their name, in which a star stands for any characters.
FUNCTIONS = {
    "alloca": Unsupported("alloca is not supported", Refusal.ANYHOW),
    "cudaDeviceSynchronize": _SYNCHRONISATION,
    "cuda[A-Z]*": _RUNTIME,
    "this_multi_grid": Unsupported("synchronising several devices is not supported", Refusal.ANYHOW),
    "curand_poisson*": Unsupported("Poisson-distributed random numbers are not supported", Refusal.ANYHOW),
    "curand_discrete*": Unsupported("discrete distributions of random numbers are not supported", Refusal.ANYHOW),
    "memcpy_async": _COPIES,
    "__pipeline_*": _COPIES,
    "mma_sync": _TENSOR_CORES,
    "load_matrix_sync": _TENSOR_CORES,
    "store_matrix_sync": _TENSOR_CORES,
    "fill_fragment": _TENSOR_CORES,
    "setjmp": Unsupported("setjmp is not supported", Refusal.ANYHOW),
    "__cvta_*": Unsupported("conversions between generic addresses and those of a memory are not supported"),
    "__brkpt": Unsupported("breakpoints are not supported", Refusal.ANYHOW),
}


BY_NVIDIA = "NVIDIA's compiler takes this: choose 'as compiled by NVIDIA' (--compiler nvrtc)"


def with_alternative(error: CompileError) -> CompileError:
    """Return an error with the hint that NVIDIA's compiler takes what this one refuses, where it does."""
    return CompileError([
        replace(found, hint=BY_NVIDIA) if found.refusal is Refusal.FRONT_END and not found.hint else found
        for found in error.diagnostics
    ])  # fmt: skip


def _lookup(table: Mapping[str, Unsupported], name: str) -> Unsupported | None:
    if name in table:
        return table[name]
    return next((text for key, text in table.items() if fnmatchcase(name, key)), None)


def refuse_word(token: Token) -> None:
    """Stop at a word that starts something which is not supported."""
    if token.text in WORDS:
        WORDS[token.text].stop(token.span)


def refuse_type(token: Token) -> None:
    """Stop at the name of a type which is not supported."""
    if token.text in TYPES:
        TYPES[token.text].stop(token.span)


def refuse_function(name: str, span: Span) -> None:
    """Stop at the name of a function which is not supported."""
    if reason := _lookup(FUNCTIONS, name):
        reason.stop(span)


def refuse_name(name: str, span: Span) -> None:
    """Stop at the name of a type, of a function or of anything else that is not supported."""
    if name in TYPES:
        TYPES[name].stop(span)
    refuse_function(name, span)


def fail_unreadable(name: str, error: CompileError, span: Span) -> NoReturn:
    """Stop at a name whose declaration was put aside because it could not be read, with what stood in the way."""
    reason = error.diagnostics[0]
    message = f"'{name}' is declared in code that cannot be read: {reason.message}"
    raise CompileError([replace(reason, message=message, span=reason.span or span)])
