"""Give the ``__device__`` variables of a kernel that NVIDIA's compiler wrote their places in a program's memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from warpview import frontend
from warpview.diagnostics import CompileError, Diagnostic, WarpviewError
from warpview.frontend.compiler import parse
from warpview.isa.program import NONE, Program, Variable
from warpview.run.compilation import read_source
from warpview.run.device_source import own_headers

if TYPE_CHECKING:
    from warpview.host.context import RuntimeContext

ADDRESS_BANK = 4  # of constant memory: the addresses of variables
# What begins the names of constants: strings of the compiler, its tables of virtual functions (which have numbers, the
# same in all kernels of a file), tables of its functions, of the headers of warpview and of libcu++.
OF_COMPILER = ("$", "__unnamed_", "__cudart_", "_ZTV", "wv_", "cuda::")


def _used(program: Program) -> Iterator[tuple[int, int, Variable]]:
    """Yield the words of the bank of addresses that a kernel reads: their offset, what they point to, its variable."""
    if program.native is None:
        return
    read = {word.offset & ~7 for word in program.native.words if word.bank == ADDRESS_BANK}
    if program.native.grid_barrier is not None:
        read.add(program.native.grid_barrier[1])
    for offset, target in program.native.addresses:
        if offset in read:
            holder = max((s for s in program.device_symbols if s.offset <= target), key=lambda s: s.offset)
            yield offset, target, holder


def constants_of(program: Program, addresses: Mapping[str, int]) -> bytes:
    """Return the device variables of a kernel up to the last constant whose address it reads; empty where it reads
    none. Variables that lie at ``addresses`` by name are none. Through PTX a kernel has no others."""
    if program.native is None:
        return program.device_bytes
    used = (variable for _, _, variable in _used(program))
    ends = (v.offset + v.element_bytes * math.prod(v.dims) for v in used if _is_constant(program, v, addresses))
    return program.device_bytes[: max(ends, default=0)]


def _is_constant(program: Program, variable: Variable, addresses: Mapping[str, int]) -> bool:
    """Return whether each kernel may have a variable of its own: one of the compiler, or one that the file, or a header
    beside it, declares as a constant without a mark of CUDA (a member of a class, a local one, ``constexpr``)."""
    if variable.name.startswith(OF_COMPILER):
        return True
    if (variable.owner or variable.name) in addresses or program.source is None:
        return False
    name = variable.name.partition("<")[0] if variable.name.endswith(">") else variable.name.rpartition("::")[2]
    declared = re.compile(rf"\b(?:const|constexpr)\b[^;{{}}()=]*\b{re.escape(name)}\b")
    headers = own_headers(program.source.text, Path(program.source.name).parent).values()
    return any(declared.search(text.text) for text in (program.source, *headers))


def with_variables(program: Program, addresses: Mapping[str, int], constants: int = 0) -> Program:
    """Return a kernel whose variables lie at ``addresses`` by name, and the compiler's constants from ``constants`` on.

    Raises CompileError where the place of a variable is not known.
    """
    if program.device_pointers:
        raise _unknown_place(program, "a variable of a program that begins as an address has no value")
    if program.native is None:
        return _with_constants(program, addresses, constants)
    placed = {}
    for offset, target, holder in _used(program):
        if _is_constant(program, holder, addresses):
            placed[offset] = constants + target if constants else 0
        elif (key := holder.owner or holder.name) in addresses:
            placed[offset] = addresses[key] + target - holder.offset
        else:
            raise _unknown_place(program, f"the place of the variable '{holder.name}' is not known")
    return replace(program, native=replace(program.native, placed=placed))


def _with_constants(program: Program, addresses: Mapping[str, int], constants: int) -> Program:
    """Return a kernel that was compiled through PTX, whose constants lie from ``constants`` on. Its other
    variables have their places."""
    for variable in program.device_symbols:
        if (variable.owner or variable.name) not in addresses and not _is_constant(program, variable, addresses):
            raise _unknown_place(program, f"the place of the variable '{variable.name}' is not known")
    if program.device_row == NONE:
        return program
    return replace(program, constants64={**program.constants64, program.device_row: constants})


def place_function_pointers(context: RuntimeContext) -> None:
    """Give variables that point to functions of the device their initial values: the host part has those of its own
    functions. What cannot be compiled is told when a kernel of it is launched."""
    from warpview.run.nvrtc_program import function_pointers
    from warpview.run.nvrtc_targets import architecture_of

    is_machine_code = context.settings.compiler == "nvrtc"
    for unit in {Path(symbol.unit) for symbol in context.symbols.values()}:
        try:
            source, defines = read_source(unit), context.settings.defines
            if is_machine_code:
                architecture = architecture_of(context.device)
                values = function_pointers(source, defines, architecture, include_folder=unit.parent)
            else:
                values = frontend.function_pointers(parse(source, defines, unit.parent))
        except WarpviewError:
            continue
        for symbol in context.symbols.values():
            if symbol.unit == str(unit) and symbol.name in values:
                contents = np.frombuffer(values[symbol.name], np.uint8)
                context.arena.view(symbol.block.base, contents.size)[:] = contents


def _unknown_place(program: Program, message: str) -> CompileError:
    return CompileError([Diagnostic(message, program.span, hint="run the program as written")])
