"""Compile PTX to a program of warpview's instructions, for devices whose machine code is not simulated.

PTX text -> ``parser`` -> ``syntax`` -> ``lowering`` -> intermediate representation -> Program. ``table`` has the
instructions that become one operation each, ``instructions`` those that need code of their own, ``memory`` variables,
parameters and accesses.
"""

from __future__ import annotations

from warpview.frontend.ptx.lowering import KernelDeclaration, compile_ptx
from warpview.frontend.ptx.memory import initial_pointers
from warpview.frontend.ptx.parser import parse

__all__ = ["KernelDeclaration", "compile_ptx", "initial_pointers", "parse"]
