"""Make programs of NVIDIA's machine code from CUDA C++, by NVRTC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

from warpview import frontend
from warpview.diagnostics import CompileError, SourceText, WarpviewError
from warpview.frontend.ptx.syntax import PtxFunction
from warpview.isa.program import Param, Program
from warpview.isa.types import Type
from warpview.run.cuda_source import CudaSource
from warpview.run.device_source import device_source, include_folders, own_headers, without_bodies
from warpview.run.nvrtc_targets import PTX_ONLY
from warpview.sass import cubin as cubins
from warpview.sass import nvrtc
from warpview.sass.loader import Signature, load_kernel, parameter_names

_ATTRIBUTE = "__(?:launch_bounds|cluster_dims)__"
KERNEL = re.compile(r"__global__\s+(?:@\s*\([^)]*\)\s*)*void\s+(?:@\s*\([^)]*\)\s*)*(\w+)".replace("@", _ATTRIBUTE))


def compile_with_nvrtc(
    source: SourceText,
    kernel: str | None,
    defines: Mapping[str, object] | None,
    architecture: int,
    *,
    fma: bool = True,
    include_folder: Path | None = None,
    device_addresses: Mapping[str, int] | None = None,
) -> Program:
    """Compile a kernel of a source with NVRTC for an architecture (90 for sm_90), and load its machine code; with
    PTX_ONLY compile its PTX to warpview's instructions, whose variables lie at ``device_addresses`` by name, if given;
    those of machine code have no place as yet.

    Raises CompileError with the compiler's messages, or the instructions that are not supported; MissingCompiler where
    NVRTC is not installed.
    """
    if architecture == PTX_ONLY:
        from warpview.run.ptx_program import compile_through_ptx

        return compile_through_ptx(
            source, kernel, defines, fma=fma, include_folder=include_folder, device_addresses=device_addresses
        )
    cuda = CudaSource(source, defines or {}, include_folder)
    name = kernel_meant(cuda, kernel)
    expression = frontend.name_expression(name)
    compiled = _with_others(cuda, architecture, expression, fma)
    loaded = cubins.load(compiled.cubin)
    found = next((k for k in loaded.kernels if k.name == compiled.lowered[expression]), None)
    if found is None:
        raise WarpviewError(f"NVRTC compiled no kernel '{name}'")
    return load_kernel(loaded, found, signature(cuda, shown_name(cuda, name), sizes_of(found)))


def function_pointers(
    source: SourceText, defines: Mapping[str, object] | None, architecture: int, *, include_folder: Path | None = None
) -> dict[str, bytes]:
    """Return the initial values of the ``__device__`` variables of a source that are pointers to functions, by name:
    the numbers that functions have in the machine code of all its kernels.

    Nothing is compiled where the source has none. Raises as ``compile_with_nvrtc`` does.
    """
    cuda = CudaSource(source, defines or {}, include_folder)
    names = set() if cuda.parsed is None else frontend.function_pointers(cuda.parsed)
    if not names:
        return {}
    if architecture == PTX_ONLY:
        from warpview.run.ptx_program import pointers_in_ptx

        return pointers_in_ptx(cuda, names)
    cubin = cubins.load(_compiled(cuda, architecture, []).cubin)
    return {v.name: cubin.device_bytes[v.offset : v.offset + v.size] for v in cubin.device_variables if v.name in names}


def _with_others(cuda: CudaSource, architecture: int, expression: str, fma: bool) -> nvrtc.Compiled:
    """Compile a kernel; where it is no template, with all such kernels of its file, which NVRTC compiles in any case:
    the next one of them is there already. A file that includes others, which may change, is compiled each time."""
    plain = () if cuda.parsed is None else tuple(frontend.plain_kernels(cuda.parsed))
    if expression not in plain or (cuda.folder is not None and own_headers(cuda.text.text, cuda.folder)):
        return _compiled(cuda, architecture, (expression,), fma)
    key = cuda.text, tuple(sorted(cuda.defines.items())), cuda.folder, architecture, plain, fma
    if key not in _together:
        _together.clear()
        try:
            _together[key] = _compiled(cuda, architecture, plain, fma)
        except CompileError:  # perhaps another kernel has no address that C++ can express
            return _compiled(cuda, architecture, (expression,), fma)
    return _together[key]


_together: dict[object, nvrtc.Compiled] = {}  # the kernels of the file that was compiled last


def _compiled(cuda: CudaSource, architecture: int, expressions: Sequence[str], fma: bool = True) -> nvrtc.Compiled:
    device = device_source(cuda, has_textures=True)
    return nvrtc.compile_source(
        device.text, architecture, expressions, {**device.macros, **cuda.defines}, fma=fma,
        include_folders=include_folders(cuda.folder), headers=device.headers, relocatable=device.launches,
    )  # fmt: skip


def kernel_meant(cuda: CudaSource, kernel: str | None) -> str:
    """Return the name of the kernel to compile, which is looked for in the text where our front end cannot read it.
    Raises CompileError for a kernel that a file does not have."""
    if cuda.parsed is None:
        return kernel or frontend.only_kernel(list(dict.fromkeys(KERNEL.findall(cuda.text.text))), cuda.text)
    return frontend.kernel_meant(cuda.parsed, kernel)


def shown_name(cuda: CudaSource, kernel: str) -> str:
    """Return the name of a kernel to show, without the namespaces that it needs not have."""
    return kernel if cuda.parsed is None else frontend.shown_name(cuda.parsed, kernel)


def signature(cuda: CudaSource, name: str, sizes: Sequence[int]) -> Signature:
    """Return the names and types of the parameters of a compiled kernel: as our front end reads the kernel, or its
    declaration alone where the body cannot be read; else by name from the text and by size."""
    source = cuda.text
    known = _interface(cuda, name)
    if known is not None:
        return Signature(name, known.params, source, known.span, known.variables, known.names)
    try:
        declared = frontend.compile_source(without_bodies(source), name, cuda.defines, include_dir=cuda.folder)
    except CompileError:
        return Signature(name, untyped_params(sizes, parameter_names(source.text, name)), source)
    return Signature(name, declared.params, source, declared.span)


def _interface(cuda: CudaSource, name: str) -> frontend.KernelInterface | None:
    """Return the interface of a kernel as our front end reads it; None where it cannot."""
    try:
        return None if cuda.parsed is None else frontend.interface_of(cuda.parsed, name)
    except CompileError:
        return None


def unknown_params(kernel: cubins.CubinKernel, names: list[str]) -> tuple[Param, ...]:
    """Return the parameters of a kernel whose sizes alone are known."""
    return untyped_params(sizes_of(kernel), names)


def sizes_of(kernel: cubins.CubinKernel | PtxFunction) -> list[int]:
    """Return the bytes of each parameter."""
    return [parameter.size for parameter in kernel.parameters]


def untyped_params(sizes: Sequence[int], names: Sequence[str]) -> tuple[Param, ...]:
    """Return parameters of which only sizes are known: 8 bytes are a pointer or a 64-bit number, 4 an integer or a
    float. A struct of another size has a field for each word of it: ``name[0]``, ``name[1]``."""
    if len(names) != len(sizes):
        names = [f"arg{k}" for k in range(len(sizes))]
    params = []
    for name, size in zip(names, sizes, strict=True):
        if size in _BY_SIZE:
            params.append(Param(name, f"{size} bytes", _BY_SIZE[size], 0, untyped=True))
        else:
            params += _words(name, size)
    return tuple(params)


_BY_SIZE = {8: Type.U64, 4: Type.U32, 2: Type.U16, 1: Type.U8}


def _words(name: str, size: int) -> Iterator[Param]:
    """Yield the words of a struct, of eight bytes as long as there are so many."""
    offset = 0
    for k in count():
        width = next((width for width in _BY_SIZE if width <= size - offset), 0)
        if not width:
            return
        yield Param(name, f"{size} bytes", _BY_SIZE[width], 0, field=f"[{k}]", offset=offset, untyped=True)
        offset += width
