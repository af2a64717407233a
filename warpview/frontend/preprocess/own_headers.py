"""Say which header of ours stands for one of CUDA's or of C++'s."""

from __future__ import annotations

from warpview.frontend.preprocess.preludes import STANDARD

OWN_HEADERS = {
    "helper_math.h": "helper_math.h",
    "cutil_math.h": "helper_math.h",
    "cuComplex.h": "cuComplex.h",
    "cufft.h": "cufft_types.h",
    "curand_kernel.h": "curand_kernel.h",
    "cuda_fp16.h": "cuda_fp16.h",
    "cuda_bf16.h": "cuda_bf16.h",
    "cuda_fp8.h": "cuda_fp8.h",
    "cuda_pipeline.h": "cuda_pipeline_primitives.h",
    "cuda_pipeline_primitives.h": "cuda_pipeline_primitives.h",
    "cuda_awbarrier.h": "cuda_awbarrier_primitives.h",
    "cuda_awbarrier_primitives.h": "cuda_awbarrier_primitives.h",
    "cooperative_groups.h": "cooperative_groups/cooperative_groups.h",
    "cooperative_groups/memcpy_async.h": "cooperative_groups/memcpy_async.h",
    "cuda/atomic": "cuda/atomic",
    "cuda/barrier": "cuda/barrier",
    "cuda/cmath": "cuda/cmath",
    "cuda/functional": "cuda/functional",
    "cuda/pipeline": "cuda/pipeline",
    "cuda/ptx": "cuda/ptx",
    "cub/cub.cuh": "cub/cub.cuh",
    "cuda/std/atomic": "cuda/atomic",
    "cuda/std/complex": "cuda/complex",
    "mma.h": "mma.h",
    **{name: name for name in ("thrust/complex.h", "thrust/complex_functions.h")},
    **{f"{folder}{name}": f"standard/{name}" for name in STANDARD for folder in ("", "cuda/std/")},
}


def own_header_of(name: str) -> str | None:
    """Return the header of ours that stands for one of CUDA's or of C++'s; None where there is none."""
    known = "cub/cub.cuh" if name.startswith("cub/") else name  # CUB's headers are one of ours
    return OWN_HEADERS.get(known) or OWN_HEADERS.get(name.rpartition("/")[2])
