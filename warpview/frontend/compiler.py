"""Compile a text to a program: the main path of the front end."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from warpview.diagnostics import CompileError, SourceText, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.emit import finish
from warpview.frontend.extended_lambdas import structs
from warpview.frontend.interruption import limited
from warpview.frontend.kernel_names import (
    ParsedFile,
    TemplateArguments,
    choose_kernel,
    qualified_name,
    shown_name,
    template_values,
)
from warpview.frontend.lower.launches import LaunchInfo, launches_of
from warpview.frontend.lower.lowering import Lowering
from warpview.frontend.lower.procedures import CallsItself
from warpview.frontend.parse.parser import Parser
from warpview.frontend.parse.stream import fail_too_deep
from warpview.frontend.preprocess.preludes import STACK_BYTES, STACK_SIZE_MACRO
from warpview.frontend.preprocess.preprocessor import preprocess
from warpview.frontend.recursion import raised_recursion_limit
from warpview.frontend.semantic import packs
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.spelling import described, split_signature
from warpview.frontend.syntax.walk import declares_memory, is_declaration
from warpview.frontend.unsupported import with_alternative
from warpview.isa.program import Param, Program, Variable
from warpview.isa.types import Space

FILES_KEPT = 4  # that a thread has read last, each of some megabytes
RECURSION_LIMIT = 60_000  # of the interpreter: deep syntax trees are walked by recursion


@dataclass(frozen=True)
class KernelInfo:
    """Describe a kernel of a file. ``template`` are its template parameters as written, with defaults where they have
    any."""

    name: str
    template: tuple[str, ...]
    span: Span
    launches: tuple[LaunchInfo, ...] = ()


def compile_source(
    text: SourceText,
    kernel: str | None = None,
    defines: Mapping[str, object] | None = None,
    fma: bool = True,
    predicate: bool = False,
    include_dir: Path | None = None,
    device_addresses: Mapping[str, int] | None = None,
) -> Program:
    """Return the program of one kernel of ``text``; ``kernel`` is its name, with template arguments if it has any.

    ``fma`` fuses a*b+c of floats as nvcc does; ``predicate`` turns short branches into predicated instructions.
    ``device_addresses`` says where ``__device__`` variables lie in global memory, by name; the launch then has 0 in
    the row ``device_row``. Others lie in the program's own ``device_bytes``. Raises CompileError, with a hint where
    NVIDIA's compiler takes what is not supported here.
    """
    try:
        with _deep_recursion(text):
            return _compiled(read(text, defines, include_dir), kernel, fma, predicate, device_addresses or {})
    except CompileError as error:
        raise with_alternative(error) from None


@dataclass(frozen=True)
class KernelInterface:
    """Hold what the machine code of a kernel does not tell: parameters, without rows, the names of all, those of empty
    structs too, and variables of memory that all threads of a block share."""

    params: tuple[Param, ...]
    names: tuple[str, ...]
    variables: Mapping[str, Variable]
    span: Span


def interface_of(file: ParsedFile, kernel: str) -> KernelInterface:
    """Return the interface of a kernel of a file that ``parse`` has read. Where variables in memory may be declared
    anywhere its code is lowered, for that is where they are met; else its declarations alone, in a third of the time.
    Raises as ``compile_source`` does for what is lowered."""
    try:
        with _deep_recursion(file.source):
            function = lower(file, *choose_kernel(file, kernel), fma=True, whole=not _kernels_declare_all_memory(file))
    except CompileError as error:
        raise with_alternative(error) from None
    shared = [variable for variable, _ in function.variables if variable.space == Space.SHARED]
    variables = {v.name: v for v in (*shared, *function.constant_symbols, *function.device_symbols)}
    return KernelInterface(tuple(function.params), tuple(function.parameter_names), variables, function.span)


def _kernels_declare_all_memory(file: ParsedFile) -> bool:
    """Return whether every variable in memory is declared by a statement that stands directly in a kernel's body."""
    if file.unit.variables or any(map(declares_memory, file.unit.types)):
        return False
    bodies = [(function.is_kernel, function.body) for function in file.unit.functions if function.body is not None]
    inner = (x for is_kernel, body in bodies for x in body.body if not (is_kernel and is_declaration(x)))
    return not any(map(declares_memory, inner))


def _compiled(
    file: ParsedFile, kernel: str | None, fma: bool, predicate: bool, device_addresses: Mapping[str, int]
) -> Program:
    declaration, arguments = choose_kernel(file, kernel)
    return finish(lower(file, declaration, arguments, fma, device_addresses), predicate)


def kernels_in(
    text: SourceText, defines: Mapping[str, object] | None = None, include_dir: Path | None = None
) -> list[KernelInfo]:
    """Return the kernels of a file, in order, with the launches of each that its host code holds."""
    with _deep_recursion(text):
        file = read(text, defines, include_dir)
        low = Lowering(_empty(file), file.unit, fma=True)
        low.kernel.enter_file(file.unit, file.parser.unreadable)
        launches = launches_of(file.unit, low.semantics)
        found = []
        for kernel, name in file.qualified_names.items():
            template = tuple(described(p) for p in kernel.template or ())
            found.append(_info(file, name, template, kernel.span, launches))
        found += [_info(file, name, (), span, launches) for name, (span, _) in file.unit.refused.items()]
        return sorted(found, key=lambda k: (k.span.line, k.span.column))


def check_kernels(
    text: SourceText, defines: Mapping[str, object] | None = None, include_dir: Path | None = None
) -> None:
    """Raise CompileError where a kernel of a file that is no template is wrong, also one that nothing launches. What is
    only not supported is no mistake."""
    with _deep_recursion(text):
        file = read(text, defines, include_dir)
    refused = [error for _, error in file.unit.refused.values()]
    for kernel in file.qualified_names:
        if kernel.template is not None or kernel.body is None:
            continue
        try:
            with _deep_recursion(text):
                lower(file, kernel, [], fma=True)
        except CompileError as error:
            refused.append(error)
    for mistake in refused:
        if any(found.refusal is None for found in mistake.diagnostics):
            raise mistake


def _info(
    file: ParsedFile, qualified: str, template: tuple[str, ...], span: Span, launches: dict[str, list[LaunchInfo]]
) -> KernelInfo:  # fmt: skip
    shown = shown_name(file, qualified)
    own = [replace(x, kernel=shown + "".join(x.kernel.partition("<")[1:])) for x in launches.get(qualified, ())]
    return KernelInfo(shown, template, span, tuple(own))


def parse(
    text: SourceText, defines: Mapping[str, object] | None = None, include_dir: Path | None = None,
    for_another_compiler: bool = False,
) -> ParsedFile:  # fmt: skip
    """Return a file to ask several things about. Raises CompileError where it cannot be read; device code that another
    compiler is to compile is put aside instead."""
    with _deep_recursion(text):
        return read(text, defines, include_dir, for_another_compiler)


def host_code_in(file: ParsedFile, name: str) -> list[tuple[Span, Span]]:
    """Return the stretches that only the host executes of the file, or of a header that it includes, whose text has
    this ``name``: the first and the last token of each."""
    return [(first, last) for first, last in file.unit.host_code if first.source.name == last.source.name == name]


def function_pointers(file: ParsedFile) -> dict[str, bytes]:
    """Return the initial values of the variables of a file in device and constant memory that hold pointers to
    functions, by name. Raises CompileError where one cannot be computed."""
    if not file.unit.has_function_types:
        return {}
    with _deep_recursion(file.source):
        low = Lowering(_empty(file), file.unit, fma=True)
        low.kernel.enter_file(file.unit, file.parser.unreadable)
        return low.static_variables.function_pointers(file.unit.variables)


def string_pointers(file: ParsedFile) -> dict[str, tuple[bytes, dict[int, bytes]]]:
    """Return the initial values of the variables of a file in device and constant memory that hold pointers to strings,
    by name, with the strings by the places of the pointers. Raises CompileError where one cannot be computed."""
    with _deep_recursion(file.source):
        low = Lowering(_empty(file), file.unit, fma=True)
        low.kernel.enter_file(file.unit, file.parser.unreadable)
        return low.static_variables.string_pointers(file.unit.variables)


@contextmanager
def _deep_recursion(text: SourceText) -> Iterator[None]:
    """Deep trees are no reason to fail; deeper ones are refused."""
    with raised_recursion_limit(RECURSION_LIMIT):
        try:
            with limited(text):
                yield
        except RecursionError:
            fail_too_deep(Span(text, 1, 1))


class _ReadFiles(threading.local):
    """Keep the files that this thread has read last: the kernels of one are often compiled one after the other."""

    def __init__(self) -> None:
        self.files: dict[tuple[SourceText, str, Path | None, bool], ParsedFile] = {}

    def keep(self, key: tuple[SourceText, str, Path | None, bool], file: ParsedFile) -> None:
        self.files[key] = file
        while len(self.files) > FILES_KEPT:
            del self.files[next(iter(self.files))]


_read_files = _ReadFiles()


def read(
    text: SourceText, defines: Mapping[str, object] | None, include_dir: Path | None, for_another_compiler: bool = False
) -> ParsedFile:
    """Return a file, the same as before where neither its text nor anything else that counts has changed."""
    key = text, repr(sorted((defines or {}).items())), include_dir, for_another_compiler
    if key in _read_files.files:
        return _read_files.files[key]
    preprocessed = preprocess(text, defines, include_dir)
    *tokens, end = preprocessed.tokens
    parser = Parser([*tokens, *structs(tokens), end], for_another_compiler)
    stack = int(str((defines or {}).get(STACK_SIZE_MACRO, STACK_BYTES)))
    unit = parser.translation_unit()
    parser.cursor.release()
    unit.lacks_files = bool(preprocessed.warnings)
    own = (error for error in unit.host_errors if error.span is not None and error.span.source is text)
    warnings = *preprocessed.warnings, *(() if for_another_compiler else own)
    file = ParsedFile(text, parser, unit, warnings, stack)
    if preprocessed.is_alone:
        _read_files.keep(key, file)
    return file


# ----------------------------------------------------------------------------------------------- lowering
def lower(
    file: ParsedFile,
    declaration: s.FunctionDeclaration,
    arguments: TemplateArguments,
    fma: bool,
    device_addresses: Mapping[str, int] | None = None,
    whole: bool = True,
) -> ir.Function:
    """Return the kernel's code; where it is not to be ``whole``, that of the declarations in its body. It is lowered
    again where functions turn out to call themselves."""
    recursive = frozenset[s.FunctionDeclaration]()
    while True:
        low = Lowering(_empty(file, declaration), file.unit, fma)
        low.context.static_memory.device_addresses = device_addresses or {}
        low.context.function.stack_bytes = file.stack_bytes
        low.procedures.chosen = recursive
        found = low.procedures.found
        try:
            _lower_once(low, file, declaration, arguments, whole)
        except CallsItself as error:
            found.add(error.function)
        except CompileError:
            if not found:
                raise
        if not found:
            return low.context.function
        recursive |= found


def _lower_once(
    low: Lowering, file: ParsedFile, declaration: s.FunctionDeclaration, arguments: TemplateArguments, whole: bool
) -> None:
    low.kernel.enter_file(file.unit, file.parser.unreadable)
    home = low.semantics.names.namespaces.home(declaration)
    scope = Scope(home)
    with low.semantics.names.scoped(home.child()):
        given = low.semantics.types.template_values(arguments)
    if packs.has_packs(declaration):
        declaration = packs.written_out(declaration, packs.argument_length(declaration, len(given)))
    chosen = declaration
    if declaration.template is not None:
        low.semantics.types.bind_template(declaration.template, given, scope, declaration.span, declaration.name)
        chosen, scope = _specialised(low, file, declaration, scope)
    if declaration.template is not None and chosen is declaration:
        path, signature = split_signature(low.context.function.name)
        low.context.function.name = path + template_values(scope) + signature
    low.kernel.kernel(chosen, scope, None if whole or chosen.body is None else _declarations(chosen.body))


def _declarations(body: s.Compound) -> s.Compound:
    """Return a kernel's body without what is no declaration; without anything where it declares nothing in memory."""
    kept = body.body if any(map(declares_memory, body.body)) else []
    return replace(body, body=[statement for statement in kept if is_declaration(statement)])


def _specialised(
    low: Lowering, file: ParsedFile, declaration: s.FunctionDeclaration, scope: Scope
) -> tuple[s.FunctionDeclaration, Scope]:
    """Return the explicit specialisation for these template arguments, if the file has one."""
    key = [low.semantics.types.key_of(v) for v in scope.names.values()]
    home, namespaces = low.semantics.names.namespaces.home(declaration), file.unit.namespaces
    for other in file.unit.functions:
        is_here = namespaces.get(other) == namespaces.get(declaration)
        if is_here and other.is_kernel and other.name == declaration.name and other.specialises is not None:
            wanted = Scope(home)
            assert declaration.template is not None
            values = low.semantics.types.template_values(other.specialises)
            low.semantics.types.bind_template(declaration.template, values, wanted, other.span, other.name)
            if [low.semantics.types.key_of(v) for v in wanted.names.values()] == key:
                return other, Scope(home)
    return declaration, scope


def _empty(file: ParsedFile, declaration: s.FunctionDeclaration | None = None) -> ir.Function:
    span = declaration.span if declaration else Span(file.source, 1, 1)
    name = shown_name(file, qualified_name(file.unit, declaration)) if declaration else ""
    return ir.Function(name, file.source, span, warnings=file.warnings)
