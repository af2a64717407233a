"""Implement the functions of the CUDA runtime, one module a group; importing this package registers them all."""

from warpview.host.api import blas, copies, devices, fft, graphs, kernels, memory, pools, random, streams, textures

__all__ = ["blas", "copies", "devices", "fft", "graphs", "kernels", "memory", "pools", "random", "streams", "textures"]
