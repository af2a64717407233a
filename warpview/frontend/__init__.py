"""Compile CUDA C to a program.

    text -> tokens -> syntax tree -> intermediate representation -> Program

- ``compiler``: the main path; ``kernel_names``: which kernel of a file is meant.
- ``preprocess``: text to tokens, each with its place in the user's text; directives and macros.
- ``parse``: tokens to the tree of ``syntax``, one module a layer of the grammar; host code is skipped.
- ``semantic``: what names, types, expressions and constants mean, without writing code (``semantic.analysis`` lists its
  parts); what the syntax of a function says about its variables and arrays.
- ``lower``: the tree of one kernel to instructions, in one walk; ``lower.lowering`` lists its parts,
  ``lower.builtins`` has the functions that CUDA provides.
- ``ir``, ``verify``, ``flow``: the intermediate representation, its rules, its control-flow graph.
- ``passes``: what improves the code. ``promote`` moves variables from their slots into registers.
- ``register_allocation``, ``emit``: the code numbered and laid out.
- ``unsupported``, ``suggest``, ``interruption``: refusals, spelling hints, limits of time and size.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpview.frontend.compiler import (
        KernelInfo,
        KernelInterface,
        check_kernels,
        compile_source,
        function_pointers,
        host_code_in,
        interface_of,
        kernels_in,
        string_pointers,
    )
    from warpview.frontend.interruption import interruptible
    from warpview.frontend.kernel_names import (
        ParsedFile,
        kernel_meant,
        name_expression,
        only_kernel,
        plain_kernels,
        shown_name,
    )
    from warpview.frontend.lower.launches import LaunchInfo

__all__ = [
    "KernelInfo",
    "KernelInterface",
    "LaunchInfo",
    "ParsedFile",
    "check_kernels",
    "compile_source",
    "function_pointers",
    "host_code_in",
    "interface_of",
    "interruptible",
    "kernel_meant",
    "kernels_in",
    "name_expression",
    "only_kernel",
    "plain_kernels",
    "shown_name",
    "string_pointers",
]

# Imported at first use, so that the window shows its first picture before the compiler is loaded.
_HOMES = {
    "compiler": (
        "KernelInfo", "KernelInterface", "check_kernels", "compile_source", "function_pointers", "host_code_in",
        "interface_of", "kernels_in", "string_pointers",
    ),
    "interruption": ("interruptible",),
    "kernel_names": (
        "ParsedFile", "kernel_meant", "name_expression", "only_kernel", "plain_kernels", "shown_name",
    ),
    "lower.launches": ("LaunchInfo",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'warpview.frontend' has no attribute '{name}'")
    return getattr(importlib.import_module(f"warpview.frontend.{_HOME_OF[name]}"), name)
