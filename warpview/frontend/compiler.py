"""Compile a text to a program: the main path of the front end."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.emit import finish
from warpview.frontend.interruption import limited
from warpview.frontend.lower.launches import LaunchInfo, launches_of
from warpview.frontend.lower.lowering import Lowering
from warpview.frontend.parse.parser import Parser
from warpview.frontend.parse.stream import fail_too_deep
from warpview.frontend.preprocess.preprocessor import preprocess
from warpview.frontend.preprocess.tokens import fail, tokenize
from warpview.frontend.semantic import packs
from warpview.frontend.semantic.scopes import FunctionSet, LazyType, LazyVariable, Scope
from warpview.frontend.semantic.values import Value
from warpview.frontend.suggest import nearest
from warpview.frontend.unsupported import with_alternative
from warpview.isa.program import Program

RECURSION_LIMIT = 60_000  # of the interpreter: deep syntax trees are walked by recursion


TemplateArguments = list[s.TypeSyntax | s.Expression]


@dataclass(frozen=True)
class KernelInfo:
    """Describe a kernel of a file. ``template`` are its template parameters as written, with defaults where they have
    any."""

    name: str
    template: tuple[str, ...]
    span: Span
    launches: tuple[LaunchInfo, ...] = ()


@dataclass
class ParsedFile:
    """Hold a parsed file with its parser, which knows what its names are."""

    source: SourceText
    parser: Parser
    unit: s.TranslationUnit
    warnings: tuple[Diagnostic, ...] = ()


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


def compile_parsed(file: ParsedFile, kernel: str | None = None) -> Program:
    """Return the program of one kernel of a file that ``parse`` has read. Raises as ``compile_source`` does."""
    try:
        with _deep_recursion(file.source):
            return _compiled(file, kernel, fma=True, predicate=False, device_addresses={})
    except CompileError as error:
        raise with_alternative(error) from None


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
        low = Lowering(_empty(file), file.unit, file_scope(file), fma=True)
        low.kernel.enter_file(file.unit, file.parser.unreadable)
        launches = launches_of(file.unit, low.semantics)
        found = [
            KernelInfo(k.name, tuple(_described(p) for p in k.template or ()), k.span, tuple(launches.get(k.name, ())))
            for k in _kernels(file)
        ]
        refused = [KernelInfo(n, (), span, tuple(launches.get(n, ()))) for n, (span, _) in file.unit.refused.items()]
        return sorted(found + refused, key=lambda k: (k.span.line, k.span.column))


def parse(text: SourceText, defines: Mapping[str, object] | None = None, include_dir: Path | None = None) -> ParsedFile:
    """Return a file to ask several things about. Raises CompileError where it cannot be read."""
    with _deep_recursion(text):
        return read(text, defines, include_dir)


def host_code_in(file: ParsedFile, name: str) -> list[tuple[Span, Span]]:
    """Return the stretches that only the host executes of the file, or of a header that it includes, whose text has
    this ``name``: the first and the last token of each."""
    return [(first, last) for first, last in file.unit.host_code if first.source.name == last.source.name == name]


@contextmanager
def _deep_recursion(text: SourceText) -> Iterator[None]:
    """Deep trees are no reason to fail; deeper ones are refused."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        with limited(text):
            yield
    except RecursionError:
        fail_too_deep(Span(text, 1, 1))
    finally:
        sys.setrecursionlimit(limit)


def read(text: SourceText, defines: Mapping[str, object] | None, include_dir: Path | None) -> ParsedFile:
    preprocessed = preprocess(text, defines, include_dir)
    parser = Parser(preprocessed.tokens)
    return ParsedFile(text, parser, parser.translation_unit(), preprocessed.warnings)


def _kernels(file: ParsedFile) -> list[s.FunctionDeclaration]:
    """Return the kernels of a file, without specialisations of templates."""
    return [f for f in file.unit.functions if f.is_kernel and f.body is not None and f.specialises is None]


# ------------------------------------------------------------------------------------------ which kernel
def choose_kernel(file: ParsedFile, wanted: str | None) -> tuple[s.FunctionDeclaration, TemplateArguments]:
    """Return the kernel that is meant, and its template arguments."""
    names = _names(file)
    name, arguments = _kernel_name(file, wanted or only_kernel(names, file.source))
    if name in file.unit.refused:
        raise file.unit.refused[name][1]
    _check_name(name, names, file.source)
    chosen = next(k for k in _kernels(file) if k.name == name)
    _check_arguments(chosen, len(arguments))
    return chosen, arguments


def kernel_meant(file: ParsedFile, wanted: str | None) -> str:
    """Return the name of the kernel that another compiler is to compile, with its template arguments: the wanted one,
    else the only one of the file.

    Raises CompileError for a kernel that the file does not have.
    """
    names = _names(file)
    wanted = wanted or only_kernel(names, file.source)
    name, angle, _ = wanted.partition("<")
    name = name.rpartition("::")[2].strip()
    _check_name(name, names, file.source)
    for kernel in _kernels(file):
        if kernel.name == name and not angle:
            _check_arguments(kernel, 0)
    return wanted


def only_kernel(names: Sequence[str], source: SourceText) -> str:
    """Return the name of the only kernel of a file. Raises CompileError where there is none, or another."""
    if not names:
        fail("there is no kernel (a __global__ function) in this file", Span(source, 1, 1))
    if len(names) > 1:
        fail(f"there are several kernels in this file: say which ({', '.join(names)})", Span(source, 1, 1))
    return names[0]


def _names(file: ParsedFile) -> list[str]:
    return list(dict.fromkeys([*(k.name for k in _kernels(file)), *file.unit.refused]))


def _check_name(name: str, names: list[str], source: SourceText) -> None:
    if name not in names:
        hint = nearest(name, names) or f"the file has {', '.join(names)}"
        fail(f"there is no kernel '{name}' in this file", Span(source, 1, 1), hint)


def _check_arguments(kernel: s.FunctionDeclaration, given: int) -> None:
    """Raise CompileError where template arguments are missing, or given to a kernel that is no template."""
    required = [p for p in kernel.template or () if p.default is None and not p.pack]
    if given < len(required):
        wanted = ", ".join(_described(p) for p in kernel.template or ())
        example = ", ".join("float" if p.type is None else "128" for p in required)
        fail(f"'{kernel.name}' is a template: give <{wanted}>", kernel.span, f"for example {kernel.name}<{example}>")
    if given and kernel.template is None:
        fail(f"'{kernel.name}' is not a template: it takes no arguments in <...>", kernel.span)


def _kernel_name(file: ParsedFile, wanted: str) -> tuple[str, TemplateArguments]:
    """Return the name and the arguments of ``reduce<128, float>``."""
    source = SourceText("<kernel>", wanted)
    parser = Parser(tokenize(source))
    parser.cursor.names = file.parser.cursor.names
    name = parser.cursor.name("the name of a kernel").text
    while parser.cursor.accept("::"):
        name = parser.cursor.name("the name of a kernel").text
    arguments = parser.types.template_arguments() if parser.cursor.at("<") else []
    if parser.cursor.ahead(0).text:
        parser.cursor.unexpected("the end of the kernel's name")
    return name, arguments


def _described(parameter: s.TemplateParameter) -> str:
    kind = "typename" if parameter.type is None else _spelled(parameter.type)
    default = ""
    if isinstance(parameter.default, s.Literal):
        default = f" = {parameter.default.value}"
    elif parameter.default is not None:
        span = parameter.default.span
        default = f" = {span.source.line(span.line)[span.column - 1 :][: span.length]}"
    return f"{kind}{'...' if parameter.pack else ''} {parameter.name}{default}"


def _spelled(syntax: s.TypeSyntax) -> str:
    match syntax:
        case s.PlainType(type=type):
            return str(type)
        case s.NamedType(name=name):
            return name
        case s.QualifiedType(of=of):
            return _spelled(of)
    return "auto"


# ----------------------------------------------------------------------------------------------- lowering
def file_scope(file: ParsedFile) -> Scope:
    """Return the names that a file declares."""
    scope = Scope()
    for function in file.unit.functions:
        known = scope.names.setdefault(function.name, FunctionSet(function.name))
        if isinstance(known, FunctionSet):
            known.declarations.append(function)
    for variable in file.unit.variables:
        scope.names[variable.name] = LazyVariable(variable, scope)
    for type in file.unit.types:
        general = scope.names.get(type.name)
        if isinstance(type.type, s.StructType) and type.type.specialises is not None:
            if isinstance(general, LazyType):
                general.specialisations.append(type.type)
        elif isinstance(general, LazyType) and isinstance(general.declaration.type, s.StructType):
            general.declare_again(type)
        else:
            scope.names[type.name] = LazyType(type, scope)
    return scope


def lower(
    file: ParsedFile,
    declaration: s.FunctionDeclaration,
    arguments: TemplateArguments,
    fma: bool,
    device_addresses: Mapping[str, int] | None = None,
) -> ir.Function:
    """Return the kernel's code."""
    low = Lowering(_empty(file, declaration), file.unit, file_scope(file), fma)
    low.context.static_memory.device_addresses = device_addresses or {}
    _lower_once(low, file, declaration, arguments)
    return low.context.function


def _lower_once(
    low: Lowering, file: ParsedFile, declaration: s.FunctionDeclaration, arguments: TemplateArguments
) -> None:
    low.kernel.enter_file(file.unit, file.parser.unreadable)
    scope = Scope(low.semantics.names.file_scope)
    given = low.semantics.types.template_values(arguments)
    if packs.has_packs(declaration):
        declaration = packs.written_out(declaration, packs.argument_length(declaration, len(given)))
    chosen = declaration
    if declaration.template is not None:
        low.semantics.types.bind_template(declaration.template, given, scope, declaration.span, declaration.name)
        chosen, scope = _specialised(low, file, declaration, scope)
    values = [str(v.constant) if isinstance(v, Value) else str(getattr(v, "type", v)) for v in scope.names.values()]
    if declaration.template is not None and chosen is declaration:
        low.context.function.name = f"{declaration.name}<{', '.join(values)}>"
    low.kernel.kernel(chosen, scope)


def _specialised(
    low: Lowering, file: ParsedFile, declaration: s.FunctionDeclaration, scope: Scope
) -> tuple[s.FunctionDeclaration, Scope]:
    """Return the explicit specialisation for these template arguments, if the file has one."""
    key = [low.semantics.types.key_of(v) for v in scope.names.values()]
    for other in file.unit.functions:
        if other.is_kernel and other.name == declaration.name and other.specialises is not None:
            wanted = Scope(low.semantics.names.file_scope)
            assert declaration.template is not None
            values = low.semantics.types.template_values(other.specialises)
            low.semantics.types.bind_template(declaration.template, values, wanted, other.span, other.name)
            if [low.semantics.types.key_of(v) for v in wanted.names.values()] == key:
                return other, Scope(low.semantics.names.file_scope)
    return declaration, scope


def _empty(file: ParsedFile, declaration: s.FunctionDeclaration | None = None) -> ir.Function:
    span = declaration.span if declaration else Span(file.source, 1, 1)
    return ir.Function(declaration.name if declaration else "", file.source, span, warnings=file.warnings)
