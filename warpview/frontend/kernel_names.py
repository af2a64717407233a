"""Choose a kernel of a file by its name, which may have that of a namespace before it, or leave it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.frontend import syntax as s
from warpview.frontend.interruption import checkpoint
from warpview.frontend.parse.parser import Parser
from warpview.frontend.parse.stream import TYPE
from warpview.frontend.parse.words import UNNAMED
from warpview.frontend.preprocess.tokens import fail, tokenize
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.values import Value
from warpview.frontend.spelling import described, signature_of, split_signature
from warpview.frontend.suggest import nearest, some_of

TemplateArguments = list[s.TypeSyntax | s.Expression]


@dataclass(frozen=True)
class _Kernel:
    """Name a kernel of a file; ``refused`` says why it cannot be compiled, else there is its ``declaration``."""

    qualified: str
    declaration: s.FunctionDeclaration | None = None
    refused: CompileError | None = None

    @property
    def path(self) -> str:
        """Return the name with its namespaces, without the signature that an overloaded kernel has."""
        return split_signature(self.qualified)[0]

    @property
    def bare(self) -> str:
        return self.path.rpartition("::")[2]


@dataclass
class ParsedFile:
    """Hold a parsed file with its parser, which knows what its names are."""

    source: SourceText
    parser: Parser
    unit: s.TranslationUnit
    warnings: tuple[Diagnostic, ...] = ()
    stack_bytes: int = 0  # of a thread, for functions that call themselves

    @cached_property
    def qualified_names(self) -> dict[s.FunctionDeclaration, str]:
        """Return the kernels, in order, with the names that ``qualified_name`` gives them."""
        overloads: dict[str, list[s.FunctionDeclaration]] = {}
        for kernel in kernels_of(self.unit):
            checkpoint()
            overloads.setdefault(_path(self.unit, kernel), []).append(kernel)
        overloaded = {path for path, kernels in overloads.items() if _are_overloads(kernels)}
        paths = ((kernel, _path(self.unit, kernel)) for kernel in kernels_of(self.unit))
        return {kernel: _told_apart(path, kernel, path in overloaded) for kernel, path in paths}

    @cached_property
    def kernels(self) -> list[_Kernel]:
        """Return the kernels that can be named, in order; those that cannot be compiled come last."""
        found = {name: _Kernel(name, kernel) for kernel, name in self.qualified_names.items()}
        for name, (_, error) in self.unit.refused.items():
            found.setdefault(name, _Kernel(name, None, error))
        return list(found.values())

    @cached_property
    def paths(self) -> dict[str, set[str]]:
        """Return the kernels' names with namespaces by those without."""
        found: dict[str, set[str]] = {}
        for kernel in self.kernels:
            checkpoint()
            found.setdefault(kernel.bare, set()).add(kernel.path)
        return found


def kernels_of(unit: s.TranslationUnit) -> list[s.FunctionDeclaration]:
    """Return the kernels of a file, without specialisations of templates."""
    return [f for f in unit.functions if f.is_kernel and f.body is not None and f.specialises is None]


def shown_name(file: ParsedFile, qualified: str) -> str:
    """Return the name of a kernel to show: with its namespace where the file has several kernels of the name."""
    name, signature = split_signature(qualified)
    path, angle, arguments = name.partition("<")
    bare = path.rpartition("::")[2]
    return qualified if len(file.paths.get(bare, ())) > 1 else bare + angle + arguments + signature


def qualified_name(unit: s.TranslationUnit, kernel: s.FunctionDeclaration) -> str:
    """Return the name of a kernel with those of the namespaces around it, and the types of its parameters where it is
    overloaded."""
    path = _path(unit, kernel)
    same = [k for k in kernels_of(unit) if k.name == kernel.name and _path(unit, k) == path]
    return _told_apart(path, kernel, _are_overloads(same))


def _told_apart(path: str, kernel: s.FunctionDeclaration, is_overloaded: bool) -> str:
    return path + signature_of(kernel.parameters) if is_overloaded else path


def _are_overloads(kernels: Sequence[s.FunctionDeclaration]) -> bool:
    """Return whether kernels that share a name and its namespaces differ in the types of their parameters."""
    return len({signature_of(kernel.parameters) for kernel in kernels}) > 1


def template_values(scope: Scope) -> str:
    """Return the template arguments in the scope of an instance, '<float, 128>'."""
    values = [str(v.constant) if isinstance(v, Value) else str(getattr(v, "type", v)) for v in scope.names.values()]
    return f"<{', '.join(values)}>"


def _path(unit: s.TranslationUnit, kernel: s.FunctionDeclaration) -> str:
    return unit.namespaces.get(kernel, "").replace(f"{UNNAMED}::", "") + kernel.name


def choose_kernel(file: ParsedFile, wanted: str | None) -> tuple[s.FunctionDeclaration, TemplateArguments]:
    """Return the kernel that is meant, and its template arguments."""
    name, signature = split_signature(wanted or only_kernel(_shown(file), file.source))
    path, arguments = _read_name(file, name)
    chosen = _named(file, path, signature)
    if chosen.declaration is None:
        assert chosen.refused is not None
        raise chosen.refused
    _check_arguments(chosen.declaration, len(arguments))
    return chosen.declaration, arguments


def kernel_meant(file: ParsedFile, wanted: str | None) -> str:
    """Return the name of the kernel that another compiler is to compile, with its namespaces and template arguments:
    the wanted one, else the only one of the file.

    Raises CompileError for a kernel that the file does not have.
    """
    name, signature = split_signature(wanted or only_kernel(_shown(file), file.source))
    path, angle, arguments = name.partition("<")
    kernel = _named(file, path.strip(), signature)
    if kernel.declaration is not None and not angle:
        _check_arguments(kernel.declaration, 0)
    return kernel.path + angle + arguments + split_signature(kernel.qualified)[1]


def plain_kernels(file: ParsedFile) -> list[str]:
    """Return the expressions of the addresses of all kernels of a file that are no templates."""
    return [name_expression(name) for kernel, name in file.qualified_names.items() if kernel.template is None]


def name_expression(name: str) -> str:
    """Return the C++ expression of a kernel's address; the name of an overloaded kernel ends in its signature."""
    path, signature = split_signature(name)
    return f"(void(*){signature}){path}" if signature else name


def only_kernel(names: Sequence[str], source: SourceText) -> str:
    """Return the name of the only kernel of a file. Raises CompileError where there is none, or another."""
    if not names:
        fail("there is no kernel (a __global__ function) in this file", Span(source, 1, 1))
    if len(names) > 1:
        fail(f"there are several kernels in this file: say which ({some_of(names)})", Span(source, 1, 1))
    return names[0]


def _shown(file: ParsedFile) -> list[str]:
    return [shown_name(file, kernel.qualified) for kernel in file.kernels]


def _named(file: ParsedFile, name: str, signature: str = "") -> _Kernel:
    """Return the kernel of that name, with all, some or none of its namespaces, and of that signature, if it is
    overloaded."""
    name, known = name.removeprefix("::"), file.kernels
    exact = [kernel for kernel in known if kernel.path == name]
    found = exact or [kernel for kernel in known if kernel.path.endswith(f"::{name}")]
    if signature and len(found) > 1:
        found = [kernel for kernel in found if _has_signature(file, kernel, signature)] or found
    if not found:
        names = _shown(file)
        hint = nearest(name, names) or f"the file has {some_of(names)}"
        fail(f"there is no kernel '{name}' in this file", Span(file.source, 1, 1), hint)
    if len(found) > 1:
        only_kernel([kernel.qualified for kernel in found], file.source)
    return found[0]


def _has_signature(file: ParsedFile, kernel: _Kernel, signature: str) -> bool:
    """Return whether the parameters of a kernel have the types of a signature, which may be written otherwise."""
    if kernel.declaration is None:
        return False
    parser = _parser_within(file, signature)
    for parameter in kernel.declaration.template or ():
        if parameter.type is None:
            parser.cursor.declare(parameter.name, TYPE)
    try:
        given = signature_of(parser.parameters.parse())
    except CompileError:
        return False
    finally:
        parser.cursor.names.leave()
    return given == signature_of(kernel.declaration.parameters)


def _check_arguments(kernel: s.FunctionDeclaration, given: int) -> None:
    """Raise CompileError where template arguments are missing, or given to a kernel that is no template."""
    required = [p for p in kernel.template or () if p.default is None and not p.pack]
    if given < len(required):
        wanted = ", ".join(described(p) for p in kernel.template or ())
        example = ", ".join("float" if p.type is None else "128" for p in required)
        fail(f"'{kernel.name}' is a template: give <{wanted}>", kernel.span, f"for example {kernel.name}<{example}>")
    if given and kernel.template is None:
        fail(f"'{kernel.name}' is not a template: it takes no arguments in <...>", kernel.span)


def _read_name(file: ParsedFile, wanted: str) -> tuple[str, TemplateArguments]:
    """Return the name and the arguments of ``a::reduce<128, float>``."""
    parser = _parser_within(file, wanted)
    parser.cursor.accept("::")
    name = parser.cursor.name("the name of a kernel").text
    while parser.cursor.accept("::"):
        name += f"::{parser.cursor.name('the name of a kernel').text}"
    arguments = parser.types.template_arguments() if parser.cursor.at("<") else []
    if parser.cursor.ahead(0).text:
        parser.cursor.unexpected("the end of the kernel's name")
    parser.cursor.names.leave()
    return name, arguments


def _parser_within(file: ParsedFile, text: str) -> Parser:
    """Return a parser of a text that knows the names of a file, in a scope of its own."""
    parser = Parser(tokenize(SourceText("<kernel>", text)))
    parser.cursor.names, parser.declared = file.parser.cursor.names, file.parser.declared
    parser.cursor.names.enter()
    return parser
