"""Emit integer, bit and predicate operations of NVIDIA's machine code: a function for each of ``sass.meanings``."""

from __future__ import annotations

import functools

from llvmlite import ir

from warpview.isa.types import RANK_SHIFT
from warpview.sim.jit.lanes import BITS, I32, I64, LANES, V32, V64, constant, splat
from warpview.sim.jit.native_floating import chosen, give_comparison
from warpview.sim.jit.native_parts import piece
from warpview.sim.jit.native_wide import HALF, everywhere, joined, lanes_of, lower_words, upper_words, widened
from warpview.sim.memory import CONST_WINDOW, LOCAL_WINDOW, SHARED_WINDOW

FALSE = ir.Constant(ir.IntType(1), 0)


def _wide(b, value):
    return b.zext(value, V64)


def iadd3(x, uses_carry):
    if uses_carry:
        _add_with_carries(x, uses_carry)
        return
    with x.b.if_else(x.asks_for("u", "v")) as (carries, plain):
        with carries:
            _add_with_carries(x, uses_carry)
        with plain:
            total = x.b.add(x.b.add(x.word("a"), x.word("b")), x.b.add(x.word("c"), x.number("extra")))
            x.give(total)


def _add_with_carries(x, uses_carry):
    b = x.b
    total = b.add(b.add(_wide(b, x.word("a")), _wide(b, x.word("b"))), _wide(b, x.word("c")))
    if uses_carry:
        total = b.add(total, b.add(_wide(b, x.carry("p")), _wide(b, x.carry("q"))))
    else:
        total = b.add(total, _wide(b, x.number("extra")))
    x.give(b.trunc(total, V32))
    carry = b.lshr(total, constant(V64, 32))
    for letter, least in (("u", 1), ("v", 2)):
        mask = b.bitcast(b.icmp_unsigned(">=", carry, constant(V64, least)), I32)
        x.give_predicate(letter, mask)


def _wide_term(x, letter):
    """Return a 64-bit integer; a bit of ``extra`` says whether it is negated."""
    b, value, flags = x.b, x.pair(letter), splat(x.b, x.field("extra"), V64)
    negated = b.and_(b.lshr(flags, constant(V64, "abc".index(letter))), constant(V64, 1))
    return b.add(b.xor(value, b.neg(negated)), negated)


def iaddwide(x, uses_carry):
    """Add two integers of 64 bits; with .X the carry in p comes in place of the one that a negative adds."""
    b, flags, carries = x.b, splat(x.b, x.field("extra"), V64), ir.Constant(BITS, [0] * LANES)
    total = constant(V64, 0)
    for k, letter in enumerate("ab"):
        negated = b.and_(b.lshr(flags, constant(V64, k)), constant(V64, 1))
        terms = [b.xor(x.pair(letter), b.neg(negated))]
        if not uses_carry:
            terms.append(negated)
        elif letter == "a":
            terms.append(_wide(b, x.carry("p")))
        for term in terms:
            more = b.add(total, term)
            carries = b.or_(carries, b.icmp_unsigned("<", more, term))
            total = more
    x.give_pair(total)
    x.give_predicate("u", b.bitcast(carries, I32))


def iadd3wide(x):
    total = constant(V64, 0)
    for letter in "abc":
        total = x.b.add(total, _wide_term(x, letter))
    x.give_pair(total)


def selwide(x):
    x.give_pair(x.b.select(x.bits(x.predicate("p")), x.pair("a"), x.pair("b")))


def isetpwide(x, signed):
    """Compare integers of 64 bits, as ``isetp`` compares those of 32."""
    give_comparison(x, _compared(x, x.pair("a"), x.pair("b"), signed))


def imad(x, uses_carry):
    b = x.b
    total = b.add(b.mul(x.word("a"), x.word("b")), x.word("c"))
    x.give(b.add(total, x.carry("p") if uses_carry else x.number("extra")))


def _wide_sum(x, term, signed, uses_carry):
    """Return product plus term, of 64 bits, and a function that emits the lanes where it ran over."""
    b = x.b
    product = widened(b, x.word("a"), signed).apply(b.mul, widened(b, x.word("b"), signed))
    total = product.apply(b.add, term)
    if not uses_carry:
        return total, lambda: lanes_of(b, total.apply(functools.partial(b.icmp_unsigned, "<"), product))
    more = total.apply(b.add, widened(b, x.carry("p")))

    def carry():
        first = total.apply(functools.partial(b.icmp_unsigned, "<"), product)
        second = more.apply(functools.partial(b.icmp_unsigned, "<"), total)
        return lanes_of(b, first.apply(b.or_, second))

    return more, carry


def _give_carry(x, carry):
    """Write the carry where it is asked for."""
    with x.b.if_then(x.asks_for("u")):
        x.give_predicate("u", carry())


def imadwide(x, signed, uses_carry):
    b = x.b
    negated = everywhere(b, b.and_(b.lshr(x.field("extra"), ir.Constant(I64, "abc".index("c"))), ir.Constant(I64, 1)))
    term = joined(b, x.plain("c"), x.word("c", 1)).apply(b.xor, negated.apply(b.neg)).apply(b.add, negated)
    total, carry = _wide_sum(x, term, signed, uses_carry)
    low, high = lower_words(b, total), upper_words(b, total)
    x.give(low)
    x.give(high, k=1)
    _give_carry(x, carry)


def imadhi(x, signed, uses_carry):
    term = joined(x.b, x.plain("c"), x.word("c", 1))
    total, carry = _wide_sum(x, term, signed, uses_carry)
    x.give(upper_words(x.b, total))
    _give_carry(x, carry)


def iabs(x):
    b, value = x.b, x.word("b")
    x.give(b.select(b.icmp_signed("<", value, constant(V32, 0)), b.neg(value), value))


def lea(x, high, uses_carry, sign_extends):
    b = x.b
    shift = x.number("imm")
    if high:
        a = x.word("a")
        upper = b.ashr(a, constant(V32, 31)) if sign_extends else x.word("c")
        shifted = b.shl(x.join(a, upper), _wide(b, shift))
        term = b.trunc(b.lshr(shifted, constant(V64, 32)), V32)
    else:
        complement = b.neg(b.and_(x.number("extra"), constant(V32, 1)))
        term = b.xor(b.shl(x.word("a"), shift), complement)
    addends = [term, x.word("b"), b.lshr(x.number("extra"), constant(V32, 1))]
    if uses_carry:
        addends.append(x.carry("p"))
    x.give(functools.reduce(b.add, addends))
    with b.if_then(x.asks_for("u")):
        total = functools.reduce(b.add, [_wide(b, addend) for addend in addends])
        carries = b.icmp_unsigned("!=", b.lshr(total, constant(V64, 32)), constant(V64, 0))
        x.give_predicate("u", b.bitcast(carries, I32))


def lop3(x, combines_all):
    """Select by the bits of the table: a picks a half of it, b a quarter, c an eighth. The predicate says whether any
    bit is set or (with PAND: and) the source predicate holds."""
    b, a, c, e = x.b, x.word("a"), x.word("b"), x.word("c")
    table = x.field("imm")

    def bit(k):
        chosen = b.and_(b.lshr(table, ir.Constant(I64, k)), ir.Constant(I64, 1))
        return splat(b, b.trunc(b.neg(chosen), I32), V32)

    def pick(selector, one, zero):
        return b.xor(zero, b.and_(selector, b.xor(one, zero)))

    eighths = [pick(e, bit(2 * k + 1), bit(2 * k)) for k in range(4)]
    quarters = [pick(c, eighths[2 * k + 1], eighths[2 * k]) for k in range(2)]
    value = pick(a, quarters[1], quarters[0])
    x.give(value)
    any_set = b.bitcast(b.icmp_unsigned("!=", value, constant(V32, 0)), I32)
    x.give_predicate("u", (b.and_ if combines_all else b.or_)(any_set, x.predicate("p")))


SHIFT_S64, SHIFT_U64, SHIFT_S32, SHIFT_U32 = range(4)
MOST_PLACES = ir.Constant(HALF, [63] * (LANES // 2))  # by which 64 bits are shifted


def shf(x, right, wraps, kind, high):
    """Shift 64 bits c:a by b; types of 32 bits shift by at most 32."""
    b = x.b
    pair, count = joined(b, x.word("a"), x.word("c")), x.word("b")
    is_wide, is_signed = kind in (SHIFT_S64, SHIFT_U64), kind in (SHIFT_S64, SHIFT_S32)
    width = 64 if is_wide else 32
    if wraps:
        count = b.and_(count, constant(V32, width - 1))
    else:
        inside = b.icmp_unsigned("<", count, constant(V32, width))
        count = b.select(inside, count, constant(V32, width))

    def shifted(value, amount):
        within = b.and_(amount, MOST_PLACES)
        result = (b.shl if not right else b.ashr if is_signed else b.lshr)(value, within)
        if wraps or not is_wide:
            return result
        fill = b.ashr(value, MOST_PLACES) if right and is_signed else ir.Constant(HALF, None)
        return b.select(b.icmp_unsigned(">", amount, MOST_PLACES), fill, result)

    x.give((upper_words if high else lower_words)(b, pair.apply(shifted, widened(b, count))))


def prmt(x, mode):
    b = x.b
    pair, selector = x.join(x.word("a"), x.word("c")), _wide(b, x.word("b"))
    result = constant(V64, 0)
    if mode:
        x.give(b.trunc(_bytes_by_mode(b, pair, selector, mode), V32))
        return
    for k in range(4):
        nibble = b.lshr(selector, constant(V64, 4 * k))
        byte = b.lshr(pair, b.shl(b.and_(nibble, constant(V64, 7)), constant(V64, 3)))
        byte = b.and_(byte, constant(V64, 0xFF))
        sign = b.mul(b.lshr(byte, constant(V64, 7)), constant(V64, 0xFF))
        signed = b.icmp_unsigned("!=", b.and_(nibble, constant(V64, 8)), constant(V64, 0))
        result = b.or_(result, b.shl(b.select(signed, sign, byte), constant(V64, 8 * k)))
    x.give(b.trunc(result, V32))


def _bytes_by_mode(b, pair, selector, mode):
    """Return four bytes chosen by a mode of the PTX ISA's prmt: f4e, b4e, rc8, ecl, ecr, rc16."""
    first = b.and_(selector, constant(V64, 3))
    result = constant(V64, 0)
    for k in range(4):
        place = constant(V64, k)
        index = {
            1: lambda p: b.and_(b.add(first, p), constant(V64, 7)),
            2: lambda p: b.and_(b.sub(first, p), constant(V64, 7)),
            3: lambda p: first,
            4: lambda p: b.select(b.icmp_unsigned(">", first, p), first, p),
            5: lambda p: b.select(b.icmp_unsigned("<", first, p), first, p),
            6: lambda p: b.or_(b.shl(b.and_(first, constant(V64, 1)), constant(V64, 1)), b.and_(p, constant(V64, 1))),
        }[mode](place)
        byte = b.and_(b.lshr(pair, b.shl(index, constant(V64, 3))), constant(V64, 0xFF))
        result = b.or_(result, b.shl(byte, constant(V64, 8 * k)))
    return result


def sel(x):
    x.give(x.b.select(x.bits(x.predicate("p")), x.word("a"), x.word("b")))


def fsel(x, _):
    sel(x)


def mov(x):
    x.give(x.word("b"))


def _moves(count):
    def move(x):
        values = [x.plain("b", k) for k in range(count)]
        for k, value in enumerate(values):
            x.give(value, k=k)

    return move


mov2, mov4 = _moves(2), _moves(4)


def halfconstant(x):
    x.give(x.word("c"))


def bmsk(x, wraps):
    """Return as many ones as b says, from bit a on."""
    b, start, count = x.b, x.word("a"), x.word("b")
    if wraps:
        start, count = b.and_(start, constant(V32, 31)), b.and_(count, constant(V32, 31))
    limit = constant(V32, 32)
    count = b.select(b.icmp_unsigned("<", count, limit), count, limit)
    start = b.select(b.icmp_unsigned("<", start, limit), start, limit)
    ones = b.sub(b.shl(constant(V64, 1), _wide(b, count)), constant(V64, 1))
    x.give(b.trunc(b.shl(ones, _wide(b, start)), V32))


def sgxt(x, signed, wraps):
    b, value, count = x.b, x.word("a"), x.word("b")
    if wraps:
        count = b.and_(count, constant(V32, 31))
    inside = b.icmp_unsigned("<", count, constant(V32, 32))
    safe = b.and_(count, constant(V32, 31))
    spare = b.and_(b.sub(constant(V32, 32), safe), constant(V32, 31))
    raised = b.shl(value, spare)
    kept = b.ashr(raised, spare) if signed else b.lshr(raised, spare)
    kept = b.select(b.icmp_unsigned("==", safe, constant(V32, 0)), constant(V32, 0), kept)
    x.give(b.select(inside, kept, value))


def isetp(x, signed, extends):
    """Compare by the hardware's number in ``imm``, whose bits stand for less, equal and greater. An extended one
    compares the upper words; where they are equal, that of the lower ones (r) decides."""
    lower = x.predicate("r") if extends else None
    give_comparison(x, _compared(x, x.word("a"), x.word("b"), signed, lower))


def _compared(x, a, c, signed, where_equal=None):
    """Return a comparison by the number in ``imm``, as an int32 mask."""
    b, code = x.b, x.field("imm")
    test = b.icmp_signed if signed else b.icmp_unsigned
    less, equal, greater = (b.bitcast(test(symbol, a, c), I32) for symbol in ("<", "==", ">"))
    held = b.or_(b.and_(less, chosen(b, code, 0)), b.and_(greater, chosen(b, code, 2)))
    return b.or_(held, b.and_(equal, chosen(b, code, 1) if where_equal is None else where_equal))


def flo(x, signed, as_shift):
    b, value = x.b, x.word("b")
    if signed:
        value = b.xor(value, b.ashr(value, constant(V32, 31)))
    zeros = x.call("ctlz", value, FALSE)
    found = zeros if as_shift else b.sub(constant(V32, 31), zeros)
    x.give(b.select(b.icmp_unsigned("==", value, constant(V32, 0)), constant(V32, -1), found))


def brev(x):
    x.give(x.call("bitreverse", x.word("b")))


def popc(x):
    x.give(x.call("ctpop", x.word("b")))


def idp(x, kind):
    """Add the products of four bytes; or of the halves of a and two bytes of b, the lower or the upper ones."""
    b, total = x.b, x.word("c")
    a_signed, b_signed, form = kind & 1, kind >> 1 & 1, kind >> 3
    width, count, first = (8, 4, 0) if form == 0 else (16, 2, 16 if form == 3 else 0)
    for k in range(count):
        left = piece(b, x.word("a"), width * k, width, a_signed)
        right = piece(b, x.word("b"), first + 8 * k, 8, b_signed)
        total = b.add(total, b.mul(left, right))
    x.give(total)


def _distance(b, p, q, signed):
    less = (b.icmp_signed if signed else b.icmp_unsigned)("<", p, q)
    return b.select(less, b.sub(q, p), b.sub(p, q))


def vabsdiff(x, signed):
    x.give(x.b.add(_distance(x.b, x.word("a"), x.word("b"), signed), x.word("c")))


def vabsdiff4(x, signed, adds_up):
    b = x.b
    result = x.word("c") if adds_up else constant(V32, 0)
    for k in range(4):
        p, q = (piece(b, x.word(letter), 8 * k, 8, signed) for letter in "ab")
        distance = _distance(b, p, q, signed)
        result = b.add(result, distance) if adds_up else b.or_(result, b.shl(distance, constant(V32, 8 * k)))
    x.give(result)


OWN_SHARED = 2


def qspc(x, space):
    """Write whether an address lies in global, local or shared memory, that of the block, whose rank is a source, or
    of its cluster: windows of the generic addresses."""
    b = x.b
    address = b.add(x.pair("a"), splat(b, x.field("imm"), V64))
    if space == OWN_SHARED:
        address = b.sub(address, b.shl(b.zext(x.word("b"), V64), constant(V64, RANK_SHIFT)))
    own, shared = (SHARED_WINDOW, SHARED_WINDOW + (1 << RANK_SHIFT)), (SHARED_WINDOW, LOCAL_WINDOW)
    low, high = ((0, SHARED_WINDOW), (LOCAL_WINDOW, CONST_WINDOW), own, shared)[space]
    inside = b.and_(
        b.icmp_unsigned(">=", address, constant(V64, low)), b.icmp_unsigned("<", address, constant(V64, high))
    )
    x.give_predicate("u", b.bitcast(inside, I32))


def narrow(x, size):
    """Return a byte or half word of a word of constant memory; ``imm`` says where it begins, in bits."""
    b = x.b
    bits = 8 if size < 2 else 16
    value = b.shl(b.lshr(x.word("b"), x.number("imm")), constant(V32, 32 - bits))
    x.give((b.ashr if size & 1 else b.lshr)(value, constant(V32, 32 - bits)))
