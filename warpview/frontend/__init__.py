"""CUDA C to a program: preprocess, parse, lower, finish.

    text -> tokens -> syntax tree -> intermediate representation -> Program
"""

from __future__ import annotations

from warpview.frontend.compiler import KernelInfo, LaunchInfo, compile_source, kernels_in

__all__ = ["KernelInfo", "LaunchInfo", "compile_source", "kernels_in"]
