"""Define what integer and bit instructions of NVIDIA's machine code compute in a lane.

The functions have the names of the meanings in ``warpview.sass.meanings``. What no document says was read from an
H200: ``tests/sass/probes.cu`` has the probes.
"""

from __future__ import annotations

from itertools import cycle

from warpview.sim.reference.native.lane import SIGN, WORD_MASK, Lane

PAIR_MASK = (1 << 64) - 1


def iadd3(x: Lane) -> None:
    with_carry = x.modifier("x")
    total = sum(x.term(letter, bool(with_carry)) for letter in "abc")
    if with_carry:
        total += x.predicate("p") + x.predicate("q")
    x.give(total)
    x.give_predicate("u", total >> 32 >= 1)
    x.give_predicate("v", total >> 32 >= 2)


def viadd(x: Lane) -> None:
    """Add two integers; with .16x2 and .U8x4 the parts of two words, each modulo its size."""
    width = {0: 32, 1: 16, 4: 8}[x.modifier("parts")]
    _give_parts(x, [p + q for p, q in zip(_terms(x, "a", width), _terms(x, "b", width), strict=True)], width)


def _terms(x: Lane, letter: str, width: int) -> list[int]:
    """Return the parts of a source of a sum, of so many bits each, with the sign of the source."""
    sign = -1 if x.operand(letter).negated else 1
    return [sign * part for part in _parts(x.word(letter), width)]


def _parts(word: int, width: int, is_signed: int = 0) -> list[int]:
    """Return the parts of a word as integers, the lowest first."""
    return [part_of(word, low, width, is_signed) for low in range(0, 32, width)]


def _give_parts(x: Lane, parts: list[int], width: int) -> None:
    """Write the low bits of some integers as the parts of one word."""
    x.give(sum((part & ((1 << width) - 1)) << k * width for k, part in enumerate(parts)))


def imad(x: Lane) -> None:
    with_carry = bool(x.modifier("x"))
    x.give(x.word("a") * x.word("b") + x.term("c", with_carry) + (with_carry and x.predicate("p")))


def imadwide(x: Lane) -> None:
    is_signed = x.modifier("signed")
    product = x.signed("a", is_signed) * x.signed("b", is_signed) & PAIR_MASK
    total = product + _wide_term(x, "c") + (bool(x.modifier("x")) and x.predicate("p"))
    x.give_pair(total & PAIR_MASK)
    x.give_predicate("u", total > PAIR_MASK)


def imadhi(x: Lane) -> None:
    is_signed = x.modifier("signed")
    product = x.signed("a", is_signed) * x.signed("b", is_signed) & PAIR_MASK
    total = product + x.pair("c") + (bool(x.modifier("x")) and x.predicate("p"))
    x.give((total & PAIR_MASK) >> 32)
    x.give_predicate("u", total > PAIR_MASK)


def iabs(x: Lane) -> None:
    x.give(abs(x.signed("b")))


def _width(x: Lane) -> int:
    """Return how many bits each part of a word has that a limit compares."""
    return (32, 32, 16, 16, 8, 8)[x.modifier("signed")]


def _chosen(x: Lane, *columns: list[int]) -> list[int]:
    """Return of each part the smallest or the largest of some integers, at least 0 with .RELU."""
    choose = min if x.predicate("p") else max
    found = [choose(values) for values in zip(*columns, strict=True)]
    return [max(value, 0) for value in found] if x.modifier("relu") and x.modifier("signed") & 1 else found


def imnmx(x: Lane) -> None:
    """Take the smaller or the larger of two integers, or of the parts of two words. The predicates say whether it is
    the first, of pairs of 16 bits u of the lower half, v of the upper one; with .RELU not where the first is negative.
    """
    width = _width(x)
    first, second = (_parts(x.word(letter), width, x.modifier("signed") & 1) for letter in "ab")
    chosen = _chosen(x, first, second)
    holds = min if x.predicate("p") else max
    for letter, (p, q) in zip("uv", cycle(zip(first, second, strict=True)), strict=False):
        x.give_predicate(letter, p == holds(p, q) and not (x.modifier("relu") and p < 0))
    _give_parts(x, chosen, width)


def viaddmnmx(x: Lane) -> None:
    width, is_signed = _width(x), x.modifier("signed") & 1
    sums = [p + q for p, q in zip(_terms(x, "a", width), _terms(x, "b", width), strict=True)]
    limits = _parts(x.word("c"), width, is_signed)
    _give_parts(x, _chosen(x, [part_of(total, 0, width, is_signed) for total in sums], limits), width)


def vimnmx3(x: Lane) -> None:
    columns = [_parts(x.word(letter), _width(x), x.modifier("signed") & 1) for letter in "abc"]
    _give_parts(x, _chosen(x, *columns), _width(x))


def lea(x: Lane) -> None:
    """Add a shifted integer. A high one takes the upper word of the shifted pair c:a, or of a with its sign."""
    with_carry, shift = bool(x.modifier("x")), x.modifier("shift")
    added = x.term("b", with_carry)
    if x.modifier("hi"):
        upper = x.signed("a") >> 31 if x.modifier("sx32") else x.word("c")
        total = (((upper << 32 | x.word("a")) << shift) >> 32 & WORD_MASK) + added
    else:
        shifted = x.word("a") << shift & WORD_MASK
        if x.operand("a").negated:
            shifted = (~shifted & WORD_MASK) + (not with_carry)
        total = shifted + added
    total += with_carry and x.predicate("p")
    x.give(total)
    x.give_predicate("u", total > WORD_MASK)


def lop3(x: Lane) -> None:
    """Look up each bit in the table, by a, b and c as an index of three bits. The predicate says whether the result
    is not zero, or (with .PAND: and) the source predicate."""
    table, a, b, c = x.modifier("lut"), x.word("a"), x.word("b"), x.word("c")
    value = 0
    for index in range(8):
        if table >> index & 1:
            picked = (a if index & 4 else ~a) & (b if index & 2 else ~b) & (c if index & 1 else ~c)
            value |= picked & WORD_MASK
    x.give(value)
    further = x.predicate("p")
    x.give_predicate("u", (value != 0 and further) if x.modifier("pand") else (value != 0 or further))


S64, U64, S32, U32 = range(4)


def shf(x: Lane) -> None:
    """Shift the pair c:a. The types of 32 bits limit the count to 32, those of 64 to 64; .W takes it modulo these."""
    pair, kind = x.word("c") << 32 | x.word("a"), x.modifier("type")
    width = 64 if kind in (S64, U64) else 32
    count = x.word("b") % width if x.modifier("wrap") else min(x.word("b"), width)
    if x.modifier("right"):
        if kind in (S64, S32) and pair >> 63:
            pair -= 1 << 64
        pair >>= count
    else:
        pair <<= count
    x.give(pair >> 32 if x.modifier("hi") else pair)


def prmt(x: Lane) -> None:
    """Pick four bytes of c:a, by the PTX ISA's definition of prmt."""
    pair, selector = x.word("c") << 32 | x.word("a"), x.word("b")
    first = selector & 3
    by_mode = {
        1: [first + k for k in range(4)],
        2: [first - k for k in range(4)],
        3: [first] * 4,
        4: [max(first, k) for k in range(4)],
        5: [min(first, k) for k in range(4)],
        6: [2 * (first & 1) + (k & 1) for k in range(4)],
    }
    mode = x.modifier("mode")
    chosen = by_mode[mode] if mode else [selector >> 4 * k & 15 for k in range(4)]
    result = 0
    for k, index in enumerate(chosen):
        byte = pair >> 8 * (index & 7) & 0xFF
        if mode == 0 and index & 8:  # its sign bit in all places
            byte = 0xFF if byte & 0x80 else 0
        result |= byte << 8 * k
    x.give(result)


def _wide_term(x: Lane, letter: str) -> int:
    return -x.pair(letter) if x.operand(letter).negated else x.pair(letter)


def iaddwide(x: Lane) -> None:
    """Add two integers of 64 bits, a negative one as its complement and one; with .X the carry comes in its place."""
    with_carry = bool(x.modifier("x"))
    total = int(with_carry and x.predicate("p"))
    for letter in "ab":
        negated = x.operand(letter).negated
        total += (~x.pair(letter) & PAIR_MASK) + (not with_carry) if negated else x.pair(letter)
    x.give_pair(total & PAIR_MASK)
    x.give_predicate("u", total > PAIR_MASK)


def iadd3wide(x: Lane) -> None:
    x.give_pair(sum(_wide_term(x, letter) for letter in "abc"))


def selwide(x: Lane) -> None:
    x.give_pair(x.pair("a" if x.predicate("p") else "b"))


def imnmxwide(x: Lane) -> None:
    signed = x.modifier("signed")
    values = [part_of(x.pair(letter), 0, 64, signed) for letter in "ab"]
    x.give_pair((min if x.predicate("p") else max)(values) & PAIR_MASK)


def isetpwide(x: Lane) -> None:
    """Compare integers of 64 bits, as ``isetp`` compares those of 32."""
    a, b = x.pair("a"), x.pair("b")
    if x.modifier("signed"):
        a, b = a ^ 1 << 63, b ^ 1 << 63
    give_comparison(x, bool(x.modifier("compare") & (1 if a < b else 2 if a == b else 4)))


def _mask_of(count: int) -> int:
    return (1 << min(count, 32)) - 1


def sgxt(x: Lane) -> None:
    value, count = x.word("a"), x.word("b")
    if x.modifier("wrap"):
        count &= 31
    kept = value & _mask_of(count)
    if x.modifier("signed") and 0 < count < 32 and kept >> (count - 1):
        kept -= 1 << count
    x.give(kept)


def bmsk(x: Lane) -> None:
    """Give as many ones as b says, from bit a on."""
    start, count = x.word("a"), x.word("b")
    if x.modifier("wrap"):
        start, count = start & 31, count & 31
    x.give(_mask_of(count) << min(start, 32))


def give_comparison(x: Lane, held: bool) -> None:
    """Write u and v of a comparison: it, and its contrary, each combined with the predicate p."""
    x.give_predicate("u", combined(x, held))
    x.give_predicate("v", combined(x, not held))


def combined(x: Lane, held: bool) -> bool:
    """Return a comparison combined with the predicate p: and, or, exclusive or."""
    further = x.predicate("p")
    return (held and further, held or further, held != further)[x.modifier("boolean")]


def isetp(x: Lane) -> None:
    """Compare by the bits less, equal and greater of the comparison's number. With .EX the words are upper words, and
    where they are equal the comparison of the lower ones decides, the predicate r."""
    is_signed, code = x.modifier("signed"), x.modifier("compare")
    a, b = x.signed("a", is_signed), x.signed("b", is_signed)
    held = bool(code & (1 if a < b else 2 if a == b else 4))
    if a == b and x.modifier("ex"):
        held = x.predicate("r")
    give_comparison(x, held)


def flo(x: Lane) -> None:
    """Give the place of the highest bit, -1 without one; with .SH the shift that brings it to the top."""
    value = ~x.word("b") & WORD_MASK if x.operand("b").negated else x.word("b")
    if x.modifier("signed") and value & SIGN:
        value = ~value & WORD_MASK
    found = value.bit_length() - 1
    x.give(31 - found if x.modifier("sh") and value else found)


def brev(x: Lane) -> None:
    x.give(int(f"{x.word('b'):032b}"[::-1], 2))


def popc(x: Lane) -> None:
    x.give(x.word("b").bit_count())


def part_of(value: int, low: int, width: int, is_signed: int) -> int:
    """Return a field of a word as an integer."""
    part = value >> low & ((1 << width) - 1)
    return part - (1 << width) if is_signed and part >> (width - 1) else part


def idp(x: Lane) -> None:
    """Add the products of four bytes; or of the halves of a and two bytes of b, the lower or the upper two."""
    kind, a, b = x.modifier("kind"), x.word("a"), x.word("b")
    if kind >> 3 == 0:
        pairs = [(part_of(a, 8 * k, 8, kind & 1), part_of(b, 8 * k, 8, kind & 2)) for k in range(4)]
    else:
        first = 16 if kind >> 3 == 3 else 0
        pairs = [(part_of(a, 16 * k, 16, kind & 1), part_of(b, first + 8 * k, 8, kind & 2)) for k in range(2)]
    x.give(x.word("c") + sum(p * q for p, q in pairs))


def vabsdiff(x: Lane) -> None:
    is_signed = x.modifier("signed")
    x.give(abs(x.signed("a", is_signed) - x.signed("b", is_signed)) + x.word("c"))


def vabsdiff4(x: Lane) -> None:
    is_signed = x.modifier("signed")
    parts = [
        abs(part_of(x.word("a"), 8 * k, 8, is_signed) - part_of(x.word("b"), 8 * k, 8, is_signed)) for k in range(4)
    ]
    if x.modifier("acc"):
        x.give(x.word("c") + sum(parts))
    else:
        x.give(sum(part << 8 * k for k, part in enumerate(parts)))
