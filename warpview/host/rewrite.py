"""A CUDA source file as a host compiler can read it, with every line where it was.

- The body of a kernel becomes a stub: it says which kernel it is, with its template arguments, and hands over the
  arguments. A launch ``k<<<grid, block>>>(x)`` becomes ``(wv::configure(grid, block) ? (void)0 : k(x))``, so that the
  compiler chooses the overload, deduces template arguments and converts arguments, as nvcc does.
- The body of a function that is only for the device is removed; members of classes keep theirs, as function objects
  of Thrust run on the host.
- Variables of the device stay, as shadows that hold the initial value, and make themselves known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warpview.diagnostics import SourceText
from warpview.host.scan import (
    Section,
    Word,
    closing,
    closing_angle,
    opening,
    opening_angle,
    sections_of,
    split,
    words_of,
)

_VARIABLES = {"__device__": "DEVICE", "__constant__": "CONSTANT"}
_ATTRIBUTES = frozenset({"__launch_bounds__", "__align__", "alignas", "__attribute__", "__cluster_dims__", "decltype"})
_SCOPES = frozenset({"namespace", "extern"})
_CLASSES = frozenset({"struct", "class", "union"})


@dataclass
class _Edits:
    """Replacements of stretches of a text; newlines within a stretch are kept behind what replaces it."""

    text: str
    made: list[tuple[int, int, str]] = field(default_factory=list)

    def replace(self, start: int, end: int, new: str, *, in_directive: bool = False) -> None:
        newline = "\\\n" if in_directive else "\n"
        missing = self.text.count("\n", start, end) - new.count("\n")
        self.made.append((start, end, new + newline * max(0, missing)))

    def insert(self, at: int, new: str) -> None:
        self.made.append((at, at, new))

    def result(self) -> str:
        parts, position = [], 0
        for start, end, new in sorted(self.made, key=lambda edit: (edit[0], edit[1])):
            if start < position:  # inside a stretch that is replaced as a whole
                continue
            parts += [self.text[position:start], new]
            position = end
        return "".join([*parts, self.text[position:]])


def host_text(source: SourceText, marks: dict[str, frozenset[str]] | None = None) -> str:
    """``source`` with device code taken out and launches as calls. ``marks`` are macros that stand for CUDA's words, by
    name (see ``marking_macros``). Raises CompileError where the text cannot be taken apart."""
    edits = _Edits(source.text)
    words = words_of(source)
    for section in sections_of(words):
        _Rewriter(section, edits, {**marking_macros(words), **(marks or {})}).run()
    return edits.result()


def marking_macros(words: Sequence[Word]) -> dict[str, frozenset[str]]:
    """The macros of a file that stand for ``__device__`` and its like: those words, by the macro's name."""
    marked = {}
    for section in sections_of(words):
        texts = [word.text for word in section.words]
        if section.is_directive and texts[1:2] == ["define"] and len(texts) > 3 and "(" not in texts[3:4]:
            meant = frozenset(texts[3:]) & {"__global__", "__device__", "__host__", "__constant__"}
            if meant and not {"{", ";"} & set(texts):
                marked[texts[2]] = meant
    return marked


class _Rewriter:
    """Rewrites one section of a file."""

    def __init__(self, section: Section, edits: _Edits, marks: dict[str, frozenset[str]]) -> None:
        self.words = section.words
        self.in_directive = section.is_directive
        self.edits = edits
        self.marks = marks
        self.symbols = 0

    def run(self) -> None:
        position = 0
        scopes: list[str] = []  # of the open braces: namespace, class or code
        while position < len(self.words):
            word = self.words[position]
            if word.text == "<<<":
                self._launch(position)
            elif word.text == "{":
                scopes.append(self._scope_at(position))
            elif word.text == "}" and scopes:
                scopes.pop()
            elif word.is_name and self._means(word.text) & {"__global__", "__device__", "__constant__", "__managed__"}:
                outside = all(scope == "namespace" for scope in scopes)
                position = self._marked(position, outside)
            position += 1

    def _means(self, text: str) -> frozenset[str]:
        return self.marks.get(text) or frozenset({text})

    def _scope_at(self, position: int) -> str:
        """What the '{' at ``position`` opens."""
        texts: list[str] = []
        k = position - 1
        while k >= 0 and self.words[k].text not in ("{", "}", ";"):
            texts.append(self.words[k].text)
            k -= 1
        if _SCOPES & set(texts) and "(" not in texts and "=" not in texts:
            return "namespace"
        return "class" if _CLASSES & set(texts) and "(" not in texts else "code"

    # ------------------------------------------------------------------------------------------ declarations
    def _marked(self, position: int, outside: bool) -> int:
        """Rewrite what is declared with CUDA's words at ``position``; returns the index of its last word."""
        start = self._declaration_start(position)
        parameters = self._parameters(position)
        marks: set[str] = set()
        for word in self.words[start : parameters or self._stop(position)]:
            marks |= self._means(word.text)
        if parameters is None:
            if outside:
                self._variables(start, position, marks)
            return self._end_of_variable(position)
        body = self._body(parameters)
        if body is None or self.words[body].text != "{":
            return parameters
        end = closing(self.words, body)
        if "__global__" in marks:
            self._replace_body(body, end, self._stub(start, parameters))
        elif "__host__" not in marks and outside and "constexpr" not in {w.text for w in self.words[start:body]}:
            self._replace_body(body, end, "{ ::wv::device_only(__func__); ")
        else:
            return parameters  # stays as it is, with the launches in it
        return end

    def _replace_body(self, body: int, end: int, text: str) -> None:
        first, last = self.words[body].start, self.words[end].end
        self.edits.replace(first, last - 1, text, in_directive=self.in_directive)

    def _declaration_start(self, position: int) -> int:
        """The first word of the declaration around ``position``."""
        k = position
        while k > 0 and self.words[k - 1].text not in (";", "{", "}"):
            if self.words[k - 1].text == ":" and self.words[k - 2].text in ("public", "private", "protected"):
                break
            if self.words[k - 1].text == ")" and not self._is_attribute(opening(self.words, k - 1)):
                break
            k -= 1
        if self.in_directive and k <= 3:  # '#', 'define' and the macro's name are no part of it
            k = min(position, 3)
        return k

    def _is_attribute(self, parenthesis: int) -> bool:
        return parenthesis > 0 and self.words[parenthesis - 1].text in (_ATTRIBUTES | {"("})

    def _stop(self, position: int) -> int:
        """The index of the word that ends a variable's declarator at or after ``position``."""
        k = position
        while k < len(self.words) and self.words[k].text not in (";", "=", "{", "["):
            k += 1
        return k

    def _parameters(self, position: int) -> int | None:
        """The index of the '(' of a function's parameters; None where a variable is declared."""
        k = position
        while k < len(self.words):
            text = self.words[k].text
            if text == "operator":  # operator()( and operator+(
                k += 3 if self.words[k + 1].text == "(" else 1
                while k < len(self.words) and self.words[k].text != "(":
                    k += 1
                return k
            if text in (";", "=", "{", "[", ")"):
                return None
            if text == "(":
                if not self._is_attribute(k):
                    return None if self.words[k + 1].text in ("*", "&") else k
                k = closing(self.words, k)
            elif text == "<":
                k = closing_angle(self.words, k)
            k += 1
        return None

    def _body(self, parameters: int) -> int | None:
        """The index of the '{' of a function's body; None where it has none."""
        k = closing(self.words, parameters) + 1
        while k < len(self.words):
            text = self.words[k].text
            if text in (";", "=", "}"):
                return None
            if text == "{":
                return k
            if text == ":":
                return self._after_initialisers(k + 1)
            k = closing(self.words, k) + 1 if text in ("(", "[") else k + 1
        return None

    def _after_initialisers(self, position: int) -> int | None:
        """The body behind a constructor's ``: a(x), b{y}``."""
        k = position
        while k < len(self.words):
            while k < len(self.words) and self.words[k].text not in ("(", "{"):
                k = closing_angle(self.words, k) + 1 if self.words[k].text == "<" else k + 1
            k = closing(self.words, k) + 1
            if k < len(self.words) and self.words[k].text != ",":
                return k
        return None

    # ------------------------------------------------------------------------------------------ kernels
    def _stub(self, start: int, parameters: int) -> str:
        """The body of a kernel on the host."""
        names = [self._parameter_name(part) for part in self._parts(parameters)]
        arguments = ", ".join(self._template_arguments(start, parameters))
        sizes = ", ".join(f"::wv::size_of<decltype({name})>(){dots}" for name, dots in names)
        addresses = ", ".join(f"&{name}{dots}" for name, dots in names)
        return (
            f"{{ static const ::wv::Kernel wv_kernel(__func__, WARPVIEW_UNIT, {{{arguments}}}, {{{sizes}}}); "
            f"if (wv_kernel.is_asked()) return; wv_kernel.launch({{{addresses}}}); "
        )

    def _parts(self, parameters: int) -> list[Sequence[Word]]:
        inside = self.words[parameters + 1 : closing(self.words, parameters)]
        parts = [part for part in split(inside) if part]
        return [part for part in parts if [word.text for word in part] != ["void"]]

    def _parameter_name(self, part: Sequence[Word]) -> tuple[str, str]:
        """A parameter's name, and '...' where it is a pack. One without a name gets one."""
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
        is_named = end > 1 and part[end - 1].is_name and texts[end - 2] != "::" and texts[end - 1] not in _TYPE_WORDS
        if is_named and any(w.is_name and w.text not in ("const", "volatile", "__restrict__") for w in part[: end - 1]):
            return texts[end - 1], dots
        self.symbols += 1
        name = f"wv_unnamed_{self.symbols}"
        self.edits.insert(part[end - 1].end, f" {name}")
        return name, dots

    def _template_arguments(self, start: int, parameters: int) -> list[str]:
        """Expressions that say the template arguments of this instantiation as text."""
        if self.words[start].text != "template" or self.words[start + 1].text != "<":
            return []
        found = []
        for part in split(self.words[start + 2 : closing_angle(self.words, start + 1)]):
            texts = [word.text for word in part]
            end = texts.index("=") if "=" in texts else len(part)
            dots = "..." if "..." in texts[:end] else ""
            name = texts[end - 1]
            is_type = texts[0] in ("typename", "class")
            found.append(f"::wv::type_name<{name}>(){dots}" if is_type else f"::wv::value_text({name}){dots}")
        return found or self._specialised(parameters)

    def _specialised(self, parameters: int) -> list[str]:
        """The arguments of ``template <> void k<float, 64>(...)``."""
        if self.words[parameters - 1].text != ">":
            return []
        begin = opening_angle(self.words, parameters - 1)
        inside = split(self.words[begin + 1 : parameters - 1])
        texts = (self.edits.text[part[0].start : part[-1].end].replace("\n", " ") for part in inside if part)
        return ['"' + text.replace('"', "") + '"' for text in texts]

    def _launch(self, position: int) -> None:
        """Rewrite ``kernel<<<configuration>>>(arguments)``."""
        end = self._configuration_end(position)
        if end is None or end + 1 >= len(self.words) or self.words[end + 1].text != "(":
            return
        begin = self._callee_start(position)
        call_end = closing(self.words, end + 1)
        configuration = self.edits.text[self.words[position].end : self.words[end - 1].start]
        self.edits.insert(self.words[begin].start, f"(::wv::configure({configuration}) ? (void)0 : ")
        self.edits.made.append((self.words[position].start, self.words[end].end, ""))
        self.edits.insert(self.words[call_end].end, ")")

    def _configuration_end(self, position: int) -> int | None:
        """The index of the last word of ``>>>``."""
        k = position + 1
        while k < len(self.words):
            text = self.words[k].text
            if text in ("(", "[", "{"):
                k = closing(self.words, k)
            elif text == ">>" and k + 1 < len(self.words):
                following = self.words[k + 1]
                if following.text == ">" and following.start == self.words[k].end:
                    return k + 1
            elif text == ";":
                return None
            k += 1
        return None

    def _callee_start(self, position: int) -> int:
        """The first word of the expression before '<<<'."""
        k = position - 1
        while k > 0:
            text = self.words[k].text
            if text in (">", ">>"):
                k = opening_angle(self.words, k)
            elif text in (")", "]"):
                k = opening(self.words, k)
            before = self.words[k - 1].text if k else ""
            linked = before in ("::", ".", "->") or self.words[k].text in ("::", ".", "->", "<", "[")
            if not linked:
                return max(k, 0)
            k -= 1
        return 0

    # ------------------------------------------------------------------------------------------ variables
    def _end_of_variable(self, position: int) -> int:
        k = position
        while k < len(self.words) and self.words[k].text != ";":
            k = closing(self.words, k) + 1 if self.words[k].text in ("(", "[", "{") else k + 1
        return min(k, len(self.words) - 1)

    def _variables(self, start: int, position: int, marks: set[str]) -> None:
        """Make the variables that are declared at ``position`` known, behind their declaration."""
        end = self._end_of_variable(position)
        words = self.words[start:end]
        if "extern" in {word.text for word in words} or self.in_directive or {"class", "struct"} & {words[0].text}:
            return
        if "__managed__" in marks:
            self._managed(start, end)
            return
        kind = "CONSTANT" if "__constant__" in marks else "DEVICE"
        declared = ""
        for part in split(words):
            name = _declared_name(part)
            if name:
                self.symbols += 1
                declared += (
                    f" static const ::wv::Symbol wv_symbol_{name}_{self.symbols}"
                    f'("{name}", {name}, ::wv::{kind}, WARPVIEW_UNIT);'
                )
        self.edits.insert(self.words[end].end, declared)

    def _managed(self, start: int, end: int) -> None:
        """``__managed__ T x = v;`` becomes a reference into managed memory that is set to v at the start."""
        words = [word for word in self.words[start:end] if word.text not in ("__device__", "__managed__", "static")]
        name = _declared_name(words)
        texts = [word.text for word in words]
        if not name:
            return
        at = texts.index(name)
        type_ = " ".join(texts[:at])
        stop = texts.index("=") if "=" in texts else len(texts)
        extents = "".join(texts[at + 1 : stop])
        value = " ".join(texts[stop + 1 :])
        text = f"static {type_} (&{name}){extents} = ::wv::managed_variable<{type_}{extents}>();"
        if value and not extents:
            text += f" static const bool wv_managed_{name} = ({name} = {value}, true);"
        text += f' static const ::wv::Symbol wv_symbol_{name}("{name}", {name}, ::wv::MANAGED, WARPVIEW_UNIT);'
        self.edits.replace(self.words[start].start, self.words[end].end, text)


_TYPE_WORDS = frozenset(
    [
        "int",
        "float",
        "double",
        "char",
        "short",
        "long",
        "unsigned",
        "signed",
        "bool",
        "void",
        "size_t",
        "const",
        "volatile",
        "auto",
        "__restrict__",
    ]
)


def _declared_name(words: Sequence[Word]) -> str:
    """The name that a declarator declares: the last one before '[', '=', '{' or its end, outside template arguments."""
    name = ""
    k = 0
    while k < len(words):
        text = words[k].text
        if text in ("[", "=", "{"):
            break
        if text == "(":
            if k and words[k - 1].text in _ATTRIBUTES:
                k = closing(words, k) + 1
                continue
            inner = [word.text for word in words[k : closing(words, k)] if word.is_name]
            return inner[-1] if inner else name
        if text == "<":
            k = closing_angle(words, k) + 1
            continue
        if words[k].is_name:
            name = text
        k += 1
    return name if name not in _TYPE_WORDS else ""
