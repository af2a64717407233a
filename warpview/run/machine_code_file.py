"""Open a file of machine code: a cubin, or PTX that is assembled first; with the text that its instructions came
from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from warpview.devices import capability_versions, load_capability
from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span, WarpviewError
from warpview.files import CUBIN, MACHINE_CODE, read_bytes, read_text
from warpview.isa.program import Param, Program
from warpview.run.cuda_source import CudaSource
from warpview.run.kernel_names import choose_kernel, shown_names
from warpview.run.nvrtc_program import signature, sizes_of, unknown_params
from warpview.run.ptx_parameters import parameter_names
from warpview.sass import cubin as cubins
from warpview.sass import fields, nvjitlink
from warpview.sass.cubin import Cubin, CubinKernel
from warpview.sass.cubin_lines import LinePlace
from warpview.sass.decoder import decoded
from warpview.sass.demangle import demangled
from warpview.sass.loader import Signature, load_kernel

DEFAULT_ARCHITECTURE = 90
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)", re.MULTILINE)
_VERSION = re.compile(r"^\s*\.version\s", re.MULTILINE)
_LOCATION = re.compile(r"^[ \t]*\.loc[ \t]", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*\.(?:loc|file)[ \t][^\n]*", re.MULTILINE)
_PTX_INSTRUCTION = re.compile(r"^[ \t]*(?:@!?%?[\w$]+[ \t]+)?[a-z][\w.:]*(?:[ \t][^\n]*)?;")


@dataclass(frozen=True)
class MachineCodeFile:
    """Hold a loaded file. ``source`` is the text that the lines of the kernels' instructions count in: the CUDA
    source that the line table names, else the PTX, else the disassembly."""

    path: Path
    cubin: Cubin
    source: SourceText
    is_cuda: bool  # whether ``source`` is CUDA C++, from which parameters get their names and types

    @cached_property
    def names(self) -> dict[str, CubinKernel]:
        """Return the kernels by the name to show: demangled, or mangled where two would have the same name."""
        kernels = {kernel.name: kernel for kernel in self.cubin.kernels}
        return {shown: kernels[name] for shown, name in shown_names(list(kernels)).items()}

    def kernel(self, wanted: str | None) -> tuple[str, CubinKernel]:
        """Return the name and the code of a kernel, asked for by its mangled or demangled name, with or without its
        template arguments; None means the only one. Raises WarpviewError with the names that there are."""
        mangled = {shown: kernel.name for shown, kernel in self.names.items()}
        chosen = choose_kernel(self.path.name, mangled, wanted)
        return next((shown, kernel) for shown, kernel in self.names.items() if kernel.name == chosen)

    def signature(self, wanted: str | None) -> Signature:
        """Return the parameters of a kernel: as the source declares them if that fits the machine code, else by their
        sizes."""
        name, kernel = self.kernel(wanted)
        if self.is_cuda:
            known = signature(CudaSource(self.source, folder=self.path.parent), name, sizes_of(kernel))
            if _fit(known.params, kernel):
                return known
        return Signature(
            name,
            unknown_params(kernel, [] if self.is_cuda else parameter_names(self.source.text, kernel.name)),
            self.source,
        )

    def program(self, wanted: str | None) -> Program:
        """Return a kernel as a program. Raises CompileError for instructions that are not supported."""
        _, kernel = self.kernel(wanted)
        return load_kernel(self.cubin, kernel, self.signature(wanted))


def open_cubin(path: Path) -> MachineCodeFile:
    """Load a cubin. Raises WarpviewError where the file cannot be read or is none."""
    loaded = cubins.load(read_bytes(path, cubins.MOST_BYTES))
    source = source_of(path, loaded)
    if source is not None:
        return MachineCodeFile(path, loaded, source, True)
    return _disassembled(path, loaded)


def open_ptx(path: Path, architecture: int | None = None) -> MachineCodeFile:
    """Assemble a PTX file for an architecture (90 for sm_90), by default the oldest that runs its target.

    Raises CompileError with the assembler's messages and for other text, MissingCompiler where nvJitLink is not
    installed.
    """
    text = read_text(path)
    architecture = architecture or _architecture_for(text)
    own = SourceText(str(path), text)
    if not _VERSION.search(text):
        raise CompileError([Diagnostic("this is not PTX: it has no .version", Span(own, 1, 1))])
    if _LOCATION.search(text):
        loaded = cubins.load(nvjitlink.assemble(own, architecture))
        source = source_of(path, loaded)
        if source is not None:
            return MachineCodeFile(path, loaded, source, True)
    located = replace(own, text=with_own_lines(text, path.name))
    return MachineCodeFile(path, cubins.load(nvjitlink.assemble(located, architecture)), own, False)


def open_machine_code(path: Path, architecture: int | None = None) -> MachineCodeFile:
    """Open a file by its ending: ``open_cubin`` or ``open_ptx``."""
    return open_cubin(path) if path.suffix == CUBIN else open_ptx(path, architecture)


def source_of(path: Path, loaded: Cubin) -> SourceText | None:
    """Return the source that the line table names, where it can be read, at its place or beside the file, and has the
    kernels and the lines that the table names."""
    places = [place for kernel in loaded.kernels for place in kernel.lines]
    for file, _ in Counter(place.file.replace("\\", "/") for place in places).most_common():
        named = Path(file)
        last = max(place.line for place in places if place.file.replace("\\", "/") == file)
        for candidate in dict.fromkeys((path.with_name(named.name), named)):
            text = _read(candidate) if candidate.suffix not in MACHINE_CODE else None
            if text is not None and last <= len(text.splitlines()) and _declares(text, loaded):
                return SourceText(str(candidate), text)
    return None


def with_own_lines(text: str, name: str) -> str:
    """Return PTX whose line table names its own lines; no line changes its number."""
    lines = _DIRECTIVE.sub("", text).split("\n")
    depth = 0
    for number, line in enumerate(lines, 1):
        if depth and _PTX_INSTRUCTION.match(line):
            lines[number - 1] = f".loc 1 {number} 1 {line}"
        depth += line.count("{") - line.count("}")
    return "\n".join(lines) + f'\n.file 1 "{name}"\n'


def _read(path: Path) -> str | None:
    try:
        return read_text(path)
    except WarpviewError:
        return None


def _declares(text: str, loaded: Cubin) -> bool:
    """Return whether a text has the name of one of the kernels at least: others may come from headers."""
    bases = (demangled(kernel.name).split("<")[0].split("::")[-1] for kernel in loaded.kernels)
    return any(re.search(rf"\b{re.escape(base)}\b", text) for base in bases)


def _fit(params: tuple[Param, ...], kernel: CubinKernel) -> bool:
    """Return whether parameters as a source declares them have the number and the sizes of those of the code."""
    by_name: dict[str, list[Param]] = {}
    for param in params:
        by_name.setdefault(param.name, []).append(param)
    if len(by_name) != len(kernel.parameters):
        return False
    return all(
        bool(fields_[0].field) or fields_[0].type.bytes == parameter.size
        for fields_, parameter in zip(by_name.values(), kernel.parameters, strict=True)
    )


def _architecture_for(ptx: str) -> int:
    """Return the architecture to assemble PTX for: that of the default device, or the next that takes its target."""
    target = _TARGET.search(ptx)
    least = max(DEFAULT_ARCHITECTURE, int(target[1]) if target is not None else 0)
    known = sorted({load_capability(version).sass for version in capability_versions()} - {0})
    return next((architecture for architecture in known if architecture >= least), known[-1])


def _disassembled(path: Path, loaded: Cubin) -> MachineCodeFile:
    """Return a cubin whose instructions are the lines of its disassembly."""
    lines: list[str] = []
    kernels = []
    for kernel in loaded.kernels:
        lines += ([""] if lines else []) + [f"// {demangled(kernel.name)}"]
        places = []
        for address, text in _instructions(kernel, loaded.architecture):
            lines.append(f"/*{address:04x}*/  {text}")
            places.append(LinePlace(address, path.name, len(lines)))
        kernels.append(replace(kernel, lines=tuple(places)))
    source = SourceText(str(path), "\n".join(lines) + "\n")
    return MachineCodeFile(path, replace(loaded, kernels=tuple(kernels)), source, False)


def _instructions(kernel: CubinKernel, architecture: int) -> Iterator[tuple[int, str]]:
    """Yield the address and the text of each instruction."""
    for index, found in enumerate(decoded(kernel.code, architecture)):
        at = slice(index * fields.WORD_BYTES, (index + 1) * fields.WORD_BYTES)
        unknown = f"0x{int.from_bytes(kernel.code[at], 'little'):032x}"
        yield at.start, unknown if isinstance(found, str) else found.text
