"""Rewrite a CUDA source file as a host compiler can read it, with every line where it was.

- The body of a kernel becomes a stub: it says which kernel it is, with its template arguments, and hands over the
  arguments. A launch ``k<<<grid, block>>>(x)`` becomes ``(wv::configure(grid, block) ? (void)0 : k(x))``, so that the
  compiler chooses the overload, deduces template arguments and converts arguments, as nvcc does.
- The body of a function that is only for the device is removed; members of classes keep theirs in a program that uses
  algorithms of Thrust or CUB, as their function objects run on the host.
- A lambda that a kernel is passed becomes an object of a struct, which has a name (see ``extended_lambdas``).
- Variables of the device stay, as shadows that hold the initial value until the variables have made themselves known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from warpview.diagnostics import SourceText
from warpview.frontend.extended_lambdas import code_tokens, extended_lambdas, macros_of, offset_of, written
from warpview.frontend.preprocess.operators import closing
from warpview.frontend.preprocess.preludes import REFERENCE_TYPES, reference_aliases
from warpview.host.declarations import (
    TYPE_WORDS,
    body_of,
    callee_start,
    configuration_end,
    declaration_start,
    declarator_end,
    declared_name,
    namespace_at,
    parameters_at,
    scope_at,
    variable_end,
)
from warpview.host.scan import (
    TokenSection,
    Word,
    closing_angle,
    opening_angle,
    sections_of,
    split,
    words_of,
)

_VARIABLES = {"__device__": "DEVICE", "__constant__": "CONSTANT"}


@dataclass
class _Edits:
    """Collect replacements of stretches of a text; newlines of a stretch are kept after its replacement."""

    text: str
    made: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, start: int, end: int, new: str, *, in_directive: bool = False) -> None:
        newline = "\\\n" if in_directive else "\n"
        missing = self.text.count("\n", start, end) - new.count("\n")
        self.made.append((start, end, new + newline * max(0, missing)))

    def insert(self, at: int, new: str) -> None:
        self.made.append((at, at, new))

    def resume(self, at: int) -> str:
        """Return what gives the text from ``at`` on its line and column again, which the compiler's messages say."""
        line = self.text.count("\n", 0, at) + 1
        return f"\n#line {line}\n{' ' * (at - self.text.rfind(chr(10), 0, at) - 1)}"

    def blank(self, start: int, end: int) -> None:
        """Replace a stretch by blanks."""
        self.made.append((start, end, re.sub(r"\S", " ", self.text[start:end])))

    def result(self) -> str:
        parts, position = [], 0
        for start, end, new in sorted(self.made, key=lambda edit: (edit[0], edit[1])):
            if start < position:  # inside a stretch that is replaced as a whole
                continue
            parts += [self.text[position:start], new]
            position = end
        return "".join([*parts, self.text[position:]])


def host_text(source: SourceText, marks: dict[str, frozenset[str]] | None = None, keeps_members: bool = True) -> str:
    """Return ``source`` with device code removed and launches written as calls.

    ``marks`` are macros that stand for CUDA's words, by name (see ``marking_macros``); ``keeps_members`` leaves the
    bodies of device code in classes. Raise CompileError where a bracket has no partner.
    """
    edits = _Edits(source.text)
    words = words_of(source)
    aliases = reference_aliases(words)
    _name_lambdas(source.text, edits, keeps_members)
    for section in sections_of(words):
        _HostRewriter(section, edits, {**marking_macros(words), **(marks or {})}, keeps_members, aliases).run()
    return edits.result()


def _name_lambdas(text: str, edits: _Edits, keeps_members: bool) -> None:
    """Put an object of a struct with a name in the place of each lambda that a kernel is passed."""
    tokens = code_tokens(text)
    starts = [0, *(k + 1 for k, character in enumerate(text) if character == "\n")]
    for one in extended_lambdas(tokens, macros_of(text)):
        first, last = offset_of(starts, tokens[one.first]), offset_of(starts, tokens[one.last]) + 1
        values = [written(text, starts, given) if given else name for name, given in one.captures]
        types = ", ".join(f"std::decay_t<decltype({value})>" for value in values)
        # In one line, without comments.
        parameters, code = (" ".join(token.text for token in part) for part in (one.parameters, one.body))
        body = f"({parameters}) {one.qualifiers} {code}"
        struct = one.head + body if keeps_members else one.head.rpartition("__device__")[0]
        declaration = offset_of(starts, tokens[one.declaration])
        edits.insert(declaration, f"{struct} }};{edits.resume(declaration)}")
        made = f"{one.name}{f'<{types}>' if types else ''}{{{', '.join(values)}}}"
        edits.made.append((first, last, made + edits.resume(last)))


def marking_macros(words: Sequence[Word]) -> dict[str, frozenset[str]]:
    """Return the macros of a file that stand for ``__device__`` and its like: the words, by the macro's name."""
    marked = {}
    for section in sections_of(words):
        texts = [word.text for word in section.words]
        if section.is_directive and texts[1:2] == ["define"] and len(texts) > 3 and "(" not in texts[3:4]:
            meant = frozenset(texts[3:]) & {"__global__", "__device__", "__host__", "__constant__"}
            if meant and not {"{", ";"} & set(texts):
                marked[texts[2]] = meant
    return marked


class _HostRewriter:
    """Rewrite one section of a file."""

    def __init__(
        self, section: TokenSection, edits: _Edits, marks: dict[str, frozenset[str]], keeps_members: bool,
        aliases: Set[str],
    ) -> None:  # fmt: skip
        self.keeps_members, self.aliases = keeps_members, aliases
        self.words = section.words
        self.in_directive = section.is_directive
        self.edits = edits
        self.marks = marks
        self.kernels = Counter(self._kernel_names())
        self.symbols = 0
        self.namespace = ""  # around the declaration that is rewritten, as 'a::b::'

    def run(self) -> None:
        position = 0
        scopes: list[str] = []  # of the open braces: namespace, class or code
        paths: list[str] = []  # the names of the namespaces among them, as 'a::b::'
        while position < len(self.words):
            word = self.words[position]
            if word.text == "<<<":
                self._launch(position)
            elif word.text == "{":
                scopes.append(scope_at(self.words, position))
                paths.append(namespace_at(self.words, position) if scopes[-1] == "namespace" else "")
            elif word.text == "}" and scopes:
                scopes.pop()
                paths.pop()
            elif self._begins_device_code(position, set(scopes)):
                self.namespace = "".join(paths)
                position = self._marked(position, set(scopes))
            elif word.text == "__shared__" and all(scope == "namespace" for scope in scopes):
                self._shared(position)
            position += 1

    def _begins_device_code(self, position: int, scopes: set[str]) -> bool:
        """Return whether a word is one of CUDA's marks, or the type of a texture or surface reference, which is a
        variable of the device without one."""
        word = self.words[position]
        if word.text in REFERENCE_TYPES or word.text in self.aliases:
            before = [w.text for w in self.words[:position][-1:]]
            behind = [w.text for w in self.words[position + 1 : position + 2]]
            is_type = behind == ["<"] or word.text in self.aliases
            is_named = before in (["typedef"], ["="]) or behind in ([";"], ["="])  # not declared by it
            return scopes <= {"namespace"} and is_type and not is_named
        return word.is_name and bool(
            self._means(word.text) & {"__global__", "__device__", "__constant__", "__managed__"}
        )

    def _kernel_names(self) -> Iterator[str]:
        """Yield the name of each kernel that is defined, without specialisations of templates."""
        for position, word in enumerate(self.words):
            if "__global__" in self._means(word.text):
                parameters = parameters_at(self.words, position)
                body = None if parameters is None else body_of(self.words, parameters)
                if parameters is not None and body is not None and self.words[body].text == "{":
                    yield self.words[parameters - 1].text

    def _means(self, text: str) -> frozenset[str]:
        return self.marks.get(text) or frozenset({text})

    # ------------------------------------------------------------------------------------------ declarations
    def _marked(self, position: int, scopes: set[str]) -> int:
        """Rewrite what is declared with CUDA's words at ``position``, within the ``scopes`` around it; return the index
        of its last word."""
        start = declaration_start(self.words, position, self.in_directive)
        parameters = parameters_at(self.words, position)
        marks: set[str] = set()
        for word in self.words[start : parameters or declarator_end(self.words, position)]:
            marks |= self._means(word.text)
        if parameters is None:
            if scopes <= {"namespace"}:
                self._variables(start, position, marks)
            return variable_end(self.words, position)
        body = body_of(self.words, parameters)
        if body is None or self.words[body].text != "{":
            return parameters
        end = closing(self.words, body)
        if "__global__" in marks:
            self._replace_body(body, end, self._stub(start, parameters))
        elif (
            "__host__" not in marks
            and scopes <= ({"namespace"} if self.keeps_members else {"namespace", "class"})
            and "constexpr" not in {w.text for w in self.words[start:body]}
        ):
            self._replace_body(body, end, "{ ::wv::device_only(__func__); ")
        else:
            return parameters  # stays as it is, with the launches in it
        return end

    def _replace_body(self, body: int, end: int, text: str) -> None:
        first, last = self.words[body].start, self.words[end].end
        self.edits.replace(first, last - 1, text, in_directive=self.in_directive)

    # ------------------------------------------------------------------------------------------ kernels
    def _stub(self, start: int, parameters: int) -> str:
        """Return the body of a kernel on the host."""
        parts = self._parts(parameters)
        names = [self._parameter_name(part) for part in parts]
        is_overloaded = self.kernels[self.words[parameters - 1].text] > 1
        signature = f"({', '.join(map(self._without_default, parts))})" if is_overloaded else ""
        arguments = ", ".join(self._template_arguments(start, parameters))
        sizes = ", ".join(f"::wv::size_of<decltype({name})>(){dots}" for name, dots in names)
        addresses = ", ".join(f"::wv::Argument<decltype({name})>{{{name}}}{dots}" for name, dots in names)
        named = f'(std::string("{self.namespace}") + __func__).c_str()' if self.namespace else "__func__"
        return (
            f'{{ static const ::wv::Kernel wv_kernel({named}, WARPVIEW_UNIT, "{signature}", {{{arguments}}}, '
            f"{{{sizes}}}); if (wv_kernel.is_asked()) return; wv_kernel.launch({{{addresses}}}); "
        )

    def _parts(self, parameters: int) -> list[Sequence[Word]]:
        inside = self.words[parameters + 1 : closing(self.words, parameters)]
        parts = [part for part in split(inside) if part]
        return [part for part in parts if [word.text for word in part] != ["void"]]

    def _without_default(self, part: Sequence[Word]) -> str:
        """Return a parameter as it is written, in one line."""
        texts = [word.text for word in part]
        return " ".join(texts[: texts.index("=")] if "=" in texts else texts)

    def _parameter_name(self, part: Sequence[Word]) -> tuple[str, str]:
        """Return a parameter's name, and '...' where it is a pack; a parameter without a name gets one."""
        texts = [word.text for word in part]
        end = texts.index("=") if "=" in texts else len(part)
        dots = "..." if "..." in texts[:end] else ""
        if "(" in texts[:end]:  # a pointer to a function or an array
            inner = part[texts.index("(") : closing(part, texts.index("("))]
            named = [word.text for word in inner if word.is_name]
            if named:
                return named[-1], dots
        if "[" in texts[:end]:
            end = texts.index("[")
        is_named = end > 1 and part[end - 1].is_name and texts[end - 2] != "::" and texts[end - 1] not in TYPE_WORDS
        if is_named and any(w.is_name and w.text not in ("const", "volatile", "__restrict__") for w in part[: end - 1]):
            return texts[end - 1], dots
        self.symbols += 1
        name = f"wv_unnamed_{self.symbols}"
        self.edits.insert(part[end - 1].end, f" {name}")
        return name, dots

    def _template_arguments(self, start: int, parameters: int) -> list[str]:
        """Return expressions whose values are the template arguments of this instantiation as text."""
        if self.words[start].text != "template" or self.words[start + 1].text != "<":
            return []
        found = []
        for part in split(self.words[start + 2 : closing_angle(self.words, start + 1)]):
            texts = [word.text for word in part]
            end = texts.index("=") if "=" in texts else len(part)
            dots = "..." if "..." in texts[:end] else ""
            name = texts[end - 1]
            if texts[0] == "template":
                found.append(f"{self._name_of_template(start, texts[: end - 1])}<{name}>(){dots}")
            elif texts[0] in ("typename", "class"):
                found.append(f"::wv::type_name<{name}>(){dots}")
            else:
                found.append(f"::wv::value_text({name}){dots}")
        return found or self._specialised(parameters)

    def _name_of_template(self, start: int, kind: Sequence[str]) -> str:
        """Return a function that returns the name of its argument, a template of a kind (``template <class> class``);
        it is defined before the kernel, as what depends on the kind cannot be defined for all."""
        self.symbols += 1
        name = f"wv_template_name_{self.symbols}"
        head = " ".join(text for text in kind if text != "...")
        body = "{ return ::wv::name_in(__PRETTY_FUNCTION__); }"
        self.edits.insert(self.words[start].start, f"template <{head} T> static std::string {name}() {body} ")
        return name

    def _specialised(self, parameters: int) -> list[str]:
        """Return the arguments of ``template <> void k<float, 64>(...)``."""
        if self.words[parameters - 1].text != ">":
            return []
        begin = opening_angle(self.words, parameters - 1)
        inside = split(self.words[begin + 1 : parameters - 1])
        texts = (self.edits.text[part[0].start : part[-1].end].replace("\n", " ") for part in inside if part)
        return ['"' + text.replace('"', "") + '"' for text in texts]

    def _launch(self, position: int) -> None:
        """Rewrite ``kernel<<<configuration>>>(arguments)``."""
        end = configuration_end(self.words, position)
        if end is None or end + 1 >= len(self.words) or self.words[end + 1].text != "(":
            return
        begin = callee_start(self.words, position)
        call_end = closing(self.words, end + 1)
        inside, callee, after = self.words[position].end, self.words[begin].start, self.words[call_end].end
        configuration = self.edits.text[inside : self.words[end - 1].start]
        self.edits.insert(
            callee, f"(::wv::configure({self._resume(inside)}{configuration}) ? (void)0 : {self._resume(callee)}"
        )
        self.edits.blank(self.words[position].start, self.words[end].end)
        self.edits.insert(after, f"){self._resume(after)}")

    def _resume(self, at: int) -> str:
        return "" if self.in_directive else self.edits.resume(at)

    # ------------------------------------------------------------------------------------------ variables
    def _shared(self, position: int) -> None:
        """Let an array whose size the launch tells be an array of another file, which no host code uses."""
        start = declaration_start(self.words, position, self.in_directive)
        if "extern" in {word.text for word in self.words[start : declarator_end(self.words, position)]}:
            self.edits.replace(self.words[position].start, self.words[position].end, "")

    def _variables(self, start: int, position: int, marks: set[str]) -> None:
        """Make the variables that are declared at ``position`` known, behind their declaration."""
        end = variable_end(self.words, position)
        words = self.words[start:end]
        if "extern" in {word.text for word in words} or self.in_directive or {"class", "struct"} & {words[0].text}:
            return
        if "__managed__" in marks:
            self._managed(start, end)
            return
        kind = "CONSTANT" if "__constant__" in marks else "DEVICE"
        declared = ""
        for part in split(words):
            name = declared_name(part)
            if name:
                self.symbols += 1
                declared += (
                    f" static const ::wv::Symbol wv_symbol_{name}_{self.symbols}"
                    f'("{self.namespace}{name}", {name}, ::wv::{kind}, WARPVIEW_UNIT);'
                )
                if not self.keeps_members:  # else function objects that run on the host may read it
                    declared += f" static const bool wv_forgotten_{name}_{self.symbols} = ::wv::forget({name});"
        self.edits.insert(self.words[end].end, declared)

    def _managed(self, start: int, end: int) -> None:
        """``__managed__ T x = v;`` becomes a variable of the host that holds v, and ``x`` a reference to its copy in
        managed memory."""
        declared = ""
        for word in self.words[start:end]:
            if word.text in ("__device__", "__managed__", "static", "inline"):
                self.edits.replace(word.start, word.end, "")
        for part in split(self.words[start:end]):
            name = declared_name(part)
            if name:
                at = next(word for word in part if word.text == name)
                self.edits.replace(at.start, at.end, f"wv_initial_{name}")
                declared += (
                    f" static auto &{name} = ::wv::managed_copy(wv_initial_{name});"
                    f' static const ::wv::Symbol wv_symbol_{name}("{self.namespace}{name}", {name}, ::wv::MANAGED,'
                    " WARPVIEW_UNIT);"
                )
        self.edits.insert(self.words[start].start, "static ")
        self.edits.insert(self.words[end].end, declared)
