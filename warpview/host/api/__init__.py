"""Implement the functions of the CUDA runtime, one module a group; importing this package registers them all."""

from warpview.host.api import copies, devices, kernels, memory, random, streams

__all__ = ["copies", "devices", "kernels", "memory", "random", "streams"]
