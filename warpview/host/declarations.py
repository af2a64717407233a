"""Find the parts of C++ declarations and launches in a file's tokens before preprocessing."""

from __future__ import annotations

from collections.abc import Sequence

from warpview.frontend.preprocess.operators import closing
from warpview.host.scan import Word, closing_angle, opening, opening_angle

_ATTRIBUTES = frozenset({"__launch_bounds__", "__align__", "alignas", "__attribute__", "__cluster_dims__", "decltype"})
_SCOPES = frozenset({"namespace", "extern"})
_CLASSES = frozenset({"struct", "class", "union"})
TYPE_WORDS = frozenset(
    {"int", "float", "double", "char", "short", "long", "unsigned", "signed", "bool", "void", "size_t", "const",
     "volatile", "auto", "__restrict__"}
)  # fmt: skip


def scope_at(words: Sequence[Word], position: int) -> str:
    """Return what the '{' at ``position`` opens: namespace, class or code."""
    texts: list[str] = []
    k = position - 1
    while k >= 0 and words[k].text not in ("{", "}", ";"):
        texts.append(words[k].text)
        k -= 1
    if _SCOPES & set(texts) and "(" not in texts and "=" not in texts:
        return "namespace"
    return "class" if _CLASSES & set(texts) and "(" not in texts else "code"


def namespace_at(words: Sequence[Word], position: int) -> str:
    """Return the name of the namespace that the '{' at ``position`` opens, as 'a::b::'; '' for an unnamed one."""
    path = ""
    k = position - 1
    while k >= 0 and (words[k].is_name or words[k].text == "::") and words[k].text not in ("namespace", "inline"):
        path = words[k].text + path
        k -= 1
    return f"{path}::" if path and k >= 0 and words[k].text == "namespace" else ""


def declaration_start(words: Sequence[Word], position: int, in_directive: bool) -> int:
    """Return the index of the first word of the declaration around ``position``."""
    k = position
    while k > 0 and words[k - 1].text not in (";", "{", "}"):
        if words[k - 1].text == ":" and words[k - 2].text in ("public", "private", "protected"):
            break
        if words[k - 1].text == ")" and not _is_attribute(words, opening(words, k - 1)):
            break
        k -= 1
    if in_directive and k <= 3:  # '#', 'define' and the macro's name are no part of it
        k = min(position, 3)
    return k


def _is_attribute(words: Sequence[Word], parenthesis: int) -> bool:
    return parenthesis > 0 and words[parenthesis - 1].text in (_ATTRIBUTES | {"("})


def declarator_end(words: Sequence[Word], position: int) -> int:
    """Return the index of the word that ends a variable's declarator at or after ``position``."""
    k = position
    while k < len(words) and words[k].text not in (";", "=", "{", "["):
        k += 1
    return k


def parameters_at(words: Sequence[Word], position: int) -> int | None:
    """Return the index of the '(' of a function's parameters; None where a variable is declared."""
    k = position
    while k < len(words):
        text = words[k].text
        if text == "operator":  # operator()( and operator+(
            k += 3 if words[k + 1].text == "(" else 1
            while k < len(words) and words[k].text != "(":
                k += 1
            return k
        if text in (";", "=", "{", "[", ")"):
            return None
        if text == "(":
            if not _is_attribute(words, k):
                return None if words[k + 1].text in ("*", "&") else k
            k = closing(words, k)
        elif text == "<":
            k = closing_angle(words, k)
        k += 1
    return None


def body_of(words: Sequence[Word], parameters: int) -> int | None:
    """Return the index of the '{' of a function's body; None where it has none."""
    k = closing(words, parameters) + 1
    while k < len(words):
        text = words[k].text
        if text in (";", "=", "}"):
            return None
        if text == "{":
            return k
        if text == ":":
            return _after_initialisers(words, k + 1)
        k = closing(words, k) + 1 if text in ("(", "[") else k + 1
    return None


def _after_initialisers(words: Sequence[Word], position: int) -> int | None:
    """Return the index of the body behind a constructor's ``: a(x), b{y}``."""
    k = position
    while k < len(words):
        while k < len(words) and words[k].text not in ("(", "{"):
            k = closing_angle(words, k) + 1 if words[k].text == "<" else k + 1
        k = closing(words, k) + 1
        if k < len(words) and words[k].text != ",":
            return k
    return None


def variable_end(words: Sequence[Word], position: int) -> int:
    """Return the index of the ';' that ends the declaration of a variable."""
    k = position
    while k < len(words) and words[k].text != ";":
        k = closing(words, k) + 1 if words[k].text in ("(", "[", "{") else k + 1
    return min(k, len(words) - 1)


def configuration_end(words: Sequence[Word], position: int) -> int | None:
    """Return the index of the last word of ``>>>``; None where the configuration has no end."""
    k = position + 1
    while k < len(words):
        text = words[k].text
        if text in ("(", "[", "{"):
            k = closing(words, k)
        elif text == ">>" and k + 1 < len(words):
            following = words[k + 1]
            if following.text == ">" and following.start == words[k].end:
                return k + 1
        elif text == ";":
            return None
        k += 1
    return None


def callee_start(words: Sequence[Word], position: int) -> int:
    """Return the index of the first word of the expression before '<<<'."""
    k = position - 1
    while k > 0:
        text = words[k].text
        if text in (">", ">>"):
            k = opening_angle(words, k)
        elif text in (")", "]"):
            k = opening(words, k)
        before = words[k - 1].text if k else ""
        linked = before in ("::", ".", "->") or words[k].text in ("::", ".", "->", "<", "[")
        if not linked:
            return max(k, 0)
        k -= 1
    return 0


def declared_name(words: Sequence[Word]) -> str:
    """Return the name that a declarator declares: the last before '[', '=', '{' or its end, outside '<...>'."""
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
    return name if name not in TYPE_WORDS else ""
