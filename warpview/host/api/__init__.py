"""Implement the functions of the CUDA runtime, one module a group; importing this package registers them all."""

# fmt: off
from warpview.host.api import (  # noqa: F401 (each registers its answers)
    blas,
    copies,
    devices,
    fft,
    graphs,
    kernels,
    managed,
    memory,
    pools,
    random,
    streams,
    textures,
)
