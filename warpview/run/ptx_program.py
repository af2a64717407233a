"""Make programs of PTX, for devices older than those whose machine code is simulated."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from warpview import frontend
from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.files import read_text
from warpview.frontend.preprocess.preludes import HEADERS
from warpview.frontend.ptx import KernelDeclaration, compile_ptx, initial_pointers, parse
from warpview.frontend.ptx.syntax import PtxModule
from warpview.isa.program import Param, Program
from warpview.run.cuda_source import CudaSource
from warpview.run.device_source import DeviceSource, device_source, include_folders
from warpview.run.kernel_names import choose_kernel, shown_names
from warpview.run.nvrtc_program import kernel_meant, shown_name, signature, sizes_of, untyped_params
from warpview.run.ptx_parameters import parameter_names
from warpview.sass import nvrtc
from warpview.sass.demangle import demangled, variable_names
from warpview.sass.loader import Signature

MATRICES = "mma.h"


def compile_through_ptx(
    source: SourceText,
    kernel: str | None,
    defines: Mapping[str, object] | None,
    *,
    fma: bool = True,
    include_folder: Path | None = None,
    device_addresses: Mapping[str, int] | None = None,
) -> Program:
    """Compile a kernel with NVRTC to PTX, and that to warpview's instructions.

    Raises CompileError with the compiler's messages, or for what is not supported in PTX; MissingCompiler where NVRTC
    is not installed.
    """
    cuda = CudaSource(source, defines or {}, include_folder)
    name = kernel_meant(cuda, kernel)
    device = device_source(cuda)
    if device.launches:
        message = "kernels that launch kernels are not supported through PTX, which devices older than 7.5 run"
        hint = "choose 'as written' (--compiler warpview), or a newer device"
        raise CompileError([Diagnostic(message, Span(source, 1, 1), hint=hint)])
    ptx, mangled = nvrtc.compile_to_ptx(
        device.text, frontend.name_expression(name), {**device.macros, **(defines or {})}, fma=fma,
        include_folders=include_folders(include_folder), headers=_headers(device),
    )  # fmt: skip
    module = parse(SourceText(f"{source.name}.ptx", ptx), source)
    known = signature(cuda, shown_name(cuda, name), sizes_of(module.functions[mangled]))
    return compile_ptx(module, mangled, _declared(known, module), device_addresses)


def _headers(device: DeviceSource) -> dict[str, str]:
    """Return the texts of headers in place of NVIDIA's. That of ``wmma`` is warpview's own: NVIDIA's makes instructions
    of it whose fragments no document describes, and of which programs see no more than the elements."""
    own = {MATRICES: read_text(HEADERS / MATRICES)} if MATRICES in device.text.text else {}
    return {**device.headers, **own}


def _declared(known: Signature, module: PtxModule) -> KernelDeclaration:
    """Return what a source declares of a kernel and of the variables of its module."""
    shown = variable_names([variable.name for variable in module.variables if variable.space != "shared"])
    return KernelDeclaration(known.name, known.source, known.params, known.names, known.variables, known.span, shown)


def pointers_in_ptx(cuda: CudaSource, names: Collection[str]) -> dict[str, bytes]:
    """Return the initial values of variables of a source that are pointers to functions, by their names."""
    device = device_source(cuda)
    ptx, _ = nvrtc.compile_to_ptx(
        device.text, None, {**device.macros, **cuda.defines}, include_folders=include_folders(cuda.folder),
        headers=device.headers,
    )  # fmt: skip
    module = parse(SourceText(f"{cuda.text.name}.ptx", ptx), cuda.text)
    return {name: value for name, value in initial_pointers(module).items() if name in names}


def load_ptx(path: Path, kernel: str | None, cuda: SourceText | None = None) -> Program:
    """Load a kernel of a PTX file, by its mangled or demangled name, which may be left out where there is one.

    ``cuda`` is the source that the PTX was compiled from, if its lines are to be shown in place of those of the PTX.
    Raises WarpviewError where there is no such kernel, CompileError for what is not supported.
    """
    source = SourceText(str(path), read_text(path))
    module = parse(source, cuda)
    entries = shown_names([f.name for f in module.functions.values() if f.is_entry])
    found = module.functions[choose_kernel(path.name, entries, kernel)]
    name, sizes = demangled(found.name), sizes_of(found)
    if cuda is not None:
        known = signature(CudaSource(cuda, folder=path.parent), name, sizes)
        if len(known.names or {param.name for param in known.params}) == len(sizes):
            return compile_ptx(module, found.name, _declared(known, module))
    names = parameter_names(source.text, found.name)
    return compile_ptx(module, found.name, KernelDeclaration(name, cuda or source, untyped_params(sizes, names)))


def ptx_kernels(path: Path) -> dict[str, tuple[Param, ...]]:
    """Return the kernels of a PTX file by the names to show, with their parameters. No assembler is needed. Raises
    WarpviewError where the file cannot be read."""
    text = read_text(path)
    module = parse(SourceText(str(path), text), None)
    found = {}
    for name, mangled in shown_names([f.name for f in module.functions.values() if f.is_entry]).items():
        found[name] = untyped_params(sizes_of(module.functions[mangled]), parameter_names(text, mangled))
    return found
