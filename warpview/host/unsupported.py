"""Name the features behind headers and names of CUDA that host code may use and warpview does not have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

_MISSING = re.compile(r"'?([\w./+-]+)'?(?:: No such file or directory| file not found)")
_QUOTED = re.compile(r"['‘]([\w:]+)['’]")


@dataclass(frozen=True)
class UnsupportedFeature:
    """Describe a feature by the headers that bring it and the names that belong to it; a star stands for any text."""

    name: str
    headers: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


FEATURES = (
    UnsupportedFeature("this part of cuBLAS", ("cublas*.h",), ("cublas*",)),
    UnsupportedFeature("this part of cuFFT", ("cufft*.h",), ("cufft*",)),
    UnsupportedFeature("cuSPARSE", ("cusparse*.h",), ("cusparse*",)),
    UnsupportedFeature("cuSOLVER", ("cusolver*.h",), ("cusolver*",)),
    UnsupportedFeature("cuDNN", ("cudnn*.h",), ("cudnn*",)),
    UnsupportedFeature("NCCL", ("nccl.h",), ("nccl*",)),
    UnsupportedFeature("NPP", ("npp*.h",), ("npp*",)),
    UnsupportedFeature("this part of CUB", ("cub/*",), ("cub", "cub::*")),
    UnsupportedFeature("libcu++", ("cuda/*",), ("cuda::*",)),
    UnsupportedFeature("numbers of eight and fewer bits", ("cuda_fp[468].h*",), ("__nv_fp*",)),
    UnsupportedFeature("sparse arrays", names=("cudaArray*Properties", "cudaArray*Plane", "cudaMipmap*Properties")),
    UnsupportedFeature(
        "other nodes and changes of graphs",
        names=("cudaGraphAdd*", "cudaGraph*Node*"),
    ),
    UnsupportedFeature("access to other devices", names=("cuda*Peer*",)),
    UnsupportedFeature("memory shared between processes", names=("cudaIpc*",)),
    UnsupportedFeature("graphics interfaces", ("cuda_*_interop.h",), ("cudaGraphics*", "cuda*External*")),
    UnsupportedFeature(
        "memory pools shared between processes", names=("cudaMemPool*Shareable*", "cudaMemPool*Pointer")
    ),
    UnsupportedFeature("the driver interface and NVRTC", ("nvrtc.h",), ("cu[A-Z]*", "CU*", "nvrtc*")),
    UnsupportedFeature("this part of Thrust", ("thrust/*",)),
)


def unsupported_feature(message: str) -> str | None:
    """Return the feature that a message of the C++ compiler is about for want of its header or of a name; None where it
    is about something else."""
    if missing := _MISSING.search(message):
        return next((f.name for f in FEATURES if any(fnmatchcase(missing[1], of) for of in f.headers)), None)
    for name in _QUOTED.findall(message):
        for feature in FEATURES:
            if any(fnmatchcase(name, of) for of in feature.names):
                return feature.name
    return None
