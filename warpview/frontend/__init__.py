"""CUDA C to a program: preprocess, parse, lower, finish.

text -> tokens -> syntax tree -> intermediate representation -> Program
"""

from __future__ import annotations

from warpview.frontend.compiler import KernelInfo, compile_source, kernels_in
from warpview.frontend.launches import LaunchInfo

__all__ = ["KernelInfo", "LaunchInfo", "compile_source", "kernels_in"]
