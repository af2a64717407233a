"""Describe what a machine instruction computes as an equation of its operands: `R5 = (R4 ≪ 2) + UR4`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations, product

from warpview.isa.disassembly import literal
from warpview.isa.native import NativeInstruction
from warpview.isa.types import Type

TABLES = {"a": 0xF0, "b": 0xCC, "c": 0xAA}  # of LOP3: the bit that a source has in each of the eight cases
ZEROS = frozenset({"RZ", "URZ", "0x0"})
_RELATIONS = {"LT": "<", "EQ": "=", "LE": "≤", "GT": ">", "NE": "≠", "GE": "≥"}
_FUNCTIONS = {"COS": "cos({})", "SIN": "sin({})", "EX2": "2^{}", "LG2": "log2({})", "RCP": "1 / {}", "RSQ": "1 / √{}",
              "SQRT": "√{}", "TANH": "tanh({})"}  # fmt: skip
_SUMS = frozenset({"fadd", "ufadd", "dadd", "iadd3", "viadd", "iaddwide", "iadd3wide", "hadd2"})
_PRODUCTS = frozenset({"fmul", "dmul", "ffma", "dfma", "imad", "imadwide", "hmul2", "hfma2"})
_CHOICES = frozenset({"sel", "fsel", "selwide"})
_COMPARISONS = frozenset({"isetp", "fsetp", "dsetp"})
_EXTREMES = frozenset({"fmnmx", "imnmx", "hmnmx2"})
_FLOATS = frozenset({"fadd", "fmul", "ffma", "fsetp", "fmnmx", "approximation"})  # whose immediates are floats
_ROUNDED = {"RM": "rounded down", "RP": "rounded up", "RZ": "rounded toward zero"}
_SHUFFLES = {"IDX": "{} of lane {}", "UP": "{} of the lane {} below", "DOWN": "{} of the lane {} above",
             "BFLY": "{} of the lane whose number is this one's xor {}"}  # fmt: skip
_COMBINED = {"AND": "and", "OR": "or", "XOR": "xor"}


def equation(native: NativeInstruction, results: list[str], sources: list[str]) -> str:
    """Return what an instruction computes from its operands; '' of one that has no equation of its own here."""
    letters = [letter for letter in "abc" if letter in native.sources]
    if not results or len(sources) < len(letters):
        return ""
    if native.meaning == "plop3":
        return f"{results[0]} = {logic(native.imm, dict(zip('abc', sources, strict=False)))}"
    if native.meaning in _FLOATS:
        sources = [_float(text) for text in sources]
    named = dict(zip(letters, sources, strict=False))
    if native.meaning == "lea" and not any(part == "HI" for part in native.mnemonic.split(".")):
        named.pop("c", None)  # where the shift is written
    right = _right_side(native, named, sources[len(named) :])
    if native.meaning in _COMPARISONS:
        return f"{results[0]} holds where {right}" if right else ""
    rounded = next((_ROUNDED[part] for part in native.mnemonic.split(".") if part in _ROUNDED), "")
    return f"{results[0]} = {right}" + (f", {rounded}" if rounded else "") if right else ""


def _float(text: str) -> str:
    """Return the number of an immediate float; other operands as they are."""
    if not re.fullmatch(r"0x[0-9a-f]+", text):
        return text
    return literal(Type.F32, int(text, 16))


def _right_side(native: NativeInstruction, named: Mapping[str, str], rest: list[str]) -> str:
    a, b, c = (named.get(letter, "") for letter in "abc")
    meaning, parts = native.meaning, native.mnemonic.split(".")
    carries = ".X" in native.mnemonic
    if meaning == "lop3":
        return logic(native.imm, named)
    if meaning in _SUMS and not carries:
        return _sum([a, b, c])
    if meaning in _PRODUCTS and not carries:
        return _sum([_product(a, b), c])
    if meaning == "lea" and parts[1:] == []:
        return _sum([f"({a} ≪ {native.imm})" if native.imm else a, b])
    if meaning == "shf" and c in ZEROS and "HI" not in parts:
        return f"{a} ≪ {_shift(b)}" if "L" in parts else f"{a} ≫ {_shift(b)}"
    if meaning == "shf" and a in ZEROS and "HI" in parts and "R" in parts:
        return f"{c} ≫ {_shift(b)}"
    if meaning in _CHOICES:
        return f"{a} where {rest[0]} holds, else {b}" if rest else a
    if meaning in _COMPARISONS:
        return _comparison(parts, a, b, rest)
    if meaning in _EXTREMES and rest:
        which = {"PT": "the smaller", "!PT": "the larger"}.get(
            rest[0], f"the smaller where {rest[0]} holds, else the larger,"
        )
        return f"{which} of {a} and {b}"
    if meaning == "shfl" and parts[1] in _SHUFFLES:
        return _SHUFFLES[parts[1]].format(a, _shift(b))
    if meaning == "approximation":
        return "approximately " + _FUNCTIONS[parts[1]].format(b)
    return ""


def _comparison(parts: list[str], a: str, b: str, rest: list[str]) -> str:
    tested = next((part for part in parts if part.removesuffix("U") in _RELATIONS), "")
    if not tested or "EX" in parts:
        return ""
    words = f"{a} {_RELATIONS[tested.removesuffix('U')]} {b}" + (" or one is NaN" if tested.endswith("U") else "")
    combined = next((_COMBINED[part] for part in parts if part in _COMBINED), "")
    return f"{words}, {combined} {rest[0]}" if rest and combined else words


def _sum(terms: list[str]) -> str:
    """Return a sum without its zeros; a term that is subtracted has its sign before it."""
    kept = [term for term in terms if term and term.removeprefix("-") not in ZEROS]
    if not kept:
        return "0"
    words = kept[0].replace("-", "−", 1)
    for term in kept[1:]:
        words += f" − {term[1:]}" if term.startswith("-") else f" + {term}"
    return words


def _product(a: str, b: str) -> str:
    if any(factor.removeprefix("-") in ZEROS for factor in (a, b)):
        return ""
    if b == "0x1":
        return a
    return f"{a} × {b}"


def _shift(text: str) -> str:
    return str(int(text, 16)) if re.fullmatch(r"0x[0-9a-f]+", text) else text


# ---- the truth tables of LOP3


def logic(table: int, named: Mapping[str, str]) -> str:
    """Return the expression of the operands ``a``, ``b`` and ``c`` that a truth table of LOP3 or PLOP3 stands for: the
    bit for a, b, c = 1, 1, 1 is the highest. Operands that are always 0, or true, are put into it."""
    for letter, text in named.items():
        if text in ZEROS or text == "PT":
            table = _settled(table, letter, text == "PT")
    words = _expressions()[table]
    return re.sub(r"\b[abc]\b", lambda found: named[found[0]], words)


def _settled(table: int, letter: str, value: bool) -> int:
    """Return a table in which a source has the same value in all cases."""
    step = {"a": 4, "b": 2, "c": 1}[letter]
    if value:
        kept = table & TABLES[letter]
        return kept | kept >> step
    kept = table & ~TABLES[letter]
    return (kept | kept << step) & 0xFF


@lru_cache(1)
def _expressions() -> tuple[str, ...]:
    """Return a shortest expression for each of the 256 tables, in ``and``, ``or``, ``xor`` and ``not``; choices and
    majorities in words."""
    best: dict[int, tuple[int, str]] = {0: (0, "0"), 0xFF: (0, "all bits set")}
    for letter, table in TABLES.items():
        best |= {table: (1, letter), table ^ 0xFF: (2, f"not {letter}")}
    for one, other, third in permutations(TABLES):
        t, u, v = (TABLES[letter] for letter in (one, other, third))
        best[t & u | ~t & v] = 0, f"the bits of {other} where {one} has ones, of {third} where it has zeros"
    best[0xE8] = 0, "the majority of the bits of a, b and c"
    for most in (3, 5, 8, 11):  # operands and operators of a pair
        parts = [(table, cost, text) for table, (cost, text) in best.items() if 0 < cost < most - 1]
        for (t, cost, one), (u, price, other) in product(parts, parts):
            for word, made in (("and", t & u), ("or", t | u), ("xor", t ^ u)):
                if cost + price + 1 < best.get(made, (most + 1, ""))[0]:
                    best[made] = cost + price + 1, f"{_grouped(one, word)} {word} {_grouped(other, word)}"
    return tuple(best[table][1] for table in range(256))


def _grouped(text: str, word: str) -> str:
    """Return an expression as an operand of an operator: in parentheses, where others are in it."""
    within = {other for other in ("and", "or", "xor") if f" {other} " in text}
    return f"({text})" if within - {word} else text
