"""Compile the simulator: the ``jit`` decorator, compilation units, and the passes of LLVM over a unit.

A *unit* is a function with the C signature ``int64 f(int64, ...)`` that is compiled on its own and linked to its
callers by name. Without that, numba would copy every callee into every caller and optimise it again at each level.
Functions marked ``jit`` are small and become part of the units that call them.

Nothing is compiled at import. ``compile_units.py`` compiles, in processes of its own; ``machine_code.py`` links what
they wrote, without numba.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm
import numba
from numba import _dynfunc, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.cpu import CPUContext

from warpview.diagnostics import WarpviewError

# The passes of numba that jitted code here needs: those left out are for closures, array expressions, inlining, loops
# over literals, raised exceptions. They make the same machine code, in three quarters of the time.
PASSES = (
    untyped_passes.TranslateByteCode, untyped_passes.FixupArgs, untyped_passes.IRProcessing,
    untyped_passes.ReconstructSSA, typed_passes.NopythonTypeInference, typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization, typed_passes.NativeLowering, typed_passes.NoPythonBackend,
)  # fmt: skip


class FewPasses(CompilerBase):
    """Compile a function by ``PASSES``."""

    def define_pipelines(self):
        passes = PassManager("warpview")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


# IEEE arithmetic as written: nothing contracted, nothing reassociated, and no exceptions for a division by zero.
OPTIONS = {"error_model": "numpy", "boundscheck": False, "fastmath": False, "pipeline_class": FewPasses}
NO_ADDRESS = 1  # numba wants one that is not null
BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}  # Python never calls it, nor is called

# The C function of a unit, around numba's: that gives its result by address, and says whether it raised, which
# nothing here does.
ENTRY = """
target triple = "{module.triple}"
target datalayout = "{module.data_layout}"
declare i32 @{inner}(ptr, ptr, {types})
define i64 @{symbol}({arguments}) {{
  %result = alloca i64
  %raised = alloca ptr
  call i32 @{inner}(ptr %result, ptr %raised, {arguments})
  %value = load i64, ptr %result
  ret i64 %value
}}
"""


@dataclass(frozen=True)
class CompilationUnit:
    """Represent a compilation unit: a function of so many int64 that returns one."""

    function: Callable
    n_arguments: int

    @property
    def symbol(self) -> str:
        return f"warpview_{self.function.__name__}"


UNITS: dict[str, CompilationUnit] = {}  # by the name of the function


def jit(function):
    """Return a jitted function that is not a unit. Its arguments are records and int64.

    Left to itself numba compiles a function again for each constant that it is called with, and for booleans.
    """
    dispatcher = numba.njit(**BARE, **OPTIONS)(function)
    specialised = dispatcher.get_call_template

    def as_int64(args, kws):
        return specialised(tuple(types.int64 if _is_integer(a) else a for a in args), kws)

    dispatcher.get_call_template = as_int64
    return dispatcher


def _is_integer(type_) -> bool:
    return isinstance(types.unliteral(type_), types.Integer | types.Boolean)


def unit(n_arguments: int):
    """Return a decorator for a compilation unit with that many int64 arguments.

    Jitted code calls the result by its name; Python code calls ``machine_code.entry(name)``.
    """

    def declare(function):
        made = UNITS[function.__name__] = CompilationUnit(function, n_arguments)
        # numba links what it compiles at once, though its callees may be elsewhere; nothing is called there.
        llvm.add_symbol(made.symbol, 1)
        return types.ExternalFunction(made.symbol, types.int64(*[types.int64] * n_arguments))

    return declare


def call_nothing() -> None:
    """Let numba neither optimise the functions that it compiles from now on nor generate machine code of them, which
    takes a third of the time: in a process that calls none of them. ``object_code`` does both, once a unit."""

    def function_without_code(context, library, description, environment):
        library.finalize()
        name = description.qualname.split(".")[-1]
        return _dynfunc.make_function(description.lookup_module(), name, "", NO_ADDRESS, environment, (library,))

    CPUContext.get_executable = function_without_code
    JITCodeLibrary._finalize_specific = lambda library: None
    CPUCodeLibrary._optimize_final_module = lambda library: None


def object_code(unit: CompilationUnit) -> bytes:
    """Return an object file that defines the unit's symbol; other units, and the C library, are all that it asks
    for."""
    arguments = (types.int64,) * unit.n_arguments
    compiled = numba.njit(types.int64(*arguments), **BARE, **OPTIONS)(unit.function)
    module = llvm.parse_assembly(compiled.inspect_llvm(arguments))
    inner = compiled.overloads[arguments].fndesc.llvm_func_name
    _check_convention(module.get_function(inner), unit)
    module.link_in(llvm.parse_assembly(_entry_code(unit, module, inner)))
    module.get_function(inner).add_function_attribute("alwaysinline")
    _drop_all_but(unit.symbol, module)
    builder = _pass_builder(module.triple)
    builder.getModulePassManager().run(module, builder)
    return _target_machine(module.triple).emit_object(module)


def _check_convention(function, unit: CompilationUnit) -> None:
    """Raise WarpviewError unless numba's function takes what ``ENTRY`` gives it."""
    taken = [str(argument.type) for argument in function.arguments]
    if taken != ["ptr", "ptr"] + ["i64"] * unit.n_arguments:
        version, listed = numba.__version__, ", ".join(taken)
        raise WarpviewError(f"this version of numba, {version}, is not supported: its functions take {listed}")


def _entry_code(unit: CompilationUnit, module, inner: str) -> str:
    numbered = ", ".join(f"i64 %a{k}" for k in range(unit.n_arguments))
    listed = ", ".join(["i64"] * unit.n_arguments)
    return ENTRY.format(module=module, inner=inner, symbol=unit.symbol, types=listed, arguments=numbered)


def _drop_all_but(symbol: str, module) -> None:
    """Drop all that the symbol does not need: functions that are inlined, and numba's way to raise."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != symbol:
            value.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, _pass_builder(module.triple))


def _pass_builder(triple: str):
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    return llvm.create_pass_builder(_target_machine(triple), tuning)


@cache
def _target_machine(triple: str):
    """Return the target machine of this very processor."""
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3,
        reloc="default", codemodel="jitdefault", jit=True,
    )  # fmt: skip
