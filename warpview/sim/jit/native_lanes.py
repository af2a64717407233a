"""Emit operations of NVIDIA's machine code on predicates, barriers and lanes, named as in ``sass.meanings``."""

from __future__ import annotations

from llvmlite import ir

from warpview.sim.jit.lanes import I32, I64, LANES, V32, constant, splat, store_row

SMALLEST, LARGEST = 4, 5  # modes of REDUX


def plop3(x):
    _look_up(x, *(x.predicate(letter) for letter in "pqr"))


def plop3signs(x):
    _look_up(x, *(x.b.bitcast(x.b.icmp_signed("<", x.word(k), constant(V32, 0)), I32) for k in "abc"))


def _look_up(x, p, q, r):
    """Write two predicates by the tables of eight bits in ``imm`` and ``extra``, given masks of lanes."""
    b = x.b
    for letter, name in (("u", "imm"), ("v", "extra")):
        table = x.field(name)
        result = ir.Constant(I32, 0)
        for k in range(8):
            term = ir.Constant(I32, -1)
            for value, bit in ((p, 4), (q, 2), (r, 1)):
                term = b.and_(term, value if k & bit else b.not_(value))
            chosen = b.trunc(b.neg(b.and_(b.lshr(table, ir.Constant(I64, k)), ir.Constant(I64, 1))), I32)
            result = b.or_(result, b.and_(term, chosen))
        x.give_predicate(letter, result)


def p2r(x):
    """Write predicates 0 to 6 as bits of the byte that ``extra`` names, where the mask in ``imm`` is set; other bits
    come from a."""
    b, place = x.b, x.b.shl(x.number("extra"), constant(V32, 3))
    bits = constant(V32, 0)
    for k in range(7):
        held = b.icmp_unsigned("!=", x.plain("c", k), constant(V32, 0))
        bits = b.or_(bits, b.select(held, constant(V32, 1 << k), constant(V32, 0)))
    chosen = b.shl(x.number("imm"), place)
    bits = b.shl(bits, place)
    x.give(b.or_(b.and_(bits, chosen), b.and_(x.word("a"), b.not_(chosen))))


def r2p(x):
    """Set the predicates that the mask in ``imm`` names from the bits of the byte of a that ``extra`` names."""
    b = x.b
    value = b.lshr(x.word("a"), b.shl(x.number("extra"), constant(V32, 3)))
    for k in range(7):
        wanted = b.and_(b.lshr(x.field("imm"), ir.Constant(I64, k)), ir.Constant(I64, 1))
        bit = b.and_(b.lshr(value, constant(V32, k)), constant(V32, 1))
        with b.if_then(b.icmp_unsigned("!=", wanted, ir.Constant(I64, 0))):
            x.give(bit, "c", k)


# ------------------------------------------------------------------------------------------------ barriers, lanes


def bssy(x):
    """Make the lanes that take part the members of the barrier."""
    store_row(x.b, splat(x.b, x.b.trunc(x.on, I32), V32), x.row("d"))
    store_row(x.b, constant(V32, 0), x.row("u"))


def bmov(x):
    """Set a barrier from a register of the lowest lane, and note that it has been set."""
    store_row(x.b, _of_lowest(x, "b"), x.row("d"))
    store_row(x.b, constant(V32, 1), x.row("u"))


def bmovclear(x):
    x.give(x.word("b"))
    store_row(x.b, constant(V32, 0), x.row("b"))


def b2r(x):
    value = x.word("b")
    x.give(value)
    x.give_predicate("u", x.b.bitcast(x.b.icmp_unsigned("!=", value, constant(V32, 0)), I32))


def warpid(x):
    """Write the number of the warp from the bit ``imm`` on."""
    x.give(x.b.shl(x.word("b"), x.number("imm")))


def lanemask(x, which):
    """Write the lanes in a relation to the lane itself: equal, less, less or equal, greater, greater or equal."""
    b = x.b
    lane = ir.Constant(V32, list(range(LANES)))
    own = b.shl(constant(V32, 1), lane)
    below = b.sub(own, constant(V32, 1))
    up_to = b.or_(own, below)
    x.give((own, below, up_to, b.not_(up_to), b.not_(below))[which])


def _one_of(x, mask):
    """Return the int32 mask of the lowest lane of an int64 mask."""
    return x.b.and_(mask, x.b.neg(mask))


def _of_lowest(x, letter: str):
    """Return a source of the lowest lane that takes part, in all lanes."""
    first = x.b.trunc(_one_of(x, x.on), I32)
    chosen = x.b.select(x.bits(first), x.word(letter), constant(V32, 0))
    return splat(x.b, _reduce(x, "or", chosen), V32)


def r2ur(x):
    """Write the value of the lowest lane that takes part, and whether that of a lane is another."""
    value = _of_lowest(x, "a")
    differs = x.b.bitcast(x.b.icmp_unsigned("!=", x.word("a"), value), I32)
    x.give(value)
    x.give_predicate("u", differs, lanes=x.on)


def elect(x):
    """Choose the lowest lane that takes part and where the predicate holds: a predicate tells it, a register its
    number."""
    b = x.b
    chosen = _one_of(x, b.and_(x.on, b.zext(x.predicate("p"), I64)))
    number = b.cttz(b.or_(chosen, ir.Constant(I64, 1 << LANES)), ir.Constant(ir.IntType(1), 0))
    x.give(splat(b, b.trunc(number, I32), V32))
    x.give_predicate("u", b.trunc(chosen, I32), lanes=x.on)


def _reduce(x, name: str, vector):
    """Return all lanes of a row combined by an operation of LLVM's ``vector.reduce``."""
    declared = ir.FunctionType(I32, [V32])
    function = x.b.module.declare_intrinsic(f"llvm.vector.reduce.{name}.v32i32", [], declared)
    return x.b.call(function, [vector])


def vote(x, mode):
    b = x.b
    on = b.trunc(x.on, I32)
    ballot = b.and_(x.predicate("p"), on)
    nobody, everybody = b.icmp_unsigned("==", ballot, ir.Constant(I32, 0)), b.icmp_unsigned("==", ballot, on)
    held = (everybody, b.not_(nobody), b.or_(nobody, everybody))[mode]
    x.give(splat(b, ballot, V32))
    x.give_predicate("u", b.sext(held, I32))


def credux(x, mode, signed):
    """Reduce to the largest value (mode 0) or the smallest (2)."""
    redux(x, SMALLEST if mode else LARGEST, signed)


def redux(x, mode, signed):
    b = x.b
    least, most = (-(1 << 31), (1 << 31) - 1) if signed else (0, -1)
    neutral = (-1, 0, 0, 0, most, least)[mode]
    name = ("and", "or", "xor", "add", "smin" if signed else "umin", "smax" if signed else "umax")[mode]
    chosen = b.select(x.bits(b.trunc(x.on, I32)), x.word("a"), constant(V32, neutral))
    x.give(splat(b, _reduce(x, name, chosen), V32))
