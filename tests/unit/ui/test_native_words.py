"""The hover text of a machine instruction says in words what it computes, from its own operands."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import warpview as wv
from warpview.resources import kernels_dir
from warpview.sass import nvrtc
from warpview.ui.views.instructions.native_words import logic
from warpview.ui.views.instructions.words import native_sentence

NAMES = {"a": "a", "b": "b", "c": "c"}
CHOICE = re.compile(r"the bits of (\w) where (\w) has ones, of (\w) where it has zeros")


def _value(words: str, a: bool, b: bool, c: bool) -> bool:
    bits = {"a": a, "b": b, "c": c}
    if words in ("0", "all bits set"):
        return words != "0"
    if words.startswith("the majority"):
        return a + b + c >= 2
    chosen = CHOICE.fullmatch(words)
    if chosen:
        one, by, other = chosen.groups()
        return bits[one] if bits[by] else bits[other]
    negated = re.sub(r"not (\w)", r"(not \1)", words).replace("xor", "^").replace("and", "&").replace("or", "|")
    grouped = re.sub(r"\(not (\w)\)", lambda found: str(not bits[found[1]]), negated)
    return bool(eval(re.sub(r"\b[abc]\b", lambda found: str(bits[found[0]]), grouped)))


def test_the_words_of_a_truth_table_have_its_values() -> None:
    for table in range(256):
        words = logic(table, NAMES)
        for case in range(8):
            assert _value(words, *(bool(case >> bit & 1) for bit in (2, 1, 0))) == bool(table >> case & 1), words


@pytest.mark.parametrize(
    ("table", "operands", "words"),
    [
        (0xC0, ("R4", "0x1f", "RZ"), "R4 and 0x1f"),
        (0x3C, ("R4", "R5", "RZ"), "R4 xor R5"),
        (0x33, ("RZ", "R10", "RZ"), "not R10"),
        (0xF8, ("R4", "R5", "R6"), "R4 or (R5 and R6)"),
        (0x96, ("R4", "R5", "R6"), "R4 xor R5 xor R6"),
        (0xCA, ("R4", "R5", "R6"), "the bits of R5 where R4 has ones, of R6 where it has zeros"),
        (0xE8, ("R4", "R5", "R6"), "the majority of the bits of R4, R5 and R6"),
        (0x2A, ("P0", "P1", "PT"), "not P0 or not P1"),
    ],
)
def test_zeros_and_truth_are_put_into_the_words(table: int, operands: tuple[str, ...], words: str) -> None:
    assert logic(table, dict(zip("abc", operands, strict=True))) == words


SOURCE = """
__global__ void k(float *x, int *a, unsigned *u) {
    int t = threadIdx.x;
    x[t] = fmaxf(x[t] * 0.25f, x[t + 32]);
    a[t] = (a[t] & 31) | 64;
    a[t + 32] = max(a[t + 32], 0);
    u[t] = __shfl_down_sync(~0u, u[t], 4) ^ __shfl_xor_sync(~0u, u[t], 8);
    u[t + 32] = u[t + 32] > 7u ? u[t] : 3u;
    u[t + 64] = __fsqrt_rd(x[t]);
}
"""


@pytest.fixture(scope="module")
def said() -> list[str]:
    if not nvrtc.is_installed():
        pytest.skip("NVRTC is not installed")
    program = wv.compile(SOURCE, compiler="nvrtc", device="h200")
    return [native_sentence(i.native) for i in program.instructions]


@pytest.mark.parametrize(
    "pattern",
    [
        r"FMNMX takes .*: R\d+ = the larger of R\d+ and R\d+;",
        r"FMUL multiplies two floats: R\d+ = R\d+ × 0\.25;",
        r"LOP3\.LUT combines .*: R\d+ = (R\d+ and 0x1f|0x40 or \(R\d+ and 0x1f\)|.*0x1f.*);",
        r"VIMNMX takes .*: R\d+ = the larger of R(\d+|Z) and R(\d+|Z);",
        r"SHFL\.DOWN takes .*: R\d+ = R\d+ of the lane 4 above;",
        r"SHFL\.BFLY takes .*: R\d+ = R\d+ of the lane whose number is this one's xor 8;",
        r"ISETP\.G[TE]\.U32\.AND compares .*: P\d holds where R\d+ [>≥] 0x[78];",
        r"IMAD\.WIDE multiplies .*: R\d+ = R\d+ × 0x4 \+ R\d+;",
        r".*MUFU\.RSQ approximates .*: R\d+ = approximately 1 / √R\d+;",
        r"FFMA\.RM .*, rounded down;",
        r"S2R reads a special register: R\d+ from SR_TID\.X; stall count \d+; barrier \d is set when ",
    ],
)
def test_a_sentence_has_the_operands_and_the_fields(said: list[str], pattern: str) -> None:
    assert any(re.match(pattern, words) for words in said), "\n".join(said)


def test_a_lea_is_listed_with_its_shift_and_a_lop3_with_its_table(said: list[str]) -> None:
    program = wv.compile(kernels_dir() / "reduction" / "sequential.cu", compiler="nvrtc", device="h200")
    (shared, *_) = (i.native for i in program.instructions if re.fullmatch(r"LEA R\d, R\d, UR4, 0x2", i.native.text))
    assert re.match(r"LEA adds a shifted integer: R\d = \(R\d ≪ 2\) \+ UR4;", native_sentence(shared))
    assert native_sentence(replace(shared, reused=(4, 7))).endswith("keeps R4, R7 for the next instruction (reuse)")
    assert any(re.search(r"LOP3.LUT .*: R\d+ = .*0x1f", words) for words in said)
