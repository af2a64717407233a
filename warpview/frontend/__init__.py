"""CUDA C to a program.

    text -> tokens -> syntax tree -> intermediate representation -> Program

- ``compiler``: the main path.
- ``tokens``, ``macros``, ``preprocessor``, ``condition``: text to tokens, each with its place in the user's text.
- ``stream``, ``parse_types``, ``parse_definitions``, ``parse_expressions``, ``parse_statements``, ``parse_members``,
  ``host``, ``parser``: tokens to ``syntax``, one layer of the grammar each; host code is skipped.
- ``types``, ``literals``, ``constants``: the rules of C about types and numbers.
- ``values``, ``scopes``, ``facts``: what lowering works with.
- ``core``, ``memory``, ``conversions``, ``resolve``, ``operators``, ``lvalues``, ``expressions``, ``inlining``,
  ``calls``, ``initialisers``, ``declarations``, ``loops``, ``statements``, ``lowering``: syntax to code, each layer
  on the one before.
- ``builtins``: the functions that CUDA provides, one table a kind; ``refusals``: what is not supported.
- ``interruption``: how whoever waits makes all of that stop.
- ``ir``, ``verify``, ``passes``, ``emit``: the code, checked, improved and numbered.
"""

from __future__ import annotations

from warpview.frontend.compiler import KernelInfo, compile_source, kernels_in
from warpview.frontend.interruption import interruptible
from warpview.frontend.launches import LaunchInfo

__all__ = ["KernelInfo", "LaunchInfo", "compile_source", "interruptible", "kernels_in"]
