"""Emit sums and limits of integers of NVIDIA's machine code: of whole words, or of the halves or bytes of words.

Functions are named as in ``sass.meanings``.
"""

from __future__ import annotations

import itertools

from warpview.sim.jit.lanes import I32, V32, constant

FOUR_BYTES = 4  # of the modifier "parts" of a sum
FIRST_OF_HALVES = "uv"  # the predicates of the lower and the upper half


def piece(b, value, low, width, signed):
    """Return a field of a word, extended."""
    raised = b.shl(value, constant(V32, 32 - low - width))
    return (b.ashr if signed else b.lshr)(raised, constant(V32, 32 - width))


def _parts(x, letter, width, signed):
    """Return the parts of a word, the lowest first, each extended to 32 bits."""
    return [piece(x.b, x.word(letter), low, width, signed) for low in range(0, 32, width)]


def _give_parts(x, parts, width):
    """Write the low bits of some words as the parts of one."""
    if width == 32:
        x.give(parts[0])
        return
    b, joined = x.b, constant(V32, 0)
    for k, part in enumerate(parts):
        kept = b.and_(part, constant(V32, (1 << width) - 1))
        joined = b.or_(joined, b.shl(kept, constant(V32, k * width)))
    x.give(joined)


def _sum(x, a, c):
    return x.b.add(x.b.add(a, c), x.number("extra"))


def viadd(x, parts):
    if not parts:
        x.give(_sum(x, x.word("a"), x.word("b")))
        return
    width = 8 if parts == FOUR_BYTES else 16
    pairs = zip(_parts(x, "a", width, 0), _parts(x, "b", width, 0), strict=True)
    _give_parts(x, [_sum(x, p, q) for p, q in pairs], width)


def _least_or_largest(x, a, c, signed):
    b = x.b
    less = (b.icmp_signed if signed else b.icmp_unsigned)("<", a, c)
    takes_a = b.icmp_unsigned("==", less, x.bits(x.predicate("p")))
    return b.select(takes_a, a, c)


def imnmxwide(x, signed):
    x.give_pair(_least_or_largest(x, x.pair("a"), x.pair("b"), signed))


def _width(signed):
    """Return how many bits each part of a word has, by the modifier that says how limits compare."""
    return 32 if signed < 2 else 16 if signed < 4 else 8


def _limits(x, signed, positive, *columns):
    """Return of each part the smallest or the largest of some integers, at least 0 where ``positive``."""
    found = []
    for first, *others in zip(*columns, strict=True):
        for other in others:
            first = _least_or_largest(x, first, other, signed & 1)
        if positive:
            below = x.b.icmp_signed("<", first, constant(V32, 0))
            first = x.b.select(below, constant(V32, 0), first)
        found.append(first)
    return found


def imnmx(x, signed, positive):
    """Take the smaller or the larger of two integers, or of the parts of two words; the predicates say whether it is
    the first, of pairs of 16 bits by halves, and with .RELU not where the first is negative."""
    b, width = x.b, _width(signed)
    columns = [_parts(x, letter, width, signed & 1) for letter in "ab"]
    _give_parts(x, _limits(x, signed, positive, *columns), width)
    if width >= 16:
        with b.if_then(x.asks_for(*FIRST_OF_HALVES)):
            _tell_which(x, columns, signed, positive)


def _tell_which(x, columns, signed, positive):
    """Write to the predicates, by halves or both alike, whether the first of two integers is taken."""
    b = x.b
    compare = b.icmp_signed if signed & 1 else b.icmp_unsigned
    wants_least = x.bits(x.predicate("p"))
    for letter, (p, q) in zip(FIRST_OF_HALVES, itertools.cycle(zip(*columns, strict=True)), strict=False):
        first = b.select(wants_least, compare("<=", p, q), compare(">=", p, q))
        if positive:
            first = b.and_(first, b.icmp_signed(">=", p, constant(V32, 0)))
        x.give_predicate(letter, b.bitcast(first, I32))


def viaddmnmx(x, signed, positive):
    width = _width(signed)
    sums = [_sum(x, p, q) for p, q in zip(_parts(x, "a", width, 0), _parts(x, "b", width, 0), strict=True)]
    sums = [piece(x.b, total, 0, width, signed & 1) for total in sums]
    _give_parts(x, _limits(x, signed, positive, sums, _parts(x, "c", width, signed & 1)), width)


def vimnmx3(x, signed, positive):
    width = _width(signed)
    columns = [_parts(x, letter, width, signed & 1) for letter in "abc"]
    _give_parts(x, _limits(x, signed, positive, *columns), width)
