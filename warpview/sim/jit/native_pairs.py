"""Emit operations of NVIDIA's machine code on pairs of 16-bit floats, named as in ``sass.meanings``."""

from __future__ import annotations

from llvmlite import ir

from warpview.sim.jit.floating import FLOATS
from warpview.sim.jit.lanes import I32, V32, constant
from warpview.sim.jit.native_floating import chosen, combine
from warpview.sim.jit.native_half import (
    bits_of_halves,
    flushed,
    give_pair,
    halves,
    pair_of,
    sum_of,
    under_signs,
    wide,
)


def hadd2(x, is_bf16, single, sat):
    b = x.b
    pairs = list(zip(halves(x, "a", is_bf16), halves(x, "b", is_bf16), strict=True))
    if single:
        x.give_float(b.fadd(*pairs[0]), 0, sat)
    else:
        give_pair(x, [sum_of(b, wide(b, p), wide(b, q)) for p, q in pairs], is_bf16, sat)


def hmul2(x, is_bf16, single, sat):
    b = x.b
    pairs = list(zip(halves(x, "a", is_bf16), halves(x, "b", is_bf16), strict=True))
    if single:
        x.give_float(b.fmul(*pairs[0]), 0, sat)
    else:
        give_pair(x, [b.fmul(wide(b, p), wide(b, q)) for p, q in pairs], is_bf16, sat)


def hfma2(x, is_bf16, single, sat, relu):
    b = x.b
    triples = zip(*(halves(x, letter, is_bf16) for letter in "abc"), strict=True)
    sums = [sum_of(b, b.fmul(wide(b, p), wide(b, q)), wide(b, r)) for p, q, r in triples]
    if single:
        x.give_float(b.fptrunc(sums[0], FLOATS), 0, sat)
    else:
        give_pair(x, sums, is_bf16, sat, relu)


def _compared(x, is_bf16):
    """Return the comparisons of both halves by the number in ``imm``, as int32 masks."""
    b, code = x.b, x.field("imm")
    results = []
    for p, q in zip(halves(x, "a", is_bf16), halves(x, "b", is_bf16), strict=True):
        held = ir.Constant(I32, 0)
        tests = [b.fcmp_ordered(symbol, p, q) for symbol in ("<", "==", ">")]
        for k, test in enumerate((*tests, b.fcmp_unordered("uno", p, q))):
            held = b.or_(held, b.and_(b.bitcast(test, I32), chosen(b, code, k)))
        results.append(held)
    return results


def hsetp2(x, is_bf16, together):
    """Write u and v: the comparisons of the lower and the upper halves; or that both hold, and its contrary."""
    b, (low, high) = x.b, _compared(x, is_bf16)
    if together:
        both = b.and_(low, high)
        low, high = both, b.not_(both)
    held = combine(x, low, "p", bits=2), combine(x, high, "p", bits=2)
    x.give_predicate("u", held[0])
    x.give_predicate("v", held[1])


def hset2(x, is_bf16, as_float):
    b = x.b
    one = (0x3F80 if is_bf16 else 0x3C00) if as_float else 0xFFFF
    results = [x.bits(combine(x, held, "p", bits=2)) for held in _compared(x, is_bf16)]
    low, high = (
        b.select(held, constant(V32, one << k), constant(V32, 0)) for held, k in zip(results, (0, 16), strict=True)
    )
    x.give(b.or_(low, high))


def hmnmx2(x, is_bf16, with_nan, xorsign, ftz):
    """Give the smaller or larger halves; with ``xorsign`` under the products of the signs that a and b have."""
    b = x.b
    wants_least = x.bits(x.predicate("p"))
    found = []
    for p, q in zip(halves(x, "a", is_bf16), halves(x, "b", is_bf16), strict=True):
        if ftz:
            p, q = flushed(b, p), flushed(b, q)
        pb, qb = b.bitcast(p, V32), b.bitcast(q, V32)
        less = b.or_(b.fcmp_ordered("<", p, q), b.and_(b.fcmp_ordered("==", p, q), b.icmp_signed("<", pb, qb)))
        value = b.select(b.icmp_unsigned("==", less, wants_least), p, q)
        p_nan, q_nan = b.fcmp_unordered("uno", p, p), b.fcmp_unordered("uno", q, q)
        if with_nan:
            value = b.select(b.or_(p_nan, q_nan), constant(FLOATS, float("nan")), value)
        else:
            value = b.select(p_nan, q, b.select(q_nan, p, value))
        found.append(wide(b, value))
    if not xorsign:
        give_pair(x, found, is_bf16)
        return
    signs = [bits_of_halves(x, letter) for letter in "ab"]
    x.give(under_signs(b, pair_of(x, found, is_bf16), b.xor(*signs)))


def f2fp(x, is_bf16, relu, round_):
    """Write two floats as a pair: b to the lower half, a to the upper one."""
    b = x.b
    give_pair(x, [wide(b, x.float("b")), wide(b, x.float("a"))], is_bf16, relu=relu, mode=round_)
